package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Emphasis describes a text whose words are surrounded by Markdown's marks of emphasis.
var Emphasis = Artifact{
	Signs:   "*~",
	Name:    "Markdown emphasis",
	Differs: "without the Markdown emphasis",
	Fix:     "Leave out the emphasis",
	Undo: eachLine(func(line string) string {
		return emphasized.ReplaceAllStringFunc(line, func(m string) string { return strings.Trim(m, "*~") })
	}),
	Loses: "marks that belong to the text",
	Prose: true,
	Asked: true,
}

// Bold describes a text in which an editor read the underscores of a name as bold text: `__init__` became `**init**`.
var Bold = Artifact{
	Signs:   "*",
	Lost:    "_",
	Name:    "names turned into bold text",
	Differs: "with `__` for `**`",
	Fix:     "Write `__` for `**`",
	Undo:    eachLine(func(line string) string { return bold.ReplaceAllString(line, "__${1}__") }),
	Shows:   boldName.MatchString,
	Loses:   "operators that belong to the text",
	Prose:   true,
	Asked:   true,
}

var (
	bold = lazyregexp.New(`\*\*(\w+?)\*\*`)
	// boldName matches a bold name that a line of code defines or calls.
	boldName   = lazyregexp.New(`(?m)(?:^[ \t]*\w+ |\w\(?\)?\.)\*\*[a-z]\w*\*\*\(`)
	emphasized = lazyregexp.New(`\*\*\w+\*\*|~~`)
)

// Link describes a text in which a chat turned names that look like addresses, and telephone numbers, into links.
var Link = Artifact{
	Signs:   "[<",
	Name:    "names turned into links",
	Differs: "without the links",
	Fix:     "Leave out the links",
	Undo:    eachLine(unlink),
	Loses:   "links that belong to the text",
	Prose:   true,
	Shows: func(s string) bool {
		return hasAddress(s) && link.MatchString(s) && unlink(s) != s
	},
	Asked: true,
}

var (
	link = lazyregexp.New(`\[([^\[\]\s]+)\]\((?:https?://|mailto:)?([^()\s]+?)/?\)|\[([^\[\]]+)\]\(tel:([^()\s]+)\)|<(?:https?://|mailto:)([^|<>\s]+)\|([^<>\s]+)>|<a href="(?:https?://|mailto:)([^"\s]+?)/?"[^<>]*>([^<>]+)</a>`)
)

func unlink(line string) string {
	if !hasAddress(line) {
		return line
	}
	return link.ReplaceAllStringFunc(line, func(m string) string {
		parts := link.FindStringSubmatch(m)
		for i := 1; i < len(parts); i += 2 {
			if name := bare(parts[i]); name != "" && (strings.EqualFold(name, bare(parts[i+1])) || isNumberOf(name, parts[i+1]) || strings.Contains(m, "](tel:") && isPhoneNumber(name, parts[i+1])) {
				return parts[i]
			}
		}
		return m
	})
}

// isNumberOf reports whether a name is the number of an issue, such as `#123`, and the address ends with this number.
func isNumberOf(name, address string) bool {
	number, ok := strings.CutPrefix(name, "#")
	return ok && isDigits(number) && strings.HasSuffix(address, "/"+number)
}

// isPhoneNumber reports whether a name is a telephone number, and the address is this number, perhaps with the code of
// its country.
func isPhoneNumber(name, address string) bool {
	digits := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }), "")
	}
	number := strings.TrimLeft(digits(name), "0")
	return len(number) >= fewestLeft && strings.HasSuffix(digits(address), number)
}

func hasAddress(s string) bool {
	return strings.Contains(s, "://") || strings.Contains(s, "mailto:") || strings.Contains(s, "tel:")
}

func bare(address string) string {
	_, after, ok := strings.Cut(address, "://")
	if !ok {
		after = address
	}
	return strings.TrimSuffix(strings.TrimPrefix(after, "www."), "/")
}

// Footnote describes a text with the number of a source at the end of lines.
var Footnote = Artifact{
	Signs:   "]",
	Name:    "citation numbers",
	Differs: "without the citation numbers",
	Fix:     "Remove the citation numbers",
	Undo:    eachLine(func(line string) string { return footnote.ReplaceAllString(line, "") }),
	Loses:   "numbers that belong to the text",
	Prose:   true,
}

// Citation describes a text with the marks by which chat programs name the source of a statement.
var Citation = Artifact{
	Signs:    "[:é",
	Name:     "source markers",
	Differs:  "without the source markers",
	Fix:      "Remove the source markers",
	Sure:     true,
	Undo:     eachLine(uncite),
	Loses:    "marks that belong to the text",
	Unwanted: true,
	Shows:    func(s string) bool { return uncite(s) != s },
}

func uncite(s string) string {
	if !strings.Contains(s, "cite") && !strings.Contains(s, "【") && !strings.Contains(s, "\ue200") {
		return s
	}
	return citation.ReplaceAllString(s, "")
}

var (
	citation = lazyregexp.New(` ?(?:\[cite(?:_start|_end|: ?\d[\d,; -]*)\]|【\d+(?::\d+)?†[^】\n]*】|:contentReference\[oaicite:\d+\](?:\{[^}\n]*\})?|\x{e200}[^\x{e201}\n]*\x{e201})`)
	footnote = lazyregexp.New(`(?: ?\[\d{1,3}\])+$|[¹²³⁴-⁹]+$`)
)

// Markup describes a text with the HTML tags that web pages use to show code.
var Markup = Artifact{
	Signs:   "<&",
	Name:    "markup of a page",
	Differs: "without the markup of a page",
	Fix:     "Leave out the markup",
	Undo:    unmark,
	Shows:   marksLines,
	Prose:   true,
	Loses:   "tags that belong to the text",
}

// marksLines reports whether a text has at least three lines, each ending with a tag that pages use to show code.
func marksLines(s string) bool {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if m := markupTag.FindAllStringIndex(line, -1); len(m) == 0 || m[len(m)-1][1] != len(line) {
			return false
		}
		n++
	}
	return n > 2
}

var markupTag = lazyregexp.New(`(?i)<br ?/?>$|</?(?:span|code|pre|font|b|i|u|s|em|strong|mark|ins|kbd|tt)(?: [^<>]*)?>`)

func unmark(s string) (string, bool) {
	if !strings.Contains(s, "<") {
		return s, false
	}
	out, ok := eachLine(func(line string) string { return markupTag.ReplaceAllString(line, "") })(s)
	if !ok {
		return s, false
	}
	if plain, ok := unescape(out); ok && Escaped(out) {
		return plain, true
	}
	return out, true
}
