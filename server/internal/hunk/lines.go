package hunk

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// levels lists the levels of comparison, from the strictest to the loosest. White space at the
// beginning of a line counts like white space inside it: git accepts a difference in neither, and
// a fix keeps both.
var levels = []locate.Level{locate.Exact, locate.LineEnding, locate.TrailingSpace, locate.Spacing, locate.LookAlike}

// A source holds the lines of a target for comparison with hunks.
type source struct {
	*locate.Lines               // the target's lines, with LF for CRLF if the endings of the patch are unknown
	target        *locate.Lines // the same lines for editing
}

func newSource(t intent.Target) *source {
	target := t.Text.Lines(locate.AfterLF)
	if t.EndingsUnknown {
		return &source{withLF(target), target}
	}
	return &source{target, target}
}

// withLF returns lines with LF in place of CRLF.
func withLF(lines *locate.Lines) *locate.Lines {
	if !strings.Contains(lines.Text(), "\r\n") {
		return lines
	}
	return locate.NewLines(strings.ReplaceAll(lines.Text(), "\r\n", "\n"), locate.AfterLF, lines.Meter())
}

const (
	spaces = " \t"
	mark   = "\xef\xbb\xbf" // the byte order mark
)

// find returns the places of lines on a level, but only a few more than a message names. It
// returns false if there are too many to check.
func (r *run) find(lines []string, l locate.Level, may func(at int) bool) (places []int, ok bool) {
	ok = r.src.Find(lines, l, func(at int) bool {
		if may(at) {
			places = append(places, at)
		}
		return len(places) <= maxPlaces
	})
	return places, ok
}

// maxPlaces is the largest number of places that a message names.
const maxPlaces = 20

// endingOf returns the CRLF or LF at the end of line, or "".
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
