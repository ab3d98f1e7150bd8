package convert

import (
	"slices"
	"strings"
)

// A window is the part of the text around a hunk, whole lines, that decides what a
// replacement does there. The text that the hunk meets is too long to be copied and
// searched for each thing that is tried.
type window struct {
	script
	hunk hunk
	from int // where it begins in the new text, which is above the hunk
	to   int // where it ends in the old text, which is below
}

// whole is all of the text.
func (s script) whole(h hunk) window { return window{s, h, 0, len(s.old.text)} }

// window is some lines around a hunk, and those that begin or end within reach, in
// bytes, of these.
func (s script) window(h hunk, above, below, reach int) window {
	from, to := s.new.offset(h.new-above)-reach, s.old.offset(h.oldEnd+below)+reach
	return window{s, h, s.new.lineAt(from), s.old.lineBehind(to)}
}

// met is the window before the hunk, left is what the hunk leaves of it.
func (w window) met() string {
	return w.new.text[w.from:w.new.offset(w.hunk.new)] + w.old.text[w.old.offset(w.hunk.old):w.to]
}

func (w window) left() string {
	return w.new.text[w.from:w.new.offset(w.hunk.newEnd)] + w.old.text[w.old.offset(w.hunk.oldEnd):w.to]
}

// misses reports whether a text is found that begins before the window or ends
// after it. The window reaches that far from the hunk that such a text is of one of
// the two sides.
func (w window) misses(find string) bool {
	above := w.new.text[:min(w.from+len(find)-1, w.new.offset(w.hunk.new))]
	below := w.old.text[max(w.to-len(find)+1, w.old.offset(w.hunk.oldEnd)):]
	return strings.Contains(above, find) || strings.Contains(below, find)
}

// lineAt is where the line of an offset begins, lineBehind where the next one does
// that is not above it.
func (t side) lineAt(at int) int {
	i, begins := slices.BinarySearch(t.starts, at)
	if !begins {
		i = max(i-1, 0)
	}
	return t.offset(i)
}

func (t side) lineBehind(at int) int {
	i, _ := slices.BinarySearch(t.starts, at)
	return t.offset(i)
}
