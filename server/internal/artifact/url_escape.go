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
	Origin:      "A text was sent as part of a URL or in a form.",
	Differs:     "with URL escapes decoded",
	Fix:         "Decode the URL escapes",
	Forgives:    "`%20` in place of a space, and other characters as their bytes.",
	Certain:     "No: the file may have such escapes. The fix is offered.",
	Replacement: "Its escapes are decoded as well.",
	Undo:        unescapeURL,
	Shows: func(s string) bool {
		return !strings.ContainsAny(strings.TrimSpace(s), " \t\n") && strings.Count(s, "%0A") >= 2
	},
	Loses: "the text's own escapes",
	Do:    []func(string) string{url.PathEscape},
}

var urlEscape = lazyregexp.New(`%[0-9A-Fa-f]{2}`)

func unescapeURL(s string) (string, bool) {
	if !strings.Contains(s, "%") || !urlEscape.MatchString(s) {
		return s, false
	}
	out, err := url.PathUnescape(s)
	return out, err == nil && out != s
}
