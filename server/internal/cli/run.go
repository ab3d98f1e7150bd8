package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type run struct {
	std      IO
	flags    flags
	docs     []check.Document
	encoding []text.Encoding
	root     *disk.Root
	stateDir string
	history  *history.Store // nil if it could not be opened
}

// start undoes changes that a crash interrupted. Then it opens everything that a command needs.
func start(std IO, f flags, files []string) (*run, error) {
	format, err := f.formatName()
	if err != nil {
		return nil, err
	}
	stateDir, err := std.stateDir()
	if err != nil {
		return nil, err
	}
	docs, encoding, err := read(std, files, format)
	if err != nil {
		return nil, err
	}
	if f.root == "" {
		if f.root, err = defaultRoot(files); err != nil {
			return nil, err
		}
	}
	root, err := disk.Open(f.root)
	if err != nil {
		return nil, err
	}
	recovered := apply.Recover(stateDir, std.say, root.Dir())
	r := &run{std: std, flags: f, docs: docs, encoding: encoding, root: root, stateDir: stateDir}
	r.openHistory(recovered)
	return r, nil
}

// defaultRoot returns the current folder. For ap patches, it returns the folder of the file with the patch, because
// paths in ap patches are relative to it (rule A12).
func defaultRoot(files []string) (string, error) {
	root := "."
	for i, name := range files {
		folder := "."
		if f, ok := check.OfFile(name); ok && f.BesideFile {
			folder = filepath.Dir(name)
		}
		if i > 0 && folder != root {
			return "", errors.New("the paths in .ap files are relative to each file's folder, but these files are in several folders; give --root")
		}
		root = folder
	}
	return root, nil
}

// openHistory opens the history. If this fails, the command continues without a history, because a reply can also be
// applied without one.
func (r *run) openHistory(recovered []disk.Recovered) {
	history, err := apply.OpenHistory(r.stateDir, r.std.say)
	if err != nil {
		r.std.say(fmt.Sprintf("continuing without history: %v", err))
		return
	}
	r.history = history
	if err := apply.Settle(context.Background(), history, r.stateDir, recovered, nil); err != nil {
		r.std.say(err.Error())
	}
}

func (r *run) close() {
	if r.history != nil {
		_ = r.history.Close()
	}
	_ = r.root.Close()
}

func (r *run) check(ctx context.Context) (*check.Result, error) {
	defer showProgress(r.std.Err, "checking")()
	result, err := check.CheckFixed(ctx, r.docs, r.where(), r.flags.fix)
	if err == nil && len(result.Blocks) == 0 {
		printNoBlock(r.std.Err, result)
	}
	return result, err
}

// checkAndPrint checks the reply. It prints the diagnostics to standard error, or the report if --json was given.
func (r *run) checkAndPrint(ctx context.Context) (*check.Result, error) {
	result, err := r.check(ctx)
	if err == nil {
		err = r.print(ctx, result, "", r.std.Err)
	}
	return result, err
}

func (r *run) where() check.Where {
	where := check.OnDisk(r.root, check.FolderName(r.flags.root), r.history, r.flags.allowProtected)
	where.Own = r.root.PathOf(r.stateDir)
	where.SkipMissing = r.flags.skipMissing
	where.Block, where.Strict, where.Lint = r.flags.block, r.flags.strict, settings.Profile(r.flags.profile) == settings.ProfileSYS004
	return where
}

func (r *run) apply(ctx context.Context) (apply.Outcome, error) {
	w := r.std.writer(r.root, r.flags.root, r.stateDir)
	return r.std.change(ctx, r.history, r.stateDir, apply.Request{Ask: r.ask(), Yes: r.flags.yes, Propose: func(ctx context.Context) (apply.Proposal, error) {
		result, err := r.check(ctx)
		if err != nil {
			return apply.Proposal{}, err
		}
		return apply.ReplyOf(result, w, result.Label(result.Documents[0].Name), source), nil
	}})
}

// print prints the report if --json was given. Otherwise it prints the diagnostics to `w`.
func (r *run) print(ctx context.Context, result *check.Result, id string, w io.Writer) error {
	if !r.flags.json {
		r.std.printDiagnostics(w, result.Diagnostics())
		return nil
	}
	report := result.Report(ctx)
	if err := ctx.Err(); err != nil && id == "" {
		return err // the report may lack fixes, because the search for them ended with `ctx`
	}
	report.ID, report.Applied = id, id != ""
	return printJSON(r.std.Out, report)
}

// rewrite replaces the content of the file `name`. The error is a [disk.ChangedError] if the file has changed since it
// was read. If `name` is a symbolic link, rewrite changes the file to which the link leads.
func (r *run) rewrite(ctx context.Context, name, before, after string) error {
	file, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	folder, base := filepath.Split(file)
	root, err := disk.Open(filepath.Clean(folder))
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = root.Commit(ctx, r.stateDir, disk.Transaction{ID: history.NewID(), Agreed: map[string]bool{base: true},
		Ops: []disk.Op{{Path: base, Before: &disk.File{Data: before}, After: &disk.File{Data: after}}}})
	return err
}
