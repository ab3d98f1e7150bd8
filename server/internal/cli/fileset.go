package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// source is what the history and the file set call this front end.
const source = "cli"

// openFileSet is nil where there is none, or the one of this machine failed. named:
// the change names files by docPath. An error is that of a set that was asked for.
func openFileSet(ctx context.Context, w io.Writer, stateDir string, named bool) (*fileset.Set, error) {
	where, asked := apply.FileSetAt("", stateDir, named)
	if where == "" {
		return nil, nil
	}
	set, err := fileset.Open(ctx, where)
	if err != nil && !asked {
		fmt.Fprintf(w, "aptix: going on without the file set: %v\n", err)
		return nil, nil
	}
	return set, err
}

func closeFileSet(set *fileset.Set) {
	if set != nil {
		_ = set.Close()
	}
}

// behind says why files must not be changed: a shared file set has another text of
// them.
func behind(ctx context.Context, w io.Writer, set *fileset.Set, folder docpath.Folder, files []plan.File) string {
	why, err := apply.Behind(ctx, set, source, folder, files)
	if err != nil {
		fmt.Fprintf(w, "aptix: %v\n", err)
	}
	return why
}

// upload tells the file set of a change that is made.
func upload(ctx context.Context, w io.Writer, set *fileset.Set, folder docpath.Folder, files []plan.File, named map[string]bool) {
	if err := apply.Upload(ctx, set, source, folder, files, named, nil); err != nil {
		fmt.Fprintf(w, "aptix: the change is made, but not in the file set, where nothing was overwritten: %v\n", err)
	}
}
