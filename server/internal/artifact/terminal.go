package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Terminal describes a text with escape sequences for terminal colors.
var Terminal = Artifact{
	Signs:       "\x1b",
	Name:        "terminal colors",
	Origin:      "A text is copied from the colored output of a program.",
	Differs:     "without the colors of a terminal",
	Fix:         "Leave out the colors",
	Forgives:    "Escape sequences for a terminal.",
	Sure:        true,
	Replacement: "The same sequences are removed from it.",
	Undo:        uncolor,
	Shows:       func(s string) bool { return strings.Contains(s, "\x1b[") },
	Do: []func(string) string{
		perLine(func(_ int, line string) string { return "\x1b[32m" + line + "\x1b[0m" }),
		perLine(func(_ int, line string) string { return "\x1b[1;38;5;12m" + line + "\x1b[m\x1b[K" }),
	},
}

// sequence matches colors, and also links and titles, which end with a bell or a backslash.
var sequence = lazyregexp.New("\x1b(?:\\[[0-9;:?]*[A-Za-z]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[()][A-Z0-9])")

func uncolor(s string) (string, bool) {
	if !strings.Contains(s, "\x1b") {
		return s, false
	}
	out := sequence.ReplaceAllString(s, "")
	return out, out != s
}

// Caret describes a text in which a viewer made invisible characters visible.
var Caret = Artifact{
	Signs:       "^$",
	Name:        "control characters made visible",
	Origin:      "`cat -A` and editors show a tab as `^I`, a CR as `^M`, and the end of a line as `$`.",
	Differs:     "without the marks for control characters",
	Fix:         "Write the control characters",
	Forgives:    "`^I` in place of tabs, `^M` in place of CR, and `$` at the end of every line.",
	Certain:     "No: the file may have such text itself. The fix is offered.",
	Replacement: "Its marks are replaced as well.",
	Undo:        uncaret,
	Shows:       func(s string) bool { return endsInDollars(s) && strings.Count(s, "\n") > 2 },
	Loses:       "the text's own `$` and `^`",
	Do: []func(string) string{func(s string) string {
		return perLine(func(_ int, line string) string { return strings.ReplaceAll(line, "\t", "^I") + "$" })(s)
	}},
}

func endsInDollars(s string) bool {
	all, _ := lines(s)
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	for _, line := range all {
		if !strings.HasSuffix(line, "$") {
			return false
		}
	}
	return len(all) > 0
}

func uncaret(s string) (string, bool) {
	dollars := endsInDollars(s)
	if !dollars && !strings.Contains(s, "^I") && !strings.Contains(s, "^M") {
		return s, false
	}
	undo := strings.NewReplacer("^I", "\t", "^M", "").Replace
	return eachLine(func(line string) string {
		if dollars {
			line = strings.TrimSuffix(line, "$")
		}
		return undo(line)
	})(s)
}
