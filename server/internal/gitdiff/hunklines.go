package gitdiff

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *section) linesAfter(h hunk.Hunk, first, from, end int) {
	for from < end && s.blank(from) {
		from++
	}
	end = s.trimmed(from, end)
	at := text.Span{Start: s.starts[from], End: s.line(end - 1).End}
	s.fail(diag.GitLinesAfterHunk, at, "the hunk above is complete by the counts in its header, so git would silently ignore these lines; remove them, or make them part of the hunk",
		diag.Fix{Title: "Remove the lines", Edits: []text.Edit{s.remove(from, end)}},
		s.include(h, first, end))
	s.finishQuiet(h, first, first+1, from)
	s.at = end
}

// include returns the fix that makes all lines up to end part of a hunk. Lines without a sign
// become context lines.
func (s *section) include(h hunk.Hunk, first, end int) diag.Fix {
	fix := diag.Fix{Title: "Make them part of the hunk"}
	fix.Edits = append(fix.Edits, s.signs(' ', first+1, end)...)
	old, new := s.countSides(first+1, end)
	fix.Edits = append(fix.Edits, text.Edit{Span: h.Header, New: writeHeader(h.Old.Start, old, h.New.Start, new, h.Section)})
	return fix
}

// signs returns the edits that put a sign before lines that have none.
func (s *source) signs(sign byte, from, end int) []text.Edit {
	var edits []text.Edit
	for i := from; i < end; i++ {
		if s.op(i) == 0 {
			edits = append(edits, text.Edit{Span: text.Span{Start: s.starts[i], End: s.starts[i]}, New: string(sign)})
		}
	}
	return edits
}

// countSides counts the lines of each side. A line without a sign counts as context.
func (s *source) countSides(from, end int) (old, new int) {
	for i := from; i < end; i++ {
		switch s.op(i) {
		case '-':
			old++
		case '+':
			new++
		case '\\':
		default:
			old, new = old+1, new+1
		}
	}
	return old, new
}

// trimmed returns end without the empty lines before it.
func (s *source) trimmed(from, end int) int {
	for end > from && s.text(end-1) == "" {
		end--
	}
	return end
}

// within returns n if it is between 1 and most, and otherwise 0.
func within(n, most int) int {
	if n < 1 || n > most {
		return 0
	}
	return n
}

// finish completes a hunk with the lines [from, end).
func (s *section) finish(h hunk.Hunk, first, from, end int) {
	s.at = end
	if end == from {
		s.fail(diag.GitHunkEmpty, h.Header, "the hunk has no lines", diag.Fix{Title: "Remove the hunk", Edits: []text.Edit{s.remove(first, from)}})
		return
	}
	s.finishQuiet(h, first, from, end)
	if h := s.hunks[len(s.hunks)-1]; !s.isNew && !changes(h) {
		s.fail(diag.GitHunkEmpty, h.Header, "the hunk changes nothing: no line begins with `+` or `-`", diag.Fix{Title: "Remove the hunk", Edits: []text.Edit{s.remove(first, end)}})
	}
}

func changes(h hunk.Hunk) bool {
	return slices.ContainsFunc(h.Lines, func(l hunk.Line) bool { return l.Op != ' ' })
}

func (s *section) finishQuiet(h hunk.Hunk, first, from, end int) {
	h.At = s.lines(first, end)
	h.Lines = s.hunkLines(from, end)
	s.hunks = append(s.hunks, h)
	s.at = end
}

// hunkLines reads the lines of a hunk. A line that begins with a backslash, in any language, says
// that the previous line has no line ending.
func (s *source) hunkLines(from, end int) []hunk.Line {
	lines := make([]hunk.Line, 0, end-from)
	for i := from; i < end; i++ {
		op, at := s.op(i), s.line(i)
		raw := s.body[s.starts[i]:s.starts[i+1]]
		if !strings.HasSuffix(raw, "\n") {
			raw += s.eol()
		}
		switch {
		case op == '\\' && len(lines) > 0:
			last := &lines[len(lines)-1].Text
			*last = strings.TrimSuffix(*last, "\n")
			if strings.HasSuffix(raw, "\r\n") {
				*last = strings.TrimSuffix(*last, "\r") // the CRLF is the line ending of the patch, not the file's
			}
		case op == '\\':
		case op == 0, at.Empty():
			lines = append(lines, hunk.Line{Op: ' ', Text: raw, At: at, Bare: op == 0})
		default:
			lines = append(lines, hunk.Line{Op: op, Text: raw[1:], At: at})
		}
	}
	return lines
}
