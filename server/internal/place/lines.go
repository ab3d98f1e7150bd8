package place

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Lines is a text cut into lines, with an index for each [Level] that a search needed. Lines count from 0 and
// include their endings. It is safe for concurrent use.
type Lines struct {
	text   string
	meter  *meter.Meter // is charged for searches; nil if they are unlimited
	starts []int        // the byte offset of each line, and of the end of the text

	mutex   sync.Mutex
	indexes [levels]*Index
}

// A Cut determines which characters end a line.
type Cut int

const (
	AfterEOL Cut = iota // a line ends after LF, CRLF or CR
	AfterLF             // a line ends only after LF, as in git
)

// NewLines cuts the text s into lines. A text that ends with a line ending has no empty last line. The meter m,
// which may be nil, is charged for cutting and for later searches.
func NewLines(s string, cut Cut, m *meter.Meter) *Lines {
	count := strings.Count(s, "\n")
	m.Pay(len(s) + meter.Line/4*count)
	if strings.IndexByte(s, '\r') < 0 {
		// Without a CR, the lines are the same and are found faster.
		cut = AfterLF
	}
	l := &Lines{text: s, meter: m, starts: make([]int, 1, 2+count)}
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

func (l *Lines) Count() int { return len(l.starts) - 1 }

// Line returns a line with its ending.
func (l *Lines) Line(i int) string { return l.text[l.starts[i]:l.starts[i+1]] }

// Start returns the byte offset of a line, or the length of the text for the line after the last.
func (l *Lines) Start(i int) int { return l.starts[i] }

func (l *Lines) Span(at, n int) text.Span {
	return text.Span{Start: l.starts[at], End: l.starts[at+n]}
}

// Meter returns the meter that is charged for searches, or nil.
func (l *Lines) Meter() *meter.Meter { return l.meter }

func (l *Lines) Text() string { return l.text }

// At returns the index of the line that contains an offset. For the end of the text, it returns the last line.
func (l *Lines) At(offset int) int {
	i, found := slices.BinarySearch(l.starts, offset)
	if !found {
		i--
	}
	return min(i, l.Count()-1)
}

// Has reports whether the lines from index `at`, which may be out of range, equal the given lines at the level.
func (l *Lines) Has(at int, lines []string, level Level) bool {
	if at < 0 || at+len(lines) > l.Count() {
		return false
	}
	fold := level.Fold
	for i, line := range lines {
		if found := l.Line(at + i); found != line && fold(found) != fold(line) {
			return false
		}
	}
	return true
}

// Find calls `yield` with the index of each occurrence of the given consecutive lines, from top to bottom, until
// `yield` returns false. It returns false if the meter was spent before the search was complete. The first search at
// a level costs as much as the text. A further search costs as much as the given lines and the places of the rarest
// of them.
func (l *Lines) Find(lines []string, level Level, yield func(at int) bool) bool {
	if !l.meter.Pay(meter.Line * len(lines)) {
		return false
	}
	x := l.index(level)
	return x.Find(x.ClassesOf(lines), yield)
}

func (l *Lines) index(level Level) *Index {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.indexes[level] == nil {
		l.indexes[level] = l.IndexBy(level.Fold)
	}
	return l.indexes[level]
}

// An Index groups lines that fold to the same text into classes, and lists the lines of each class, so that many
// searches share one pass over the lines.
type Index struct {
	fold func(line string) string
	seed maphash.Seed

	meter *meter.Meter

	class  []int32
	order  []int32 // the lines of the first class from top to bottom, then of the next class, and so on
	starts []int32 // the start of each class in `order`, and the length of `order`
	folded []string
	hashes []uint64
	// sums[i] is the sum of the hashes of all lines before line i. The difference of two sums is the sum of the
	// lines between them.
	sums []uint64

	// slots[n] is the newest class whose hash has the lower bits n; -1 if there is none.
	slots []int32
	older []int32 // the next older class with the same lower bits, for each class; -1 if there is none
}

// base makes the sum of several hashes depend on their order.
const base = 0x9E3779B97F4A7C15

// IndexBy returns an index of the lines by their folded texts, for a format that compares lines in its own way. Each
// [Level] already has an index.
func (l *Lines) IndexBy(fold func(line string) string) *Index {
	n, size := l.Count(), 1
	for size < n {
		size *= 2
	}
	l.meter.Pay(meter.Line*n + len(l.text))
	x := &Index{fold: fold, seed: maphash.MakeSeed(), meter: l.meter, class: make([]int32, n), sums: make([]uint64, n+1), slots: make([]int32, size),
		folded: make([]string, 0, n), hashes: make([]uint64, 0, n), older: make([]int32, 0, n)}
	for i := range x.slots {
		x.slots[i] = -1
	}
	for i := range n {
		s := fold(l.Line(i))
		h := maphash.String(x.seed, s)
		class := x.known(s, h)
		if class < 0 {
			class = x.add(s, h)
		}
		x.class[i] = class
		x.sums[i+1] = x.sums[i]*base + h
	}
	x.sort()
	return x
}

func (x *Index) add(folded string, hash uint64) int32 {
	class, slot := int32(len(x.folded)), hash&uint64(len(x.slots)-1)
	x.folded, x.hashes, x.older = append(x.folded, folded), append(x.hashes, hash), append(x.older, x.slots[slot])
	x.slots[slot] = class
	return class
}

// sort sorts the lines by class. Meanwhile, starts[class+1] is the next free position for a line of the class.
func (x *Index) sort() {
	starts := make([]int32, len(x.folded)+2)
	for _, class := range x.class {
		starts[class+2]++
	}
	for class := range x.folded {
		starts[class+2] += starts[class+1]
	}
	x.order = make([]int32, len(x.class))
	for i, class := range x.class {
		x.order[starts[class+1]] = int32(i)
		starts[class+1]++
	}
	x.starts = starts[:len(x.folded)+1]
}

func (x *Index) known(folded string, hash uint64) int32 {
	for class := x.slots[hash&uint64(len(x.slots)-1)]; class >= 0; class = x.older[class] {
		if x.hashes[class] == hash && x.folded[class] == folded {
			return class
		}
	}
	return -1
}

// Classes returns the number of classes, which are numbered from 0.
func (x *Index) Classes() int { return len(x.folded) }

// Class returns the class of a line, which need not be an indexed line, or -1.
func (x *Index) Class(line string) int32 {
	s := x.fold(line)
	return x.known(s, maphash.String(x.seed, s))
}

// ClassesOf returns the classes of some lines, or nil if any line has no class.
func (x *Index) ClassesOf(lines []string) []int32 {
	classes := make([]int32, len(lines))
	for i, line := range lines {
		if classes[i] = x.Class(line); classes[i] < 0 {
			return nil
		}
	}
	return classes
}

// ClassOf returns the class of an indexed line.
func (x *Index) ClassOf(i int) int32 { return x.class[i] }

// Folded returns the text that all lines of a class fold to.
func (x *Index) Folded(class int32) string { return x.folded[class] }

// Places returns the lines of a class, from top to bottom. The caller must not change the slice.
func (x *Index) Places(class int32) []int32 { return x.order[x.starts[class]:x.starts[class+1]] }

// Find calls `yield` with the first line of each run of lines that have the given classes, from top to bottom, until
// `yield` returns false. It returns false if the meter was spent before the search was complete.
func (x *Index) Find(classes []int32, yield func(at int) bool) bool {
	if len(classes) == 0 || len(classes) > len(x.class) {
		return true
	}
	places, offset := x.rarest(classes)
	sum, power := uint64(0), uint64(1)
	for _, class := range classes {
		sum, power = sum*base+x.hashes[class], power*base
	}
	first, _ := slices.BinarySearch(places, int32(offset))
	for _, place := range places[first:] {
		if !x.meter.Pay(eachPlace) {
			return false
		}
		at := int(place) - offset
		if at+len(classes) > len(x.class) || x.sums[at+len(classes)]-x.sums[at]*power != sum {
			continue
		}
		x.meter.Pay(len(classes))
		if slices.Equal(x.class[at:at+len(classes)], classes) && !yield(at) {
			break
		}
	}
	return true
}

// eachPlace is the cost of checking one place, in units of the meter.
const eachPlace = 8

func (x *Index) Rarest(classes []int32) []int32 {
	places, _ := x.rarest(classes)
	return places
}

// rarest returns the lines of the rarest class, and the index of that class in `classes`.
func (x *Index) rarest(classes []int32) (places []int32, offset int) {
	for i, class := range classes {
		if lines := x.Places(class); i == 0 || len(lines) < len(places) {
			places, offset = lines, i
		}
	}
	return places, offset
}
