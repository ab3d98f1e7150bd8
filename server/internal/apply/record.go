package apply

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Remembered is [Where.Remembered] by a history, for the tree of the workspace
// at root.
// current is a file, a link or a folder as it is now; paths in the history are
// canonical, so a link at the end is meant itself. What is none of these is not
// there, and nothing is behind links that go in a circle.
// Record remembers that r was applied to the workspace at root, under id. It is for
// programs to which no crash matters; others use [Begin] and [Finish].
func Record(ctx context.Context, h *history.Store, root, id, source, label string, r *check.Result, folders disk.Folders) error {
	return h.Record(ctx, history.Apply{ID: id, Time: time.Now(), Root: root, Key: r.Key, Label: label, Source: source,
		Files: recorded(r.Plan), Made: folders.Made, Pruned: folders.Removed})
}

func recorded(p plan.Plan) (files []history.File) {
	for _, f := range plan.Paths(p.Files) {
		added, removed := f.Stat()
		files = append(files, history.File{Path: f.Path, Before: f.Before, After: f.After, Added: added, Removed: removed})
	}
	return files
}

// Begin records that p is about to be made true, as apply says: its id, root, key,
// label, source and what it undoes. tree is the disk. Without a history there is
// nothing to record, and nothing to end.
func Begin(ctx context.Context, h *history.Store, apply history.Apply, p plan.Plan, tree fs.FS) (*history.Pending, error) {
	if h == nil {
		return nil, nil
	}
	apply.Time, apply.Files = time.Now(), recorded(p)
	apply.Made, apply.Pruned = expected(tree, p)
	return h.Begin(ctx, apply)
}

// Finish records that what was begun is made, with the folders that were made and
// removed on the way, and drops what the history need not keep any longer.
func Finish(ctx context.Context, h *history.Store, p *history.Pending, folders disk.Folders) error {
	if p == nil {
		return nil
	}
	if err := p.Finish(ctx, folders.Made, folders.Removed); err != nil {
		return err
	}
	return h.Prune(ctx, time.Now(), Limits(settings.Default()))
}

// Limits are how much history is kept by settings.
func Limits(s settings.Settings) history.Limits {
	return history.Limits{Age: time.Duration(max(s.HistoryMaxAge, 0)) * 24 * time.Hour, Size: int64(max(s.HistoryMaxSize, 0)) << 20}
}

// expected are the folders that a plan is likely to make and to remove, for an
// apply that ends in a crash. Parents come first.
func expected(tree fs.FS, p plan.Plan) (made, pruned []string) {
	comes, goes := map[string]bool{}, map[string]bool{}
	for _, f := range plan.Paths(p.Files) {
		for dir := path.Dir(f.Path); f.After.Exists && dir != "." && !comes[dir]; dir = path.Dir(dir) {
			comes[dir] = true
		}
		comes[f.Path] = comes[f.Path] || f.After.Mode.IsDir()
		goes[f.Path] = f.Before.Mode.IsDir() && !f.After.Mode.IsDir()
	}
	for _, dir := range p.Prune {
		goes[dir] = true
	}
	for dir, yes := range comes {
		if yes && !isFolder(tree, dir) {
			made = append(made, dir)
		}
	}
	for dir, yes := range goes {
		if yes && isFolder(tree, dir) {
			pruned = append(pruned, dir)
		}
	}
	slices.Sort(made)
	slices.Sort(pruned)
	return made, pruned
}

// Write makes a plan true on disk, all of it or nothing. stateDir holds the
// journal that a crash is recovered from. It answers with the folders that it
// made and removed.
func Write(ctx context.Context, root *disk.Root, stateDir, id string, p plan.Plan) (disk.Folders, error) {
	return root.Commit(ctx, stateDir, transaction(id, p))
}

// transaction is what the disk has to do for a plan.
func transaction(id string, p plan.Plan) disk.Transaction {
	tx := disk.Transaction{ID: id, Prune: p.Prune}
	for _, f := range plan.Paths(p.Files) {
		switch {
		case f.After.Mode.IsDir():
			tx.Make = append(tx.Make, f.Path)
		case f.Before.Mode.IsDir() && !f.After.Exists:
			tx.Remove = append(tx.Remove, f.Path)
		case f.Before.Mode.IsDir():
			tx.Prune = append(tx.Prune, f.Path) // a file takes its place
		}
		if before, after := onDisk(f.Before), onDisk(f.After); before != nil || after != nil {
			tx.Ops = append(tx.Ops, disk.Op{Path: f.Path, Before: before, After: after})
		}
	}
	return tx
}

// onDisk is the content as the disk transaction takes it, a link as one; nil for a
// folder, which the transaction makes and removes by name.
func onDisk(c text.Content) *disk.File {
	if !c.Exists || c.Mode.IsDir() {
		return nil
	}
	return &disk.File{Data: c.Data, Mode: c.Mode}
}

// LastApply is the id of the apply of a reply to root that was recorded last and is
// in force. The error is [history.ErrNotFound] where there is none.
func LastApply(ctx context.Context, h *history.Store, root string) (string, error) {
	applies, err := h.List(ctx, root, 0)
	if err != nil {
		return "", err
	}
	for _, a := range applies {
		if !a.Reverted && a.Undoes == "" {
			return a.ID, nil
		}
	}
	return "", fmt.Errorf("nothing to revert in %s: %w", root, history.ErrNotFound)
}
