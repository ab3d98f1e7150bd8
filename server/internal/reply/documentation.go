package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

var (
	// documentation matches the usual beginnings of documentation other than HTML and underlined titles: a title, front
	// matter, a list of properties or a badge.
	documentation = lazyregexp.New(`^(?:# |---\r?\n|\+\+\+\r?\n|\[!\[|(?:[-*] [A-Z][\w ]*: .*\r?\n){2})`)
	// underlines matches the line below an underlined title.
	underlines = lazyregexp.New(`^(?:=+|-{3,})[ \t]*\r?\n`)
)

// Titled reports whether a document begins like documentation, and returns the offset of that beginning. Replies may
// begin in the same way, so it returns false if the document is known to be a reply.
func Titled(d format.Document) (at int, ok bool) {
	first := strings.TrimLeft(d.Text, "\ufeff \t\r\n")
	at = len(d.Text) - len(first)
	first = first[:min(len(first), 2*mostLine)] // two lines; formats ask for each fence, and a line may be as long as the document
	title, below, _ := strings.Cut(first, "\n")
	return at, !d.Reply && (documentation.MatchString(first) || strings.TrimLeft(title, " \t\f\r") != "" && underlines.MatchString(below) ||
		mdblock.BeginsHTML(first) && !strings.HasPrefix(first, "<details"))
}

var frontMatter = lazyregexp.New(`^\x{feff}?(?:---[ \t]*\r?\n(?:(?:[\w-]+[ \t]*:|[ \t#-]).*\r?\n|[ \t]*\r?\n)+---|\+\+\+[ \t]*\r?\n(?:(?:[\w."-]+[ \t]*=|[ \t#\[\]]).*\r?\n|[ \t]*\r?\n)+\+\+\+)[ \t]*(?:\r?\n|$)`)

// IsPage reports whether a document begins with front matter. If so, it is a page of a site or the description of a
// skill, and not a reply.
func IsPage(doc string) bool {
	return (strings.HasPrefix(doc, "---") || strings.HasPrefix(doc, "+++") || strings.HasPrefix(doc, "\ufeff")) && frontMatter.MatchString(doc)
}
