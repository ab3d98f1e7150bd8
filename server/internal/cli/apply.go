package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aptix-dev/aptix/server/internal/apply"
)

// source is what the history and the file set call this front end.
const source = "cli"

// A diskWriter writes to disk and shows that on a terminal.
type diskWriter struct {
	apply.Disk
	terminal io.Writer
}

// Write is [apply.Disk.Write].
func (w diskWriter) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	defer showProgress(w.terminal, "writing")()
	return w.Disk.Write(ctx, id, p, ready)
}

// refused says why nothing was written. That a file changed while the command ran is no
// error of the input.
func refused(w io.Writer, r *apply.Refusal) error {
	if r.Reason == apply.ChangedMeanwhile {
		return errors.New(r.Message)
	}
	fmt.Fprintf(w, "aptix: nothing was written: %s\n", r.Message)
	return errInput
}

// printWarnings says what did not go as it should, besides the change.
func printWarnings(w io.Writer, o apply.Outcome) {
	if o.NotRecorded != nil {
		fmt.Fprintf(w, "aptix: the change is made, but it is not in the history: %v\n", o.NotRecorded)
	}
	if o.NotUploaded != nil {
		fmt.Fprintf(w, "aptix: the change is made, but not in the file set, where nothing was overwritten: %v\n", o.NotUploaded)
	}
	for _, m := range o.Result.Warnings {
		if m.Code == apply.NotKept {
			fmt.Fprintf(w, "aptix: %s\n", m.Message)
		}
	}
}
