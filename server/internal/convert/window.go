package convert

import (
	"slices"
	"strings"
)

// A window is a part of the text around a hunk, in whole lines. It is large enough to determine
// the effect of a replacement at the hunk. The whole text is too long to be copied and searched
// for each attempt.
type window struct {
	script
	hunk hunk
	from int // where it begins in the new text, above the hunk
	to   int // where it ends in the old text, below the hunk
}

// whole returns a window over the whole text.
func (s script) whole(h hunk) window { return window{s, h, 0, len(s.old.text)} }

// window returns the window with some lines around a hunk, and with all lines that begin or end
// within reach, in bytes, of these lines.
func (s script) window(h hunk, above, below, reach int) window {
	from, to := s.new.offset(h.new-above)-reach, s.old.offset(h.oldEnd+below)+reach
	return window{s, h, s.new.lineAt(from), s.old.lineBehind(to)}
}

// before returns the text of the window before the hunk is made.
func (w window) before() string {
	return w.new.text[w.from:w.new.offset(w.hunk.new)] + w.old.text[w.old.offset(w.hunk.old):w.to]
}

// after returns the text of the window after the hunk is made.
func (w window) after() string {
	return w.new.text[w.from:w.new.offset(w.hunk.newEnd)] + w.old.text[w.old.offset(w.hunk.oldEnd):w.to]
}

// misses reports whether the text has an occurrence of find that begins before the window or ends
// after it. The window extends so far from the hunk that such an occurrence lies on one side of
// the hunk.
func (w window) misses(find string) bool {
	above := w.new.text[:min(w.from+len(find)-1, w.new.offset(w.hunk.new))]
	below := w.old.text[max(w.to-len(find)+1, w.old.offset(w.hunk.oldEnd)):]
	return strings.Contains(above, find) || strings.Contains(below, find)
}

// lineAt returns the start of the line that contains an offset. lineBehind returns the start of
// the first line that is not above the offset.
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
