package artifact

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Cut describes a text with cut lines, which lost the same number of characters on the left, or everything beyond a
// column on the right.
var Cut = Artifact{
	Name:    "lines cut off at a column",
	Differs: "with complete lines",
	Fix:     "Write the complete lines of the file",
	Several: true,
	Restore: uncut,
	Prose:   true,
}

// narrowest is the smallest column at which a program cuts lines.
const narrowest = 24

// fewestCut is the smallest number of lines that must be cut in the same way.
const fewestCut = 2

func uncut(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) > mostFramed || len(old) > mostFramed {
		return s, false
	}
	was, seen := text.Set(old), map[string]bool{}
	// For each column, the lines that were cut there.
	ends, begins := map[int]map[int]string{}, map[int]map[int]string{}
	// The columns at which a word is cut. A person does not cut words.
	inWord := map[int]bool{}
	// The numbers of characters that lines lost at their start. A number maps to true only if some line lost more than
	// its indentation and the mark of a comment.
	lost := map[int]bool{}
	widest := 0
	for i, line := range all {
		widest = max(widest, len(line))
		if was[line] || seen[line] || nonBlanks(line) < fewestLeft {
			continue
		}
		seen[line] = true // equal lines count once, because they always end at the same column
		body := strings.TrimRight(strings.TrimRight(line, ">$…"), spaces)
		for _, before := range old {
			if len(before) <= len(line) {
				continue
			}
			// The line must have lost a word, not only the sign that ends a statement.
			if strings.HasPrefix(before, body) && strings.ContainsFunc(before[len(body):], isWord) && !continuesBelow(before[len(body):], all[i+1:]) {
				put(ends, len(line), i, before)
				inWord[len(line)] = inWord[len(line)] || body != strings.TrimRight(line, spaces) || cutsWord(before, len(body))
			}
			if n := len(before) - len(line); strings.HasSuffix(before, line) && !(i > 0 && nonBlanks(all[i-1]) >= fewestLeft && strings.HasSuffix(withoutSpace(before[:n]), withoutSpace(all[i-1]))) {
				put(begins, n, i, before)
				lost[n] = lost[n] || !isBlank(before[:n]) && !isComment(before[:n])
			}
		}
	}
	found := false
	write := func(of map[int]string) {
		for i, line := range of {
			all[i], found = line, true
		}
	}
	if of := ends[widest]; len(of) >= fewestCut && widest >= narrowest && inWord[widest] {
		write(of)
	}
	for _, n := range slices.Sorted(maps.Keys(begins)) {
		if len(begins[n]) > fewestCut && lost[n] {
			write(begins[n])
		}
	}
	return strings.Join(all, eol), found
}

func cutsWord(line string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	after, _ := utf8.DecodeRuneInString(line[at:])
	return isWord(before) && isWord(after)
}

// continuesBelow reports whether the next line begins with the missing rest of a line. In that case, the line was only
// wrapped.
func continuesBelow(rest string, below []string) bool {
	if len(below) == 0 || isBlank(below[0]) {
		return false
	}
	rest, next := withoutSpace(rest), withoutSpace(below[0])
	return strings.HasPrefix(rest, next[:min(len(rest), len(next), fewestLeft)])
}

// fewestLeft is the smallest number of characters that a cut line must still have to be recognized.
const fewestLeft = 6

func put(of map[int]map[int]string, column, i int, line string) {
	if of[column] == nil {
		of[column] = map[int]string{}
	}
	of[column][i] = line
}
