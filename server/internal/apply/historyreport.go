package apply

import (
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Entry is an apply as other programs read it. It needs no contents.
func Entry(a history.Apply) protocol.HistoryEntry {
	e := protocol.HistoryEntry{ID: a.ID, Time: a.Time.UTC().Format(time.RFC3339Nano), Root: a.Root, Label: a.Label,
		Source: a.Source, Reverted: a.Reverted, Reverts: a.Undoes, Files: []protocol.File{}}
	for _, f := range a.Files {
		e.Files = append(e.Files, protocol.File{Path: f.Path, Operation: protocol.Operation(plan.OperationOf(f.Before, f.After)),
			State: protocol.FileDone, Added: f.Added, Removed: f.Removed})
	}
	return e
}

// Did are the files of an apply as a plan has them, with the contents that
// [history.Store.Get] gave.
func Did(a history.Apply) []plan.File {
	var files []plan.File
	for _, f := range a.Files {
		before, after := f.Before, f.After
		files = append(files, plan.File{Path: f.Path, Operation: plan.OperationOf(before, after), State: plan.Change, Before: before, After: after})
	}
	return files
}

// ReportConflicts is conflicts as other programs read them, never nil.
func ReportConflicts(conflicts []Conflict) []protocol.RevertConflict {
	out := []protocol.RevertConflict{}
	for _, c := range conflicts {
		r := protocol.RevertConflict{Path: c.Path, Why: c.Why, Mergeable: c.Mergeable, Clashes: []protocol.Range{}}
		for _, l := range c.Clashes {
			r.Clashes = append(r.Clashes, protocol.Range{Start: protocol.Position{Line: l.Start}, End: protocol.Position{Line: l.End}})
		}
		out = append(out, r)
	}
	return out
}
