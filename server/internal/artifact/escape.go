package artifact

import (
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

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
	Signs:   `\"'`,
	Name:    "escaped quotes",
	Differs: "without the escapes of quotes",
	Fix:     "Write the quotes without escapes",
	Undo: changing(func(s string) string {
		s = strings.NewReplacer(`'\''`, `'`, `\"`, `"`, `\'`, `'`, "\\`", "`").Replace(s)
		return doubledApostrophe.ReplaceAllString(doubledQuotes.ReplaceAllString(s, `"$1"`), "$1'$2")
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

// doubledApostrophe matches an apostrophe of a word that was doubled, as in a string of SQL.
var doubledApostrophe = lazyregexp.New(`(\pL)''(\pL)`)

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

// CharacterEscape describes a text with escapes such as `\u00e9` in place of non-ASCII characters.
var CharacterEscape = Artifact{
	Signs:   `\`,
	Lost:    "é",
	Name:    "escapes of characters",
	Differs: "with characters in place of their escapes",
	Fix:     "Write the characters in place of their escapes",
	Undo:    eachLine(unescapeCharacters),
	Loses:   "escapes that belong to the text",
	Asked:   true,
}

var characterEscape = lazyregexp.New(`(?:\\u[0-9a-fA-F]{4})+`)

func unescapeCharacters(line string) string {
	return characterEscape.ReplaceAllStringFunc(line, func(escapes string) string {
		var out string
		if json.Unmarshal([]byte(`"`+escapes+`"`), &out) == nil && !strings.ContainsFunc(out, func(r rune) bool { return r < utf8.RuneSelf || r == utf8.RuneError }) {
			return out
		}
		return escapes
	})
}

// Entity describes a text in which a web page or a serializer wrote characters as HTML entities, once or twice.
var Entity = Artifact{
	Signs:   "&",
	Name:    "HTML entities",
	Differs: "with HTML entities decoded",
	Fix:     "Decode the HTML entities",
	Sure:    true,
	Undo:    unescape,
	Shows:   func(s string) bool { return Escaped(s) && (!strings.Contains(s, ">") || EscapesOperator(s)) },
	Prose:   true,
	Loses:   "entities that belong to the text",
	Asked:   true,
}

var (
	operator     = lazyregexp.New(`\s(?:&(?:lt|gt);=?|=&gt;|&amp;&amp;)\s`)
	entity       = lazyregexp.New(`&(?:lt|gt|amp|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)
	doubleEntity = lazyregexp.New(`&amp;(?:lt|gt|amp|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)
)

// EscapesOperator reports whether a text has an operator that is written with entities, such as `&amp;&amp;`. No
// program writes an operator in this way.
func EscapesOperator(s string) bool { return operator.MatchString(s) }

// Escaped reports whether a text has entities, but none of the characters that XML requires to be written as entities.
func Escaped(s string) bool {
	return strings.Contains(s, "&") && !strings.Contains(s, "<") && entity.MatchString(s) && !strings.Contains(entity.ReplaceAllString(s, ""), "&")
}

// Unescape replaces the entities of a text with their characters. It decodes only once: `&amp;lt;` becomes `&lt;`.
func Unescape(s string) string {
	return entity.ReplaceAllStringFunc(s, func(e string) string {
		if e == "&nbsp;" {
			return " "
		}
		return html.UnescapeString(e)
	})
}

func unescape(s string) (string, bool) {
	if !strings.Contains(s, "&") || !entity.MatchString(s) {
		return s, false
	}
	twice := doubleEntity.MatchString(s) && !entity.MatchString(doubleEntity.ReplaceAllString(s, ""))
	s = Unescape(s)
	if twice {
		s = Unescape(s)
	}
	return s, true
}

// changing returns an Undo that applies f to the text. The Undo returns false if f does not change the text.
func changing(f func(string) string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		out := f(s)
		return out, out != s
	}
}

// URLEscape describes a text that was escaped as for a web address, such as `%20` for a space.
var URLEscape = Artifact{
	Signs:   "%",
	Name:    "URL escapes",
	Differs: "with URL escapes decoded",
	Fix:     "Decode the URL escapes",
	Undo:    unescapeURL,
	Shows: func(s string) bool {
		return !strings.ContainsAny(strings.TrimSpace(s), " \t\n") && strings.Count(s, "%0A") >= 2
	},
	Loses: "escapes that belong to the text",
}

var urlEscape = lazyregexp.New(`%[0-9A-Fa-f]{2}`)

func unescapeURL(s string) (string, bool) {
	if !strings.Contains(s, "%") || !urlEscape.MatchString(s) {
		return s, false
	}
	out, err := url.PathUnescape(s)
	return out, err == nil && out != s
}
