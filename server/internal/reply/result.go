package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// tag matches a tag, also around the result of a call.
	tag = lazyregexp.New(`</?[A-Za-z][^<>]*>`)
	// fenceLine matches the first or last line of a fence.
	fenceLine = lazyregexp.New("^[ \t>]*(?:```|~~~)")
)

// CallResult returns [CallRefused], [CallFailed] or [CallMade], and the span of these words, if the first words below a
// call are its result and say so. Otherwise it returns [Nothing]. `below` is the text between the call and the next block.
func CallResult(doc string, below text.Span) (at text.Span, says Verb) {
	for _, line := range linesIn(doc, below) {
		words := tag.ReplaceAllStringFunc(line.In(doc), func(tag string) string { return strings.Repeat(" ", len(tag)) })
		if fenceLine.MatchString(words) || !text.HasWord(words) {
			continue
		}
		for _, v := range []Verb{CallRefused, CallFailed, CallMade} {
			if at, ok := say(words, v); ok {
				return at.Shift(line.Start), v
			}
		}
		break
	}
	return text.Span{}, Nothing
}
