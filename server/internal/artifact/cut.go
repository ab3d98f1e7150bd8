package artifact

import "strings"

// Cut describes a text whose lines lost the same number of characters at one side, or all
// that was beyond a column.
var Cut = Artifact{
	Silent:      map[string]string{NewFile: "there is no text to compare; the new text may be intended like this"},
	Name:        "lines cut at a column",
	Origin:      "A window, a table or a selection of columns shows only a part of each line.",
	Differs:     "with the whole lines",
	Fix:         "Write the whole lines of the file",
	Forgives:    "The beginnings of lines up to the same column, or lines without their first characters, if more than indentation and marks of comments is missing.",
	Certain:     "No: the lines may be shorter by intention. The fix is offered.",
	Replacement: "Lines that the file has are written as in the file.",
	Restore:     uncut,
	Prose:       true,
}

// narrowest is the least column at which a window cuts lines.
const narrowest = 24

// fewestCut is the number of lines that must be cut in the same way.
const fewestCut = 2

func uncut(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) > mostFramed || len(old) > mostFramed {
		return s, false
	}
	was := map[string]bool{}
	for _, line := range old {
		was[line] = true
	}
	ends, begins := map[int]map[int]string{}, map[int]map[int]string{} // by column: the lines that were cut there
	lost := map[int]map[string]bool{}
	widest := 0
	for i, line := range all {
		widest = max(widest, len(line))
		if was[line] || nonBlanks(line) < fewestLeft {
			continue
		}
		body := strings.TrimRight(strings.TrimRight(line, ">$…"), spaces)
		for _, before := range old {
			if len(before) <= len(line) {
				continue
			}
			if strings.HasPrefix(before, body) && isWordAt(before, len(body)) {
				put(ends, len(line), i, before)
			}
			if n := len(before) - len(line); strings.HasSuffix(before, line) {
				put(begins, n, i, before)
				if gone := before[:n]; !isBlank(gone) && !isComment(gone) {
					if lost[n] == nil {
						lost[n] = map[string]bool{}
					}
					lost[n][gone] = true
				}
			}
		}
	}
	found := false
	write := func(of map[int]string) {
		for i, line := range of {
			all[i], found = line, true
		}
	}
	for column, of := range ends {
		if len(of) >= fewestCut && column >= narrowest && column == widest {
			write(of)
		}
	}
	for n, of := range begins {
		if len(of) > fewestCut && len(lost[n]) > 0 && len(lost[n])+1 >= fewestCut {
			write(of)
		}
	}
	return strings.Join(all, eol), found
}

// fewestLeft is the number of characters of a line by which it is known.
const fewestLeft = 6

func put(of map[int]map[int]string, column, i int, line string) {
	if of[column] == nil {
		of[column] = map[int]string{}
	}
	of[column][i] = line
}

// isWordAt reports whether a line goes on with more than the end of a statement.
func isWordAt(line string, at int) bool {
	return strings.ContainsFunc(line[at:], isWord)
}
