package hunk

import (
	"bytes"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
)

// levels are the levels of comparison, from the strictest to the loosest. No level ignores only indentation: git
// refuses any difference in white space, and a fix keeps the white space of the file.
var levels = []place.Level{place.Exact, place.LineEnding, place.TrailingSpace, place.Spacing, place.LookAlike}

type source struct {
	*place.Lines              // the target's lines, with LF for CRLF if the line endings of the patch are unknown
	target       *place.Lines // the target's own lines, in which the edits are made
}

func newSource(t intent.Target) *source {
	target := t.Text.Lines(place.AfterLF)
	if t.EndingsUnknown {
		return &source{withLF(target), target}
	}
	return &source{target, target}
}

func withLF(lines *place.Lines) *place.Lines {
	if !strings.Contains(lines.Text(), "\r\n") {
		return lines
	}
	return place.NewLines(strings.ReplaceAll(lines.Text(), "\r\n", "\n"), place.AfterLF, lines.Meter())
}

const (
	spaces = " \t"
	mark   = "\xef\xbb\xbf" // the byte order mark
)

// find returns the places of some lines at a level for which `may` returns true. It stops after maxPlaces+1 places.
// It returns false if there are too many places to check.
func (r *run) find(lines []string, l place.Level, may func(at int) bool) (places []int, ok bool) {
	ok = r.src.Find(lines, l, func(at int) bool {
		if may(at) {
			places = append(places, at)
		}
		return len(places) <= maxPlaces
	})
	return places, ok
}

// maxPlaces is the largest number of places that a message lists.
const maxPlaces = 20

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

// An image tracks the lines of a source while hunks are put in their places. It maps lines of the result to lines of
// the source, and marks the lines that a hunk uses, because no other hunk may use them (git's LINE_PATCHED).
type image struct {
	lines int
	taken []byte // 1 for each line at the place of a hunk
	wedge []byte // 1 for each line above which a hunk only inserts lines
	// A Fenwick tree over the lines of the source and its end. The value of a line is the number of lines that the
	// result has in its place, including lines inserted before it, minus one.
	tree []int
}

func newImage(lines int) *image {
	return &image{lines: lines, taken: make([]byte, lines+1), wedge: make([]byte, lines+1), tree: make([]int, lines+2)}
}

// put records that `added` lines replace n lines of the source, from the line `at`.
func (m *image) put(at, n, added int) {
	for i := at; i < at+n; i++ {
		m.taken[i] = 1
		m.add(i, -1)
	}
	if n == 0 && added > 0 {
		m.wedge[at] = 1
	}
	m.add(at, added)
}

func (m *image) add(at, n int) {
	if n == 0 {
		return
	}
	for i := at + 1; i < len(m.tree); i += i & -i {
		m.tree[i] += n
	}
}

// countBefore returns how many lines the result has in place of the source's lines [0, at).
func (m *image) countBefore(at int) int {
	n := at
	for i := at; i > 0; i &= i - 1 {
		n += m.tree[i]
	}
	return n
}

// line returns the line of the result for a line of the source, even at the place of a hunk.
func (m *image) line(at int) int {
	n := m.countBefore(at + 1)
	if at == m.lines || m.taken[at] == 0 {
		n--
	}
	return n
}

// source returns the line of the source for a line of the result, or for its end. It returns false for a line that a
// hunk inserted, and for a line beyond the end.
func (m *image) source(line int) (at int, ok bool) {
	step := 1
	for step*2 < len(m.tree) {
		step *= 2
	}
	rest := line
	for ; step > 0; step /= 2 {
		if next := at + step; next < len(m.tree) && step+m.tree[next] <= rest {
			at, rest = next, rest-step-m.tree[next]
		}
	}
	if line < 0 || at > m.lines || at < m.lines && m.taken[at] == 1 {
		return 0, false
	}
	return at, m.line(at) == line
}

// free reports whether a hunk may use n lines of the source: no hunk uses any of them or inserts lines between them.
func (m *image) free(at, n int) bool {
	return bytes.IndexByte(m.taken[at:at+n], 1) < 0 && (n < 2 || bytes.IndexByte(m.wedge[at+1:at+n], 1) < 0)
}

// atEnd reports whether no hunk inserted lines after the last line of the source.
func (m *image) atEnd() bool { return m.countBefore(m.lines+1)-m.countBefore(m.lines) == 1 }
