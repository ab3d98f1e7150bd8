package doubt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// middle finds a text that comes from the middle of its file (rule W14).
var middle = Rule{
	ID: "middle", existing: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || c.Marked || !c.keepsLines() {
			return nil
		}
		gone := c.gone()
		if len(gone) == 0 {
			return nil
		}
		why := c.lostEnds().middle(c.old, c.new, c.MayBePart)
		if why == "" {
			return nil
		}
		return &Doubt{Verdict: diag.Error, Code: diag.FilePart,
			Message: fmt.Sprintf("%s: the text is only a part of %s, and %s would be lost; send the whole file, or an edit of these lines", why, c.Path, lineRanges(gone))}
	},
}

func (c *Change) keepsLines() bool {
	changed := 0
	for _, r := range c.Runs {
		changed += len(r.Old)
	}
	return changed < len(c.old)
}

// An ends holds the lines at the beginning and the end of the file that the new text lacks.
type ends struct{ head, tail []string }

// many reports whether a quarter of the file is missing at its ends. A smaller loss, such as an import or a last
// call, may be intended.
func (e ends) many(old []string) bool {
	return countWithWords(e.head)+countWithWords(e.tail) >= text.Habit && 4*(len(e.head)+len(e.tail)) >= len(old)
}

// middle returns the evidence that a text comes from the middle of its file (rule W14), or "". If the notation says
// that the text is whole, an indented first line is evidence only if much of the file is missing.
func (e ends) middle(old, content []string, mayBePart bool) string {
	head, tail := countWithWords(e.head) > 0, countWithWords(e.tail) > 0
	switch {
	case head && tail && e.many(old):
		return "the beginning and the end of the file are missing"
	case head && (mayBePart || e.many(old)) && len(text.Indentation(firstText(content))) > len(text.Indentation(firstText(old))):
		return "the first line is indented, but the first line of the file is not"
	case firstText(e.head)+firstText(e.tail) != "" && opened(content) != paired && opened(content) != opened(old):
		return "the beginning or the end of the file is missing, and the brackets do not match"
	}
	return ""
}

// lostEnds returns the lines of the file that the text lacks at the ends: those above the line that is most similar
// to the text's first line, and those below the line that is most similar to the text's last line.
func (c *Change) lostEnds() (lost ends) {
	if len(c.Runs) == 0 {
		return lost
	}
	if first := c.Runs[0]; first.Line == 1 {
		lost.head = first.Old[:likest(first.Old, firstText(without(first.New, c.Path)), len(first.Old))]
	}
	last := c.Runs[len(c.Runs)-1]
	if last.Line > 1 && last.Line-1+len(last.Old) == len(c.old) {
		lost.tail = last.Old[1+likest(last.Old, lastText(without(last.New, c.Path)), -1):]
	}
	return lost
}

// likest returns the index of the line that is most similar to changedLine, or `none` if changedLine is empty. If no
// line is similar, it returns the index for which no line counts as missing: 0 at the beginning of the file, the last
// index at its end.
func likest(lines []string, changedLine string, none int) int {
	if changedLine == "" || len(lines) == 0 {
		return none
	}
	best, at := changed, len(lines)-1
	if none > 0 {
		at = 0
	}
	for i := range min(len(lines), mostLines) {
		if alike := place.Alike(lines[i], changedLine); alike > best {
			best, at = alike, i
		}
	}
	return at
}

const mostLines = 1000

// without drops lines that contain the name of the file, and lines without letters or digits.
func without(lines []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return !text.HasWord(line) || strings.Contains(line, path.Base(name))
	})
}

func firstText(lines []string) string {
	return text.Find(lines, func(line string) bool { return strings.TrimSpace(line) != "" })
}

func lastText(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

// paired is the result of [opened] for a text that leaves no bracket open.
var paired [3]int
