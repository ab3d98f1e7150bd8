package artifact

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Wrapped describes a text whose long lines continue at the left margin of the next line.
var Wrapped = Artifact{
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "broken lines",
	Origin:      "Mails, terminals and pages break long lines at a width, with or without a hyphen or an arrow.",
	Differs:     "with the broken lines joined",
	Fix:         "Join the broken lines",
	Forgives:    "A line of the file broken into two or more lines, if the later ones are indented less than a person would indent them.",
	Certain:     "No: shorter lines may have been asked for. The fix is offered.",
	Replacement: "Its lines that are one line in the file are joined.",
	Several:     true,
	Restore:     unwrap,
	Prose:       true,
	Do: []func(string) string{
		perLine(func(_ int, line string) string {
			return line[:min(40, len(line))] + strings.TrimSuffix("\n"+line[min(40, len(line)):], "\n")
		}),
		perLine(func(_ int, line string) string {
			if len(line) > 40 {
				return line[:38] + "↩\n" + line[38:]
			}
			return line
		}),
	},
}

// mostParts is the largest number of lines into which a line may be broken.
const mostParts = 8

// unwrap joins lines that together form an old line.
func unwrap(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) > 10*mostFramed {
		return s, false
	}
	kept, same := map[string]bool{}, map[string]bool{}
	for _, line := range all {
		kept[line] = true
	}
	was := &unspaced{of: map[string]string{}}
	for _, line := range old {
		if same[line] = kept[line]; !kept[line] {
			was.of[withoutSpace(line)] = line
		}
	}
	if len(was.of) == 0 {
		return s, false
	}
	var out []string
	odd := false
	for i := 0; i < len(all); {
		line, n := all[i], 1
		if !same[line] {
			line, n = was.joinedAt(all[i:])
		}
		odd = odd || n > 1 && !brokenByPerson(line, all[i:i+n])
		out, i = append(out, line), i+n
	}
	return strings.Join(out, eol), odd
}

// brokenByPerson reports whether a line was broken between words, and goes on at its own indentation
// or with what closes it.
func brokenByPerson(line string, parts []string) bool {
	whole := withoutSpace(strings.Join(parts, ""))
	if whole != withoutSpace(line) {
		return false // a mark of the break is gone
	}
	for i, part := range parts[1:] {
		opens, _ := utf8.DecodeRuneInString(strings.TrimLeft(part, spaces))
		ends, _ := utf8.DecodeLastRuneInString(parts[i])
		if isWord(opens) && (indentation(part) == "" && indentation(parts[0]) != "" || isWord(ends) && len(strings.Fields(strings.Join(parts, " "))) > len(strings.Fields(line))) {
			return false
		}
	}
	return true
}

// joinedAt returns the old line that several lines form together, from the first of them on, and
// their number. If they form none, it returns the first line.
func (was *unspaced) joinedAt(all []string) (string, int) {
	whole := ""
	for i, line := range all[:min(len(all), mostParts)] {
		if isBlank(line) || i > 0 && len(indentation(line)) > len(indentation(all[0])) {
			break
		}
		whole += withoutSpace(line)
		if old, ok := was.of[whole]; ok && i > 0 && text.Passage.Says(whole) {
			return old, i + 1
		} else if ok {
			break
		}
		if was.begins(whole) {
			continue
		}
		mark := slices.IndexFunc(marks, func(mark string) bool {
			return strings.HasSuffix(whole, mark) && was.begins(strings.TrimSuffix(whole, mark))
		})
		if mark < 0 {
			break
		}
		whole = strings.TrimSuffix(whole, marks[mark])
	}
	return all[0], 1
}

// marks are written where a line was broken.
var marks = []string{"-", "↩", "↵", "⏎", "=", `\`, "»"}

// An unspaced holds the old lines, by their text without white space.
type unspaced struct {
	of     map[string]string
	sorted []string // sorted texts; made when a line first ends in a mark
}

// begins reports whether one of the old lines begins with a text.
func (was *unspaced) begins(s string) bool {
	if was.sorted == nil {
		was.sorted = slices.Sorted(maps.Keys(was.of))
	}
	i, _ := slices.BinarySearch(was.sorted, s)
	return i < len(was.sorted) && strings.HasPrefix(was.sorted[i], s)
}
