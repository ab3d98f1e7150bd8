package elision

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A base holds a file and tables about its lines. Lines count from 0. White space at the end of a line is ignored.
type base struct {
	index  *place.Index
	file   *place.Lines
	lines  []string // the lines without the white space at their ends
	filled []int32  // the number of nonblank lines before each line, and before the end of the file
	indent []int32  // the indentation of each line in bytes; the largest number for a blank line
	// The number of open brackets of each kind before each line, and before the end of the file.
	open  [][3]int32
	first int               // the first nonblank line; 0 if there is none
	last  int               // the line after the last nonblank line
	ends  map[int32][]int32 // the results of endsOf, by class of lines

	byWords *place.Index // the index that [base.trimmed] returns; nil until first needed
}

// eachByte is the cost of reading each byte of a file, in units of the meter.
const eachByte = 4

// eachKept is the cost of the tables about one line of a file.
const eachKept = 4 * meter.Line

func newBase(lines *place.Lines) *base {
	n := lines.Count()
	b := &base{file: lines, ends: map[int32][]int32{}, lines: make([]string, n), filled: make([]int32, n+1), indent: make([]int32, n), open: make([][3]int32, n+1), first: -1}
	fold := place.TrailingSpace.Fold
	lines.Meter().Pay(eachKept*n + eachByte*len(lines.Text()))
	b.index = lines.IndexBy(fold)
	for i := range n {
		line := fold(lines.Line(i))
		b.lines[i], b.indent[i] = line, indentOf(line)
		b.filled[i+1], b.open[i+1] = b.filled[i], b.open[i]
		text.Brackets(&b.open[i+1], line)
		if line == "" {
			continue
		}
		b.filled[i+1]++
		if b.last = i + 1; b.first < 0 {
			b.first = i
		}
	}
	b.first = max(b.first, 0)
	return b
}

// class returns the class of a line of the file, or -2 if there is no such line.
func (b *base) class(line int32) int32 {
	if line < 0 || int(line) >= len(b.lines) {
		return -2
	}
	return b.index.ClassOf(int(line))
}

// endsOf returns i+1 for each line i of a class, in order. All segments share the slice, because a text can have as
// many segments as a file has lines.
func (b *base) endsOf(class int32) []int32 {
	if ends, ok := b.ends[class]; ok {
		return ends
	}
	ends := slices.Clone(b.index.Places(class))
	for i := range ends {
		ends[i]++
	}
	b.ends[class] = ends
	return ends
}

// trimmed returns the index of the lines without the white space around them. It makes the index on first
// use, because few texts need it.
func (b *base) trimmed() *place.Index {
	if b.byWords == nil {
		b.byWords = b.file.IndexBy(strings.TrimSpace)
	}
	return b.byWords
}

// indentOf returns the number of bytes of white space at the start of a line. A blank line has the largest number, so
// that it is never the least indented line.
func indentOf(line string) int32 {
	if line == "" {
		return math.MaxInt32
	}
	return int32(len(line) - len(strings.TrimLeft(line, " \t")))
}

func letters(line string) int {
	n := 0
	for _, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// fewestLetters is the smallest number of letters and digits in a line that helps to find a place. Lines such as `}`
// and `end` do not help.
const fewestLetters = 4

// alike is the lowest similarity at which one line counts as the changed form of another. The similarity is the share
// of pairs of adjacent bytes that both lines contain.
const alike = 0.6

// isLike reports whether two lines have at least the similarity [alike], or whether one begins with the other,
// because a line may have been wrapped. It ignores white space around the lines.
func isLike(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == b || strings.HasPrefix(a, b) && text.Passage.Says(b) || strings.HasPrefix(b, a) && text.Passage.Says(a) {
		return true
	}
	pairs := len(a) + len(b) - 2
	if len(a) < 2 || len(b) < 2 || float64(2*min(len(a), len(b))-2) < alike*float64(pairs) {
		return false
	}
	count := map[[2]byte]int{}
	for i := range len(a) - 1 {
		count[[2]byte{a[i], a[i+1]}]++
	}
	shared := 0
	for i := range len(b) - 1 {
		pair := [2]byte{b[i], b[i+1]}
		if count[pair] > 0 {
			count[pair]--
			shared++
		}
	}
	return float64(2*shared) >= alike*float64(pairs)
}
