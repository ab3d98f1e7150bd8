package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A source is a target cut into lines as git cuts it: behind every LF, and
// nowhere else. Lines count from 0.
type source struct {
	text   string // what hunks are compared with: where endings are not known, CRLF is LF in it
	starts []int  // of each line in text; the last one is len(text)

	target       string // what is edited; it has the same lines
	targetStarts []int
}

func newSource(t intent.Target) *source {
	target := t.Text.String()
	s := &source{text: target, starts: lineStarts(target), target: target}
	s.targetStarts = s.starts
	if t.EndingsUnknown && strings.Contains(target, "\r\n") {
		s.text = strings.ReplaceAll(target, "\r\n", "\n")
		s.starts = lineStarts(s.text)
	}
	return s
}

func lineStarts(s string) []int {
	starts := make([]int, 1, 2+strings.Count(s, "\n"))
	for at := 0; at < len(s); {
		at = lineEnd(s, at)
		starts = append(starts, at)
	}
	return starts
}

// lineEnd is where the line that holds offset at ends, its ending included.
func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

func (s *source) count() int { return len(s.starts) - 1 }

func (s *source) line(i int) string { return s.text[s.starts[i]:s.starts[i+1]] }

// lines is the text of the n lines from at.
func (s *source) lines(at, n int) string { return s.text[s.starts[at]:s.starts[at+n]] }

// has reports whether the n lines from at are want.
func (s *source) has(at, n int, want string) bool {
	return at >= 0 && at+n <= s.count() && s.starts[at+n]-s.starts[at] == len(want) && s.lines(at, n) == want
}

// span is where n lines from at stand in the target.
func (s *source) span(at, n int) text.Span {
	return text.Span{Start: s.targetStarts[at], End: s.targetStarts[at+n]}
}

// ending is what ends a line of the target; "" for a last one without.
func (s *source) ending(i int) string {
	return endingOf(s.target[s.targetStarts[i]:s.targetStarts[i+1]])
}

// endingOf is the CRLF or LF that line ends in.
func endingOf(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return ""
}

func bodyOf(line string) string { return line[:len(line)-len(endingOf(line))] }

// withoutCR is s with LF in place of CRLF: the same lines.
func (s *source) withoutCR() *source {
	if !strings.Contains(s.text, "\r\n") {
		return s
	}
	lf := strings.ReplaceAll(s.text, "\r\n", "\n")
	return &source{text: lf, starts: lineStarts(lf)}
}

// lineOf is the line that holds an offset of the text.
func (s *source) lineOf(offset int) int {
	i, found := slices.BinarySearch(s.starts, offset)
	if !found {
		i--
	}
	return min(i, s.count()-1)
}
