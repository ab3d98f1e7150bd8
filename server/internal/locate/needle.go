package locate

import "strings"

// A needle is a text to search for.
type needle struct {
	text  string
	grams []uint32 // hashes of some of its strings of gramSize bytes, none of which crosses a line ending
	heads []int    // lengths of the prefixes that end with a line ending, the longest first: the needle may continue in the next chunk there
}

const (
	gramSize = 4
	maxGrams = 32 // for each needle
)

func newNeedle(s string) *needle {
	n := &needle{text: s}
	grams := len(s) - gramSize + 1
	for i := range min(maxGrams, max(grams, 0)) {
		at := i * grams / min(maxGrams, grams)
		if strings.IndexByte(s[at:at+gramSize-1], '\n') < 0 {
			n.grams = append(n.grams, gramHash(s, at))
		}
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

// first moves a rare gram to the front, so that it is checked first from now on.
func (n *needle) first(i int) { n.grams[0], n.grams[i] = n.grams[i], n.grams[0] }

func gramHash(s string, at int) uint32 {
	b := s[at : at+gramSize]
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24) * 0x9E3779B1 >> (32 - hashBits)
}
