package artifact

import (
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Wrapped describes a text whose long lines go on at the left margin of the next line.
var Wrapped = Artifact{
	Silent:      map[string]string{NewFile: "there is no text to compare; the new text may be intended like this"},
	Name:        "broken lines",
	Origin:      "Mails, terminals and pages break long lines at a width, with a hyphen or an arrow or without.",
	Differs:     "with the broken lines joined",
	Fix:         "Join the broken lines",
	Forgives:    "A line of the file on two or more lines, of which the next ones have less indentation than a person gives them.",
	Certain:     "No: the person may have wished for shorter lines. The fix is offered.",
	Replacement: "Its lines are joined where the file has them.",
	Restore:     unwrap,
	Prose:       true,
}

// mostParts limits the lines that one line was broken into.
const mostParts = 8

// unwrap joins lines that together are an old line.
func unwrap(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) > 10*mostFramed {
		return s, false
	}
	was := &unspaced{of: map[string]string{}}
	for _, line := range old {
		was.of[withoutSpace(line)] = line
	}
	var out []string
	for i := 0; i < len(all); {
		line, n := was.joinedAt(all[i:])
		out, i = append(out, line), i+n
	}
	return strings.Join(out, eol), len(out) < len(all)
}

// joinedAt returns the old line that several lines are, or the first line.
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
		for _, mark := range []string{"-", "↩", "↵", "⏎", "=", `\`, "»"} {
			if cut, ok := strings.CutSuffix(whole, mark); ok && slices.ContainsFunc(all[i+1:min(len(all), i+2)], func(next string) bool { return was.begins(cut+withoutSpace(next)) && !was.begins(whole) }) {
				whole = cut
			}
		}
	}
	return all[0], 1
}

// unspaced are the old lines by their text without white space.
type unspaced struct {
	of     map[string]string
	sorted []string // only once a line ends in a mark
}

// begins reports whether one of them begins with a text.
func (was *unspaced) begins(s string) bool {
	if was.sorted == nil {
		was.sorted = slices.Sorted(maps.Keys(was.of))
	}
	i, _ := slices.BinarySearch(was.sorted, s)
	return i < len(was.sorted) && strings.HasPrefix(was.sorted[i], s)
}
