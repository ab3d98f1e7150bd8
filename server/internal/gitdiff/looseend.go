package gitdiff

import "github.com/aptix-dev/aptix/server/internal/hunk"

// hunk returns the line after the hunk whose header is on line i. The counts of the header
// determine the end. If the text after it looks like more of the hunk, the end is in doubt.
func (f *LooseFinder) hunk(i int) int {
	h, _ := f.hunkNumbers(i)
	end := -1
	if h.Numbered {
		end = f.counted(h, i+1)
	}
	if end < 0 || end > f.limit {
		return f.uncounted(i+1, h)
	}
	if f.itemInside(i+1, end) {
		return end
	}
	next := f.pastBlank(end)
	if next < f.limit && f.kind(next) == other && !f.blank(next) && f.op(next) != 0 && (next == end || f.op(next) != ' ' && !f.isItem(next)) {
		return f.doubt(next, mayGoOn)
	}
	return end
}

// uncounted returns the line after a hunk whose header has no counts, or wrong ones. It
// ends at the next header or fence, or at a blank line above text that cannot belong to a
// hunk.
func (f *LooseFinder) uncounted(from int, h hunk.Hunk) int {
	end := from
	for end < f.limit && f.kind(end) == other && f.op(end) != 0 {
		end++
	}
	last := max(f.trimmed(from, end), min(from+1, end))
	switch {
	case f.itemInside(from, last):
	case end == f.count():
		if f.Open = h.Numbered && f.owes(h, from, end); !f.Open {
			f.doubt(last-1, mayBeCut)
		}
		return end
	case end == f.limit:
		if f.op(end) != 0 || !f.blank(end-1) { // the fence may also be a line of the hunk
			f.doubt(end-1, mayGoOn)
		}
	case f.kind(end) != other:
	case !f.blank(end - 1):
		f.doubt(end-1, textAtOnce)
	default:
		if more := f.more(end); more > 0 {
			return f.doubt(more, mayGoOn)
		}
	}
	return last
}

// more returns the first line below the prose at line i that looks like a line of a hunk, or 0 if
// there is none.
func (f *LooseFinder) more(i int) int {
	for ; i < f.limit && (f.kind(i) == other || f.kind(i) == otherTool); i++ {
		if op := f.op(i); (op == '-' || op == '+') && !f.blank(i) && !f.isItem(i) {
			return i
		}
	}
	return 0
}

// owes reports whether a hunk has fewer lines than its header says.
func (f *LooseFinder) owes(h hunk.Hunk, from, end int) bool {
	old, now := f.countSides(from, end)
	return old <= h.Old.Count && now <= h.New.Count
}

// itemInside records a doubt if a line below a blank line may either belong to the hunk or be an
// item of a list after the patch.
func (f *LooseFinder) itemInside(from, end int) bool {
	for i := from + 1; i < end; i++ {
		if f.text(i-1) == "" && f.isItem(i) {
			f.doubt(i, mayBeList)
			return true
		}
	}
	return false
}

// doubt records that line i makes the end of the patch uncertain. It returns the line after the
// lines of a hunk that begin there.
func (f *LooseFinder) doubt(i int, why string) int {
	f.Doubt, f.Why = f.line(i), why
	for i++; i < f.limit && f.kind(i) == other && !f.blank(i) && f.op(i) != 0; {
		i++
	}
	return i
}
