package locate

import "strings"

// A needle is a text to look for.
type needle struct {
	text  string
	grams []uint32 // hashes of some of its strings of gramSize bytes
	heads []int    // lengths of what may be at the end of a chunk, the rest being in the next; the longest first
}

const (
	gramSize = 4
	maxGrams = 16 // of a needle
)

func newNeedle(s string) *needle {
	n := &needle{text: s}
	grams := len(s) - gramSize + 1
	for i := range min(maxGrams, max(grams, 0)) {
		n.grams = append(n.grams, gramHash(s, i*grams/min(maxGrams, grams)))
	}
	for end := len(s) - 1; end > 0; {
		end = strings.LastIndexByte(s[:end], '\n')
		if end < 0 {
			break
		}
		n.heads = append(n.heads, end+1)
	}
	return n
}

func gramHash(s string, at int) uint32 {
	b := s[at : at+gramSize]
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24) * 0x9E3779B1
}

// mayHold reports whether a needle may be in the chunk as a whole.
func (c *chunk) mayHold(n *needle) bool {
	if len(n.text) > len(c.lf) {
		return false
	}
	if len(c.lf) > maxIndexed || c.searches.Load() < fewSearches && c.searches.Add(1) < fewSearches {
		return true
	}
	c.once.Do(func() { c.filter = newFilter(chunkBits).with(c.lf) })
	return c.filter.mayHold(n)
}

// A filter has a bit for each hash of the strings of gramSize bytes in a text. Where one
// of a needle's is not set, the text does not have the needle.
type filter struct {
	bits  []uint64
	shift int // of a hash
}

func newFilter(bits int) filter { return filter{make([]uint64, 1<<bits/64), 32 - bits} }

func (f filter) with(s string) filter {
	for i := range len(s) - gramSize + 1 {
		bit := gramHash(s, i) >> f.shift
		f.bits[bit/64] |= 1 << (bit % 64)
	}
	return f
}

// The string that ruled out this text is asked for first in the next one: it is a rarer one.
func (f filter) mayHold(n *needle) bool {
	for i, h := range n.grams {
		if bit := h >> f.shift; f.bits[bit/64]>>(bit%64)&1 == 0 {
			n.grams[0], n.grams[i] = h, n.grams[0]
			return false
		}
	}
	return true
}
