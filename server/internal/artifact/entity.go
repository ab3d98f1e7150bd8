package artifact

import (
	"html"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Entity describes a text in which a page or a serializer wrote characters as entities, once or
// twice.
var Entity = Artifact{
	Signs:       "&",
	Name:        "HTML entities",
	Origin:      "A text is copied from the source of a page, or a model writes it as XML: `&lt;` for `<`.",
	Differs:     "with HTML entities resolved",
	Fix:         "Write the characters for the entities",
	Forgives:    "XML entities and numeric entities, escaped once; or twice, if all of them are (`&amp;lt;`).",
	Sure:        true,
	Replacement: "Its entities are resolved as well.",
	Undo:        unescape,
	Shows:       func(s string) bool { return Escaped(s) && (!strings.Contains(s, ">") || operator.MatchString(s)) },
	Prose:       true,
	Loses:       "the text's own entities",
	Do: []func(string) string{
		escapeHTML,
		func(s string) string { return escapeHTML(escapeHTML(s)) },
		html.EscapeString,
		strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace,
	},
}

// Rendered describes a text whose entities a page showed as characters.
var Rendered = Artifact{
	Signs:       "<>&",
	Lost:        "&",
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Adds:        true,
	Name:        "rendered entities",
	Origin:      "A page shows the characters instead of the entities in its source.",
	Differs:     "with HTML entities",
	Fix:         "Write the characters as entities",
	Forgives:    "`<`, `>` and `&` where the file has entities.",
	Certain:     "No: the file may have both. The fix is offered.",
	Replacement: "Its characters are written as entities.",
	Undo:        changing(escapeHTML),
	Loses:       "the text's own `<`, `>` and `&`",
	Do:          []func(string) string{html.UnescapeString},
}

// RenderedQuotes does the same for a text whose quotes were entities, too.
var RenderedQuotes = Artifact{
	Lost:        "&",
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Adds:        true,
	Name:        "rendered entities and quotes",
	Origin:      Rendered.Origin,
	Differs:     Rendered.Differs,
	Fix:         Rendered.Fix,
	Forgives:    "Quotes, `<`, `>` and `&` where the file has entities.",
	Certain:     Rendered.Certain,
	Replacement: Rendered.Replacement,
	Undo:        changing(strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", `"`, "&quot;", "'", "&#39;").Replace),
	Loses:       Rendered.Loses,
	Do:          []func(string) string{html.UnescapeString},
}

var (
	operator     = lazyregexp.New(`\s&(?:lt|gt);=?\s|\s&amp;&amp;\s`)
	entity       = lazyregexp.New(`&(?:lt|gt|amp|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)
	doubleEntity = lazyregexp.New(`&amp;(?:lt|gt|amp|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)
	escapeHTML   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
)

// Escaped reports whether a text has entities, and no character that XML requires to be written
// as one.
func Escaped(s string) bool {
	return strings.Contains(s, "&") && !strings.Contains(s, "<") && entity.MatchString(s) && !strings.Contains(entity.ReplaceAllString(s, ""), "&")
}

// Unescape returns a text with characters in place of its entities. Each entity is replaced only
// once.
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

// changing makes an Undo of a function that changes texts.
func changing(f func(string) string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		out := f(s)
		return out, out != s
	}
}
