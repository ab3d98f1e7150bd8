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
func (s script) whole(h hunk) window { return window{s, h, 0, len(s.old.Body)} }

// window returns the window with some lines around a hunk, and with all lines that begin or end
// within reach, in bytes, of these lines.
func (s script) window(h hunk, above, below, reach int) window {
	from, to := s.new.Starts[h.NewStart-above]-reach, s.old.Starts[h.OldEnd+below]+reach
	return window{s, h, s.new.lineAt(from), s.old.lineBehind(to)}
}

// before returns the text of the window before the hunk is made.
func (w window) before() string {
	return w.new.Body[w.from:w.new.Starts[w.hunk.NewStart]] + w.old.Body[w.old.Starts[w.hunk.OldStart]:w.to]
}

// after returns the text of the window after the hunk is made.
func (w window) after() string {
	return w.new.Body[w.from:w.new.Starts[w.hunk.NewEnd]] + w.old.Body[w.old.Starts[w.hunk.OldEnd]:w.to]
}

// misses reports whether the text has an occurrence of find that begins before the window or ends
// after it. The window extends so far from the hunk that such an occurrence lies on one side of
// the hunk.
func (w window) misses(find string) bool {
	above := w.new.Body[:min(w.from+len(find)-1, w.new.Starts[w.hunk.NewStart])]
	below := w.old.Body[max(w.to-len(find)+1, w.old.Starts[w.hunk.OldEnd]):]
	return strings.Contains(above, find) || strings.Contains(below, find)
}

// lineAt returns the start of the line that contains an offset. lineBehind returns the start of
// the first line that is not above the offset.
func (t side) lineAt(at int) int {
	i, begins := slices.BinarySearch(t.Starts, at)
	if !begins {
		i = max(i-1, 0)
	}
	return t.Starts[i]
}

func (t side) lineBehind(at int) int {
	i, _ := slices.BinarySearch(t.Starts, at)
	return t.Starts[min(i, t.Count())]
}
