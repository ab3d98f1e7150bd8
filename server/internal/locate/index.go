package locate

import "strings"

// Index is [strings.Index], in a fraction of the time where pattern is long: Horspool's
// jumps over the text, by hashes of eight bytes (Wu and Manber). Texts in which they
// get nowhere are left to strings.Index, which is linear whatever they are.
func Index(s, pattern string) int {
	if len(pattern) < 2*wordSize || len(s) < 8*hashes {
		return strings.Index(s, pattern)
	}
	j := newJumps(pattern)
	budget := 4 * len(s)
	// Two places go on by turns: what either waits for is a load from memory.
	half := len(s) / 2
	start, middle := 0, half
	for budget > 0 && start < half && middle+len(pattern) <= len(s) {
		n, m := j.to[wordHash(s, start+j.last)], j.to[wordHash(s, middle+j.last)]
		if n == 0 {
			if s[start:start+len(pattern)] == pattern {
				return start
			}
			n, budget = j.again, budget-len(pattern)
		}
		if m == 0 {
			if s[middle:middle+len(pattern)] == pattern {
				break
			}
			m, budget = j.again, budget-len(pattern)
		}
		start, middle = start+int(n), middle+int(m)
	}
	if i := j.index(s[start:min(half+len(pattern)-1, len(s))], budget); i >= 0 {
		return start + i
	}
	if i := j.index(s[middle:], budget); i >= 0 {
		return middle + i
	}
	return -1
}

const (
	wordSize = 8 // bytes
	hashBits = 11
	hashes   = 1 << hashBits // more of them take longer to prepare than they save
)

func wordHash(s string, at int) uint64 {
	b := s[at : at+wordSize]
	n := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	return n * 0x9E3779B97F4A7C15 >> (64 - hashBits)
}

// Jumps are how far a pattern can be moved on, none too far, by the word of the text
// where its last one would be; a word is wordSize bytes.
type jumps struct {
	pattern string
	to      [hashes]int32
	last    int   // where the last word begins
	again   int32 // how far after that one itself was there
}

func newJumps(pattern string) *jumps {
	j := &jumps{pattern: pattern, last: len(pattern) - wordSize}
	for i := range j.to {
		j.to[i] = int32(j.last) + 1
	}
	for i := range j.last {
		j.to[wordHash(pattern, i)] = int32(j.last - i)
	}
	end := wordHash(pattern, j.last)
	j.again, j.to[end] = j.to[end], 0
	return j
}

// index is where the pattern begins in s. The budget is how many bytes may be compared
// in vain.
func (j *jumps) index(s string, budget int) int {
	at := 0
	for budget > 0 && at+len(j.pattern) <= len(s) {
		n := j.to[wordHash(s, at+j.last)]
		if n == 0 {
			if strings.HasPrefix(s[at:], j.pattern) {
				return at
			}
			n, budget = j.again, budget-len(j.pattern)
		}
		at += int(n)
	}
	if i := strings.Index(s[at:], j.pattern); i >= 0 {
		return at + i
	}
	return -1
}
