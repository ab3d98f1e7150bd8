package locate

import (
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
)

// A search goes through the chunks of a text from the first to the last.
type search struct {
	*needle
	from   int // places before it do not count
	yield  func(at int) bool
	sieved bool
	meter  *meter.Meter
}

// The costs of a search, in units.
const (
	eachFound = 16 // for each place
	eachHead  = 8  // for each line of the needle, at the end of a chunk
)

// mask returns a bit for each slot of a segment whose chunks may contain the whole needle. The
// segment begins at base.
func (s *search) mask(g *segment, base int) uint64 {
	switch {
	case s.from >= base+g.lf:
		return 0
	case s.sieved:
		return g.sieve().mayHold(s.needle)
	}
	return ^uint64(0)
}

// inside yields the places in a chunk that begins at base. It returns false if the search is over.
func (s *search) inside(c *chunk, base int) bool {
	for end := base + len(c.lf); s.from < end; {
		rest := c.lf[max(s.from-base, 0):]
		at := strings.Index(rest, s.text)
		if at < 0 {
			return s.meter.Pay(len(rest) / 2)
		}
		if !s.meter.Pay(eachFound + at/2) {
			return false
		}
		at += max(s.from, base)
		if s.from = at + len(s.text); !s.yield(at) {
			return false
		}
	}
	return true
}

// across yields the places that begin in a chunk and continue after it. The chunk ends at end.
func (s *search) across(c *chunk, end int, next []*chunk, more []*segment) bool {
	heads := s.heads[s.longer(len(c.lf)):]
	if !s.meter.Pay(eachHead * len(heads)) {
		return false
	}
	for _, head := range heads {
		at := end - head
		if at >= max(s.from, end-len(c.lf)) && strings.HasSuffix(c.lf, s.text[:head]) && s.meter.Pay(len(s.text)/16) && begin(next, more, s.text[head:]) {
			if s.from = at + len(s.text); !s.yield(at) {
				return false
			}
		}
	}
	return true
}

// longer returns the number of heads that are longer than a chunk.
func (n *needle) longer(chunk int) int {
	if len(n.heads) == 0 || n.heads[0] <= chunk {
		return 0
	}
	return sort.Search(len(n.heads), func(i int) bool { return n.heads[i] <= chunk })
}

// begin reports whether chunks, continued by those of the next segments, begin with s.
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
