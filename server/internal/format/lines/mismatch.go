package lines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// moved returns the edits of the block that adapt the line numbers to the places of the expected lines in the file. It
// returns false if some of these lines do not occur exactly once, if their order differs, or if an insertion has no
// place. It also returns false if the file already has the new lines of a change, because the change would then be made
// twice.
func (p Patch) moved(ctx context.Context, f file) ([]text.Edit, bool) {
	firsts, ok := p.places(ctx, f)
	if !ok || !p.anchor(firsts) {
		return nil, false
	}
	var edits []text.Edit
	stale := !IsOf(p.sum, f.Text())
	end := 0
	for i, o := range p.ops {
		first, last := firsts[i], firsts[i]+o.last-o.first
		if first <= end || stale && f.hasMade(o, first) {
			return nil, false
		}
		end = last
		if o.inserts() {
			edits = append(edits, number(o.firstAt, first-1))
		} else {
			edits = append(edits, number(o.firstAt, first), number(o.lastAt, last))
		}
	}
	return edits, true
}

// places returns, for each change, the first line of the only place of its expected lines, or 0 for an insertion. It
// returns false if the expected lines of a change do not have exactly one place, or if all changes are insertions.
func (p Patch) places(ctx context.Context, f file) (firsts []int, ok bool) {
	firsts = make([]int, len(p.ops))
	for i, o := range p.ops {
		if o.inserts() {
			continue
		}
		if firsts[i] = f.only(o.expected); firsts[i] == 0 || ctx.Err() != nil {
			return nil, false
		}
		ok = true
	}
	return firsts, ok
}

// anchor determines the places of insertions. An insertion directly above or below the expected lines of another change
// stays next to these lines. anchor returns false if any other insertion exists.
func (p Patch) anchor(firsts []int) bool {
	after, before := map[int]int{}, map[int]int{} // line numbers in the file, by the line numbers in the block
	for i, o := range p.ops {
		if !o.inserts() {
			after[o.last+1], before[o.first] = firsts[i]+o.last-o.first+1, firsts[i]
		}
	}
	for i, o := range p.ops {
		if !o.inserts() {
			continue
		}
		a, isAfter := after[o.first]
		b, isBefore := before[o.first]
		if !isAfter && !isBefore || isAfter && isBefore && a != b {
			return false
		}
		firsts[i] = max(a, b)
	}
	return true
}

// hasMade reports whether the file already has the new lines of a change at the line `first`. The new lines of an
// insertion may be above or below the place. The new lines of any other change must contain the expected lines. Blank
// lines prove nothing.
func (f file) hasMade(o op, first int) bool {
	switch {
	case strings.TrimSpace(strings.Join(o.lines, "")) == "" || slices.Equal(o.lines, o.expected):
		return false
	case o.inserts():
		return f.has(first, o.lines) || f.has(first-len(o.lines), o.lines)
	}
	at := fileOf(strings.Join(o.lines, "\n")+"\n", f.Meter()).only(o.expected)
	return at > 0 && f.has(first-at+1, o.lines)
}

const (
	// searchWork limits the number of bytes that are hashed to find a snippet, for all files of a patch together.
	// Hashing them takes about ten milliseconds. Each finished hash counts as sumWork bytes.
	searchWork = 32 << 20
	sumWork    = 256
	// maxSearched is the size of the largest file in which a snippet is searched for, in bytes.
	maxSearched = 1 << 20
	// maxAnchors limits the number of changes whose expected lines are searched for. Only ranges around these lines are
	// then hashed.
	maxAnchors = 16
)

// A part is a range of lines, from 1, whose text has the hash in the patch. Such a patch is wrong, because a patch must
// be made for the whole file and not for the snippet that a search showed (rule L20).
type part struct {
	first, last int
	// maybeOld is true if the range may have been the whole file before other lines were added above or below.
	maybeOld bool
}

// part searches for lines with the hash in the patch. It returns false if it finds none within the permitted work.
func (p Patch) part(f file) (part, bool) {
	if first, last, ok := p.expects(f); ok {
		return part{first, last, first == 1}, true
	}
	first, last, ok := p.search(f)
	return part{first, last, first == 1 || last == f.count()}, ok
}

// expects searches for a change whose expected lines have the hash in the patch. It ignores a change that expects all
// lines of the file, because the hash then differs only by the final line ending.
func (p Patch) expects(f file) (first, last int, ok bool) {
	for _, o := range p.ops {
		if len(o.expected) == 0 || len(o.expected) == f.count() {
			continue
		}
		for _, eol := range []text.EOL{text.LF, f.eol} {
			lines := strings.Join(o.expected, string(eol))
			if text.SumHex(lines) == p.sum || text.SumHex(lines+string(eol)) == p.sum {
				return o.first, o.last, true
			}
		}
	}
	return 0, 0, false
}

// search finds consecutive lines whose text has the hash in the patch, with the line endings of the file or with LF
// endings.
func (p Patch) search(f file) (first, last int, ok bool) {
	want, err := hex.DecodeString(p.sum)
	if err != nil || len(f.Text()) > maxSearched || f.count() == 0 {
		return 0, 0, false
	}
	texts := []string{f.Text()}
	if lf := text.WithEOL(f.Text(), text.LF); lf != f.Text() {
		texts = append(texts, lf)
	}
	for _, s := range texts {
		r := p.runs(fileOf(s, f.Meter()), searchWork/max(p.files, 1)/len(texts))
		if first, last, ok := r.find([sha256.Size]byte(want)); ok {
			return first, last, true
		}
	}
	return 0, 0, false
}

// runs is a set of ranges of lines to hash. A range begins at a line in [from, to), ends at the line `least` or later,
// and has at most `most` lines.
type runs struct {
	file
	from, to, least, most int
}

// runs returns the ranges that can be hashed with a given amount of work. The snippet of a patch contains the lines
// that the patch expects. If these lines are found, only ranges around them are hashed, so that the ranges can be
// longer.
func (p Patch) runs(f file, work int) runs {
	n := f.count()
	if first, last, ok := p.anchorIn(f); ok {
		most := int(math.Sqrt(float64(work) / float64(sumWork+len(f.Text())/n)))
		return runs{f, max(0, last-most), first, last - 1, most}
	}
	return runs{f, 0, n, 0, work / (2*sumWork*n + len(f.Text()))}
}

// anchorIn returns the only place of the expected lines of a change, as line numbers from 1, if there is one.
func (p Patch) anchorIn(f file) (first, last int, ok bool) {
	for _, o := range p.ops[:min(len(p.ops), maxAnchors)] {
		if len(o.expected) == 0 {
			continue
		}
		if first := f.only(o.expected); first > 0 {
			return first, first + len(o.expected) - 1, true
		}
	}
	return 0, 0, false
}

// find returns the range with the given hash, as line numbers from 1. The last line may count with or without its
// ending. The range of all lines is not tried.
func (r runs) find(want [sha256.Size]byte) (first, last int, ok bool) {
	data := []byte(r.Text())
	h := sha256.New()
	var got [sha256.Size]byte
	is := func() bool { return [sha256.Size]byte(h.Sum(got[:0])) == want }
	for from := r.from; from < r.to; from++ {
		h.Reset()
		for i := from; i < min(r.count(), from+r.most); i++ {
			end := r.Start(i) + len(r.line(i))
			h.Write(data[r.Start(i):end])
			asked := i >= r.least && i-from+1 < r.count()
			found := asked && is()
			ending := data[end:r.Start(i+1)]
			if len(ending) == 0 {
				// A snippet that a search returned may end with a line ending that the file lacks.
				ending = []byte(r.eol)
			}
			h.Write(ending)
			if found || asked && is() {
				return from + 1, i + 1, true
			}
		}
	}
	return 0, 0, false
}

func (p part) String() string {
	if p.first == p.last {
		return fmt.Sprintf("line %d", p.first)
	}
	return fmt.Sprintf("lines %d to %d", p.first, p.last)
}
