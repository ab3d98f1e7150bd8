package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aptix-dev/aptix/server/internal/apply"
)

// source is the name of this front end in the history and the file set.
const source = "cli"

// A diskWriter writes to disk and shows the progress on a terminal.
type diskWriter struct {
	apply.Disk
	terminal io.Writer
}

// Write writes like [apply.Disk.Write], and shows the progress.
func (w diskWriter) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	defer showProgress(w.terminal, "writing")()
	return w.Disk.Write(ctx, id, p, ready)
}

// refused prints the reason why nothing was written. If a file changed while the command ran,
// it does not blame the input.
func refused(w io.Writer, r *apply.Refusal) error {
	if r.Reason == apply.ChangedMeanwhile {
		return errors.New(r.Message)
	}
	fmt.Fprintf(w, "aptix: nothing was written: %s\n", r.Message)
	return errInput
}

// printWarnings prints the warnings about a change that was made.
func printWarnings(w io.Writer, o apply.Outcome) {
	if o.NotRecorded != nil {
		fmt.Fprintf(w, "aptix: the change is made, but it is not in the history: %v\n", o.NotRecorded)
	}
	if o.NotUploaded != nil {
		fmt.Fprintf(w, "aptix: the change is made, but was not uploaded to the file set, where nothing was overwritten: %v\n", o.NotUploaded)
	}
	for _, m := range o.Result.Warnings {
		if m.Code == apply.NotKept {
			fmt.Fprintf(w, "aptix: %s\n", m.Message)
		}
	}
}
