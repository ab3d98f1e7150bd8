package check

import (
	"context"
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/history"
)

func OnDisk(root *disk.Root, name string, h *history.Store, allowProtected bool) Where {
	tree := root.Tree(nil)
	where := Where{Tree: tree, Base: filepath.ToSlash(root.Dir()), ProtectedIs: diag.Error,
		DocPath: docpath.Folder{Names: []string{name}, Tree: tree}.Lookup}
	if !allowProtected {
		where.Protected = func(ctx context.Context, paths []string) (map[string]bool, error) {
			return disk.ProtectedAmong(ctx, root.Dir(), paths)
		}
	}
	where.Earlier = Earlier(h, root.Dir())
	if h != nil {
		where.Remembered = Remembered(h, root.Dir(), tree)
		where.Snippet, where.Version = Snippet(h), Version(h, root.Dir())
	}
	return where
}

func FolderName(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil {
		full = dir
	}
	return filepath.Base(full)
}
