package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A countedHunk is a hunk of a unified diff, as far as its lines have come: its header says
// how many there are, so that it is known where it ends, also without a fence around it.
type countedHunk struct {
	hunk
	broken bool // a line is none of a hunk, or one too many
}

// BeginsHunk reports whether a line is the header of a hunk that counts its lines.
func BeginsHunk(line string) bool {
	return strings.HasPrefix(line, "@@ -") && hunkHeader.MatchString(line)
}

// beginsHunk is the hunk that a line begins; nil for none, and for one without lines.
func beginsHunk(line string) marked {
	if !BeginsHunk(line) {
		return nil
	}
	if h := readHunkHeader(line); h.owes() {
		return &countedHunk{hunk: h}
	}
	return nil
}

func (h *countedHunk) Whole() bool { return !h.broken && !h.owes() }

func (h *countedHunk) Read(line string) (over bool) {
	if line != "" && strings.IndexByte(` +-\`, line[0]) < 0 {
		h.broken = true
		return true
	}
	h.read(line)
	h.broken = h.old < 0 || h.new < 0
	return h.broken || !h.owes()
}

// hunkEnd is the offset after a hunk whose lines begin at an offset; false where it has not all
// of them.
func hunkEnd(doc string, at int, h marked) (int, bool) {
	for at < len(doc) {
		end, next := text.LineEnd(doc, at)
		if h.Read(doc[at:end]) {
			return next, h.Whole()
		}
		at = next
	}
	return 0, false
}
