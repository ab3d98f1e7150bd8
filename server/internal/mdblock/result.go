package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// resultTag matches the tag before the result of a call of a tool, with the name of the element.
var resultTag = lazyregexp.New(`^ {0,3}<((?:[a-z]+:)?(?:(?:function|tool|command)_(?:call_|use_)?(?:results?|responses?|outputs?)|observations?|system-reminder))(?:[ \t][^<>]*)?>`)

// result records the result of a call, which begins on the line of the cursor, and returns the offset after it. A result
// is text that the model read, not text that it wrote, so no block begins in it. Without its closing tag, a result below
// a tag that is alone on its line reaches to the end of the document, which may still grow. result returns false if no
// result begins here.
func (s *scanner) result(c cursor) (next int, ok bool) {
	if strings.IndexByte(s.doc[c.start:c.end], '<') < 0 || s.leaf == indentedCode || s.inComment() {
		return 0, false
	}
	m := resultTag.FindStringSubmatchIndex(s.doc[c.start:c.end])
	if m == nil {
		return 0, false
	}
	begin, last := c.start+m[1], "</"+s.doc[c.start+m[2]:c.start+m[3]]+">"
	if i := strings.Index(s.doc[begin:], last); i >= 0 {
		_, next = text.LineEnd(s.doc, begin+i+len(last))
	} else if next = len(s.doc); !isBlankLine(s.doc[begin:c.end]) {
		return 0, false
	}
	s.hidden = append(s.hidden, text.Span{Start: c.start, End: next})
	return next, true
}
