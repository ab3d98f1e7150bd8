package artifact

import (
	"html"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

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
