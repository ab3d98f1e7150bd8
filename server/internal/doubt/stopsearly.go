package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// stopsEarly finds a text that was cut off. Either its last line is only the beginning of the
// file's line at that place, or a bracket is open at its end that the file closes.
var stopsEarly = Rule{
	ID: "stops-early", existing: true,
	doubts: func(c *Change) *Doubt {
		if len(c.Runs) == 0 {
			return nil
		}
		if d := c.endsLost(); d != nil || c.Marked {
			return d
		}
		if mark := c.leavesOpen(); mark != "" {
			return c.stops(c.Runs[len(c.Runs)-1], fmt.Sprintf("it leaves `%s` open, but %s closes it", mark, c.Path))
		}
		var all brackets
		for i, r := range c.Runs {
			if i+1 < len(c.Runs) && (c.Whole || c.Runs[i+1].At == r.At) || c.Whole && !c.ends(r) {
				continue // The text continues below this run, so it was not cut off here.
			}
			if line := r.cutLine(); line >= 0 {
				return c.stops(r, fmt.Sprintf("%q is only the beginning of line %d of %s", strings.TrimSpace(r.New[len(r.New)-1]), r.Line+line, c.Path))
			}
			if c.isDocument() {
				continue
			}
			switch bracket, closes := c.unpaired(r, &all); {
			case closes:
				return warn(c.at(r), diag.CutShort, "the new text has one `%s` too many, but %s does not; remove the extra one, or write the line that opens it", bracket, c.Path)
			case bracket != "":
				return c.stops(r, fmt.Sprintf("its last line leaves `%s` open, but %s closes it", bracket, c.Path))
			}
		}
		return nil
	},
}

// endsLost returns a doubt if a text lacks lines at an end of the file and shows that it was cut off there:
// it begins or ends with a blank line, its last line is above a block that is gone, it has lost the header
// of the file beside another edit, or it has lost the only line at the end that uses a definition.
func (c *Change) endsLost() *Doubt {
	first, last := c.Runs[0], c.Runs[len(c.Runs)-1]
	begins := first.Line == 1 && countWithWords(first.Old) > 0 && countWithWords(first.New) == 0
	if tag := c.lostEnd(last); tag != "" {
		return c.stops(last, fmt.Sprintf("%q is gone from its end, but the beginning of that element stays", tag))
	}
	if c.isDocument() || !begins && (countWithWords(last.Old) == 0 || countWithWords(last.New) > 0) {
		return nil
	}
	old := c.oldLines()
	if begins && old[0] != "" {
		head := cut(first.Old[0], 60)
		switch is := slices.Concat(first.New, c.below(0, 1)); {
		case c.Whole && len(is) > 0 && locate.IsBlank(is[0]):
			return c.stops(first, fmt.Sprintf("it begins with a blank line, and %q is gone", head))
		case isHeader(first.Old[0]) && len(c.Runs) > 1:
			return c.stops(first, fmt.Sprintf("%q is gone from its beginning", head))
		}
	}
	if !c.ends(last) || countWithWords(last.Old) == 0 || countWithWords(last.New) > 0 || locate.IsBlank(old[len(old)-1]) {
		return nil
	}
	is := slices.Concat(c.above(len(c.Runs)-1, 1), last.New)
	gone := firstText(last.Old)
	switch {
	case len(is) == 0:
	case c.Whole && (locate.IsBlank(is[len(is)-1]) || len(locate.Indentation(gone)) > len(locate.Indentation(is[len(is)-1]))), c.usedOnlyBy(last.Old):
		return c.stops(last, fmt.Sprintf("%q is gone from its end", cut(strings.TrimSpace(gone), 60)))
	}
	return nil
}

// lostEnd returns the end tag that the change removes from the end of the file although the beginning
// of the element stays, or "".
func (c *Change) lostEnd(last Run) string {
	if c.isDocument() || len(last.Old) == 0 || !c.ends(last) {
		return ""
	}
	tag := strings.TrimSpace(last.Old[len(last.Old)-1])
	m := endTag.FindStringSubmatch(tag)
	if m == nil {
		return ""
	}
	opens := func(line string) bool { return strings.Contains(line, "<"+m[1]) }
	for _, r := range c.Runs {
		if slices.ContainsFunc(r.Old, opens) || slices.ContainsFunc(r.New, func(line string) bool { return strings.Contains(line, tag) }) {
			return ""
		}
	}
	if !slices.ContainsFunc(c.oldLines(), opens) {
		return ""
	}
	return tag
}

// endTag matches a line that ends an element of HTML or XML.
var endTag = lazyregexp.New(`^</([\w:.-]+)>$`)

// isHeader reports whether a line must be the first one of a program.
func isHeader(line string) bool {
	return strings.HasPrefix(line, "#!") && !strings.HasPrefix(line, "#![") || strings.HasPrefix(line, "<?") || strings.HasPrefix(strings.ToLower(line), "<!doctype") || strings.HasPrefix(line, "package ")
}

// usedOnlyBy reports whether the lines that are missing at the end of the file are the only ones that
// use some name. The name must be defined at the margin in a line that stays.
func (c *Change) usedOnlyBy(gone []string) bool {
	stay := c.oldLines()[:len(c.oldLines())-len(gone)]
	if len(gone) > mostAround || !c.Meter.Pay(len(stay)) {
		return false
	}
	for i, line := range stay {
		m := defining.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		uses := func(line string) bool { at, _ := nameIn(line, m[1]+m[2]); return at >= 0 }
		if slices.ContainsFunc(gone, uses) && !slices.ContainsFunc(slices.Concat(stay[:i], stay[i+1:]), uses) &&
			!c.adds(uses) {
			return true
		}
	}
	return false
}

func (c *Change) stops(r Run, why string) *Doubt {
	return warn(c.at(r), diag.CutShort, "the new text may have been cut off: %s; ask for the rest of it", why)
}

// ends reports whether a run is at the end of the file.
func (c *Change) ends(r Run) bool { return r.Line-1+len(r.Old) == len(c.oldLines()) }

// cutLine returns the index of the old line of which the last new line is only the beginning, or a
// negative number. The new line must end inside brackets, or inside a word that is not the last one of
// the old lines. The last word may have been shortened on purpose.
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

// longMarks are the marks around a string, a comment or a condition of several lines. If known is true, they count only
// in a file that has the closing mark, because the opening one means something else elsewhere: `#if debug:` is a Python
// comment.
var longMarks = []struct {
	open, close string
	known       bool
}{
	{open: `"""`, close: `"""`}, {open: "'''", close: "'''"}, {open: "<!--", close: "-->"},
	{open: "#if", close: "#endif", known: true}, // also #ifdef and #ifndef
}

// leavesOpen returns the mark of a string, a comment or a condition of several lines that the file closes and
// the change leaves open, or "".
func (c *Change) leavesOpen() string {
	if c.isDocument() {
		return ""
	}
	for _, mark := range longMarks {
		same := mark.open == mark.close
		open := func(lines []string) int {
			n := 0
			for _, line := range lines {
				if n += strings.Count(line, mark.open); !same {
					n -= strings.Count(line, mark.close)
				}
			}
			if same {
				n %= 2
			}
			return n
		}
		more := 0
		for _, r := range c.Runs {
			more += open(r.New) - open(r.Old)
		}
		if same {
			more %= 2
		}
		if more != 0 && open(c.oldLines()) == 0 && (!mark.known || strings.Contains(c.Before(), mark.close)) {
			return mark.open
		}
	}
	return ""
}

// A brackets holds the numbers of brackets that the change leaves open, and that the file left open
// before. It counts all brackets, and separately those outside of quotes, once and on demand.
type brackets struct {
	counted     bool
	added, file [2][3]int
}

func (b *brackets) count(c *Change) {
	if b.counted {
		return
	}
	b.counted = true
	for k, opened := range []func([]string) [3]int{opened, openedAnywhere} {
		for _, r := range c.Runs {
			old, new := opened(r.Old), opened(r.New)
			for i := range new {
				b.added[k][i] += new[i] - old[i]
			}
		}
		b.file[k] = opened(c.oldLines())
	}
}

// unpaired returns a bracket that the last run leaves open, or closes although it is not open, or "".
// The whole file must be unbalanced after the change, and not before it. A bracket in quotes is no
// evidence.
func (c *Change) unpaired(last Run, all *brackets) (bracket string, closes bool) {
	old, new := opened(last.Old), opened(last.New)
	for i := range new {
		closes := new[i] < min(0, old[i])
		if !closes && new[i] <= max(0, old[i]) {
			continue
		}
		all.count(c)
		if more, raw := all.added[0][i], all.added[1][i]; all.file[0][i] == 0 && all.file[1][i] == 0 && more != 0 && (more < 0) == closes && (raw < 0) == closes && raw != 0 {
			if closes {
				return ")]}"[i : i+1], true
			}
			return "([{"[i : i+1], false
		}
	}
	return "", false
}

// openedAnywhere counts the open brackets of each kind, in quotes and outside of them.
func openedAnywhere(lines []string) (open [3]int) {
	for _, line := range lines {
		for _, r := range line {
			if i := strings.IndexRune("()[]{}", r); i >= 0 {
				open[i/2] += 1 - 2*(i%2)
			}
		}
	}
	return open
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
