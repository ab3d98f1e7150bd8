package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
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

// ask returns the function that asks the person at the terminal whether to make a change. It returns nil if nobody can
// answer, because standard input is not a terminal, or a document is read from it.
func (r *run) ask() func(context.Context, *apply.Proposal) (bool, error) {
	fromInput := slices.ContainsFunc(r.docs, func(d check.Document) bool { return d.Name == "-" })
	if fromInput || !isTerminal(r.std.In) {
		return nil
	}
	return func(ctx context.Context, p *apply.Proposal) (bool, error) { return askPerson(ctx, r.std, p.Question) }
}

// askPerson asks on standard error, and waits for a line of input or until `ctx` ends. Only y and yes count as
// agreement.
func askPerson(ctx context.Context, std IO, question string) (bool, error) {
	fmt.Fprintf(std.Err, "%s\nApply? [y/N] ", question)
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(std.In).ReadString('\n')
		answers <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case a := <-answers:
		if a.err != nil && a.err != io.EOF {
			return false, fmt.Errorf("standard input: %w", a.err)
		}
		said := strings.ToLower(strings.TrimSpace(a.line))
		return said == "y" || said == "yes", nil
	}
}

func unanswered(result *check.Result) string {
	var codes []string
	for _, d := range result.Doubts() {
		if code := string(d.Code); !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return fmt.Sprintf("the change needs your confirmation (%s); look at it with `aptix diff`, then apply it with --yes, or send a corrected reply", strings.Join(codes, ", "))
}
