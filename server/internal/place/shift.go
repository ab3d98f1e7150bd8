package place

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Shift turns the indentation of a text in a reply into the indentation at its place in the file.
type Shift struct {
	cut, put string // the prefix that every line loses, and the prefix that it gets

	// If one text is indented by tabs and the other by spaces, columns is the width of a tab, and tabs is the number
	// of tabs that every line gets. Otherwise, columns is 0.
	columns, tabs int
	toTabs        bool
}

// IsZero reports whether s changes nothing.
func (s Shift) IsZero() bool { return s == Shift{} }

// KeepsDepth reports whether s moves no line, but at most turns spaces into tabs or tabs into spaces.
func (s Shift) KeepsDepth() bool { return s.cut == s.put && s.tabs == 0 }

// IsSpace reports whether s adds one space to every line, or removes one.
func (s Shift) IsSpace() bool { return s.columns == 0 && s.cut+s.put == " " }

// Converts reports whether s turns spaces into tabs or tabs into spaces. If so, the width of a tab is only deduced.
func (s Shift) Converts() bool { return s.columns != 0 }

// ShiftOf returns the shift from the indentation of `want` to the indentation of `found`; these lines differ only in
// white space. It finds the width of a tab in `written`, the whole text that contains `want`, and in `around`, the
// text near `found`. ok is false unless all lines shift alike.
func ShiftOf(want, found []string, written, around string) (s Shift, ok bool) {
	from, to, known := telling(want, found)
	if s, ok = shiftBetween(from, to, written, around); !ok || !known {
		return Shift{}, false
	}
	for i := range want {
		if text.IsBlank(want[i]) {
			continue
		}
		if got, ok := s.indentation(text.Indentation(want[i])); !ok || got != text.Indentation(found[i]) {
			return Shift{}, false
		}
	}
	return s, true
}

// telling returns the indentations of the first pair of lines of which one is indented by tabs and the other by
// spaces, or else of the first pair. `known` is false if all lines are blank.
func telling(want, found []string) (from, to string, known bool) {
	for i := range want {
		if text.IsBlank(want[i]) {
			continue
		}
		a, b := text.Indentation(want[i]), text.Indentation(found[i])
		if !known {
			from, to, known = a, b, true
		}
		if a != "" && b != "" && a[0] != b[0] {
			return a, b, true
		}
	}
	return from, to, known
}

func shiftBetween(from, to, written, around string) (Shift, bool) {
	switch {
	case strings.HasSuffix(to, from):
		return Shift{put: to[:len(to)-len(from)]}, true
	case strings.HasSuffix(from, to):
		return Shift{cut: from[:len(from)-len(to)]}, true
	case only(from, ' ') && only(to, '\t'):
		columns := columnsOfTab(written, written, len(from), len(to))
		return Shift{columns: columns, tabs: len(to) - len(from)/max(columns, 1), toTabs: true}, columns > 0
	case only(from, '\t') && only(to, ' '):
		columns := columnsOfTab(around, written, len(to), len(from))
		return Shift{columns: columns, tabs: len(to)/max(columns, 1) - len(from)}, columns > 0
	}
	return Shift{}, false
}

// columnsOfTab returns the width of a tab in spaces, which is the step by which the lines of s are indented. It
// returns 0 if the width is uncertain: the step is unusual, or a smaller width also turns the spaces exactly into
// the tabs. `written` is the text to shift.
func columnsOfTab(s, written string, width, tabs int) int {
	n, widths := step(s)
	if widths == 1 && hasOneIndentation(written) {
		return n // all lines have the same indentation, so even a wrong width does no harm
	}
	if exact := width / tabs; exact != n && exact > 1 && exact*tabs == width && n%exact == 0 {
		return 0
	}
	switch n {
	case 2, 3, 4, 8:
		return n
	}
	return 0
}

func only(s string, space byte) bool { return strings.Trim(s, string(space)) == "" }

// Line returns the shifted line. ok is false if the line does not have the indentation that the shift removes.
func (s Shift) Line(line string) (shifted string, ok bool) {
	if text.IsBlank(line) {
		return line, true
	}
	from := text.Indentation(line)
	to, ok := s.indentation(from)
	return to + line[len(from):], ok
}

func (s Shift) indentation(from string) (string, bool) {
	if s.columns == 0 {
		rest, ok := strings.CutPrefix(from, s.cut)
		return s.put + rest, ok && (s.put == "" || rest == "" || s.put[0] == rest[0] || mixes(s.put))
	}
	if s.toTabs {
		n := len(from)/s.columns + s.tabs
		if !only(from, ' ') || len(from)%s.columns != 0 || n < 0 {
			return "", false
		}
		return strings.Repeat("\t", n), true
	}
	if n := (len(from) + s.tabs) * s.columns; only(from, '\t') && n >= 0 {
		return strings.Repeat(" ", n), true
	}
	return "", false
}

func mixes(indentation string) bool {
	return !only(indentation, ' ') && !only(indentation, '\t')
}

// step returns the greatest common divisor of the indentations in spaces, and the number of different indentations.
func step(s string) (n, widths int) {
	seen := map[int]bool{}
	for line := range strings.SplitSeq(s, "\n") {
		if width := len(text.Indentation(line)); width > 0 && !text.IsBlank(line) && only(line[:width], ' ') {
			n = gcd(n, width)
			seen[width] = true
		}
	}
	return n, len(seen)
}

func hasOneIndentation(s string) bool {
	one := ""
	for line := range strings.SplitSeq(s, "\n") {
		indentation := text.Indentation(line)
		if text.IsBlank(line) || indentation == "" || indentation == one {
			continue
		}
		if one != "" {
			return false
		}
		one = indentation
	}
	return true
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
