package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/elision"
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

func (r Run) oldIndexes() []int {
	all := make([]int, len(r.Old))
	for i := range all {
		all[i] = r.Line - 1 + i
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
