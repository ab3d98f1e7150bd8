package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// takesBack returns a file that an edit above a command changes and that the command restores, or "" if there is none.
// Below the last edit, words may say that the command is only for a person who wants to undo the edits.
func (a *lister) takesBack(e effect, at text.Span) string {
	read := a.document.Read
	if e.does != "restores" || len(read) == 0 || read[0].End > at.Start {
		return ""
	}
	line := LineAbove(a.doc, 0, at.End)
	for _, b := range a.document.Fences {
		if b.Span.Contains(at) {
			line = LineAbove(a.doc, 0, b.Span.Start)
		}
	}
	if read[len(read)-1].End <= at.Start && saysAny(line.In(a.doc), Undo, Perhaps, Condition) {
		return ""
	}
	folder, _ := a.files.resolve(e.path)
	for _, name := range a.files.changed() {
		if a.files.changes(name) && (e.path == "." || name == folder || strings.HasPrefix(name, folder+"/")) {
			return name
		}
	}
	return ""
}
