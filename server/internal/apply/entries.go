package apply

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Entries converts applies into entries for other programs, in the same order. It also returns the current state of
// each changed file, by absolute path. It reads each file only once. The applies may lack the contents of their files.
// [PatchChange] explains `seen`. The only possible error is the error of `ctx`.
func Entries(ctx context.Context, applies []history.Apply, seen func(root string) fs.FS) ([]protocol.HistoryEntry, map[string]history.Seen, error) {
	entries, files := make([]protocol.HistoryEntry, len(applies)), map[string]history.Seen{}
	ofRoot := map[string][]int{}
	for i, a := range applies {
		entries[i] = entry(a)
		ofRoot[a.Root] = append(ofRoot[a.Root], i)
	}
	for root, indexes := range ofRoot {
		tree, end := treeOf(root, seen)
		if tree == nil {
			continue
		}
		for _, i := range indexes {
			if err := ctx.Err(); err != nil {
				end()
				return nil, nil, err
			}
			entries[i].State = stateOf(applies[i], tree, files)
		}
		end()
	}
	return entries, files, nil
}

func entry(a history.Apply) protocol.HistoryEntry {
	e := protocol.HistoryEntry{ID: a.ID, Time: a.Time.UTC().Format(time.RFC3339Nano), Root: a.Root, Label: escape.Line(a.Label),
		Source: a.Source, Reverted: a.Reverted, Reverts: a.Undoes, Part: a.Part, State: protocol.EntryUnknown, Files: []protocol.File{}}
	for _, f := range a.Files {
		e.Files = append(e.Files, protocol.File{Path: f.Path, Operation: protocol.Operation(plan.OperationOf(f.Before, f.After)),
			State: protocol.FileDone, Added: f.Added, Removed: f.Removed})
	}
	return e
}

// stateOf returns the state of an apply, which is unknown if a file of the apply cannot be read. It adds each file that
// it reads to `files`.
func stateOf(a history.Apply, tree fs.FS, files map[string]history.Seen) protocol.EntryState {
	var standings []history.Standing
	for _, f := range a.Files {
		path := FileOf(a, f)
		now, ok := files[path]
		if !ok {
			content, err := check.Current(tree, f.Path)
			if err != nil {
				return protocol.EntryUnknown
			}
			now = history.See(content)
			files[path] = now
		}
		standings = append(standings, f.Standing(now))
	}
	state := states[history.Together(standings)]
	if a.Partly && state == protocol.EntryChanged {
		return protocol.EntryPartly
	}
	return state
}

var states = map[history.Standing]protocol.EntryState{
	history.Left:   protocol.EntryInForce,
	history.Undone: protocol.EntryUndone,
	history.Moved:  protocol.EntryChanged,
}

// FileOf returns the absolute path of a file that an apply changed.
func FileOf(a history.Apply, f history.File) string {
	return filepath.Join(a.Root, filepath.FromSlash(f.Path))
}
