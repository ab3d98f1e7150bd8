package text

import (
	"slices"
	"strings"
)

// EqualButNumbers reports whether two lines are equal apart from the values of their numbers.
func EqualButNumbers(a, b string) bool {
	for a != "" && b != "" {
		x, y := afterNumber(a), afterNumber(b)
		switch {
		case (x == a) != (y == b):
			return false
		case x != a:
			a, b = x, y
		case a[0] != b[0]:
			return false
		default:
			a, b = a[1:], b[1:]
		}
	}
	return a == b
}

// afterNumber returns the part of a text after a number at its beginning, such as 12 or 1.2.3.
func afterNumber(s string) string {
	const digits = "0123456789"
	rest := strings.TrimLeft(s, digits)
	for rest != s && strings.HasPrefix(rest, ".") {
		more := strings.TrimLeft(rest[1:], digits)
		if len(more) == len(rest)-1 {
			break
		}
		rest = more
	}
	return rest
}

// Reorders reports whether two lists have the same lines in another order. It ignores lines without words, and the white
// space, commas and semicolons at the ends of lines.
func Reorders(old, new []string) bool {
	form := func(line string) string { return strings.TrimRight(strings.TrimSpace(line), " \t,;") }
	was, is := Each(Only(old, HasWord), form), Each(Only(new, HasWord), form)
	if len(was) < 2 || len(was) != len(is) || slices.Equal(was, is) {
		return false
	}
	slices.Sort(was)
	slices.Sort(is)
	return slices.Equal(was, is)
}
