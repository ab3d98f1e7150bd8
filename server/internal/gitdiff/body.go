package gitdiff

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// readBody reads what follows a section's header.
func (s *section) readBody() {
	switch line := s.text(s.at); {
	case strings.HasPrefix(line, "@@@ "):
		s.readCombined()
	case line == gitBinary:
		s.readBinary()
	case binaryHunk.MatchString(line):
		s.fail(diag.GitBinary, s.line(s.at), "the line `"+gitBinary+"` is lost above this one", diag.Fix{Title: "Write " + gitBinary, Edits: []text.Edit{s.insert(s.at, gitBinary)}, Preferred: true})
	case s.at < s.count() && s.isBinary(s.at):
		s.noData = s.at
		s.at++
	default:
		s.readHunks()
	}
	s.bodyDone = s.at
}

func (s *section) readHunks() {
	for s.at < s.count() {
		switch {
		case s.kind(s.at) == hunkHeader:
			s.readHunk()
		case len(s.hunks) > 0 && s.kind(s.pastBlank(s.at)) == hunkHeader:
			s.blankBetween()
		case len(s.hunks) == 0 && s.at == s.head && s.kind(s.at) == other && s.op(s.at) != 0 && (!s.blank(s.at) || s.bareBlank()):
			s.readBare()
		default:
			return
		}
	}
}

// bareBlank reports whether the blank line at which the parser is begins a hunk
// without a header: it has its sign, and lines that change something follow.
func (s *section) bareBlank() bool {
	for i, end := s.at, s.bodyEnd(s.at); s.text(s.at) != "" && i < end && s.op(i) != 0; i++ {
		if s.op(i) != ' ' {
			return true
		}
	}
	return false
}

// readBare reads the lines of a hunk without a header.
func (s *section) readBare() {
	from := s.at
	at := s.starts[from]
	h := hunk.Hunk{Header: text.Span{Start: at, End: at}}
	s.finish(h, from, from, s.trimmed(from, s.bodyEnd(from)))
}

// readHunk reads the hunk whose header is the line at which the parser is. Git
// goes by the counts of the header alone. So does this, where nothing speaks
// against them.
func (s *section) readHunk() {
	first := s.at
	h := s.hunkHeader(first)
	from := first + 1
	end := -1
	if h.Numbered {
		end = s.counted(h, from)
	}
	if end < 0 {
		s.readUncounted(h, first, from)
		return
	}
	more, lost := s.moreLines(end)
	switch {
	case lost && !s.isNew && s.allSigned(end, more):
		s.finish(h, first, from, s.trimmed(from, more))
		last := &s.hunks[len(s.hunks)-1]
		last.Tail = slices.IndexFunc(last.Lines, func(l hunk.Line) bool { return l.At.Start >= s.starts[end] })
	case lost:
		s.linesAfter(h, first, end, more)
	default:
		s.finish(h, first, from, max(end, more))
	}
}

// readUncounted reads a hunk whose header has no counts, or wrong ones: up to the next
// header. Empty lines at its end may be context that lost its space, or part it from
// what follows.
func (s *section) readUncounted(h hunk.Hunk, first, from int) {
	more := s.bodyEnd(from)
	end := s.trimmed(from, more)
	if s.isNew && h.Numbered { // its lines are checked when all of it is read
		end += within(h.New.Count-(end-from), more-end)
	}
	h.Loose = more - end
	s.finish(h, first, from, end)
	if h.Loose > 0 && end > from && more < s.count() && s.kind(more) == hunkHeader {
		s.hunks[len(s.hunks)-1].At.End = s.starts[more]
		s.at = more
	}
}

// pastBlank is the first line from i that is not blank.
func (s *source) pastBlank(i int) int {
	for i < s.count() && s.blank(i) {
		i++
	}
	return i
}

// blankBetween reports blank lines between a complete hunk and the next one, where
// git ends the section.
func (s *section) blankBetween() {
	first := s.at
	s.at = s.pastBlank(first)
	s.fail(diag.GitLinesAfterHunk, text.Span{Start: s.starts[first], End: s.line(s.at - 1).End}, "a blank line separates this hunk from the next one, so git finds no file for that one; remove it",
		diag.Fix{Title: "Remove the line", Edits: []text.Edit{s.remove(first, s.at)}, Preferred: true})
}

// allSigned reports whether the lines [from, end) begin with a sign or are empty, and
// the last one that is not empty is one of the file's: an added line alone may as well be
// an item of a list.
func (s *source) allSigned(from, end int) bool {
	last := byte(0)
	for i := from; i < end; i++ {
		if s.op(i) == 0 {
			return false
		}
		if s.text(i) != "" {
			last = s.op(i)
		}
	}
	return last == ' ' || last == '-'
}

// counted is the line behind the hunk whose body begins at from, by the counts of
// its header; -1 where the lines are not so many.
func (s *source) counted(h hunk.Hunk, from int) int {
	old, new := h.Old.Count, h.New.Count
	for i := from; ; i++ {
		if old == 0 && new == 0 {
			if s.op(i) == '\\' {
				i++
			}
			return min(i, s.count())
		}
		if i >= s.count() {
			return -1
		}
		switch s.op(i) {
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		case '\\':
		default:
			return -1
		}
		if old < 0 || new < 0 {
			return -1
		}
	}
}

// moreLines looks behind a hunk that its counts say is finished. Lines of a hunk
// that follow at once are its own, up to end; lost tells of such lines further down,
// behind what may be prose or lines of the hunk that are damaged.
func (s *source) moreLines(from int) (end int, lost bool) {
	end = s.bodyEnd(from)
	i := from
	for i < end && !s.blank(i) && s.op(i) != 0 {
		i++
	}
	for j := i; j < end; j++ {
		if !s.blank(j) && s.op(j) != 0 && s.op(j) != '\\' {
			return end, true
		}
	}
	return i, false
}

func (s *section) linesAfter(h hunk.Hunk, first, from, end int) {
	for from < end && s.blank(from) {
		from++
	}
	end = s.trimmed(from, end)
	at := text.Span{Start: s.starts[from], End: s.line(end - 1).End}
	s.fail(diag.GitLinesAfterHunk, at, "the hunk above is finished by the counts of its header, and git would leave these lines out silently; remove them, or make them part of the hunk",
		diag.Fix{Title: "Remove the lines", Edits: []text.Edit{s.remove(from, end)}},
		s.include(h, first, end))
	s.finishQuiet(h, first, first+1, from)
	s.at = end
}

// include is the fix that makes all lines up to end part of a hunk: those that have
// no sign become context.
func (s *section) include(h hunk.Hunk, first, end int) diag.Fix {
	fix := diag.Fix{Title: "Make them part of the hunk"}
	fix.Edits = append(fix.Edits, s.signs(' ', first+1, end)...)
	old, new := s.count2(first+1, end)
	fix.Edits = append(fix.Edits, text.Edit{Span: h.Header, New: writeHeader(h.Old.Start, old, h.New.Start, new, h.Section)})
	return fix
}

// signs are the edits that put a sign before lines that have none.
func (s *source) signs(sign byte, from, end int) []text.Edit {
	var edits []text.Edit
	for i := from; i < end; i++ {
		if s.op(i) == 0 {
			edits = append(edits, text.Edit{Span: text.Span{Start: s.starts[i], End: s.starts[i]}, New: string(sign)})
		}
	}
	return edits
}

// count2 counts the lines of both sides; a line without a sign is context.
func (s *source) count2(from, end int) (old, new int) {
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

// trimmed is end without the empty lines before it.
func (s *source) trimmed(from, end int) int {
	for end > from && s.text(end-1) == "" {
		end--
	}
	return end
}

// within is n if it is from 1 to most, else 0.
func within(n, most int) int {
	if n < 1 || n > most {
		return 0
	}
	return n
}

// finish takes the lines [from, end) as those of a hunk.
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
	for _, l := range h.Lines {
		if l.Op != ' ' {
			return true
		}
	}
	return false
}

func (s *section) finishQuiet(h hunk.Hunk, first, from, end int) {
	h.At = s.lines(first, end)
	h.Lines = s.hunkLines(from, end)
	s.hunks = append(s.hunks, h)
	s.at = end
}

// hunkLines reads lines of a hunk. A line that starts with a backslash says that
// the one before has no newline, in whatever language.
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
				*last = strings.TrimSuffix(*last, "\r") // the patch's line ends so, not the file's
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

var binaryHunk = regexp.MustCompile(`^(literal|delta) \d+$`)

var (
	strictHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$`)
	looseHeader  = regexp.MustCompile(`^@@+ *- *(\d+)(?: *, *(\d+))?[ ,]*\+ *(\d+)(?: *, *(\d+))? *(?:$|@+(.*)$)`)
)

// hunkNumbers reads line i as the header of a hunk; strict if git does, too.
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
	h.Old = hunk.Range{Start: number(m[1]), Count: number(m[2])}
	h.New = hunk.Range{Start: number(m[3]), Count: number(m[4])}
	h.Section = strings.TrimSpace(m[5])
	return h, strict
}

// placeholder is what a header without numbers says besides.
func placeholder(line string) string {
	line = strings.Trim(line, "@ \t")
	if strings.Trim(line, ".…-+, 0123456789XxYy?_") == "" {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "..."), "…"))
}

// number reads a number of a header; a count that is left out is 1.
func number(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.ParseInt(s, 10, 31)
	if err != nil {
		return 1 << 30 // more than any file has
	}
	return int(n)
}

// hunkHeader reads a hunk's header, and tells of one that git does not read.
func (s *section) hunkHeader(i int) hunk.Hunk {
	h, strict := s.hunkNumbers(i)
	if h.Numbered && !strict {
		fixed := writeHeader(h.Old.Start, h.Old.Count, h.New.Start, h.New.Count, h.Section)
		s.fail(diag.GitHunkHeader, h.Header, fmt.Sprintf("git reads no hunk here: the header is written `%s`", fixed),
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
