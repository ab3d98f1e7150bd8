package mdblock

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

type fence struct {
	char   byte // a backtick or a tilde
	size   int  // the number of characters
	indent int  // the number of columns before the fence, inside its containers
	info   string
	lang   string
	line   text.Span // the line of the fence in the host, without its ending
	eol    string    // the ending of that line; a line feed if it has none
}

func openFence(c *cursor) (fence, bool) {
	if c.blank() || c.indent() >= 4 {
		return fence{}, false
	}
	char, size, info, ok := parseFence(c.rest())
	if !ok {
		return fence{}, false
	}
	return fence{char: char, size: size, indent: c.indent(), info: info, lang: firstWord(info)}, true
}

// parseFence splits a line that is an opening or closing fence. A closing fence has an empty info string.
func parseFence(s string) (char byte, size int, info string, ok bool) {
	if s == "" || (s[0] != '`' && s[0] != '~') {
		return 0, 0, "", false
	}
	char = s[0]
	size = runLen(s, char)
	info = strings.Trim(s[size:], " \t")
	return char, size, info, size >= 3 && (char != '`' || strings.IndexByte(info, '`') < 0)
}

// FenceOf returns the characters and the info string of an opening or closing fence on a line, without its ending.
// `mark` is "" if the line is not a fence.
func FenceOf(line string) (mark, info string) {
	trimmed := strings.TrimLeft(line, " ")
	_, size, info, ok := parseFence(trimmed)
	if !ok || len(line)-len(trimmed) > 3 {
		return "", ""
	}
	return trimmed[:size], info
}

// Wrapped returns the text in a fence if the fence is around a whole text, and its info string.
func Wrapped(s string) (inner text.Span, info string, ok bool) {
	first := len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	end, start := text.LineEnd(s, first)
	mark, info := FenceOf(s[first:end])
	s = strings.TrimRight(s, " \t\r\n")
	last := strings.LastIndexAny(s, "\r\n") + 1
	if mark == "" || last < start || len(s)-last < len(mark) || strings.Trim(s[last:], mark[:1]) != "" || strings.Contains(s[start:last], mark) {
		return inner, "", false
	}
	return text.Span{Start: start, End: last}, info, true
}

// firstWord returns the language in an info string, in lower case: `diff` in `diff src/a.py`
// and in `diff:src/a.py`.
func firstWord(info string) string {
	if i := strings.IndexAny(info, " \t:"); i >= 0 {
		info = info[:i]
	}
	return strings.ToLower(info)
}

// fenced adds the block whose opening fence is on the line of the cursor, and returns the offset after the block.
func (s *scanner) fenced(f fence, c cursor) int {
	f.line = text.Span{Start: c.start, End: c.end}
	f.eol = cmp.Or(s.doc[c.end:c.next], "\n")
	r := reader{scanner: s, fence: f, at: c.next, closeIndent: 3}
	r.leaveItems()
	closing := r.closing()
	b := r.block(closing)
	s.found = append(s.found, b)
	if closing.ok {
		return closing.next
	}
	return b.Span.End
}

// BeforeFence returns the text before the fence on its line in the host: "" or, for example, "> " or "1. ".
func (b Block) BeforeFence(doc string) string {
	before, _, _ := strings.Cut(b.Open.In(doc), b.Mark)
	return before
}

// FenceFor returns a fence of backticks that is longer than any run of backticks in s, so that no line of s can close
// it.
func FenceFor(s string) string {
	longest, run := 2, 0
	for i := range len(s) {
		run++
		if s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}
