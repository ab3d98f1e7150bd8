package bundle

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// gitPatch reads an entry whose content is a unified diff (rule B8). Hunks without a file name are for the entry's
// file.
func (e entry) gitPatch(c intent.Change) []intent.Change {
	e.noPatches(e.Member("operation").Value)
	content, ok := e.String("content", diag.MissingContent, diag.ContentNotString, "the operation \"gitPatch\" needs a unified diff")
	if !ok || c.Path == "" {
		return nil
	}
	head := ""
	if strings.HasPrefix(content.Text, "@@") {
		head = fmt.Sprintf("--- %[1]s\n+++ %[1]s\n", diff.QuoteName(c.Path))
	}
	quoted := jsonshape.Quotation{Value: content, Added: len(head)}
	patch := gitdiff.Parse(head+content.Text, e.doc.Room)
	for _, d := range intent.Diagnostics(quoted, patch.Diagnostics) {
		e.doc.Add(d)
	}
	changes := intent.Changes(quoted, patch.Set.Changes)
	for i := range changes {
		// Entries are applied in order, so each gets its own group numbers.
		changes[i].Group += c.At.Start * maxCommits
		if head != "" {
			changes[i].PathAt, changes[i].At = c.PathAt, c.At
		}
	}
	if patch.Readable == patch.Entries {
		e.samePath(c, changes)
	}
	return changes
}

// maxCommits is the distance between the first group numbers of two entries. No patch has more commits.
const maxCommits = 1 << 20

func (e entry) samePath(c intent.Change, changes []intent.Change) {
	named := func(other intent.Change) bool {
		return path.Clean(other.Path) == path.Clean(c.Path) || other.To != "" && path.Clean(other.To) == path.Clean(c.Path)
	}
	if len(changes) == 0 || slices.ContainsFunc(changes, named) {
		return
	}
	fix := diag.Fix{Title: fmt.Sprintf("Write the path %q", changes[0].Path), Edits: []text.Edit{c.PathAt.Set(changes[0].Path)}}
	e.doc.Report(diag.GitPatchPath, c.PathAt.Span, fmt.Sprintf("the entry is for %s, but its patch changes %s; correct one of the two", c.Path, changes[0].Path), fix)
}
