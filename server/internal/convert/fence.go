package convert

import (
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Fenced returns a document in a Markdown fence. The fence is longer than any run of backticks in
// the document, so no line of it can close the fence. Whole files have fences of their own.
func Fenced(to Format, doc string) string {
	if to == WholeFile {
		return doc
	}
	fence := mdblock.FenceFor(doc)
	f, _ := check.FormatOf(string(to))
	tag := ""
	if len(f.Fences) > 0 {
		tag = f.Fences[0]
	}
	return fence + tag + "\n" + text.Ended(doc) + fence + "\n"
}
