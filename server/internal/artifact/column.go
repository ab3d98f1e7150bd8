package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Column describes the output of a program that adds its own column before each line, such as the time or a prompt.
var Column = Artifact{
	Name:    "a column to the left of the lines",
	Differs: "without the column to the left of the lines",
	Fix:     "Remove the column to the left of the lines",
	Sure:    true,
	Undo:    uncolumn,
	Shows: func(s string) bool {
		out, ok := uncolumn(s)
		return ok && strings.Count(strings.TrimSpace(s), "\n") > 1 && hasShape(out)
	},
	Prose: true,
	Loses: "whether an empty prompt stood for an empty line",
}

var columns = []*lazyregexp.Regexp{
	lazyregexp.New(`^[\w./\\@-]+\.\w{1,10}[:-]\d+[:-](?:\d+:)?`),
	lazyregexp.New(`^\^?[0-9a-f]{7,40} (?:\S+ +)?\([^()]*\d\) ?`),
	lazyregexp.New(`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\]?(?:[ \t]|$)`),
	lazyregexp.New(`^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?(?:[ \t]|$)`),
	lazyregexp.New(`^(?:>>>|\.\.\.)(?: |$)`),
	lazyregexp.New(`^(?:In ?\[\d+\]| +\.\.\.):(?: |$)`),
}

func uncolumn(s string) (string, bool) {
	all, eol := lines(s)
	for _, column := range columns {
		if out, ok := cutColumn(all, column); ok {
			return strings.Join(out, eol), true
		}
	}
	return s, false
}

func cutColumn(all []string, column *lazyregexp.Regexp) ([]string, bool) {
	var out []string
	found := false
	for _, line := range all {
		m := column.FindString(line)
		if m == "" && !text.IsBlank(line) {
			return nil, false
		}
		found = found || m != ""
		out = append(out, line[len(m):])
	}
	return out, found
}
