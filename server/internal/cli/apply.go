package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// source is the name of the command line in the history and the file set.
const source = "cli"

type diskWriter struct {
	apply.Disk
	terminal io.Writer
}

// Write is like [apply.Disk.Write], but shows the progress.
func (w diskWriter) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	defer showProgress(w.terminal, "writing")()
	return w.Disk.Write(ctx, id, p, ready)
}

// refused prints the reason why nothing was written, and returns errInput. If a file changed while the command ran, it
// returns the reason as an error instead, because the input is not at fault.
func refused(w io.Writer, r *apply.Refusal) error {
	if r.Reason == apply.ChangedMeanwhile {
		return errors.New(r.Message)
	}
	fmt.Fprintf(w, "aptix: nothing was written: %s\n", r.Message)
	return errInput
}

func printWarnings(w io.Writer, o apply.Outcome) {
	if o.NotRecorded != nil {
		fmt.Fprintf(w, "aptix: the change was made, but was not recorded in the history: %v\n", o.NotRecorded)
	}
	if o.NotUploaded != nil {
		fmt.Fprintf(w, "aptix: the change was made, but not uploaded; nothing in the file set was overwritten: %v\n", o.NotUploaded)
	}
	for _, m := range o.Result.Warnings {
		if m.Code == apply.NotKept {
			fmt.Fprintf(w, "aptix: %s\n", m.Message)
		}
	}
}

// change carries out a request. If the person named a file set that cannot be opened, nothing is changed. If the
// default file set of this machine cannot be opened, change continues without a set.
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
			fmt.Fprintf(std.Err, "aptix: continuing without the file set: %v\n", err)
			return nil, nil
		}
		return opened, err
	}).Apply(ctx, r)
}

// writer returns the writer for a root. `dir` is the path of the root as the person wrote it.
func (std IO) writer(root *disk.Root, dir, stateDir string) apply.Writer {
	return diskWriter{apply.Disk{Dir: root, Names: folderOf(root, dir).Names, StateDir: stateDir}, std.Err}
}

func closeFileSet(set *fileset.Set) {
	if set != nil {
		_ = set.Close()
	}
}
