package artifact

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Escape describes a text that is written as a string literal, with two characters for each line ending, tab and quote.
var Escape = Artifact{
	Signs:   `\`,
	Name:    "escapes",
	Differs: "without one level of escapes",
	Fix:     "Remove one level of escapes",
	Undo:    changing(strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "", `\"`, `"`, `\'`, "'", `\/`, "/", "\\`", "`", `\\`, `\`).Replace),
	Shows:   isOneString,
	Loses:   "escapes that belong to the text",
}

// isOneString reports whether a text is a single line with several escaped line endings that do not seem to be inside
// strings of the text.
func isOneString(s string) bool {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "\r\n") && strings.HasSuffix(s, `\n`) && strings.Count(s, `\n`) > 2 {
		return true
	}
	if strings.ContainsAny(s, "\r\n") || strings.Count(s, `\n`) < 2 {
		return false
	}
	bare := strings.NewReplacer(`\\`, "", `\"`, "", `\'`, "").Replace(s)
	return !strings.ContainsAny(bare, "\"'`/")
}

// QuoteEscape describes a text whose quotes are escaped with backslashes, as in a string, or doubled, as in a cell of a
// table.
var QuoteEscape = Artifact{
	Signs:   `\"`,
	Name:    "escaped quotes",
	Differs: "without the escapes of quotes",
	Fix:     "Write the quotes without escapes",
	Undo: changing(func(s string) string {
		return doubledQuotes.ReplaceAllString(strings.NewReplacer(`\"`, `"`, `\'`, `'`, "\\`", "`").Replace(s), `"$1"`)
	}),
	Shows: func(s string) bool { return quotesAllEscaped(s) || quotesAllDoubled(s) },
	Loses: Escape.Loses,
	Asked: true,
}

// quotesAllEscaped reports whether a text has quotes and all of them are escaped. Code is never like this: it has
// escaped quotes only inside strings, and a string begins with an unescaped quote.
func quotesAllEscaped(s string) bool {
	if strings.Count(s, `\"`) < 2 || strings.Contains(strings.NewReplacer(`\\`, "", `\"`, "").Replace(s), `"`) {
		return false
	}
	return slices.ContainsFunc(strings.Split(s, "\n"), func(line string) bool { return strings.Contains(line, `\"`) && !strings.ContainsAny(line, "'`/") })
}

// doubledQuotes matches words between doubled quotes.
var doubledQuotes = lazyregexp.New(`""(\w(?:[^"\n]*[^"\n=(\[,])?)""`)

// quotesAllDoubled reports whether a text has words between doubled quotes and no other quotes. In a program, the
// doubled quotes of a string are inside single quotes.
func quotesAllDoubled(s string) bool {
	return strings.Contains(s, `""`) && !strings.Contains(strings.ReplaceAll(s, `""`, ""), `"`) && doubledQuotes.MatchString(s)
}

// LostBackslash describes a text in which two backslashes became one.
var LostBackslash = Artifact{
	Signs: `\`,
	Lost:  `\`,
	Adds:  true,
	Name:  "lost backslashes", Differs: "with backslashes escaped", Fix: "Double the backslashes",
	Loses: "which of the characters were escaped",
	Undo:  changing(strings.NewReplacer(`\`, `\\`).Replace),
	Asked: true,
}

// MarkdownEscape describes a text in which the special characters of Markdown are escaped.
var MarkdownEscape = Artifact{
	Signs:   `\`,
	Name:    "Markdown escapes",
	Differs: "without Markdown's backslashes",
	Fix:     "Leave out Markdown's backslashes",
	Undo:    changing(markdownEscapes().Replace),
	Shows:   func(s string) bool { return len(escapedName.FindAllStringIndex(s, 2)) == 2 || escapesVariables(s) },
	Prose:   true,
	Loses:   "backslashes that belong to the text",
	Asked:   true,
}

// escapedName matches a name with an escaped underscore, such as `my\_name`. No program has such names.
var escapedName = lazyregexp.New(`[A-Za-z]\\_[A-Za-z]`)

// escapedVariable matches a variable with an escaped dollar sign.
var escapedVariable = lazyregexp.New(`\\\$\{?[A-Za-z_]`)

// escapesVariables reports whether a text has several variables and all of its dollar signs are escaped. A string, or a
// text that a shell reads, may have such variables on purpose.
func escapesVariables(s string) bool {
	return len(escapedVariable.FindAllStringIndex(s, 2)) == 2 && !strings.Contains(strings.ReplaceAll(s, `\$`, ""), "$") && !strings.Contains(s, "<<") &&
		!slices.ContainsFunc(strings.Split(s, "\n"), func(line string) bool { return strings.ContainsAny(line, quotes) && escapedVariable.MatchString(line) })
}

func markdownEscapes() *strings.Replacer {
	var pairs []string
	for _, c := range "_*[]#<>~|`-+!$" {
		pairs = append(pairs, `\`+string(c), string(c))
	}
	return strings.NewReplacer(pairs...)
}
