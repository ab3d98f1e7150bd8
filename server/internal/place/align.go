package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A row is a nonblank line, without the white space around it.
type row struct {
	text string
	span text.Span
}

func rows(s string, span text.Span) []row {
	var out []row
	for at := span.Start; at < span.End; {
		end := span.End
		if i := strings.IndexByte(s[at:span.End], '\n'); i >= 0 {
			end = at + i
		}
		if line := strings.Trim(s[at:end], spaces); line != "" {
			start := at + len(text.Indentation(s[at:end]))
			out = append(out, row{line, text.Span{Start: start, End: start + len(line)}})
		}
		at = end + 1
	}
	return out
}

// band limits the pairs in long texts: a line is compared only with lines at most `band` lines from its expected
// position.
const band = 64

// A pair is two matching rows, given by their indexes.
type pair struct {
	want, found int
	part        text.Span // the part of the found row that matches, if the text begins or ends inside the row
	common      int
}

// align pairs rows of `want` with rows of `found`, in order. The rows of `found` before the first pair and after the
// last cost nothing.
func align(m *meter.Meter, want, found []row) []pair {
	a := alignment{meter: m, want: want, found: found, width: len(found) + 1}
	a.cells = make([]cell, (len(want)+1)*a.width)
	for i := range want {
		if !m.Pay(len(a.found)) {
			return nil
		}
		a.row(i)
	}
	return a.pairs()
}

type alignment struct {
	meter       *meter.Meter
	want, found []row
	width       int
	cells       []cell
}

// The cell at(i, j) is the best way to pair the first i rows of `want` with some of the first j rows of `found`.
type cell struct {
	score  int32
	step   move
	paired bool // whether there is at least one pair
}

type move uint8

const (
	skipWant move = iota
	skipThere
	take
)

func (a *alignment) at(i, j int) *cell { return &a.cells[i*a.width+j] }

func (a *alignment) row(i int) {
	want := a.want[i].text
	unpaired := 3 * weight(want)
	compare := newComparer(want)
	for j := 0; j <= len(a.found); j++ {
		above := a.at(i, j)
		best := cell{score: above.score - unpaired, step: skipWant, paired: above.paired}
		if j > 0 {
			left := a.at(i+1, j-1)
			if score := left.score - 2*weight(a.found[j-1].text); left.paired && score > best.score {
				best = cell{score: score, step: skipThere, paired: true}
			}
			if _, gain := a.pair(compare, i, j-1); gain > 0 {
				if before := a.at(i, j-1); before.score+gain >= best.score {
					best = cell{score: before.score + gain, step: take, paired: true}
				}
			}
		}
		*a.at(i+1, j) = best
	}
}

func weight(line string) int32 { return int32(min(len(line), maxCompared)) }

// pair returns the gain of pairing two rows, which match only if the gain is positive.
func (a *alignment) pair(c *comparer, i, j int) (pair, int32) {
	line := a.found[j].text
	p := pair{want: i, found: j, part: text.Span{End: len(line)}}
	if far := i*len(a.found) - j*len(a.want); len(a.want)*len(a.found) > 4*band*band && max(far, -far) > band*max(len(a.want), len(a.found)) {
		return p, 0
	}
	if first, last := i == 0, i == len(a.want)-1; (first || last) && len(line) > len(c.line) {
		p.part = partOf(line, c.line, first, last)
		line = p.part.In(line)
	}
	if 3*min(len(line), len(c.line)) < max(len(line), len(c.line)) {
		return p, 0
	}
	a.meter.Pay(len(line) * (1 + c.words))
	p.common = c.common(line)
	return p, gain(p.common, len(c.line), len(line))
}

// exact is the number of bytes that must be equal at an end of a text that begins or ends inside a line.
const exact = 6

// partOf returns the part of `line` from which `want` was copied, or the whole line if the part is unclear. The part
// may begin inside the line only if `first` is true, and may end inside it only if `last` is true.
func partOf(line, want string, first, last bool) text.Span {
	part := text.Span{End: len(line)}
	start, end, ok := within(want, line, first, last)
	n := min(exact, len(want))
	if ok && strings.HasPrefix(line[start:], want[:n]) && !CutsWord(line, start) {
		part.Start = start
	}
	if ok && strings.HasSuffix(line[:end], want[len(want)-n:]) && !CutsWord(line, end) {
		part.End = end
	}
	return part
}

// gain is positive if more than three fifths of the bytes are equal.
func gain(common, a, b int) int32 {
	if max(a, b) > maxCompared {
		common = common * maxCompared / max(a, b)
		a, b = min(a, maxCompared), min(b, maxCompared)
	}
	return int32(10*common - 3*a - 3*b)
}

func (a *alignment) pairs() []pair {
	end := 0
	for j := range a.width {
		if a.at(len(a.want), j).score > a.at(len(a.want), end).score {
			end = j
		}
	}
	var reversed []pair
	for i, j := len(a.want), end; i > 0; {
		switch a.at(i, j).step {
		case take:
			i, j = i-1, j-1
			p, _ := a.pair(newComparer(a.want[i].text), i, j)
			reversed = append(reversed, p)
		case skipThere:
			j--
		default:
			i--
		}
	}
	slices.Reverse(reversed)
	return reversed
}

// maxWithin is the largest product of two lengths in bytes for which [within] compares two texts.
const maxWithin = 1 << 18

// within returns the part of `line` that is most similar to `part`. It begins at the start of the line unless
// freeHead is true, and ends at the end of the line unless freeTail is true. ok is false if the texts are too long
// to compare.
func within(part, line string, freeHead, freeTail bool) (start, end int, ok bool) {
	if len(part)*len(line) > maxWithin {
		return 0, len(line), false
	}
	// column[i] is the best way to match part[:i] with line[start:j].
	type way struct{ score, start int }
	column := make([]way, len(part)+1)
	for i := range column {
		column[i] = way{score: -i}
	}
	best, end := column[len(part)], 0
	for j := 1; j <= len(line); j++ {
		diagonal := column[0]
		if freeHead {
			column[0] = way{start: j}
		} else {
			column[0].score--
		}
		for i := 1; i <= len(part); i++ {
			next := column[i-1] // the score if line lacks the byte part[i-1]
			if column[i].score > next.score {
				next = column[i] // the score if part lacks the byte line[j-1]
			}
			next.score--
			if part[i-1] == line[j-1] && diagonal.score+2 >= next.score {
				next = way{diagonal.score + 2, diagonal.start}
			}
			diagonal, column[i] = column[i], next
		}
		if last := column[len(part)]; last.score > best.score || !freeTail && j == len(line) {
			best, end = last, j
		}
	}
	if !freeTail {
		end = len(line)
	}
	return best.start, end, true
}
