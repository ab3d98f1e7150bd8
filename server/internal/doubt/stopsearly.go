package doubt

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// stopsEarly finds a text that was cut off: its last line is only the beginning of a line of the file, or leaves open a
// bracket that the file closes. It also finds an unpaired bracket elsewhere, because nobody wants one in any notation.
var stopsEarly = Rule{
	ID: "stops-early", existing: true,
	doubts: func(c *Change) *Doubt {
		if len(c.Runs) == 0 {
			return nil
		}
		if d := c.endsLost(); d != nil {
			return d
		}
		if mark := c.leavesOpen(); mark != "" {
			return c.stops(c.Runs[len(c.Runs)-1], fmt.Sprintf("`%s` is not closed, although the current %s closes it", mark, c.Path))
		}
		all := sync.OnceValue(c.brackets)
		for i, r := range c.Runs {
			// If the text continues below this run, it was not cut off here.
			continues := i+1 < len(c.Runs) && (c.Whole || c.Runs[i+1].At == r.At) || c.Whole && !c.ends(r)
			if line := r.cutLine(); line >= 0 && !continues && !c.Marked {
				return c.stops(r, fmt.Sprintf("%q is only the beginning of line %d of %s", strings.TrimSpace(r.New[len(r.New)-1]), r.Line+line, c.Path))
			}
			if c.isDocument() {
				continue
			}
			switch bracket, closes := c.unpaired(r, all); {
			case closes:
				return warn(c.at(r), diag.CutShort, "the new text has one `%s` too many, but %s does not; remove the extra one, or write the line that opens it", bracket, c.Path)
			case bracket != "" && !continues && !c.Marked:
				return c.stops(r, fmt.Sprintf("`%s` on its last line is not closed, although the current %s closes it", bracket, c.Path))
			case bracket != "":
				return warn(c.at(r), diag.CutShort, "the new text has one `%s` that nothing closes, but %s does not; close it, or write the line that closes it", bracket, c.Path)
			}
		}
		return nil
	},
}

// endsLost returns a doubt if lines at an end of the file are missing, and something else shows that the text was cut
// off: the text begins or ends with a blank line, it ends inside a block, or the header of the file is gone.
func (c *Change) endsLost() *Doubt {
	first, last := c.Runs[0], c.Runs[len(c.Runs)-1]
	begins := first.Line == 1 && countWithWords(first.Old) > 0 && countWithWords(first.New) == 0
	if c.isDocument() || !begins && (countWithWords(last.Old) == 0 || countWithWords(last.New) > 0) {
		return nil
	}
	old := c.oldLines()
	if begins && old[0] != "" {
		head := text.Cut(first.Old[0], 60)
		switch is := slices.Concat(first.New, c.below(0, 1)); {
		case c.Whole && len(is) > 0 && text.IsBlank(is[0]):
			return c.stops(first, fmt.Sprintf("it begins with a blank line, and %q is gone", head))
		case isHeader(first.Old[0]) && len(c.Runs) > 1:
			return c.stops(first, fmt.Sprintf("%q is gone from its beginning", head))
		}
	}
	if !c.ends(last) || countWithWords(last.Old) == 0 || countWithWords(last.New) > 0 || text.IsBlank(old[len(old)-1]) {
		return nil
	}
	is := slices.Concat(c.above(len(c.Runs)-1, 1), last.New)
	gone := firstText(last.Old)
	if len(is) > 0 && c.Whole && (text.IsBlank(is[len(is)-1]) || endsInBlock(is[len(is)-1], last.Old)) {
		return c.stops(last, fmt.Sprintf("%q is gone from its end", text.Cut(strings.TrimSpace(gone), 60)))
	}
	return nil
}

// endsInBlock reports whether the missing lines `gone` continue the block of the line `above`: the first of them is
// indented more than `above`, or is indented and does not begin another block.
func endsInBlock(above string, gone []string) bool {
	gone = slices.DeleteFunc(slices.Clone(gone), text.IsBlank)
	first := text.Indentation(gone[0])
	return len(first) > len(text.Indentation(above)) || first != "" && !hasBlock(gone[:min(len(gone), 2)])
}

// isHeader reports whether a line must be the first line of a program.
func isHeader(line string) bool {
	return strings.HasPrefix(line, "#!") && !strings.HasPrefix(line, "#![") ||
		strings.HasPrefix(line, "<?") ||
		strings.HasPrefix(strings.ToLower(line), "<!doctype") ||
		strings.HasPrefix(line, "package ")
}

func (c *Change) stops(r Run, why string) *Doubt {
	return warn(c.at(r), diag.CutShort, "the new text may have been cut off: %s; ask for the rest of it", why)
}

func (c *Change) ends(r Run) bool { return r.Line-1+len(r.Old) == len(c.oldLines()) }

// cutLine returns the index of an old line of which the last new line is only the beginning, or -1. The new line must
// end inside brackets or inside a word. If only the end of the last old word is missing, it may have been shortened
// on purpose, so it does not count.
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
		if place.CutsWord(line, len(last)) && (text.HasWord(further) || i+1 < len(r.Old)) || opened([]string{last}) != paired && opened([]string{line}) == paired {
			return i
		}
	}
	return -1
}

// longMarks are the marks around a string, a comment or a condition of several lines. If `known` is true, the file must
// have the closing mark, because the opening mark alone may mean something else: `#if debug:` is a Python comment.
var longMarks = []struct {
	open, close string
	known       bool
}{
	{open: `"""`, close: `"""`}, {open: "'''", close: "'''"}, {open: "<!--", close: "-->", known: true},
	{open: "#if", close: "#endif", known: true}, // also #ifdef and #ifndef
}

// leavesOpen returns the opening mark of a string, a comment or a condition that the file closes but the change leaves
// open. It returns "" if there is none.
func (c *Change) leavesOpen() string {
	if c.isDocument() {
		return ""
	}
	for _, mark := range longMarks {
		same := mark.open == mark.close
		open := func(lines []string) int {
			n := 0
			for _, line := range lines {
				if same {
					n = (n + countQuotes(line, mark.open, n)) % 2
				} else {
					n += strings.Count(line, mark.open) - strings.Count(line, mark.close)
				}
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

// countQuotes counts the occurrences of `mark`, the quote of a long string, outside of short strings. `open` is 1 if
// a long string is open at the start of the line; in it, a single quote is an apostrophe.
func countQuotes(line, mark string, open int) (n int) {
	for i := 0; i < len(line); {
		switch {
		case strings.HasPrefix(line[i:], mark):
			n++
			i += len(mark)
		case (open+n)%2 == 0 && (line[i] == '"' || line[i] == '\'') && !strings.HasPrefix(line[i:], strings.Repeat(line[i:i+1], len(mark))):
			i += text.ClosingQuote(line[i:]) + 1
		default:
			i++
		}
	}
	return n
}

// A brackets counts open brackets by kind: `added` is the number that the change adds, and `file` is the number in
// the old file. Index 0 has the brackets in code, and index 1 has all brackets.
type brackets struct{ added, file [2][3]int }

func (c *Change) brackets() (b brackets) {
	for k, opened := range []func([]string) [3]int{openedInCode, openedAnywhere} {
		for run, r := range c.Runs {
			old, new := opened(r.Old), opened(r.New)
			if k == 0 && old != new && c.isQuoted(run, 0) {
				continue
			}
			for i := range new {
				b.added[k][i] += new[i] - old[i]
			}
		}
		b.file[k] = opened(c.oldLines())
	}
	return b
}

// unpaired returns a bracket that the run leaves open, or closes although none is open, or "". The file must be
// balanced before the change and unbalanced after it, both with and without the brackets in strings and comments.
func (c *Change) unpaired(r Run, count func() brackets) (bracket string, closes bool) {
	old, new := openedInCode(r.Old), openedInCode(r.New)
	for i := range new {
		if new[i] == old[i] {
			continue
		}
		closes := new[i] < old[i]
		all := count()
		if more, raw := all.added[0][i], all.added[1][i]; all.file[0][i] == 0 && all.file[1][i] == 0 && more != 0 && (more < 0) == closes && (raw < 0) == closes && raw != 0 {
			if closes {
				return ")]}"[i : i+1], true
			}
			return "([{"[i : i+1], false
		}
	}
	return "", false
}

// The expression `single` matches brackets that need no partner: an escaped bracket, one in a character class or an
// interval, and one that ends a smiley or the number of a list item.
var single = lazyregexp.New(`[\\\x1b].|\[[\^(){}][^\[\]\s"',]*\]|[\[(]\d[\w.]*, ?[^\s()\[\]]+[\])]|^[^()]*(?:^|\s)(?:\w{1,2}|[:;]-?)\)`)

// ofCase matches a pattern of a `case` in a shell script. The bracket at its end has no partner.
var ofCase = lazyregexp.New(`^\s*[^\s()][^()]*\)`)

// ofLines matches a string between backticks, which may have several lines.
var ofLines = lazyregexp.New("`[^`]*`")

// openedInCode counts the open brackets of each kind. It ignores brackets in strings and comments, and brackets that
// [single] matches.
func openedInCode(lines []string) [3]int {
	isCase := slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "esac") })
	if slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "`") }) {
		lines = linesOf(ofLines.ReplaceAllString(text.Joined(lines), ""))
	}
	return openedAnywhere(text.Each(lines, func(line string) string {
		if line = bare(line); isCase {
			line = ofCase.ReplaceAllString(line, "")
		}
		return single.ReplaceAllString(line, "")
	}))
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

// opened counts the open brackets of each kind that [text.Brackets] counts.
func opened(lines []string) (open [3]int) {
	for _, line := range lines {
		text.Brackets(&open, line)
	}
	return open
}
