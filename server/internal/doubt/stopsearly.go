package doubt

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// stopsEarly finds a text that was cut off. Either its last line is only the beginning of the
// file's line at that place, or a bracket is open at its end that the file closes.
var stopsEarly = Rule{
	ID: "stops-early",
	Doubts: func(c *Change) *Doubt {
		if c.Marked || c.New || len(c.Runs) == 0 {
			return nil
		}
		if d := c.endsLost(); d != nil {
			return d
		}
		var all brackets
		for i, r := range c.Runs {
			if i+1 < len(c.Runs) && (c.Whole || c.Runs[i+1].At == r.At) || c.Whole && !c.ends(r) {
				continue // the text continues below this run
			}
			if line := r.cutLine(); line >= 0 {
				return c.stops(r, fmt.Sprintf("%q is only the beginning of line %d of %s", strings.TrimSpace(r.New[len(r.New)-1]), r.Line+line, c.Path))
			}
			if bracket := c.leavesOpen(r, &all); bracket != "" && !c.isDocument() {
				return c.stops(r, fmt.Sprintf("its last line leaves `%s` open, but %s closes it", bracket, c.Path))
			}
		}
		return nil
	},
}

// endsLost returns a doubt if a whole text lacks lines at an end of the file, and shows it there: it
// begins or ends with a blank line, or its last line is above a block that is gone.
func (c *Change) endsLost() *Doubt {
	if !c.Whole || len(c.new) == 0 || c.isDocument() {
		return nil
	}
	first, last := c.Runs[0], c.Runs[len(c.Runs)-1]
	switch end := strings.TrimSpace(c.new[len(c.new)-1]); {
	case first.Line == 1 && saying(first.Old) > 0 && saying(first.New) == 0 && c.old[0] != "" && strings.TrimSpace(c.new[0]) == "":
		return c.stops(first, fmt.Sprintf("it begins with a blank line, and %q is gone", cut(first.Old[0], 60)))
	case !c.ends(last) || saying(last.Old) == 0 || saying(last.New) > 0 || strings.TrimSpace(c.old[len(c.old)-1]) == "":
		return nil
	case end == "", len(locate.Indentation(firstText(last.Old))) > len(locate.Indentation(c.new[len(c.new)-1])) && last.Line > 1:
		return c.stops(last, fmt.Sprintf("%q is gone from its end", cut(strings.TrimSpace(firstText(last.Old)), 60)))
	}
	return nil
}

func (c *Change) stops(r Run, why string) *Doubt {
	return &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.CutShort,
		Message: "the new text may have been cut off: " + why + "; ask for the rest of it"}
}

// ends reports whether a run is at the end of a whole text.
func (c *Change) ends(r Run) bool { return r.Line-1+len(r.Old) == len(c.old) }

// cutLine returns the index of the old line of which the last new line is only the beginning, or
// a negative number. The new line must end inside brackets, or inside a word that is not the last
// one of the old lines. The last word may simply have become shorter.
func (r Run) cutLine() int {
	if len(r.New) == 0 {
		return -1
	}
	last := strings.TrimRight(r.New[len(r.New)-1], " \t")
	if text.NonBlanks(last, 3) < 3 {
		return -1
	}
	for i, line := range r.Old {
		if len(line) <= len(last) || !strings.HasPrefix(line, last) {
			continue
		}
		_, further, _ := strings.Cut(line[len(last):], " ")
		if locate.CutsWord(line, len(last)) && (text.HasWord(further) || i+1 < len(r.Old)) || opened([]string{last}) != paired && opened([]string{line}) == paired {
			return i
		}
	}
	return -1
}

// A brackets holds the brackets that the change leaves open, and those that the file left open
// before. They are counted once, on demand.
type brackets struct {
	counted     bool
	added, file [3]int
}

func (b *brackets) count(c *Change) {
	if b.counted {
		return
	}
	b.counted = true
	for _, r := range c.Runs {
		old, new := opened(r.Old), opened(r.New)
		for i := range b.added {
			b.added[i] += new[i] - old[i]
		}
	}
	b.file = opened(linesOf(c.Before()))
}

// leavesOpen returns a bracket that is open at the end of the text's last run, or "". The whole
// change must leave it open, and the file before the change must not.
func (c *Change) leavesOpen(last Run, all *brackets) string {
	old, new := opened(last.Old), opened(last.New)
	for i, bracket := range []string{"(", "[", "{"} {
		if new[i] <= max(0, old[i]) {
			continue
		}
		if all.count(c); all.added[i] > 0 && all.file[i] == 0 {
			return bracket
		}
	}
	return ""
}

// opened counts the open brackets of each kind. It ignores what is quoted on one line, and a bracket
// that is escaped or belongs to a terminal's color.
func opened(lines []string) (open [3]int) {
	for _, line := range lines {
		for i := 0; i < len(line); i++ {
			if strings.IndexByte("'\"`", line[i]) >= 0 {
				i += quotedAt(line[i:])
			} else if k := strings.IndexByte("()[]{}", line[i]); k >= 0 && (i == 0 || line[i-1] != '\\' && line[i-1] != '\x1b') {
				open[k/2] += 1 - 2*(k%2)
			}
		}
	}
	return open
}

// quotedAt returns the offset of the quote that closes the one at the start of s, or 0 if s has none.
func quotedAt(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == s[0] {
			return i
		}
	}
	return 0
}
