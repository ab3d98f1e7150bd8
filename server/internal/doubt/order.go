package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// assigning matches a line that gives a variable its first value. Its group is the name of the variable.
var assigning = lazyregexp.New(`^\s*(?:(?:const|let|var|val|my|local|auto|final)\s+)?(\$?[A-Za-z_]\w+)\s*:?=[^=>~]`)

// usesTooEarly returns a description of a line that uses a variable above the line that defines it, although the file has
// these two lines in the right order. It returns "" if there is none. Parts of a stream that arrive in the wrong order
// leave such lines.
func (c *Change) usesTooEarly() string {
	for first := 0; first < len(c.Runs); {
		last := first
		for last+1 < len(c.Runs) && c.Runs[last+1].Line-c.Runs[last].Line-len(c.Runs[last].Old) <= mostTorn {
			last++
		}
		was, is := c.window(first, last+1)
		if n := len(was) + len(is); n <= mostLaid && c.Meter.Pay(meter.Line*n) {
			for i, line := range was {
				if why := c.usedAbove(first, line, was[:i], was[i+1:], is); why != "" {
					return why
				}
			}
		}
		first = last + 1
	}
	return ""
}

// window returns the old and the new lines of the runs [first, end), with the lines between them.
func (c *Change) window(first, end int) (was, is []string) {
	old := c.oldLines()
	from := min(c.Runs[first].Line-1, len(old))
	for next := from; first < end; first++ {
		r := c.Runs[first]
		at := min(max(next, r.Line-1), len(old))
		is = append(append(is, old[next:at]...), r.New...)
		next = min(at+len(r.Old), len(old))
		was = old[from:next]
	}
	return was, is
}

// usedAbove returns a description of the first new line above `line` that uses the variable defined by `line`, provided
// that it was below `line` in the file. `above` and `below` are the old lines around `line`.
func (c *Change) usedAbove(run int, line string, above, below, is []string) string {
	m := assigning.FindStringSubmatch(line)
	if m == nil || isRemark(line) {
		return ""
	}
	at := slices.Index(is, line)
	uses := func(line string) bool { return hasName(bare(line), m[1]) }
	if at < 0 || slices.ContainsFunc(above, uses) {
		return ""
	}
	if k := slices.IndexFunc(is[:at], uses); k >= 0 {
		early := is[k]
		if slices.Contains(below, early) && locate.Indentation(early) == locate.Indentation(line) && !slices.ContainsFunc(c.above(run, far), uses) {
			return fmt.Sprintf("%q uses `%s` above the line that defines it", text.Cut(strings.TrimSpace(early), 60), m[1])
		}
	}
	return ""
}

func hasName(line, name string) bool {
	for range mentions(line, name) {
		return true
	}
	return false
}

// leavesBody returns a description of a line that moved to the left, away from the lines of its block, or "". The block
// stays as it is, so the line has lost its indentation.
func (c *Change) leavesBody(i int) string {
	r := c.Runs[i]
	was, is := lastWithWords(r.Old), lastWithWords(r.New)
	if c.mayHaveTags() || was < 0 || is < 0 || was < len(r.Old)-1 || is < len(r.New)-1 || !c.Meter.Pay(meter.Line) {
		return ""
	}
	line := strings.TrimSpace(r.New[is])
	body := firstText(c.below(i, aroundRun))
	old, new, inside := len(locate.Indentation(r.Old[was])), len(locate.Indentation(r.New[is])), len(locate.Indentation(body))
	if strings.TrimSpace(r.Old[was]) != line || !text.HasWord(line) || old <= new || inside <= old || strings.Contains(r.Old[was]+body, "\t") != strings.Contains(r.New[is]+body, "\t") {
		return ""
	}
	return fmt.Sprintf("%q moved to the left, but its block did not", text.Cut(line, 60))
}

// fewestMixed is the least number of consecutive places at which the lines of two texts alternate.
const fewestMixed = 6

// alternates reports whether new lines alternate with the lines of the file, and are not indented like them. If so, the
// lines of two texts were mixed.
func (c *Change) alternates() bool {
	mixed, odd, end := 0, 0, 0
	for i, r := range c.Runs {
		if i == 0 || r.Line-end > 2 || max(len(r.Old), len(r.New)) > text.Habit || !c.Meter.Pay(meter.Line) {
			mixed, odd = 0, 0
		}
		if end = r.Line + len(r.Old); countWithWords(r.Old) > 0 {
			continue
		}
		mixed++
		above, below := c.above(i, aroundRun), firstText(c.below(i, aroundRun))
		for _, line := range r.New {
			is, up := locate.Indentation(line), ""
			if k := lastWithWords(above); k >= 0 {
				up = above[k]
			}
			if strings.TrimSpace(line) != "" && is != locate.Indentation(up) && is != locate.Indentation(below) && !(opensBlock(up) && len(is) > len(locate.Indentation(up))) {
				odd++
			}
		}
		if mixed >= fewestMixed && odd >= text.Habit {
			return true
		}
	}
	return false
}
