package locate

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Lines is a text cut into lines, with an index of them for each [Level] that is asked
// for. Lines count from 0, and hold their endings. It is safe for concurrent use.
type Lines struct {
	text   string
	starts []int // of each line in bytes, and the text's length

	mutex   sync.Mutex
	indexes [levels]*lineIndex
}

// A Cut says where lines end.
type Cut int

// The cuts.
const (
	AfterEOL Cut = iota // after LF, CRLF and CR, as everywhere in this program
	AfterLF             // after LF only, as git does
)

// NewLines cuts s into lines. A text that ends with a line ending has no empty last
// line.
func NewLines(s string, cut Cut) *Lines {
	l := &Lines{text: s, starts: make([]int, 1, 2+strings.Count(s, "\n"))}
	for at := 0; at < len(s); {
		if cut == AfterEOL {
			_, at = text.LineEnd(s, at)
		} else if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(s)
		}
		l.starts = append(l.starts, at)
	}
	return l
}

// Count is the number of lines.
func (l *Lines) Count() int { return len(l.starts) - 1 }

// Line is the line at an index, its ending included.
func (l *Lines) Line(i int) string { return l.text[l.starts[i]:l.starts[i+1]] }

// Start is where a line begins in bytes; that of the line after the last is the
// text's length.
func (l *Lines) Start(i int) int { return l.starts[i] }

// Span is the bytes of n lines.
func (l *Lines) Span(at, n int) text.Span {
	return text.Span{Start: l.starts[at], End: l.starts[at+n]}
}

// Text is the whole text.
func (l *Lines) Text() string { return l.text }

// At is the line that holds an offset of the text; the last one for its end.
func (l *Lines) At(offset int) int {
	i, found := slices.BinarySearch(l.starts, offset)
	if !found {
		i--
	}
	return min(i, l.Count()-1)
}

// Has reports whether lines are at an index, to a level. The index may be any number.
func (l *Lines) Has(at int, lines []string, level Level) bool {
	if at < 0 || at+len(lines) > l.Count() {
		return false
	}
	fold := level.Fold
	for i, line := range lines {
		if there := l.Line(at + i); there != line && fold(there) != fold(line) {
			return false
		}
	}
	return true
}

// Budget bounds the work of searches in texts in which all lines are alike, as a number
// of lines that are compared.
type Budget int

// Find calls yield with each index at which lines are, to a level, from top to bottom,
// until it says no. The index of the level costs the text once; a search costs the
// lines and the places of the rarest of them. False: the budget is used up, and there
// may be more.
func (l *Lines) Find(lines []string, level Level, budget *Budget, yield func(at int) bool) bool {
	if len(lines) == 0 || len(lines) > l.Count() {
		return true
	}
	x := l.index(level)
	first, offset, sum := x.rarest(lines)
	power := uint64(1)
	for range lines {
		power *= base
	}
	for place := first; place >= 0; place = x.next[place] {
		if *budget--; *budget < 0 {
			return false
		}
		at := int(place) - offset
		if at < 0 || at+len(lines) > l.Count() || x.sums[at+len(lines)]-x.sums[at]*power != sum {
			continue
		}
		if *budget -= Budget(len(lines)); l.Has(at, lines, level) && !yield(at) {
			break
		}
	}
	return true
}

func (l *Lines) index(level Level) *lineIndex {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.indexes[level] == nil {
		l.indexes[level] = newLineIndex(l, level.Fold)
	}
	return l.indexes[level]
}

// A lineIndex has the lines of each hash, as lists: those with the same lower bits of
// their hash follow each other from top to bottom.
type lineIndex struct {
	fold  func(string) string
	seed  maphash.Seed
	sums  []uint64 // of the hashes of the first lines: that of a run comes from two of them
	first []int32  // by the lower bits of a hash; -1 for none
	count []int32  // of lines, likewise
	next  []int32  // by line; -1 for none
}

// base makes the sum of a run depend on the order of its lines.
const base = 0x9E3779B97F4A7C15

func newLineIndex(l *Lines, fold func(string) string) *lineIndex {
	n, size := l.Count(), 1
	for size < n {
		size *= 2
	}
	x := &lineIndex{fold: fold, seed: maphash.MakeSeed(), sums: make([]uint64, n+1),
		first: make([]int32, size), count: make([]int32, size), next: make([]int32, n)}
	for i := range x.first {
		x.first[i] = -1
	}
	slots := make([]int32, n)
	for i := range n {
		h := x.hash(l.Line(i))
		x.sums[i+1] = x.sums[i]*base + h
		slots[i] = int32(h & uint64(size-1))
	}
	for i := n - 1; i >= 0; i-- {
		slot := slots[i]
		x.next[i], x.first[slot] = x.first[slot], int32(i)
		x.count[slot]++
	}
	return x
}

func (x *lineIndex) hash(line string) uint64 { return maphash.String(x.seed, x.fold(line)) }

// rarest is the list of the line that may be in the fewest places, which of lines it
// is, and the sum of all.
func (x *lineIndex) rarest(lines []string) (first int32, offset int, sum uint64) {
	fewest := int32(-1)
	for i, line := range lines {
		h := x.hash(line)
		sum = sum*base + h
		slot := h & uint64(len(x.first)-1)
		if fewest < 0 || x.count[slot] < fewest {
			fewest, first, offset = x.count[slot], x.first[slot], i
		}
	}
	return first, offset, sum
}
