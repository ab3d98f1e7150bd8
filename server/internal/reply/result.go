package reply

import (
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// tag matches a tag, also around the result of a call.
	tag = lazyregexp.New(`</?[A-Za-z][^<>]*>`)
	// fenceLine matches the first or last line of a fence.
	fenceLine = lazyregexp.New("^[ \t>]*(?:```|~~~)")
)

// CallResult returns [CallFailed] or [CallMade] if the first words below a call are its result and say so, and
// otherwise [Nothing]. `below` is the text between the call and the next block.
func CallResult(doc string, below text.Span) Verb {
	for _, at := range linesIn(doc, below) {
		line := tag.ReplaceAllString(at.In(doc), " ")
		switch {
		case fenceLine.MatchString(line), !text.HasWord(line):
			continue
		case saysAny(line, CallFailed):
			return CallFailed
		case saysAny(line, CallMade):
			return CallMade
		}
		break
	}
	return Nothing
}
