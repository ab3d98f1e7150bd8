package escape

import (
	"regexp"
	"strings"
)

// links are the beginnings of what Markdown makes a link of without any markup.
var links = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp)(:)|(www)(\.)`)

// marked are the characters that are markup in a line of Markdown.
var marked = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`,
	`<`, `\<`, `>`, `\>`, `&`, `\&`, `~`, `\~`, `|`, `\|`, `$`, `\$`, `@`, `\@`)

// Markdown is s as text inside a line of Markdown that begins with other words: it shows
// as Line shows it. It cannot be applied twice.
func Markdown(s string) string {
	return links.ReplaceAllString(marked.Replace(Line(s)), `$1$3\$2$4`)
}

// Code is s as code in a line of Markdown.
func Code(s string) string {
	s = Line(s)
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.Trim(s, " ") != s {
		s = " " + s + " "
	}
	return fence + s + fence
}
