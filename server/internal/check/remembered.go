package check

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Past gives access to the history of a folder. Without a history, it is the zero value.
type Past struct {
	History *history.Store // the history to search, and to record the apply in
	Root    string         // the path of the folder, as the history writes it
	// Await makes a check wait for other processes that are just applying the same blocks. These processes write the
	// files before they record the apply.
	Await bool
}

// appliedMeanwhile reports whether another process has applied the blocks with this key since the check last looked at
// the history.
func (p Past) appliedMeanwhile(ctx context.Context, tree fs.FS, key string) (bool, error) {
	if !p.Await || p.History == nil || key == "" {
		return false, nil
	}
	if err := p.History.Await(ctx, p.Root, key); err != nil && !sqlitefile.Damaged(err) {
		return false, err
	}
	standing, err := p.Standing(ctx, tree, key)
	return known(standing), err
}

// Standing looks for an earlier apply of exactly the blocks with this key, and returns the files that it changed, with
// their current state. A damaged history counts as empty.
func (p Past) Standing(ctx context.Context, tree fs.FS, key string) (map[string]history.Standing, error) {
	if p.History == nil {
		return nil, nil
	}
	return p.standing(ctx, tree, key, p.History.Standing)
}

type standingFunc func(ctx context.Context, root, key string, current func(path string) (text.Content, error)) (map[string]history.Standing, error)

func (p Past) standing(ctx context.Context, tree fs.FS, key string, of standingFunc) (map[string]history.Standing, error) {
	standing, err := of(ctx, p.Root, key, func(path string) (text.Content, error) {
		now, err := Current(tree, path)
		if fspath.Unusable(err) { // another program wrote the path
			return text.Content{}, nil
		}
		return now, err
	})
	if sqlitefile.Damaged(err) {
		return nil, nil
	}
	return standing, err
}

// Current returns the content of a path as a history records it: the bytes of a file, the target of a link, or the mode
// of a folder. Anything else counts as missing. A file larger than [plan.MaxFile] is not read. Its type is
// [fs.ModeIrregular], which no record has.
func Current(tree fs.FS, path string) (text.Content, error) {
	info, err := fs.Lstat(tree, path)
	if fspath.Missing(err) || errors.Is(err, syscall.ELOOP) {
		return text.Content{}, nil
	}
	if err != nil {
		return text.Content{}, err
	}
	switch mode := info.Mode(); {
	case mode.IsRegular() && info.Size() > plan.MaxFile:
		return text.Content{Exists: true, Mode: fs.ModeIrregular}, nil
	case mode.IsRegular():
		data, err := fs.ReadFile(tree, path)
		return text.Content{Exists: true, Data: string(data), Mode: mode.Perm()}, err
	case mode.Type() == fs.ModeSymlink:
		target, err := fs.ReadLink(tree, path)
		return text.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}, err
	case mode.IsDir():
		return text.Content{Exists: true, Mode: mode & (fs.ModeDir | fs.ModePerm)}, nil
	}
	return text.Content{}, nil
}
