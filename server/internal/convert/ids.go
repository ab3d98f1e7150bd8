package convert

import (
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A lineIDs gives the lines of two texts numbers, which are equal for equal lines.
type lineIDs struct {
	index    *locate.Index // index of the new lines and then the old ones
	new, old int           // the numbers of lines
}

func newLineIDs(new, old []string) lineIDs {
	all := strings.Join(append(slices.Concat(new, old), ""), "\n")
	return lineIDs{locate.NewLines(all, locate.AfterLF, nil).IndexBy(text.TrimEOL), len(new), len(old)}
}

// A hunkIDs holds the numbers of the lines of the text to which a hunk is applied: new lines above
// the hunk, and old lines from it on.
type hunkIDs struct {
	lineIDs
	newEnd, oldAt int
}

func (m hunkIDs) len() int { return m.newEnd + m.old - m.oldAt }

// skipped returns the number of lines in the index that the text lacks.
func (m hunkIDs) skipped() int { return m.new - m.newEnd + m.oldAt }

func (m hunkIDs) id(i int) int32 {
	if i >= m.newEnd {
		i += m.skipped()
	}
	return m.index.ClassOf(i)
}

func (m hunkIDs) slice(from, to int) []int32 {
	ids := make([]int32, to-from)
	for i := range ids {
		ids[i] = m.id(from + i)
	}
	return ids
}

// parts returns the places of a number in the index: those of new lines above the hunk, and those
// of old lines.
func (m hunkIDs) parts(id int32) (new, old []int32) {
	all := m.index.Places(id)
	end, _ := slices.BinarySearch(all, int32(m.newEnd))
	at, _ := slices.BinarySearch(all, int32(m.new+m.oldAt))
	return all[:end], all[at:]
}

func (m hunkIDs) count(id int32) int {
	new, old := m.parts(id)
	return len(new) + len(old)
}

// places yields the places of a number, from top to bottom.
func (m hunkIDs) places(id int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		new, old := m.parts(id)
		for _, i := range new {
			if !yield(int(i)) {
				return
			}
		}
		for _, i := range old {
			if !yield(int(i) - m.skipped()) {
				return
			}
		}
	}
}
