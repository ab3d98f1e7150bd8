package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Emphasis describes a text whose words have Markdown's marks of emphasis around them.
var Emphasis = Artifact{
	Signs:       "*~",
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "emphasis of Markdown",
	Origin:      "Models write words of code in bold, or strike them out.",
	Differs:     "without the emphasis of Markdown",
	Fix:         "Leave out the emphasis",
	Forgives:    "`**` or `~~` around words.",
	Certain:     "No: operators may look the same. The fix is offered.",
	Replacement: "The same marks are removed from it.",
	Undo: eachLine(func(line string) string {
		return emphasized.ReplaceAllStringFunc(line, func(m string) string { return strings.Trim(m, "*~") })
	}),
	Loses: "the text's own marks",
	Prose: true,
	Do: []func(string) string{
		func(s string) string { return keyword.ReplaceAllString(s, "**$1**") },
		func(s string) string { return keyword.ReplaceAllString(s, "~~$1~~") },
	},
}

// Bold describes a text in which a name such as `__init__` became `**init**`, because an editor
// took it for bold text.
var Bold = Artifact{
	Signs:       "*",
	Lost:        "_",
	Silent:      map[string]string{NewFile: "a new file has no old text to compare, and its text may be meant like this"},
	Name:        "names taken for bold text",
	Origin:      "A Markdown editor reads `__init__` as bold text and writes `**init**`.",
	Differs:     "with `__` for `**`",
	Fix:         "Write `__` for `**`",
	Forgives:    "`**` instead of `__` around a name.",
	Certain:     "No: operators may look the same. The fix is offered.",
	Replacement: "Its names get `__` as well.",
	Undo:        eachLine(func(line string) string { return bold.ReplaceAllString(line, "__${1}__") }),
	Loses:       "the text's own operators",
	Prose:       true,
	Do:          []func(string) string{func(s string) string { return dunder.ReplaceAllString(s, "**${1}**") }},
}

var (
	dunder     = lazyregexp.New(`__(\w+?)__`)
	bold       = lazyregexp.New(`\*\*(\w+?)\*\*`)
	emphasized = lazyregexp.New(`\*\*\w+\*\*|~~`)
	keyword    = lazyregexp.New(`\b(return|import|class|def|if)\b`)
)

// Link describes a text in which a chat turned names that look like addresses into links.
var Link = Artifact{
	Signs:       "[<",
	Name:        "links made of names",
	Origin:      "A chat takes `os.path` for a web address and writes `[os.path](http://os.path)`.",
	Differs:     "without the links",
	Fix:         "Leave out the links",
	Forgives:    "A link whose text equals its address, in Markdown, in HTML, or in the style of chats and mails.",
	Certain:     "No: the text may have links of its own. The fix is offered.",
	Replacement: "Such links are removed from it as well.",
	Undo:        eachLine(unlink),
	Loses:       "the text's own links",
	Prose:       true,
	Shows: func(s string) bool {
		return link.MatchString(s) && unlink(s) != s
	},
	Do: []func(string) string{
		func(s string) string { return dotted.ReplaceAllString(s, "[$1](http://$1)") },
		func(s string) string { return dotted.ReplaceAllString(s, "[$1](https://$1/)") },
		func(s string) string { return dotted.ReplaceAllString(s, "<http://$1|$1>") },
		func(s string) string { return dotted.ReplaceAllString(s, `<a href="http://$1">$1</a>`) },
	},
}

var (
	dotted = lazyregexp.New(`\b([A-Za-z_]\w*\.[A-Za-z_]\w*)\b`)
	link   = lazyregexp.New(`\[([^\[\]\s]+)\]\((?:https?://|mailto:)?([^()\s]+?)/?\)|<(?:https?://|mailto:)([^|<>\s]+)\|([^<>\s]+)>|<a href="(?:https?://|mailto:)([^"\s]+?)/?"[^<>]*>([^<>]+)</a>`)
)

// unlink returns a line with the text of each link whose address is the same as its text.
func unlink(line string) string {
	if !strings.Contains(line, "//") && !strings.Contains(line, "mailto:") {
		return line
	}
	return link.ReplaceAllStringFunc(line, func(m string) string {
		parts := link.FindStringSubmatch(m)
		for i := 1; i < len(parts); i += 2 {
			if parts[i] != "" && strings.EqualFold(strings.TrimPrefix(parts[i], "www."), strings.TrimPrefix(parts[i+1], "www.")) {
				return parts[i]
			}
		}
		return m
	})
}
