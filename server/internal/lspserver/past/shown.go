package past

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
)

// A shown maps each file to those history entries in the editor that changed the file. Each file is compared with its
// entries. If the result of a comparison changes, the editor must fetch the history again.
type shown struct {
	mu    sync.Mutex            // locked while files are read, so that a comparison misses no change
	files map[string]*shownFile // key: the absolute path

	moved   chan struct{} // has a token if `paths` is not empty
	pending sync.Mutex
	paths   map[string]bool // files and folders that changed on disk, as the editor reported
}

type shownFile struct {
	root, path string
	seen       history.Seen
	records    []history.File
}

// entries converts applies into entries for the editor, in the same order. It stores the files of the applies, so that
// [Past.WatchShown] can compare each file with its entries.
func (past *Past) entries(ctx context.Context, applies []history.Apply) ([]aptix.HistoryEntry, error) {
	h := &past.shown
	h.mu.Lock()
	defer h.mu.Unlock()
	entries, seen, err := apply.Entries(ctx, applies, past.tree)
	if err != nil {
		return nil, err
	}
	h.files = map[string]*shownFile{}
	for _, a := range applies {
		for _, f := range a.Files {
			file := apply.FileOf(a, f)
			if h.files[file] == nil {
				h.files[file] = &shownFile{root: a.Root, path: f.Path, seen: seen[file]}
			}
			h.files[file].records = append(h.files[file].records, f)
		}
	}
	return entries, nil
}

func (h *shown) add(paths []string) {
	h.pending.Lock()
	defer h.pending.Unlock()
	for _, p := range paths {
		h.paths[p] = true
	}
	select {
	case h.moved <- struct{}{}:
	default:
	}
}

func (h *shown) take() map[string]bool {
	h.pending.Lock()
	defer h.pending.Unlock()
	paths := h.paths
	h.paths = map[string]bool{}
	return paths
}

// differs compares files with their entries, and reports whether any result has changed. It compares only files that
// changed, or that are in a folder that changed.
func (h *shown) differs(changed map[string]bool, tree func(root string) fs.FS) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	trees, differs := map[string]fs.FS{}, false
	for name, f := range h.files {
		if !changedAt(changed, name) {
			continue
		}
		if _, known := trees[f.root]; !known {
			trees[f.root] = tree(f.root)
		}
		differs = f.look(trees[f.root]) || differs
	}
	return differs
}

func changedAt(changed map[string]bool, name string) bool {
	for ; !changed[name]; name = filepath.Dir(name) {
		if name == filepath.Dir(name) {
			return false
		}
	}
	return true
}

// look reads the file and compares it with its entries. It reports whether any result has changed.
func (f *shownFile) look(tree fs.FS) bool {
	if tree == nil {
		return false
	}
	content, err := check.Current(tree, f.path)
	if err != nil {
		return false
	}
	old, now := f.seen, history.See(content)
	f.seen = now
	return slices.ContainsFunc(f.records, func(r history.File) bool { return r.Standing(old) != r.Standing(now) })
}

// FilesChanged tells [Past.WatchShown] about files and folders that changed on disk.
func (past *Past) FilesChanged(changes []protocol.FileEvent) {
	var paths []string
	for _, c := range changes {
		if path, ok := past.folders.Recorded(c.URI); ok {
			paths = append(paths, path)
		}
	}
	past.shown.add(paths)
}

// WatchShown calls `tell` if files of the shown entries change, on disk or in a document, until `ctx` ends. While a
// person types, it compares these files at each pause.
func (past *Past) WatchShown(ctx context.Context, tell func()) {
	last, changed := past.docs.Watch()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-past.shown.moved:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(documents.Quiet):
		}
		var now documents.Snapshot
		now, changed = past.docs.Watch()
		paths := past.shown.take()
		for _, u := range differing(last, now) {
			if path, ok := past.folders.Recorded(u); ok {
				paths[path] = true
			}
		}
		last = now
		if len(paths) > 0 && past.shown.differs(paths, past.tree) {
			tell()
		}
	}
}

func differing(a, b documents.Snapshot) []uri.URI {
	var all []uri.URI
	for u, doc := range a.All() {
		if b.Get(u) != doc {
			all = append(all, u)
		}
	}
	for u := range b.All() {
		if a.Get(u) == nil {
			all = append(all, u)
		}
	}
	return all
}
