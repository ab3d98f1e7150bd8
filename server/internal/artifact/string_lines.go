package artifact

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// StringLines describes a text in which each line is a string literal that ends with `\n`.
var StringLines = Artifact{
	Signs:   `"`,
	Name:    "lines written as strings",
	Differs: "with each string written as a line",
	Fix:     "Write each string as a line",
	Sure:    true,
	Several: true,
	Undo:    unstring,
	Shows:   func(s string) bool { _, ok := unstring(s); return ok },
	Prose:   true,
}

func unstring(s string) (string, bool) {
	if first := strings.TrimLeft(s, spaces); first == "" || first[0] != '"' {
		return s, false
	}
	all, _ := lines(s)
	var b strings.Builder
	n := 0
	for _, line := range all {
		if text.IsBlank(line) {
			continue
		}
		was, err := strconv.Unquote(strings.TrimRight(strings.TrimSpace(line), ",+ "))
		if err != nil || !strings.HasSuffix(was, "\n") {
			return s, false
		}
		n++
		b.WriteString(was)
	}
	return b.String(), n > 2
}
