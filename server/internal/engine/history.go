package engine

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/aptix-dev/aptix/server/internal/plan"
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

// current is a file as it is now. What cannot be a file is not there.
func current(tree fs.FS, path string) (store.Content, error) {
	info, err := fs.Stat(tree, path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return store.Content{}, nil
	}
	if err != nil {
		return store.Content{}, err
	}
	data, err := fs.ReadFile(tree, path)
	return store.Content{Exists: true, Data: string(data), Mode: info.Mode().Perm()}, err
}

// Record remembers that r was applied to the workspace at root, under id.
// source is the front end: cli, lsp or mcp.
func Record(ctx context.Context, h *store.Store, root, id, source, label string, r *Result) error {
	apply := store.Apply{ID: id, Time: time.Now(), Root: root, Key: r.Key, Label: label, Source: source}
	for _, f := range r.Plan.Files {
		apply.Files = append(apply.Files, store.File{Path: f.Path, Before: store.Content(f.Before), After: store.Content(f.After)})
	}
	return h.Record(ctx, apply)
}

// Write makes files of a plan true on disk, all or none. stateDir holds the
// journal that a crash is recovered from.
func Write(ctx context.Context, root *workspace.Root, stateDir, id string, files []plan.File) error {
	tx := workspace.Transaction{ID: id}
	for _, f := range files {
		tx.Ops = append(tx.Ops, workspace.Op{Path: f.Path, Before: onDisk(f.Before), After: onDisk(f.After)})
	}
	_, err := root.Commit(ctx, stateDir, tx)
	return err
}

func onDisk(c plan.Content) *workspace.File {
	if !c.Exists {
		return nil
	}
	return &workspace.File{Data: c.Data, Mode: c.Mode}
}
