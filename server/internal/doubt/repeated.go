package doubt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// repeated finds these repetitions in new lines:
//   - a block twice in a row,
//   - a second definition of a name,
//   - lines that begin again below a broken line,
//   - lines that differ only in a number,
//   - the rest of the block below, which stays as well.
var repeated = Rule{
	ID: "repeated",
	doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			if c.New || c.isDocument() {
				continue
			}
			if line, n := r.loops(); n >= fewestLoops {
				return warn(c.at(r), diag.RepeatedLines, "the new text has %d consecutive lines that differ only in a number, such as %q; remove the lines that are not intended", n, text.Cut(strings.TrimSpace(line), 60))
			}
		}
		if d := c.restarted(); d != nil {
			return d
		}
		if r, line := c.definedAgain(); line != "" {
			return warn(c.at(r), diag.RepeatedLines, "the new text has %q, and the file has the same line elsewhere, so the same thing would be defined twice; leave out one of the two lines", text.Cut(line, 60))
		}
		if d := c.namedAgain(); d != nil {
			return d
		}
		for i, r := range c.Runs {
			if !isBlock(r.New) {
				continue
			}
			if line := c.restBelow(i); line != "" && !c.isDocument() {
				return warn(c.at(r), diag.RepeatedLines, "the new text has %q and all lines below it in their block, but they also stay below the new text; leave out one of the two copies", text.Cut(strings.TrimSpace(line), 60))
			}
			above := c.above(i, min(len(r.New), mostRepeated))
			lines := slices.Concat(above, r.New, c.below(i, min(len(r.New), mostRepeated)))
			if i, n := twice(lines, len(above), len(above)+len(r.New), c.Meter.Pay); n > 0 {
				return warn(c.at(r), diag.RepeatedLines, "the new text has %d lines twice, one copy below the other, beginning with %q; remove one copy unless both are intended", n, text.Cut(lines[i], 60))
			}
		}
		return nil
	},
}

// restarted finds a new line that breaks off in the middle of a word, if the lines above it are repeated below it.
// The connection was probably lost, and the text was sent again from a few lines above.
func (c *Change) restarted() *Doubt {
	for run, r := range c.Runs {
		if len(r.New) < 2 {
			continue // One line cannot be both the broken line and its copy.
		}
		var lines []string
		above := 0
		for i, line := range r.New {
			if !c.Meter.Pay(meter.Line) {
				return nil
			}
			if end := strings.TrimRight(line, " \t"); end == "" || !text.HasWord(end[len(end)-1:]) {
				continue
			}
			if lines == nil {
				lines = c.above(run, mostRestarted)
				above = len(lines)
				lines = slices.Concat(lines, r.New, c.below(run, mostRestarted+1))
			}
			if n := again(lines, above+i); n > 0 {
				fix := c.writing(fmt.Sprintf("Leave out %q and the text that starts over below it", strings.TrimSpace(line)), r, i, 1+n, nil)
				return warn(c.at(r), diag.RepeatedLines, "a line of the new text breaks off in the middle of a word, and then the text starts over: %q; leave out that line and one of the two copies", text.Cut(strings.TrimSpace(line), 60)).with(fix)
			}
		}
	}
	return nil
}

// mostRestarted is the largest number of lines that may have been sent twice.
const mostRestarted = 20

// again returns the number of lines above line k that are repeated directly below it. It returns 0 unless line k is
// the beginning of the first repeated line, or of the line below the copy.
func again(lines []string, k int) int {
	for n := 1; n <= min(mostRestarted, k, len(lines)-1-k); n++ {
		copied := lines[k+1 : k+1+n]
		if slices.Equal(lines[k-n:k], copied) && text.Shared.Says(strings.Join(copied, "")) &&
			(breaksOff(lines[k], copied[0]) || k+1+n < len(lines) && breaksOff(lines[k], lines[k+1+n])) {
			return n
		}
	}
	return 0
}

// breaksOff reports whether `line` is the beginning of `whole` and ends there in the middle of a word. The middle of
// a number does not count, because a longer number is another number.
func breaksOff(line, whole string) bool {
	line = strings.TrimRight(line, " \t")
	return len(line) < len(whole) && strings.HasPrefix(whole, line) && place.CutsWord(whole, len(line)) && !strings.ContainsRune("0123456789", rune(whole[len(line)]))
}

// loops returns the first line and the length of the longest sequence of new lines that are equal except for a number
// that counts up. A model that falls into a loop writes such lines. Lines with few words are ignored, because they
// are probably data.
func (r Run) loops() (first string, most int) {
	above, last, n := "", 0, 0
	for i, line := range r.New {
		same, number := line, last
		if start := strings.IndexAny(line, "0123456789"); start >= 0 {
			rest := strings.TrimLeft(line[start:], "0123456789")
			number, _ = strconv.Atoi(line[start : len(line)-len(rest)])
			same = line[:start] + rest
		}
		if n++; strings.TrimRight(same, ",; ") != above || number > last+1 || number < last || len(longWords(same)) < text.Habit {
			above, n = strings.TrimRight(same, ",; "), 1
		}
		if last = number; n > most {
			first, most = r.New[i-n+1], n
		}
	}
	return first, most
}

const fewestLoops = 8

// definedAgain returns an unindented new line that defines something, if the changed file has an equal line
// elsewhere: the old version of a function may have been kept. It ignores documents, because their examples may
// repeat an import.
func (c *Change) definedAgain() (Run, string) {
	if c.isDocument() || !c.adds(defines) {
		return Run{}, ""
	}
	had, more := map[string]int{}, map[string]int{}
	count := func(in map[string]int, lines []string, by int) {
		for i, line := range lines {
			// Skip a definition below an attribute or a condition, because a compiler may use only one of several.
			if defines(line) && !(i > 0 && strings.IndexAny(lines[i-1], "#@") == 0) {
				in[line] += by
			}
		}
	}
	count(had, c.oldLines(), 1)
	for _, r := range c.Runs {
		count(more, r.New, 1)
		count(more, r.Old, -1)
	}
	for run, r := range c.Runs {
		for i, line := range r.New {
			if had[line]+more[line] == 2 && more[line] > 0 && !c.isQuoted(run, i) {
				return r, line
			}
		}
	}
	return Run{}, ""
}

// defines reports whether an unindented line opens a block with parameters, or imports a name. It returns false for a
// loop, a branch or a call, such as `app.use(function () {` or `setup({`, because these may be repeated.
func defines(line string) bool {
	return text.Indentation(line) == "" && (strings.Contains(line, "(") && opensBlock(line) && !repeatable.MatchString(line) && text.Passage.Says(line) || importing.MatchString(line) && text.Shared.Says(line) && !strings.HasSuffix(line, "{") && !strings.HasSuffix(line, "("))
}

var repeatable = lazyregexp.New(`^(?:for|foreach|while|until|if|elif|else|unless|switch|case|default|match|with|try)\b|^\w+\.[\w.]+\(|\([{[]$`)

const mostRepeated = 400

// above returns at most `most` lines of the changed file above run i.
func (c *Change) above(i, most int) []string {
	old := c.oldLines()
	var parts [][]string
	for end := min(c.Runs[i].Line-1, len(old)); most > 0; i-- {
		start := 0
		if i > 0 {
			start = min(end, c.Runs[i-1].Line-1+len(c.Runs[i-1].Old))
		}
		kept := old[max(start, end-most):end]
		if parts, most = append(parts, kept), most-len(kept); most <= 0 || i == 0 {
			break
		}
		r := c.Runs[i-1]
		new := r.New[max(0, len(r.New)-most):]
		parts, most, end = append(parts, new), most-len(new), min(r.Line-1, len(old))
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// below returns at most `most` lines of the file below run i, up to the next run.
func (c *Change) below(i, most int) []string {
	old, r := c.oldLines(), c.Runs[i]
	start, end := min(r.Line-1+len(r.Old), len(old)), len(old)
	if i+1 < len(c.Runs) {
		end = min(end, c.Runs[i+1].Line-1)
	}
	return old[start:max(start, min(end, start+most))]
}

func (c *Change) oldLines() []string {
	if c.old == nil && !c.New {
		c.old = linesOf(c.Before())
	}
	return c.old
}

// twice returns the first line of a block that is repeated directly below itself, and the number of its nonblank
// lines. A copy must contain one of the new lines [from, to).
func twice(lines []string, from, to int, pay func(int) bool) (first, n int) {
	var solid []int    // the indexes of the nonblank lines; all other indexes in this function refer to this list
	var id, next []int // id[k] is the first line with the text of nonblank line k, and next[k] the next one
	last := make(map[string]int, len(lines))
	for i, line := range lines {
		if text.IsBlank(line) {
			continue
		}
		k := len(solid)
		solid, id, next = append(solid, i), append(id, k), append(next, len(lines))
		if above, ok := last[line]; ok {
			id[k], next[above] = id[above], k
		}
		last[line] = k
	}
	for i := range solid {
		cost := 0
		for k := next[i]; k < len(solid); k = next[k] {
			n := k - i
			if n > mostRepeated || i+2*n > len(solid) || solid[i] >= to {
				break
			}
			if solid[i+2*n-1] < from {
				continue
			}
			same := 1
			for same < n && id[i+same] == id[k+same] {
				same++
			}
			cost += same
			if same == n && isBlock(lines[solid[i]:solid[i+n-1]+1]) {
				return solid[i], n
			}
		}
		if !pay(16 * cost) {
			return 0, 0
		}
	}
	return 0, 0
}

// restBelow returns the first line below run i if the run has, in order, that line and all below it up to the end of their
// block. The reply then names only the first lines of a block, but writes all of it.
func (c *Change) restBelow(i int) (first string) {
	new, below, above := c.Runs[i].New, c.below(i, mostRepeated), c.above(i, mostRestarted)
	// If the run ends with the line above it, the same change begins one line further up.
	for n := len(above) - 1; len(c.Runs[i].Old) == 0 && n >= 0 && above[n] == new[len(new)-1]; n-- {
		new, below = slices.Concat(above[n:n+1], new[:len(new)-1]), slices.Concat(above[n:n+1], below)
	}
	var rest []string
	for _, line := range below {
		if text.IsBlank(line) {
			continue
		}
		if len(rest) > 0 && len(text.Indentation(line)) < len(text.Indentation(rest[0])) {
			break
		}
		rest = append(rest, line)
	}
	if !isBlock(rest) {
		return ""
	}
	first = rest[0]
	for _, line := range new {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		return ""
	}
	return first
}

// isBlock reports whether lines are code rather than data: at least three different lines have words, and their
// indentations differ.
func isBlock(lines []string) bool {
	depths, different := map[string]bool{}, map[string]bool{}
	for _, line := range lines {
		if text.HasWord(line) && text.NonBlanks(line, 4) == 4 {
			depths[text.Indentation(line)], different[line] = true, true
		}
		if len(different) >= 3 && len(depths) >= 2 {
			return true
		}
	}
	return false
}
