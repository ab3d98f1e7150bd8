package gitdiff

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	strictHeader = lazyregexp.New(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$`)
	looseHeader  = lazyregexp.New(`^@@+ *- *(\d+)(?: *, *(\d+))?[ ,]*\+ *(\d+)(?: *, *(\d+))? *(?:$|@+(.*)$)`)
)

// hunkNumbers reads line i as the header of a hunk. If `strict` is true, git accepts it, too.
func (s *source) hunkNumbers(i int) (h hunk.Hunk, strict bool) {
	line := s.text(i)
	h.Header = s.line(i)
	m := strictHeader.FindStringSubmatch(line)
	if strict = m != nil; !strict {
		m = looseHeader.FindStringSubmatch(line)
	}
	if m == nil {
		h.Section = placeholder(line)
		return h, false
	}
	h.Numbered = true
	h.Old = hunk.Range{Start: mdblock.HunkNumber(m[1]), Count: mdblock.HunkNumber(m[2])}
	h.New = hunk.Range{Start: mdblock.HunkNumber(m[3]), Count: mdblock.HunkNumber(m[4])}
	h.Section = strings.TrimSpace(m[5])
	return h, strict
}

// placeholder returns the text that a hunk's header has instead of numbers, such as the name of a function.
func placeholder(line string) string {
	line = strings.Trim(line, "@ \t")
	if strings.Trim(line, ".…-+, 0123456789XxYy?_") == "" {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "..."), "…"))
}

// hunkHeader reads a hunk's header. It adds an error if git does not accept the header.
func (s *section) hunkHeader(i int) hunk.Hunk {
	h, strict := s.hunkNumbers(i)
	if h.Numbered && !strict {
		fixed := writeHeader(h.Old.Start, h.Old.Count, h.New.Start, h.New.Count, h.Section)
		s.fail(diag.GitHunkHeader, h.Header, fmt.Sprintf("git does not recognize this hunk: its header must be written `%s`", fixed),
			diag.Fix{Title: "Write " + fixed, Edits: []text.Edit{{Span: h.Header, New: fixed}}, Preferred: true})
	}
	return h
}

func writeHeader(old, oldCount, new, newCount int, section string) string {
	header := fmt.Sprintf("@@ -%s +%s @@", writeRange(old, oldCount), writeRange(new, newCount))
	if section != "" {
		header += " " + section
	}
	return header
}

func writeRange(start, count int) string {
	if count == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}

func (s *section) linesAfter(h hunk.Hunk, first, from, end int) {
	for from < end && s.blank(from) {
		from++
	}
	end = s.trimmed(from, end)
	at := text.Span{Start: s.starts[from], End: s.line(end - 1).End}
	s.fail(diag.GitLinesAfterHunk, at, "according to the counts in its header, the hunk above is complete, so git would silently ignore these lines; remove them, or make them part of the hunk",
		diag.Fix{Title: "Remove the lines", Edits: []text.Edit{s.remove(from, end)}},
		s.include(h, first, end))
	s.finishQuiet(h, first, first+1, from)
	s.at = end
}

// include returns the fix that makes all lines before `end` part of a hunk. Lines without a sign become context.
func (s *section) include(h hunk.Hunk, first, end int) diag.Fix {
	fix := diag.Fix{Title: "Make the lines part of the hunk"}
	fix.Edits = append(fix.Edits, s.signs(' ', first+1, end)...)
	old, new := s.countSides(first+1, end)
	fix.Edits = append(fix.Edits, text.Edit{Span: h.Header, New: writeHeader(h.Old.Start, old, h.New.Start, new, h.Section)})
	return fix
}

func (s *source) signs(sign byte, from, end int) []text.Edit {
	var edits []text.Edit
	for i := from; i < end; i++ {
		if s.op(i) == 0 {
			edits = append(edits, text.Edit{Span: text.Span{Start: s.starts[i], End: s.starts[i]}, New: string(sign)})
		}
	}
	return edits
}

// countSides counts the lines of the old and of the new side. A line without a sign counts as context.
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

// trimmed returns the end of the lines [from, end) without the empty lines at their end.
func (s *source) trimmed(from, end int) int {
	for end > from && s.text(end-1) == "" {
		end--
	}
	return end
}

func within(n, most int) int {
	if n < 1 || n > most {
		return 0
	}
	return n
}

func (s *section) finish(h hunk.Hunk, first, from, end int) {
	s.at = end
	if end == from {
		s.fail(diag.GitHunkEmpty, h.Header, "the hunk has no lines", diag.Fix{Title: "Remove the hunk", Edits: []text.Edit{s.remove(first, from)}})
		return
	}
	s.finishQuiet(h, first, from, end)
}

func (s *section) finishQuiet(h hunk.Hunk, first, from, end int) {
	h.At = s.lines(first, end)
	h.Lines = s.hunkLines(from, end)
	s.hunks = append(s.hunks, h)
	s.at = end
}

// hunkLines reads the lines of a hunk. A backslash says that the line above has no ending. The words after it are
// ignored, because they depend on git's language.
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
				// The CRLF belongs to the patch, not to the file.
				*last = strings.TrimSuffix(*last, "\r")
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

var (
	// namesOnOneLine matches a line with both names of a file, and perhaps the first hunk's header.
	namesOnOneLine = lazyregexp.New(`^--- \S.*?([ \t]+)\+\+\+ \S.*?(?:([ \t]+)@@.*)?$`)
	// lineInHeader matches a line with a hunk's header and a removed or added line. A dash and one space begin a
	// remark instead.
	lineInHeader = lazyregexp.New(`^@@[^@]*@@([ \t]*)([-+])(?:\S| [ \t]|\t)`)
)

// joinedNames reports whether line i has both names of a file, and a hunk follows.
func (s *source) joinedNames(i int) bool {
	m := namesOnOneLine.FindStringSubmatchIndex(s.text(i))
	if m == nil {
		return false
	}
	next := s.text(i + 1)
	return m[4] >= 0 || next != "" && (next[0] == '@' || next[0] == '-' || next[0] == '+')
}

// partNames returns the edits that split a line with both names, or nil for any other line.
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

func (s *source) newline(i, from, to int) text.Edit {
	return text.Edit{Span: text.Span{Start: from, End: to}.Shift(s.starts[i]), New: s.eol()}
}

// joinedHunk reports a hunk whose first line is on the line of its header, where git reads it as the name of a
// function.
func (s *section) joinedHunk(h hunk.Hunk, first int) bool {
	m := lineInHeader.FindStringSubmatchIndex(s.text(first))
	if m == nil {
		return false
	}
	line := text.Span{Start: m[4], End: h.Header.Len()}.Shift(h.Header.Start)
	s.fail(diag.GitHunkHeader, line, fmt.Sprintf("`%s` is on the same line as the hunk's header, so git would ignore this text; move the text to the next line", line.In(s.body)),
		// A removed line must be in the file, so its fix is certain.
		diag.Fix{Title: "Move the text after the header to the next line", Edits: []text.Edit{s.newline(first, m[2], m[3])}, Preferred: s.body[line.Start] == '-'})
	s.at = s.bodyEnd(first + 1)
	return true
}
