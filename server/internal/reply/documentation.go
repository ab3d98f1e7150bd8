package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// documentation matches the usual beginnings of documentation: a title, front matter or a list instead of
// it, HTML or a badge.
var documentation = lazyregexp.New(`^(?:# |---\r?\n|\+\+\+\r?\n|<|\[!\[|.*\r?\n=+[ \t]*\r?\n|(?:[-*] [A-Z][\w ]*: .*\r?\n){2})`)

// Titled reports whether a document begins as documentation does, and where. What is known
// to be a reply may have a title.
func Titled(d format.Document) (at int, ok bool) {
	first := strings.TrimLeft(d.Text, "\ufeff \t\r\n")
	return len(d.Text) - len(first), !d.Reply && documentation.MatchString(first)
}
