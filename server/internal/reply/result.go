package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// tag matches a tag, also around the result of a call.
	tag = lazyregexp.New(`</?[A-Za-z][^<>]*>`)
	// fenceLine matches the first or last line of a fence.
	fenceLine = lazyregexp.New("^[ \t>]*(?:```|~~~)")
)

// resultHead matches a line above the result of a call that names the tool: `[write_to_file for 'a.py'] Result:`.
var resultHead = lazyregexp.New(`^\W*(\w+)\b.*:\s*$`)

// ResultLen returns the length of the result at the beginning of the text below a call: its first paragraph. If no
// other paragraph follows, ResultLen returns 0, because the paragraph may have more than the result.
func ResultLen(below string) int {
	s := strings.TrimLeft(below, " \t\r\n")
	end := blankLine.FindStringIndex(s)
	if end == nil {
		return 0
	}
	return len(below) - len(s) + end[0]
}

var blankLine = lazyregexp.New(`\n[ \t]*\r?\n`)

// CallResult returns [CallRefused], [CallFailed] or [CallMade], and the span of these words, if the first words below a
// call are its result and say so. Otherwise it returns [Nothing]. `below` is the text between the call and the next block.
func CallResult(doc string, below text.Span) (at text.Span, says Verb) {
	for _, line := range linesIn(doc, below) {
		words := tag.ReplaceAllStringFunc(line.In(doc), func(tag string) string { return strings.Repeat(" ", len(tag)) })
		head := resultHead.FindStringSubmatch(words)
		if fenceLine.MatchString(words) || !text.HasWord(words) || head != nil && edittools.Edits(head[1]) {
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
