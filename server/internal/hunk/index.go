package hunk

import (
	"hash/maphash"
)

// An index tells where runs of lines stand in a source, as they are or folded,
// in time that does not grow with the source. It is made once, in time linear in
// the source and in the lines that will be asked for.
type index struct {
	src  *source
	fold func(line string) string
	seed maphash.Seed

	sums []uint64         // of the hashes of the first lines: those of a run come from two of them
	ids  map[uint64]int32 // of lines that will be asked for, by hash
	seen [1 << 10]uint64  // one bit for some bits of each of these hashes: most lines are told by it alone
	list [][]int32        // where they stand

	tries int // lines that may still be compared
}

// maxTries bounds the work on texts in which all is alike: lines that are compared,
// over all hunks.
const maxTries = 1 << 26

// base makes the sum of a run depend on the order of its lines.
const base = 0x9E3779B97F4A7C15

func newIndex(src *source, fold func(string) string, wanted func(yield func(line string))) *index {
	x := &index{src: src, fold: fold, seed: maphash.MakeSeed(), ids: map[uint64]int32{}, tries: maxTries}
	wanted(func(line string) {
		h := x.hash(line)
		if _, known := x.ids[h]; !known {
			x.ids[h] = int32(len(x.ids))
			x.seen[h>>54] |= 1 << (h >> 48 & 63)
		}
	})
	x.list = make([][]int32, len(x.ids))
	x.sums = make([]uint64, src.count()+1)
	for i := range src.count() {
		h := x.hash(src.line(i))
		x.sums[i+1] = x.sums[i]*base + h
		if x.seen[h>>54]>>(h>>48&63)&1 == 0 {
			continue
		}
		if id, ok := x.ids[h]; ok {
			x.list[id] = append(x.list[id], int32(i))
		}
	}
	return x
}

func (x *index) hash(line string) uint64 { return maphash.String(x.seed, x.fold(line)) }

// find calls yield with each place of lines that may be one, until it says no.
// False says that there are too many to look at.
func (x *index) find(lines []string, yield func(at int) bool) bool {
	if len(lines) == 0 || len(lines) > x.src.count() {
		return true
	}
	places, offset, sum := x.rarest(lines)
	power := uint64(1)
	for range lines {
		power *= base
	}
	for _, place := range places {
		if x.tries--; x.tries < 0 {
			return false
		}
		at := int(place) - offset
		if at < 0 || at+len(lines) > x.src.count() || x.sums[at+len(lines)]-x.sums[at]*power != sum {
			continue
		}
		if x.tries -= len(lines); x.same(lines, at) && !yield(at) {
			break
		}
	}
	return true
}

// rarest is where that one of lines stands that stands in the fewest places, and
// the sum of all.
func (x *index) rarest(lines []string) (places []int32, offset int, sum uint64) {
	for i, line := range lines {
		h := x.hash(line)
		sum = sum*base + h
		var list []int32
		if id, ok := x.ids[h]; ok {
			list = x.list[id]
		}
		if i == 0 || len(list) < len(places) {
			places, offset = list, i
		}
	}
	return places, offset, sum
}

func (x *index) same(lines []string, at int) bool {
	for i, line := range lines {
		if there := x.src.line(at + i); there != line && x.fold(there) != x.fold(line) {
			return false
		}
	}
	return true
}
