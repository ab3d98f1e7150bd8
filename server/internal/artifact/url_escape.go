package artifact

import (
	"net/url"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// URLEscape describes a text that was written as a part of an address.
var URLEscape = Artifact{
	Signs:       "%",
	Name:        "URL escapes",
	Origin:      "A text goes through the address of a page or the body of a form.",
	Differs:     "with URL escapes resolved",
	Fix:         "Write the characters for the URL escapes",
	Forgives:    "`%20` for a space, and any other character as its bytes.",
	Certain:     "No: the file may have such codes. The fix is offered.",
	Replacement: "Its codes are resolved, too.",
	Undo:        unescapeURL,
	Shows: func(s string) bool {
		return !strings.ContainsAny(strings.TrimSpace(s), " \t\n") && strings.Count(s, "%0A") >= 2
	},
	Loses:    "codes that the text has itself",
	Do:       []func(string) string{url.PathEscape},
	Examples: []Example{{"a%20=%20%22b%22", `a = "b"`}, {Text: "100% of it"}},
}

var urlEscape = lazyregexp.New(`%[0-9A-Fa-f]{2}`)

func unescapeURL(s string) (string, bool) {
	if !strings.Contains(s, "%") || !urlEscape.MatchString(s) {
		return s, false
	}
	out, err := url.PathUnescape(s)
	return out, err == nil && out != s
}
