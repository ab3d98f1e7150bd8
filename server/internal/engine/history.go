package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"
	"time"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/workspace"
)

// Remembered is [Where.Remembered] by a history, for the tree of the workspace
// at root.
func Remembered(h *store.Store, root string, tree fs.FS) func(context.Context, string) (map[string]store.Standing, error) {
	return func(ctx context.Context, key string) (map[string]store.Standing, error) {
		return h.Standing(ctx, root, key, func(path string) (store.Content, error) { return current(tree, path) })
	}
}

// current is a file, a link or a folder as it is now; paths in the history are
// canonical, so a link at the end is meant itself. What is none of these is not
// there, and nothing is behind links that go in a circle.
func current(tree fs.FS, path string) (store.Content, error) {
	info, err := fs.Lstat(tree, path)
	if fspath.Missing(err) || errors.Is(err, syscall.ELOOP) {
		return store.Content{}, nil
	}
	if err != nil {
		return store.Content{}, err
	}
	switch info.Mode().Type() {
	case 0:
		data, err := fs.ReadFile(tree, path)
		return store.Content{Exists: true, Data: string(data), Mode: info.Mode().Perm()}, err
	case fs.ModeSymlink:
		target, err := fs.ReadLink(tree, path)
		return store.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}, err
	case fs.ModeDir:
		return store.Content{Exists: true, Mode: info.Mode() & (fs.ModeDir | fs.ModePerm)}, nil
	}
	return store.Content{}, nil
}

// Record remembers that r was applied to the workspace at root, under id. It is for
// programs to which no crash matters; others use [Begin] and [Finish].
func Record(ctx context.Context, h *store.Store, root, id, source, label string, r *Result, folders workspace.Folders) error {
	return h.Record(ctx, store.Apply{ID: id, Time: time.Now(), Root: root, Key: r.Key, Label: label, Source: source,
		Files: recorded(r.Plan), Made: folders.Made, Pruned: folders.Removed})
}

func recorded(p plan.Plan) (files []store.File) {
	for _, f := range plan.Paths(p.Files) {
		added, removed := f.Stat()
		files = append(files, store.File{Path: f.Path, Before: store.Content(f.Before), After: store.Content(f.After), Added: added, Removed: removed})
	}
	return files
}

// Begin records that p is about to be made true, as apply says: its id, root, key,
// label, source and what it undoes. tree is the disk. Without a history there is
// nothing to record, and nothing to end.
func Begin(ctx context.Context, h *store.Store, apply store.Apply, p plan.Plan, tree fs.FS) (*store.Pending, error) {
	if h == nil {
		return nil, nil
	}
	apply.Time, apply.Files = time.Now(), recorded(p)
	apply.Made, apply.Pruned = expected(tree, p)
	return h.Begin(ctx, apply)
}

// Finish records that what was begun is made, with the folders that were made and
// removed on the way, and drops what the history need not keep any longer.
func Finish(ctx context.Context, h *store.Store, p *store.Pending, folders workspace.Folders) error {
	if p == nil {
		return nil
	}
	if err := p.Finish(ctx, folders.Made, folders.Removed); err != nil {
		return err
	}
	return h.Prune(ctx, time.Now(), Limits(settings.Default()))
}

// Limits are how much history is kept by settings.
func Limits(s settings.Settings) store.Limits {
	return store.Limits{Age: time.Duration(max(s.HistoryMaxAge, 0)) * 24 * time.Hour, Size: int64(max(s.HistoryMaxSize, 0)) << 20}
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
func Write(ctx context.Context, root *workspace.Root, stateDir, id string, p plan.Plan) (workspace.Folders, error) {
	return root.Commit(ctx, stateDir, transaction(id, p))
}

// transaction is what the disk has to do for a plan.
func transaction(id string, p plan.Plan) workspace.Transaction {
	tx := workspace.Transaction{ID: id, Prune: p.Prune}
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
			tx.Ops = append(tx.Ops, workspace.Op{Path: f.Path, Before: before, After: after})
		}
	}
	return tx
}

// onDisk is the content as the disk transaction takes it, a link as one; nil for a
// folder, which the transaction makes and removes by name.
func onDisk(c plan.Content) *workspace.File {
	if !c.Exists || c.Mode.IsDir() {
		return nil
	}
	return &workspace.File{Data: c.Data, Mode: c.Mode}
}

// LastApply is the id of the apply of a reply to root that was recorded last and is
// in force. The error is [store.ErrNotFound] where there is none.
func LastApply(ctx context.Context, h *store.Store, root string) (string, error) {
	applies, err := h.List(ctx, root, 0)
	if err != nil {
		return "", err
	}
	for _, a := range applies {
		if !a.Reverted && a.Undoes == "" {
			return a.ID, nil
		}
	}
	return "", fmt.Errorf("nothing to revert in %s: %w", root, store.ErrNotFound)
}
