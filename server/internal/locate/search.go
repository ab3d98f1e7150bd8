package locate

import "strings"

// A search goes through the chunks of a text from the first to the last.
type search struct {
	*needle
	from   int // places before are not wanted
	yield  func(at int) bool
	sieved bool
}

// mask has a bit for each slot of a segment, which begins at base, whose chunks may hold
// all of the needle.
func (s *search) mask(g *segment, base int) uint64 {
	switch {
	case s.from >= base+g.lf:
		return 0
	case s.sieved:
		return g.sieve().mayHold(s.needle)
	}
	return ^uint64(0)
}

// in yields the places in a chunk, which begins at base. It is false at the end of the
// search.
func (s *search) in(c *chunk, base int) bool {
	for end := base + len(c.lf); s.from < end; {
		at := strings.Index(c.lf[max(s.from-base, 0):], s.text)
		if at < 0 {
			return true
		}
		at += max(s.from, base)
		if s.from = at + len(s.text); !s.yield(at) {
			return false
		}
	}
	return true
}

// over yields the places that begin in a chunk, which ends at end, and go on after it.
func (s *search) over(c *chunk, end int, next []*chunk, more []*segment) bool {
	for _, head := range s.heads {
		at := end - head
		if at >= max(s.from, end-len(c.lf)) && strings.HasSuffix(c.lf, s.text[:head]) && begin(next, more, s.text[head:]) {
			if s.from = at + len(s.text); !s.yield(at) {
				return false
			}
		}
	}
	return true
}

// begin reports whether chunks, and those of the segments after them, begin with s.
func begin(chunks []*chunk, more []*segment, s string) bool {
	for {
		for _, c := range chunks {
			if len(s) <= len(c.lf) {
				return strings.HasPrefix(c.lf, s)
			}
			if !strings.HasPrefix(s, c.lf) {
				return false
			}
			s = s[len(c.lf):]
		}
		if len(more) == 0 {
			return s == ""
		}
		chunks, more = more[0].chunks, more[1:]
	}
}
