package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/fileset"
)

// fileSets opens the file set of one command.
type fileSets struct {
	w        io.Writer
	stateDir string
	opened   *fileset.Set
}

// open implements [apply.OpenFileSet]. It returns nil if there is no set, or if the default
// set of this machine failed. It returns an error only if a set that the person asked for
// failed.
func (f *fileSets) open(ctx context.Context, named bool) (*fileset.Set, error) {
	where, asked := apply.FileSetAt("", f.stateDir, named)
	if where == "" {
		return nil, nil
	}
	set, err := fileset.Open(ctx, where)
	if err != nil && !asked {
		fmt.Fprintf(f.w, "aptix: going on without the file set: %v\n", err)
		return nil, nil
	}
	f.opened = set
	return set, err
}

func (f *fileSets) close() { closeFileSet(f.opened) }

func closeFileSet(set *fileset.Set) {
	if set != nil {
		_ = set.Close()
	}
}
