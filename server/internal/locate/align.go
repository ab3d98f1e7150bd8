package locate

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A row is a line that is not blank, without the white space around it.
type row struct {
	text string
	span text.Span // in the text that the line is of
}

func rows(s string, span text.Span) []row {
	var out []row
	for at := span.Start; at < span.End; {
		end := span.End
		if i := strings.IndexByte(s[at:span.End], '\n'); i >= 0 {
			end = at + i
		}
		if line := strings.Trim(s[at:end], spaces); line != "" {
			start := at + len(Indentation(s[at:end]))
			out = append(out, row{line, text.Span{Start: start, End: start + len(line)}})
		}
		at = end + 1
	}
	return out
}

// band is how far the lines of two long texts are compared from where they would
// be if nothing was missing or added.
const band = 64

// A pair is two lines that belong together: rows of both texts, and the bytes
// that they have in common. Part is what belongs to it of the second: a text may
// begin and end inside of a line.
type pair struct {
	want, there int
	part        text.Span // in the text of the row
	common      int
}

// align pairs the rows of want with some of those of there, in order, such that
// what is alike outweighs most what is not. What lies in there before the first
// pair and after the last one does not count.
func align(m *meter.Meter, want, there []row) []pair {
	a := alignment{meter: m, want: want, there: there, width: len(there) + 1}
	a.cells = make([]cell, (len(want)+1)*a.width)
	for i := range want {
		if !m.Pay(len(a.there)) {
			return nil
		}
		a.row(i)
	}
	return a.pairs()
}

type alignment struct {
	meter       *meter.Meter
	want, there []row
	width       int
	cells       []cell
}

// A cell is the best way to pair a number of rows of want with some of the first
// rows of there.
type cell struct {
	score  int32
	step   move
	paired bool // a pair lies before
}

type move uint8

const (
	skipWant move = iota
	skipThere
	take
)

func (a *alignment) at(i, j int) *cell { return &a.cells[i*a.width+j] }

// row fills the cells after the i-th row of want.
func (a *alignment) row(i int) {
	want := a.want[i].text
	unpaired := 3 * weight(want)
	compare := newComparer(want)
	for j := 0; j <= len(a.there); j++ {
		above := a.at(i, j)
		best := cell{score: above.score - unpaired, step: skipWant, paired: above.paired}
		if j > 0 {
			left := a.at(i+1, j-1)
			if score := left.score - 2*weight(a.there[j-1].text); left.paired && score > best.score {
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

// weight is how much a line counts.
func weight(line string) int32 { return int32(min(len(line), maxCompared)) }

// pair compares two rows. A gain that is not above 0 says that they do not belong
// together.
func (a *alignment) pair(c *comparer, i, j int) (pair, int32) {
	line := a.there[j].text
	p := pair{want: i, there: j, part: text.Span{End: len(line)}}
	if far := i*len(a.there) - j*len(a.want); len(a.want)*len(a.there) > 4*band*band && max(far, -far) > band*max(len(a.want), len(a.there)) {
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

// exact is how many bytes must be the same where a text is taken to begin or end
// inside of a line.
const exact = 6

// partOf is the part of line that want was copied from, where want is the first
// line of a text, the last one, or both. It is all of line, but for what lies
// outside of a place that shows that the copy began or ended there.
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

// gain is above 0 where three fifths of two lines are the same.
func gain(common, a, b int) int32 {
	if max(a, b) > maxCompared { // no line counts more
		common = common * maxCompared / max(a, b)
		a, b = min(a, maxCompared), min(b, maxCompared)
	}
	return int32(10*common - 3*a - 3*b)
}

// pairs follows the best way back.
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
