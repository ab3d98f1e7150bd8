package cli

import (
	"context"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// change makes a change, with the file set open. If the default set of this machine fails, it goes
// on without a set. If a set that the person asked for fails, nothing is changed.
func (std IO) change(ctx context.Context, h *history.Store, stateDir string, r apply.Request) (apply.Outcome, error) {
	var opened *fileset.Set
	defer func() { closeFileSet(opened) }()
	return apply.New(h, func(ctx context.Context, named bool) (set *fileset.Set, err error) {
		where, asked := apply.FileSetAt("", stateDir, named)
		if where == "" {
			return nil, nil
		}
		opened, err = fileset.Open(ctx, where)
		if err != nil && !asked {
			fmt.Fprintf(std.Err, "aptix: going on without the file set: %v\n", err)
			return nil, nil
		}
		return opened, err
	}).Apply(ctx, r)
}

// writer returns the writer for a root that was given as dir.
func (std IO) writer(root *disk.Root, dir, stateDir string) apply.Writer {
	return diskWriter{apply.Disk{Dir: root, Names: folderOf(root, dir).Names, StateDir: stateDir}, std.Err}
}

func closeFileSet(set *fileset.Set) {
	if set != nil {
		_ = set.Close()
	}
}
