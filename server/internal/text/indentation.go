package text

import (
	"slices"
	"strings"
)

// IsBlank reports whether s is empty or consists of white space.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }

// Indentation returns the spaces and tabs at the start of a line.
func Indentation(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// FirstIndentation returns the indentation of the first nonblank line, or "" if all lines are blank.
func FirstIndentation(lines []string) string {
	i := slices.IndexFunc(lines, func(line string) bool { return !IsBlank(line) })
	if i < 0 {
		return ""
	}
	return Indentation(lines[i])
}

// LeastIndentation returns the length in bytes of the shortest indentation of a nonblank line, or 0 if all lines are
// blank.
func LeastIndentation(lines []string) int {
	least := -1
	for _, line := range lines {
		if n := len(Indentation(line)); !IsBlank(line) && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}
