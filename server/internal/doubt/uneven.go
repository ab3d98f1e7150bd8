package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// uneven finds an INSERT of SQL, also in a string of a program, whose numbers of columns and values differ only after the
// change.
func (c *Change) uneven() *Doubt {
	says := func(line string) bool { return strings.ContainsAny(line, ",(") }
	if !c.adds(says) || !c.had("INSERT ") && !c.had("insert ") && !c.adds(func(line string) bool { return intoColumns.MatchString(line) }) {
		return nil
	}
	had := map[string]bool{}
	for _, s := range unevenIn(c.Before()) {
		had[s] = true
	}
	for _, s := range unevenIn(text.Joined(c.after())) {
		if !had[s] {
			return warn(c.At, diag.InvalidSyntax, "%s would no longer be valid: the numbers of columns and values differ in %q", c.Path, text.Cut(s, 120))
		}
	}
	return nil
}

// intoColumns matches an INSERT up to its values. Its group has the columns. The statement may be several strings.
var intoColumns = lazyregexp.New(`(?i)\binsert\s+(?:or\s+\w+\s+)?into\s+[\w."` + "`" + `]+\s*\(([^()]+)\)[\s"'+.\\]*values\s*\(`)

func unevenIn(s string) (found []string) {
	for _, m := range intoColumns.FindAllStringSubmatchIndex(s, -1) {
		n := valuesAt(s[m[1]-1:])
		if columns := strings.Count(s[m[2]:m[3]], ",") + 1; n > 1 && n != columns {
			found = append(found, strings.Join(strings.Fields(s[m[0]:m[1]]), " "))
		}
	}
	return found
}

// valuesAt returns the number of values in the brackets with which a text begins, or 0 if it is unknown, because a
// program builds the list.
func valuesAt(s string) int {
	n, depth := 1, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return n
			}
		case ',':
			if depth == 1 {
				n++
			}
		case '\'':
			i += max(text.ClosingQuote(s[i:]), 0)
		case '"', '{', ';', '`', '*':
			return 0
		}
		if depth == 0 {
			return 0
		}
	}
	return 0
}
