package convert

import (
	"iter"
	"slices"
)

// A numbering gives equal lines equal numbers.
type numbering map[string]int32

// id returns the number of a line.
func (n numbering) id(line string) int32 {
	id, known := n[line]
	if !known {
		id = int32(len(n))
		n[line] = id
	}
	return id
}

// ids returns the number of each line.
func (n numbering) ids(lines []string) []int32 {
	ids := make([]int32, len(lines))
	for i, line := range lines {
		ids[i] = n.id(line)
	}
	return ids
}

// A lineIDs holds the numbers of the lines of a text, and the places of each number.
type lineIDs struct {
	ids    []int32
	places []int32 // the places of all numbers, ordered by number, then from top to bottom
	starts []int32 // for each number, the start of its places; one more at the end
}

// newLineIDs returns the index of ids. All numbers are below known.
func newLineIDs(ids []int32, known int) *lineIDs {
	l := &lineIDs{ids, make([]int32, len(ids)), make([]int32, known+1)}
	for _, id := range ids {
		l.starts[id+1]++
	}
	for id := range known {
		l.starts[id+1] += l.starts[id]
	}
	next := slices.Clone(l.starts)
	for i, id := range ids {
		l.places[next[id]] = int32(i)
		next[id]++
	}
	return l
}

// placesOf returns the places of a number in ids[from:to].
func (l *lineIDs) placesOf(id int32, from, to int) []int32 {
	all := l.places[l.starts[id]:l.starts[id+1]]
	first, _ := slices.BinarySearch(all, int32(from))
	end, _ := slices.BinarySearch(all, int32(to))
	return all[first:max(first, end)]
}

// A hunkIDs holds the numbers of the lines of the text to which a hunk is applied: new lines above
// the hunk, and old lines from it on.
type hunkIDs struct {
	new, old      *lineIDs
	newEnd, oldAt int
}

func (m hunkIDs) len() int { return m.newEnd + len(m.old.ids) - m.oldAt }

func (m hunkIDs) id(i int) int32 {
	if i < m.newEnd {
		return m.new.ids[i]
	}
	return m.old.ids[i-m.newEnd+m.oldAt]
}

func (m hunkIDs) slice(from, to int) []int32 {
	n := m.newEnd
	return slices.Concat(m.new.ids[min(from, n):min(to, n)], m.old.ids[m.oldAt+max(from-n, 0):m.oldAt+max(to-n, 0)])
}

func (m hunkIDs) count(id int32) int {
	return len(m.new.placesOf(id, 0, m.newEnd)) + len(m.old.placesOf(id, m.oldAt, len(m.old.ids)))
}

// places yields the places of a number, from top to bottom.
func (m hunkIDs) places(id int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, i := range m.new.placesOf(id, 0, m.newEnd) {
			if !yield(int(i)) {
				return
			}
		}
		for _, i := range m.old.placesOf(id, m.oldAt, len(m.old.ids)) {
			if !yield(int(i) - m.oldAt + m.newEnd) {
				return
			}
		}
	}
}
