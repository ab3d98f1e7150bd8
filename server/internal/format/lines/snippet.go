package lines

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	// searchWork is how many bytes are hashed at most in search of a snippet, in all
	// files of a batch together: about ten milliseconds. A hash that is finished counts
	// as sumWork bytes.
	searchWork = 32 << 20
	sumWork    = 256
	// maxSearched is up to how many bytes a file is searched.
	maxSearched = 1 << 20
	// maxAnchors is how many changes are asked for lines to search around.
	maxAnchors = 16
)

// A part is lines of a file, from 1, that a patch's hash is of: a patch must be made
// for the whole file, and not for what a search showed of it (rule L20).
type part struct {
	first, last int
	// The lines may have been the whole file, before others came before or after
	// them.
	maybeOld bool
}

// part is none where the hash is of no lines that are found in bounded time.
func (p Patch) part(f file) (part, bool) {
	if first, last, ok := p.expects(f); ok {
		return part{first, last, first == 1}, true
	}
	first, last, ok := p.search(f)
	return part{first, last, first == 1 || last == f.count()}, ok
}

// expects finds a change whose expected lines the hash is of. If these are all lines
// of the file, it is only a final line ending that differs.
func (p Patch) expects(f file) (first, last int, ok bool) {
	for _, o := range p.ops {
		if len(o.expected) == 0 || len(o.expected) == f.count() {
			continue
		}
		for _, eol := range []text.EOL{text.LF, f.eol} {
			lines := strings.Join(o.expected, string(eol))
			if sumOf(lines) == p.sum || sumOf(lines+string(eol)) == p.sum {
				return o.first, o.last, true
			}
		}
	}
	return 0, 0, false
}

// search hashes runs of lines, with their own endings and with LF.
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

// runs are runs of lines of a text: those that begin at an index from one up to
// another, hold the line of an index at least, and have at most so many lines.
type runs struct {
	file
	from, to, least, most int
}

// runs are those to search for so much work. A snippet that a patch was made for
// holds lines that it expects: where these are found, runs around them will do, and
// can be longer.
func (p Patch) runs(f file, work int) runs {
	n := f.count()
	if first, last, ok := p.anchorIn(f); ok {
		most := int(math.Sqrt(float64(work) / float64(sumWork+len(f.Text())/n)))
		return runs{f, max(0, last-most), first, last - 1, most}
	}
	return runs{f, 0, n, 0, work / (2*sumWork*n + len(f.Text()))}
}

// anchorIn is the only place, from line 1, of lines that a change expects.
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

// find is the run, as lines from 1, that has a hash, with the last line's ending or
// without it. All lines are no run.
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
				ending = []byte(r.eol) // a search's result may have one
			}
			h.Write(ending)
			if found || asked && is() {
				return from + 1, i + 1, true
			}
		}
	}
	return 0, 0, false
}

// String is "line 3", or "lines 3 to 5".
func (p part) String() string {
	if p.first == p.last {
		return fmt.Sprintf("line %d", p.first)
	}
	return fmt.Sprintf("lines %d to %d", p.first, p.last)
}
