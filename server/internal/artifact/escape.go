package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Escape describes a text that is written as a string literal, with two characters for each line
// ending, tab and quote.
var Escape = Artifact{
	Signs:       `\`,
	Name:        "escapes",
	Origin:      "A model escapes a JSON string once too often, or copies escaped output of a program.",
	Differs:     "without one level of escapes",
	Fix:         "Remove one level of escapes",
	Forgives:    "`\\n`, `\\t` and `\\\"` as two characters, and doubled backslashes.",
	Certain:     "No: the file may have such strings. The fix is offered.",
	Replacement: "One level of escapes is removed from it as well.",
	Undo:        changing(strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "", `\"`, `"`, `\'`, "'", `\/`, "/", "\\`", "`", `\\`, `\`).Replace),
	Shows:       isOneString,
	Loses:       "the text's own escapes",
	Do: []func(string) string{
		strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, `\`, `\\`).Replace,
		strings.NewReplacer("\n", `\n`).Replace,
	},
}

// isOneString reports whether a text is on one line, has escaped line endings, and has no quote
// that would make a string around these.
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

// QuoteEscape describes a text whose quotes are escaped.
var QuoteEscape = Artifact{
	Signs:       `\`,
	Name:        "escaped quotes",
	Origin:      Escape.Origin,
	Differs:     "without backslashes before quotes",
	Fix:         "Write the quotes without backslashes",
	Forgives:    "A backslash before quotes.",
	Certain:     Escape.Certain,
	Replacement: "The backslashes before its quotes are removed as well.",
	Undo:        changing(strings.NewReplacer(`\"`, `"`, `\'`, `'`, "\\`", "`").Replace),
	Shows:       quotesAllEscaped,
	Loses:       Escape.Loses,
	Do:          []func(string) string{strings.NewReplacer(`"`, `\"`).Replace},
}

// quotesAllEscaped reports whether a text of several lines has quotes and all of them are
// escaped. Code has escaped quotes only in strings, and here no string begins.
func quotesAllEscaped(s string) bool {
	if strings.Count(s, `\"`) < 2 || strings.Contains(strings.NewReplacer(`\\`, "", `\"`, "").Replace(s), `"`) {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.Contains(line, `\"`) && !strings.ContainsAny(line, "'`/") {
			return true
		}
	}
	return false
}

// Backslash describes a text whose backslashes are doubled.
var Backslash = Artifact{
	Signs:       `\`,
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "doubled backslashes",
	Origin:      Escape.Origin,
	Differs:     "with single backslashes",
	Fix:         "Write single backslashes",
	Forgives:    "Two backslashes where the file has one.",
	Certain:     Escape.Certain,
	Replacement: "Its backslashes are halved as well.",
	Undo:        changing(strings.NewReplacer(`\\`, `\`).Replace),
	Loses:       Escape.Loses,
	Do:          []func(string) string{strings.NewReplacer(`\`, `\\`).Replace},
}

// LostEscape describes a text that lost a level of escapes.
var LostEscape = Artifact{
	Lost:        `\`,
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Adds:        true,
	Name:        "lost escapes",
	Origin:      "A model leaves out one level of escapes in a JSON string, so `\\n` becomes the end of a line.",
	Differs:     "with one level of escapes added",
	Fix:         "Add one level of escapes",
	Forgives:    "Line endings, tabs, quotes and backslashes where the file has their escapes.",
	Certain:     "No: it is unknown which characters were escaped. The fix is offered.",
	Replacement: "It is escaped as well.",
	Undo:        changing(strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, `\`, `\\`).Replace),
	Loses:       "which of the characters were escaped",
	Do:          []func(string) string{strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace},
}

// LostQuoteEscape describes a text whose quotes lost their backslashes.
var LostQuoteEscape = Artifact{
	Signs:  `"`,
	Lost:   `\`,
	Silent: map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Adds:   true,
	Name:   "lost escapes of quotes", Origin: LostEscape.Origin, Differs: "with quotes escaped", Fix: "Escape the quotes",
	Forgives: "Quotes where the file has quotes after a backslash.", Certain: LostEscape.Certain, Replacement: LostEscape.Replacement, Loses: LostEscape.Loses,
	Undo: changing(strings.NewReplacer(`"`, `\"`).Replace),
	Do:   []func(string) string{strings.NewReplacer(`\"`, `"`).Replace},
}

// LostBackslash describes a text in which two backslashes became one.
var LostBackslash = Artifact{
	Signs:  `\`,
	Lost:   `\`,
	Silent: map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Adds:   true,
	Name:   "lost backslashes", Origin: LostEscape.Origin, Differs: "with backslashes escaped", Fix: "Double the backslashes",
	Forgives: "One backslash where the file has two.", Certain: LostEscape.Certain, Replacement: LostEscape.Replacement, Loses: LostEscape.Loses,
	Undo: changing(strings.NewReplacer(`\`, `\\`).Replace),
	Do:   []func(string) string{strings.NewReplacer(`\\`, `\`).Replace},
}

// BrokenString describes a text in which an escaped line ending inside a string became a real
// line ending.
var BrokenString = Artifact{
	Signs:       `"`,
	Lost:        `\`,
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "strings broken at their escapes",
	Origin:      LostEscape.Origin,
	Differs:     "with the line endings in strings escaped",
	Fix:         "Write `\\n` for the line endings in strings",
	Forgives:    "A string that continues on the next line where the file has `\\n`.",
	Certain:     "No. The fix is offered.",
	Replacement: "Its strings are repaired as well.",
	Undo:        mendStrings,
	Loses:       "strings with several lines",
	Do:          []func(string) string{strings.NewReplacer(`\n`, "\n").Replace},
}

// bareQuotes removes escaped quotes and backslashes, so that only unescaped quotes are left.
var bareQuotes = strings.NewReplacer(`\\`, "", `\"`, "")

// mendStrings joins a line that ends inside a double-quoted string with the next one.
func mendStrings(s string) (string, bool) {
	all, eol := lines(s)
	var out []string
	open := false
	for _, line := range all {
		if open {
			out[len(out)-1] += `\n` + line
		} else {
			out = append(out, line)
		}
		last := bareQuotes.Replace(out[len(out)-1])
		open = strings.Count(last, `"`)%2 == 1
	}
	if open || len(out) == len(all) {
		return s, false
	}
	return strings.Join(out, eol), true
}

// MarkdownEscape describes a text in which the special characters of Markdown are escaped.
var MarkdownEscape = Artifact{
	Signs:       `\`,
	Name:        "Markdown escapes",
	Origin:      "A Markdown editor, or a model that writes outside a fence, puts a backslash before Markdown's special characters.",
	Differs:     "without Markdown's backslashes",
	Fix:         "Leave out Markdown's backslashes",
	Forgives:    "A backslash before `_`, `*`, `[`, `]`, `#`, `<`, `>`, `~`, `|` and other special characters of Markdown.",
	Certain:     "No: the file may have such strings. The fix is offered.",
	Replacement: "These backslashes are removed from it as well.",
	Undo:        changing(markdownEscapes(true).Replace),
	Shows:       func(s string) bool { return len(escapedName.FindAllStringIndex(s, 2)) == 2 },
	Prose:       true,
	Loses:       "the text's own backslashes",
	Do:          []func(string) string{markdownEscapes(false).Replace},
}

// escapedName matches a name with an escaped underscore, which occurs in no program.
var escapedName = lazyregexp.New(`[A-Za-z]\\_[A-Za-z]`)

func markdownEscapes(undo bool) *strings.Replacer {
	var pairs []string
	for _, c := range "_*[]#<>~|`-+!" {
		if pair := []string{string(c), `\` + string(c)}; undo {
			pairs = append(pairs, pair[1], pair[0])
		} else {
			pairs = append(pairs, pair...)
		}
	}
	return strings.NewReplacer(pairs...)
}
