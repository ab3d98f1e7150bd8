package place

import (
	"math/bits"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Kept returns the share of a text that another text also has, from 0 to 1. It compares the texts line by line, in
// order, and without the white space around lines. For very long texts it returns 0.
func Kept(s, other string) float64 {
	want, found := rows(s, text.Span{End: len(s)}), rows(other, text.Span{End: len(other)})
	if len(want) == 1 && len(found) == 1 {
		return float64(newComparer(want[0].text).common(found[0].text)) / float64(len(want[0].text))
	}
	if len(want) > maxRows || len(found) > maxRows {
		return 0
	}
	common, all := 0, 0
	for _, p := range align(nil, want, found) {
		common += p.common
	}
	for _, r := range want {
		all += len(r.text)
	}
	return float64(common) / float64(max(all, 1))
}

// maxCompared is the largest length in bytes of lines that are compared character by character. Of longer lines,
// only the beginnings and ends are compared.
const maxCompared = 1024

// Alike returns the similarity of two lines, from 0 to 1, without the white space around them.
func Alike(a, b string) float64 {
	a, b = strings.Trim(a, spaces), strings.Trim(b, spaces)
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(newComparer(a).common(b)) / float64(len(a)+len(b))
}

// FirstAlike returns the index of the first of the other lines whose similarity to `line` is at least `least`. It
// returns -1 if there is none, or once the meter is spent.
func FirstAlike(m *meter.Meter, line string, others []string, least float64) int {
	line = strings.Trim(line, spaces)
	var c *comparer
	for i, other := range others {
		other = strings.Trim(other, spaces)
		all := len(line) + len(other)
		if !m.Pay(meter.Line) {
			return -1
		}
		if all == 0 {
			return i
		}
		if 2*float64(min(len(line), len(other))) < least*float64(all) {
			// Two lines cannot share more characters than the shorter one has.
			continue
		}
		if c == nil {
			if c = newComparer(line); !m.Pay(len(c.masks)) {
				return -1
			}
		}
		if !m.Pay(len(other) * max(c.words, 1)) {
			return -1
		}
		if 2*float64(c.common(other)) >= least*float64(all) {
			return i
		}
	}
	return -1
}

type comparer struct {
	line  string
	words int
	masks []uint64 // for each value of a byte, c.words numbers whose bits are the positions of this byte in `line`
}

func newComparer(line string) *comparer {
	c := &comparer{line: line}
	if len(line) <= maxCompared {
		c.words = (len(line) + 63) / 64
		c.masks = make([]uint64, 256*c.words)
		for i := range len(line) {
			c.masks[int(line[i])*c.words+i/64] |= 1 << (i % 64)
		}
	}
	return c
}

// common returns the length of the longest common subsequence in bytes.
func (c *comparer) common(other string) int {
	if c.line == other {
		return len(other)
	}
	if c.masks == nil || len(other) > maxCompared {
		return text.SharedEnds(c.line, other)
	}
	return c.subsequence(other)
}

// subsequence compares 64 bytes of the line at a time, as in H. Hyyrö, Bit-parallel LCS computation revisited
// (2004).
func (c *comparer) subsequence(other string) int {
	var small [maxCompared / 64]uint64
	v := small[:c.words]
	for i := range v {
		v[i] = ^uint64(0)
	}
	for j := range len(other) {
		carry := uint64(0)
		mask := c.masks[int(other[j])*c.words:][:c.words]
		for w := range v {
			u := v[w] & mask[w]
			sum, over := bits.Add64(v[w], u, carry)
			v[w], carry = sum|(v[w]&^u), over
		}
	}
	n := 0
	for i := range v {
		x := ^v[i]
		if rest := len(c.line) - 64*i; rest < 64 {
			x &= 1<<rest - 1
		}
		n += bits.OnesCount64(x)
	}
	return n
}

// Distance returns the Levenshtein distance in bytes: the smallest number of insertions, deletions
// and replacements that turn b into a. Its time is proportional to the product of the lengths.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
