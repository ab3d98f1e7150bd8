package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// changed is the lowest similarity at which one line counts as the changed form of another line.
const changed = 0.5

const mostCompared = 50

func (c *Change) adds(is func(line string) bool) bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return slices.ContainsFunc(r.New, is) })
}

func (c *Change) gone() []int {
	var gone []int
	for _, r := range c.Runs {
		gone = append(gone, r.gone(c.Meter)...)
	}
	return gone
}

// gone returns the indexes in the file of the lines that the run removes. A line whose changed form is among the new
// lines does not count.
func (r Run) gone(m *meter.Meter) []int {
	var gone []int
	next := 0
	for i, line := range r.Old {
		others := r.New[next:min(len(r.New), next+mostCompared)]
		if at := place.FirstAlike(m, line, others, changed); at >= 0 {
			next += at + 1
		} else {
			gone = append(gone, r.Line-1+i)
		}
	}
	return gone
}

// opposite returns the old lines that new line i may replace: those at about the same position in the run. Their
// number is limited, because a run can be as long as a large file.
func (r Run) opposite(i int) []string {
	at := i * len(r.Old) / len(r.New)
	return r.Old[max(0, at-mostCompared):min(len(r.Old), at+mostCompared)]
}

func lacking(old, content []string) []int {
	stays := text.Set(text.Each(content, strings.TrimSpace))
	var lost []int
	for i, line := range old {
		if !stays[strings.TrimSpace(line)] {
			lost = append(lost, i)
		}
	}
	return lost
}

// Telling returns the trimmed lines of a text that contain words, because only these help to recognize the text.
func Telling(content string) []string {
	return text.Only(text.Each(text.SplitLines(content), strings.TrimSpace), text.HasWord)
}

// KeepsHalf reports whether content has at least half of the given lines, which come from [Telling].
func KeepsHalf(lines []string, content string, m *meter.Meter) bool {
	return len(lines) > 0 && m.Pay(meter.Line*len(lines)+len(content)) && 2*len(lacking(lines, text.SplitLines(content))) <= len(lines)
}

// isRemark reports whether a line is a comment, or is in a comment whose lines begin with a star.
func isRemark(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "*") || elision.SortOf(line) != elision.Text
}

func countWithWords(lines []string) int { return text.Count(lines, text.HasWord) }

func (r Run) oldIndexes() []int { return indexes(r.Line-1, len(r.Old)) }

func indexes(from, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = from + i
	}
	return all
}

// lineRanges describes lines, given by their indexes, for a person: "lines 3 to 9 and 12".
func lineRanges(lines []int) string {
	const most = 8
	var parts []string
	for i := 0; i < len(lines); {
		from := i
		for i++; i < len(lines) && lines[i] == lines[i-1]+1; i++ {
		}
		if len(parts) == most {
			parts = append(parts, fmt.Sprintf("%d more", len(lines)-from))
			break
		}
		part := fmt.Sprint(lines[from] + 1)
		if i-from > 1 {
			part = fmt.Sprintf("%d to %d", lines[from]+1, lines[i-1]+1)
		}
		parts = append(parts, part)
	}
	noun := "lines"
	if len(lines) == 1 {
		noun = "line"
	}
	if n := len(parts); n > 1 {
		parts = []string{strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]}
	}
	return noun + " " + parts[0]
}

// bare returns a line of code without its strings and without the comment at its end.
func bare(line string) string {
	code, _ := withoutStrings(line)
	return code
}

// withoutStrings returns a line of code without its strings and its final comment, and the strings on their own.
func withoutStrings(line string) (code, quoted string) {
	if isRemark(line) {
		return "", ""
	}
	line, _ = noteAt(line)
	var b, q strings.Builder
	for i := 0; i < len(line); i++ {
		b.WriteByte(line[i])
		if strings.IndexByte("'\"`", line[i]) >= 0 {
			n := text.ClosingQuote(line[i:])
			q.WriteString(line[i : i+n])
			i += n
		}
	}
	return b.String(), q.String()
}

func (c *Change) at(r Run) Part {
	if c.Whole {
		return c.textAt()
	}
	return r.At
}

// keeping returns the fix that replaces new line i with the old lines, or nil if another new line has words, too.
// Blank lines around line i stay, so the fix does not write them a second time.
func (c *Change) keeping(r Run, i int) []diag.Fix {
	if countWithWords(r.New) > 1 {
		return nil
	}
	from, to := 0, len(r.Old)
	for ; from < min(i, to) && strings.TrimSpace(r.Old[from]) == ""; from++ {
	}
	for ; to > max(from, len(r.Old)-(len(r.New)-1-i)) && strings.TrimSpace(r.Old[to-1]) == ""; to-- {
	}
	if from == to {
		return nil
	}
	return c.writing("Keep "+lineRanges(indexes(r.Line-1+from, to-from)), r, i, 1, r.Old[from:to])
}

func (c *Change) leavingOut(r Run, i int) []diag.Fix {
	return c.writing("Leave out "+fmt.Sprintf("%q", strings.TrimSpace(r.New[i])), r, i, 1, nil)
}

// writing returns the fix that replaces n lines, beginning with new line i, with `instead`. It returns nil if the
// text in the block is not in one piece, or if line i is not unique in it.
func (c *Change) writing(title string, r Run, i, n int, instead []string) []diag.Fix {
	w := r.Written
	if c.Whole {
		w = intent.Written{Text: c.Content, At: c.ContentAt}
	}
	lines := text.SplitLines(w.Text)
	at := r.NewLine - 1 + i
	if !c.Whole {
		is := func(line string) bool { return strings.TrimSpace(line) == strings.TrimSpace(r.New[i]) }
		if at = slices.IndexFunc(lines, is); at >= 0 && slices.ContainsFunc(lines[at+1:], is) {
			at = -1
		}
	}
	if w.At.Span == (text.Span{}) || at < 0 || at+n > len(lines) {
		return nil
	}
	var b strings.Builder
	b.WriteString(strings.Join(lines[:at], ""))
	eol := lines[at][len(text.TrimEOL(lines[at])):]
	for k, line := range instead {
		b.WriteString(line)
		if eol == "" && k < len(instead)-1 {
			b.WriteString("\n")
		}
		b.WriteString(eol)
	}
	b.WriteString(strings.Join(lines[at+n:], ""))
	return []diag.Fix{{Title: title, Edits: []text.Edit{w.At.Set(b.String())}}}
}

// nameCounts holds how often each name is in the text after the change, and which names are in the file before it.
type nameCounts struct {
	after  map[string]int
	before map[string]bool
}

func (n *nameCounts) of(name string) int { return n.after[name] }

// mayHave reports whether the text after the change may have the name. Names with other characters, such as `a-b`,
// are not counted, so it returns true for them.
func (n *nameCounts) mayHave(name string) bool {
	return n.of(name) > 0 || strings.ContainsFunc(name, func(r rune) bool { return !text.InName(r) })
}

func (n *nameCounts) had(name string) bool { return n.before[name] }

func (c *Change) nameCounts() *nameCounts {
	if c.names != nil {
		return c.names
	}
	c.names = &nameCounts{map[string]int{}, map[string]bool{}}
	if !c.Meter.Pay(eachSearch * len(c.Before())) {
		return c.names
	}
	count := func(line string, before, after bool) {
		for _, name := range text.Names(line) {
			if before {
				c.names.before[name] = true
			}
			if after {
				c.names.after[name]++
			}
		}
	}
	for line := range c.kept() {
		count(line, true, true)
	}
	for _, r := range c.Runs {
		for _, line := range r.New {
			count(line, false, true)
		}
		for _, line := range r.Old {
			count(line, true, false)
		}
	}
	return c.names
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

func hasName(line, name string) bool {
	for range mentions(line, name) {
		return true
	}
	return false
}

// leavesBody describes the last line of run i if the line moved left but the lines of its block did not, because it
// then probably lost its indentation. Otherwise it returns "".
func (c *Change) leavesBody(i int) string {
	r := c.Runs[i]
	was, is := lastWithWords(r.Old), lastWithWords(r.New)
	if c.mayHaveTags() || was < 0 || is < 0 || was < len(r.Old)-1 || is < len(r.New)-1 || !c.Meter.Pay(meter.Line) {
		return ""
	}
	line := strings.TrimSpace(r.New[is])
	body := firstText(c.below(i, aroundRun))
	old, new, inside := len(text.Indentation(r.Old[was])), len(text.Indentation(r.New[is])), len(text.Indentation(body))
	if strings.TrimSpace(r.Old[was]) != line || !text.HasWord(line) || old <= new || inside <= old || strings.Contains(r.Old[was]+body, "\t") != strings.Contains(r.New[is]+body, "\t") {
		return ""
	}
	return fmt.Sprintf("%q lost indentation, but the lines of its block did not", text.Cut(line, 60))
}
