package plan

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// fewest is how many lines that say something go at the ends of a file before its text may be
// a part of it: models drop an import, or a last call, on purpose.
const fewest = 3

// ends are what a text lacks of its file: lines at its beginning and at its end, with nothing in
// their place.
type ends struct{ head, tail []string }

// many reports whether a quarter of the file is gone at its ends.
func (e ends) many(old []string) bool {
	return saying(e.head)+saying(e.tail) >= fewest && 4*(len(e.head)+len(e.tail)) >= len(old)
}

// middle says by what a text shows that it is from the middle of its file (rule W14); "" for one
// that does not: it lacks both ends, or begins inside of a block, or has brackets that the file
// does not leave open.
func (e ends) middle(old, content []string) string {
	head, tail := saying(e.head) > 0, saying(e.tail) > 0
	switch {
	case head && tail && e.many(old):
		return "the beginning and the end of the file are missing"
	case head && len(locate.Indentation(firstText(content))) > len(locate.Indentation(firstText(old))):
		return "the first line is indented, and that of the file is not"
	case firstText(e.head)+firstText(e.tail) != "" && balance(content) != paired && balance(content) != balance(old):
		return "an end of the file is missing, and the brackets do not pair"
	}
	return ""
}

// lostEnds are the first and the last lines of a file that a text has nothing for: those above the
// line that its first line is, changed or not, and below the last one.
func lostEnds(old, content []string, runs []diff.Run, name string) (lost ends) {
	if len(runs) == 0 {
		return lost
	}
	if first := runs[0]; first.OldStart == 0 && first.NewStart == 0 {
		lost.head = old[:likest(old[:first.OldEnd], firstText(without(content[:first.NewEnd], name)), first.OldEnd)]
	}
	if last := runs[len(runs)-1]; last.OldEnd == len(old) && last.NewEnd == len(content) && last.OldStart > 0 {
		there := old[last.OldStart:]
		lost.tail = there[1+likest(there, lastText(without(content[last.NewStart:], name)), -1):]
	}
	return lost
}

// likest is which of some lines of a file is the line of a text, changed. Where the text has no
// such line it is none, and where no line is like it, nothing says that lines are gone.
func likest(lines []string, changedLine string, none int) int {
	if changedLine == "" || len(lines) == 0 {
		return none
	}
	best, at := changed, len(lines)-1
	if none > 0 {
		at = 0
	}
	for i := range min(len(lines), mostLines) {
		if alike := locate.Alike(lines[i], changedLine); alike > best {
			best, at = alike, i
		}
	}
	return at
}

// mostLines is with how many lines of the file a line at an end of a text is compared.
const mostLines = 1000

// without leaves out the comment with the name of the file, and the lines that say nothing.
func without(lines []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return !saysMore(line) || strings.Contains(line, path.Base(name))
	})
}

func saying(lines []string) int {
	n := 0
	for _, line := range lines {
		if saysMore(line) {
			n++
		}
	}
	return n
}

// saysMore reports whether a line has more than brackets.
func saysMore(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func firstText(lines []string) string {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			return line
		}
	}
	return ""
}

func lastText(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

// paired is the balance of a text whose brackets pair.
var paired [3]int

// balance counts what each kind of bracket leaves open. Brackets in strings count too: the text is
// compared with the file, which has the same ones.
func balance(lines []string) (open [3]int) {
	for _, line := range lines {
		for _, r := range text.TrimEOL(line) {
			if i := strings.IndexRune("()[]{}", r); i >= 0 {
				open[i/2] += 1 - 2*(i%2)
			}
		}
	}
	return open
}
