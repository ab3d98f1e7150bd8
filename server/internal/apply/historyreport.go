package apply

import (
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// ChangedFiles returns the changes of an apply in the form of a plan. The apply needs the contents from
// [history.Store.Get]. Files whose contents are not kept are left out.
func ChangedFiles(a history.Apply) []plan.File {
	var files []plan.File
	for _, f := range a.Files {
		if f.NotKept {
			continue
		}
		files = appendChange(files, f.Path, f.Before, f.After)
	}
	return files
}

// Omitted names, for people, the files whose contents the history does not keep. It returns "" if there are none.
func Omitted(a history.Apply) string {
	var names []string
	for _, f := range a.Files {
		if f.NotKept {
			names = append(names, f.Path)
		}
	}
	if names == nil {
		return ""
	}
	return "git ignores " + strings.Join(names, ", ") + ": the contents were not kept"
}

// RevertResult converts the outcome of a revert for other programs.
func (o Outcome) RevertResult() protocol.RevertResult {
	r := o.Result
	if o.Refusal != nil {
		r.Files = []protocol.File{}
	}
	conflicts := []protocol.RevertConflict{}
	for _, c := range o.Conflicts {
		conflicts = append(conflicts, c.RevertConflict)
	}
	return protocol.RevertResult{Applied: r.Applied, Verified: r.Verified, RolledBack: r.RolledBack, ID: r.ID, Reverts: o.Record.Undoes,
		Files: r.Files, Left: r.Left, Conflicts: conflicts, Message: r.Message, Lasting: r.Lasting, Warnings: r.Warnings}
}
