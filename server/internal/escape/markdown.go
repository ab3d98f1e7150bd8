package escape

import (
	"regexp"
	"slices"
	"strings"
)

// links matches the beginnings of words that Markdown turns into links without any markup.
var links = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp)(:)|(www)(\.)`)

// marked has the characters that are markup in a line of Markdown.
var marked = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `](`, `\]\(`, `]`, `\]`,
	`<`, `&lt;`, `>`, `\>`, `&`, `\&`, `~`, `\~`, `|`, `\|`, `$`, `\$`, `@`, `\@`)

// Markdown escapes `s` for a line of Markdown that does not begin with `s`. The line then shows `s` like [Line], with
// text between two backticks as code. Markdown must not be applied twice.
func Markdown(s string) string {
	parts := strings.Split(Line(s), "`")
	if len(parts)%2 == 0 || slices.Contains(parts[min(1, len(parts)-1):max(1, len(parts)-1)], "") {
		return words(Line(s)) // some backticks touch each other or have no partner
	}
	for i, part := range parts {
		if i%2 == 1 {
			parts[i] = Code(part)
		} else {
			parts[i] = words(part)
		}
	}
	return strings.Join(parts, "")
}

func words(line string) string { return links.ReplaceAllString(marked.Replace(line), `$1$3\$2$4`) }

// Code returns s as code in a line of Markdown.
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
