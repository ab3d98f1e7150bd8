package gitdiff

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// One line with both names of a file, and perhaps the header of its first hunk.
	namesOnOneLine = lazyregexp.New(`^--- \S.*?([ \t]+)\+\+\+ \S.*?(?:([ \t]+)@@.*)?$`)
	// The header of a hunk, with a removed or added line on the same line. A dash and one space
	// begin a remark rather than a line of code.
	lineInHeader = lazyregexp.New(`^@@[^@]*@@([ \t]*)([-+])(?:\S| [ \t]|\t)`)
)

// joinedNames reports whether line i has both names of a file whose hunk follows.
func (s *source) joinedNames(i int) bool {
	m := namesOnOneLine.FindStringSubmatchIndex(s.text(i))
	if m == nil {
		return false
	}
	next := s.text(i + 1)
	return m[4] >= 0 || next != "" && (next[0] == '@' || next[0] == '-' || next[0] == '+')
}

// partNames returns the edits that split a line with both names into several lines. For any other
// line, it returns nil.
func (s *source) partNames(i int) []text.Edit {
	m := namesOnOneLine.FindStringSubmatchIndex(s.text(i))
	if m == nil {
		return nil
	}
	edits := []text.Edit{s.newline(i, m[2], m[3])}
	if m[4] >= 0 {
		edits = append(edits, s.newline(i, m[4], m[5]))
	}
	return edits
}

// newline returns the edit that replaces a part of line i by a line ending.
func (s *source) newline(i, from, to int) text.Edit {
	return text.Edit{Span: text.Span{Start: from, End: to}.Shift(s.starts[i]), New: s.eol()}
}

// joinedHunk reports a hunk whose first line is on the line of its header. git takes that line
// for the name of a function.
func (s *section) joinedHunk(h hunk.Hunk, first int) bool {
	m := lineInHeader.FindStringSubmatchIndex(s.text(first))
	if m == nil {
		return false
	}
	line := text.Span{Start: m[4], End: h.Header.Len()}.Shift(h.Header.Start)
	s.fail(diag.GitHunkHeader, line, fmt.Sprintf("`%s` is on the same line as the hunk's header, so git would ignore it; write it on the next line", line.In(s.body)),
		diag.Fix{Title: "Write it on the next line", Edits: []text.Edit{s.newline(first, m[2], m[3])}, Preferred: s.body[line.Start] == '-'}) // a removed line is safe, because the file must contain it
	s.at = s.bodyEnd(first + 1)
	return true
}
