package check

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const mostNamed = 5

// NoBlock returns the reason why a reply has no block, for use in a message after a colon.
func (r *Result) NoBlock() string {
	if r.Known {
		return "this was already applied, and its files have not changed since"
	}
	if r.Page {
		return "the text begins with front matter, as pages of documentation do; if it is a reply, remove the front matter"
	}
	named := text.Each(r.notRead(), func(u Unread) string { return fmt.Sprintf("line %d, %s", u.Line, u.What) })
	if len(named) > 0 {
		return "these parts seem to be edits, but not in a form that Aptix reads: " + joinFirst(named, "; ")
	}
	for i, doc := range r.Documents {
		lines := text.NewLines(doc.Text)
		for _, b := range r.Fences(i) {
			named = append(named, fmt.Sprintf("line %d", lines.Position(b.Open.Start).Line+1))
		}
	}
	switch n := len(named); n {
	case 0:
		return "the text has no code block and no edit in a known format"
	case 1:
		return "the code block in " + named[0] + " does not clearly name its file"
	default:
		return fmt.Sprintf("%s do not clearly name their files (%s)", format.Count(n, "code block"), joinFirst(named, ", "))
	}
}

func joinFirst(words []string, separator string) string {
	if len(words) > mostNamed {
		words = append(words[:mostNamed:mostNamed], "…")
	}
	return strings.Join(words, separator)
}

// notRead lists the parts that could change a file, in a reply without blocks.
func (r *Result) notRead() (all []Unread) {
	if r.tree == nil {
		return nil
	}
	files := &reply.Files{Tree: r.tree, Meter: meterOf(r.Documents)}
	for i := range r.Documents {
		all = append(all, r.unread(i, r.structures[i].Hidden, files, false)...)
	}
	return all
}
