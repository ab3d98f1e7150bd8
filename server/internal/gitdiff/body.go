package gitdiff

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *section) readBody() {
	switch line := s.text(s.at); {
	case strings.HasPrefix(line, "@@@ "):
		s.readCombined()
	case line == gitBinary:
		s.readBinary()
	case binaryHunk.MatchString(line):
		s.fail(diag.GitBinary, s.line(s.at), "the line `"+gitBinary+"` is missing above this one", diag.Fix{Title: "Add the line `" + gitBinary + "`", Edits: []text.Edit{s.insert(s.at, gitBinary)}, Preferred: true})
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

// bareBlank reports whether the current blank line is a context line that begins a hunk without a header. Lines of a
// hunk must follow, and at least one must change something.
func (s *section) bareBlank() bool {
	for i, end := s.at, s.bodyEnd(s.at); s.text(s.at) != "" && i < end && s.op(i) != 0; i++ {
		if s.op(i) != ' ' {
			return true
		}
	}
	return false
}

func (s *section) readBare() {
	from := s.at
	at := s.starts[from]
	h := hunk.Hunk{Header: text.Span{Start: at, End: at}}
	s.finish(h, from, from, s.trimmed(from, s.bodyEnd(from)))
}

// readHunk reads a hunk from its header. Like git, it relies only on the counts in the header, unless the lines show
// that the counts are wrong.
func (s *section) readHunk() {
	first := s.at
	h := s.hunkHeader(first)
	from := first + 1
	end := -1
	if h.Numbered {
		end = s.counted(h, from)
	}
	if end < 0 {
		if !s.joinedHunk(h, first) {
			s.readUncounted(h, first, from)
		}
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

// readUncounted reads a hunk without counts, or with wrong counts, up to the next header. Empty lines at its end may
// be context lines that lost their space, or may only separate the hunk from the text below.
func (s *section) readUncounted(h hunk.Hunk, first, from int) {
	more := s.bodyEnd(from)
	end := s.trimmed(from, more)
	// The hunk of a new file gets as many of the empty lines as its count requires, because there is no file to
	// compare them with.
	if s.isNew && h.Numbered {
		end += within(h.New.Count-(end-from), more-end)
	}
	h.Loose = more - end
	s.finish(h, first, from, end)
	if h.Loose > 0 && end > from && more < s.count() && s.kind(more) == hunkHeader {
		s.hunks[len(s.hunks)-1].At.End = s.starts[more]
		s.at = more
	}
}

func (s *source) pastBlank(i int) int {
	for i < s.count() && s.blank(i) {
		i++
	}
	return i
}

// blankBetween reports blank lines between a complete hunk and the next one, where git ends the section.
func (s *section) blankBetween() {
	first := s.at
	s.at = s.pastBlank(first)
	s.fail(diag.GitLinesAfterHunk, text.Span{Start: s.starts[first], End: s.line(s.at - 1).End}, "a blank line separates this hunk from the next one, so git does not know the file of the next hunk; remove the blank line",
		diag.Fix{Title: "Remove the line", Edits: []text.Edit{s.remove(first, s.at)}, Preferred: true})
}

// allSigned reports whether each of the lines [from, end) is empty or begins with ` `, `+` or `-`. It returns false
// if the last nonempty line is an added one, which may be an item of a list.
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

// counted returns the line after the hunk by the counts in its header. The hunk's body begins at line `from`.
// counted returns -1 if there are fewer lines, or if the last lines are the header of the next file: a real patch
// never removes `-- a/x` directly above an added `++ b/x` and the header of a hunk.
func (s *source) counted(h hunk.Hunk, from int) int {
	old, new := h.Old.Count, h.New.Count
	for i := from; ; i++ {
		// A count that has fallen below 0 never gets back to 0.
		if old == 0 && new == 0 {
			if s.namesFiles(i-1, from) || s.namesFiles(i-2, from) {
				return -1
			}
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
	}
}

// namesFiles reports whether line i and the next are the header of a file: `--- a/src/x.py` and `+++ b/src/x.py`.
// The hunk's body begins at line `from`.
func (s *source) namesFiles(i, from int) bool {
	if i < from || s.kind(i) != plainHeader {
		return false
	}
	old, was := strings.CutPrefix(s.text(i)[len("--- "):], "a/")
	new, is := strings.CutPrefix(s.text(i + 1)[len("+++ "):], "b/")
	return was && is && old == new || was && new == "/dev/null" || is && old == "/dev/null"
}

// moreLines searches for further lines of a hunk that is complete by its counts. Lines of a hunk that follow
// immediately belong to it; `end` is the line after them. `lost` is true if other text comes first, which may be
// prose or damaged lines of the hunk.
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

var binaryHunk = lazyregexp.New(`^(literal|delta) \d+$`)
