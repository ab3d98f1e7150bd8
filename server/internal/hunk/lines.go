package hunk

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// levels are those at which lines are compared, from the closest to the loosest. White space
// before a line and in it counts alike: git takes neither, and a fix keeps both.
var levels = []locate.Level{locate.Exact, locate.LineEnding, locate.TrailingSpace, locate.Spacing, locate.LookAlike}

// A source is the lines of a target with which hunks are compared.
type source struct {
	*locate.Lines               // where endings are not known, CRLF is LF in them
	target        *locate.Lines // the same lines as they are edited
}

func newSource(t intent.Target) *source {
	target := t.Text.Lines(locate.AfterLF)
	if t.EndingsUnknown {
		return &source{withLF(target), target}
	}
	return &source{target, target}
}

// withLF is lines with LF in place of CRLF.
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

// find is where lines are to a level, at most a few places more than one message names.
// False says that there are too many to look at.
func (r *run) find(lines []string, l locate.Level, may func(at int) bool) (places []int, ok bool) {
	ok = r.src.Find(lines, l, func(at int) bool {
		if may(at) {
			places = append(places, at)
		}
		return len(places) <= maxPlaces
	})
	return places, ok
}

// maxPlaces is how many places a message names.
const maxPlaces = 20

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
