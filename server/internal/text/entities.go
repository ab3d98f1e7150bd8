package text

import (
	"html"
	"strings"
)

var entities = strings.NewReplacer("&lt;", "", "&gt;", "", "&amp;", "", "&quot;", "", "&apos;", "", "&#39;", "", "&#34;", "", "&#x27;", "")

// WithoutEntities is a text with the characters that its entities stand for, if it has entities
// where it could have angle brackets and ampersands, and none of these; else the text itself.
func WithoutEntities(s string) string {
	rest := entities.Replace(s)
	if rest == s || strings.ContainsAny(rest, "<>&") {
		return s
	}
	return html.UnescapeString(s)
}
