package artifact

import (
	"net/url"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

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
