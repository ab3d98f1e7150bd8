package locate

import (
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Lines is a text cut into lines, with an index for each [Level] on demand. Lines count
// from 0 and include their endings. It is safe for concurrent use.
type Lines struct {
	text   string
	meter  *meter.Meter // pays for searches; nil if they are unlimited
	starts []int        // the start of each line in bytes, and the text's length

	mutex   sync.Mutex
	indexes [levels]*Index
}

// A Cut says which characters end a line.
type Cut int

// The cuts.
const (
	AfterEOL Cut = iota // after LF, CRLF and CR, as everywhere in this program
	AfterLF             // after LF only, as git does
)

// NewLines cuts s into lines. A text that ends with a line ending has no empty last line. m
// pays for that and for later searches; it may be nil.
func NewLines(s string, cut Cut, m *meter.Meter) *Lines {
	m.Pay(len(s))
	if strings.IndexByte(s, '\r') < 0 {
		cut = AfterLF // this gives the same lines faster
	}
	l := &Lines{text: s, meter: m, starts: make([]int, 1, 2+strings.Count(s, "\n"))}
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

// Count returns the number of lines.
func (l *Lines) Count() int { return len(l.starts) - 1 }

// Line returns the line at an index with its ending.
func (l *Lines) Line(i int) string { return l.text[l.starts[i]:l.starts[i+1]] }

// Start returns the byte offset of a line. For the line after the last, it returns the
// text's length.
func (l *Lines) Start(i int) int { return l.starts[i] }

// Span returns the span of n lines.
func (l *Lines) Span(at, n int) text.Span {
	return text.Span{Start: l.starts[at], End: l.starts[at+n]}
}

// Meter returns the meter that pays for searches, or nil if they are unlimited.
func (l *Lines) Meter() *meter.Meter { return l.meter }

// Text returns the whole text.
func (l *Lines) Text() string { return l.text }

// At returns the line that holds an offset of the text. For the end of the text, it returns
// the last line.
func (l *Lines) At(offset int) int {
	i, found := slices.BinarySearch(l.starts, offset)
	if !found {
		i--
	}
	return min(i, l.Count()-1)
}

// Has reports whether the table has the lines at an index, on the level. The index may be outside
// the table.
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

// Find looks for consecutive lines on a level. It calls yield with the index of each occurrence,
// from top to bottom, until yield returns false. The first search on a level costs as much as the
// text. Each search costs as much as its lines and the places of the rarest of them. Find returns
// false if the meter was spent before the search was complete.
func (l *Lines) Find(lines []string, level Level, yield func(at int) bool) bool {
	if !l.meter.Pay(meter.Line * len(lines)) {
		return false
	}
	x := l.index(level)
	return x.Find(x.ClassesOf(lines), 0, yield)
}

func (l *Lines) index(level Level) *Index {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.indexes[level] == nil {
		l.indexes[level] = l.IndexBy(level.Fold)
	}
	return l.indexes[level]
}
