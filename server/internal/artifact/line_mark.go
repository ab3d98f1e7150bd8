package artifact

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// LineMark describes a text with the same mark before each line, such as `>`.
var LineMark = Artifact{
	Name:    "a mark before each line",
	Differs: "without the mark before each line",
	Fix:     "Leave out the mark before each line",
	Sure:    true,
	Undo:    unmarkLines,
	Shows:   hasMarkedShape,
	Prose:   true,
	Asked:   true,
}

// lineMarks holds characters that no language requires before each line. Characters that begin comments are not among
// them.
const lineMarks = ">|│┃▏▎»$•"

func markOf(line string) string {
	rest := strings.TrimLeft(line, " \t")
	after := strings.TrimLeft(rest, lineMarks)
	if after == rest {
		return ""
	}
	return line[:len(line)-len(after)]
}

func unmarkLines(s string) (string, bool) {
	all, eol := lines(s)
	mark, spaced := "", true
	for _, line := range all {
		if text.IsBlank(line) {
			continue
		}
		if own := markOf(line); mark == "" {
			mark = own
		} else if common := mark[:text.SharedStart(mark, own)]; strings.TrimRight(common, " \t") != "" {
			mark = common
		} else {
			return s, false
		}
		if mark == "" || !strings.HasPrefix(line, mark) {
			return s, false
		}
	}
	if mark == "" {
		return s, false
	}
	for _, line := range all {
		if rest := strings.TrimPrefix(line, mark); !text.IsBlank(line) && rest != "" && rest[0] != ' ' {
			spaced = false
		}
	}
	border := strings.TrimSpace(mark)
	if border == "$" && !spaced {
		return s, false // The lines begin with variables, not with prompts.
	}
	bordered := strings.ContainsAny(border, "|│┃")
	for _, line := range all {
		bordered = bordered && (text.IsBlank(line) || strings.HasSuffix(strings.TrimRight(line, " "), border) && strings.TrimSpace(line) != border)
	}
	for i, line := range all {
		line = strings.TrimPrefix(line, mark)
		if spaced {
			line = strings.TrimPrefix(line, " ")
		}
		if bordered {
			line = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(line, " "), border), " ")
		}
		all[i] = line
	}
	return strings.Join(all, eol), true
}

// hasMarkedShape reports whether a text has at least three lines with the same mark, and looks like code without the
// marks. It returns false for a table, which begins with `|`.
func hasMarkedShape(s string) bool {
	if first := strings.TrimLeft(s, " \t\r\n"); first == "" || first[0] == '|' {
		return false
	}
	out, ok := unmarkLines(s)
	return ok && strings.Count(strings.TrimSpace(s), "\n") > 1 && hasShape(out)
}

// DiffSign describes a text with the markers of a diff, such as `+`, before its lines.
var DiffSign = Artifact{
	Name:    "diff markers",
	Differs: "without the diff markers",
	Fix:     "Leave out the diff markers",
	Sure:    true,
	Undo:    unsign,
	Shows: func(s string) bool {
		out, ok := unsign(s)
		return ok && strings.Count(strings.TrimSpace(s), "\n") > 1 && hasShape(out) && !strings.Contains("\n"+s, "\n-") &&
			(!strings.Contains("\n"+s, "\n ") || slices.ContainsFunc(strings.Split(s, "\n"), func(line string) bool { return len(text.Indentation(line)) == 1 && !text.IsBlank(line) }))
	},
	Prose: true,
	Loses: "lines that really begin with such a marker",
}

func unsign(s string) (string, bool) {
	all, eol := lines(s)
	var out []string
	added := false
	for _, line := range all {
		switch {
		case line == "":
			out = append(out, line)
		case line[0] == '+' || line[0] == ' ':
			added = added || line[0] == '+'
			out = append(out, line[1:])
		case line[0] != '-':
			return s, false
		}
	}
	return strings.Join(out, eol), added
}

// DoubleSpace describes a text with an empty line after each line.
var DoubleSpace = Artifact{
	Name:    "doubled line endings",
	Differs: "without an empty line after each line",
	Fix:     "Leave out the empty line after each line",
	Sure:    true,
	Undo:    unspace,
	Shows:   func(s string) bool { out, ok := unspace(s); return ok && strings.Count(out, "\n") > 5 },
	Prose:   true,
	Asked:   true,
}

func unspace(s string) (string, bool) {
	all, eol := lines(s)
	var out []string
	for i, line := range all {
		if i%2 == 0 {
			out = append(out, line)
		} else if !text.IsBlank(line) {
			return s, false
		}
	}
	return strings.Join(out, eol), len(out) > 2
}
