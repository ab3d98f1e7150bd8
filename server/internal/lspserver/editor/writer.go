package editor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Writer changes the files of one plan, as a part of an [apply.Writer]. The server first writes the files that an
// editor cannot write, and then sends one workspace edit to the editor. If anything fails, all these changes are
// undone.
type Writer struct {
	division
	editor *Editor
	view   workspace.View
	plan   plan.Plan
	done   string // the beginning of the message after the change was made

	folders disk.Folders
}

// Writer returns the writer of a plan for the files of a view. After the change, its message begins with `done`.
func (e *Editor) Writer(v workspace.View, p plan.Plan, done string) *Writer {
	return &Writer{division: divide(p, e.operations(), e.editsOf(v)), editor: e, view: v, plan: p, done: done}
}

// editsOf returns a function that reports whether the editor may edit a file. Some editors report only documents of a
// few languages to the server. They may have any other file open, with text that the server does not have, so an edit
// for the text on disk could change the wrong text. If an editor reports in its options that it works in this way, the
// server writes the files that the editor does not report.
func (e *Editor) editsOf(v workspace.View) func(path string) bool {
	opens := e.Options().OpensTouched
	hides := opens != nil && !*opens
	return func(path string) bool { return !hides || v.Open[path] != nil }
}

// Refusal returns the reason why the editor cannot carry out the plan, or "".
func (w *Writer) Refusal() string {
	if open := w.openElsewhere(w.view); open != "" {
		return open + " is open in an editor, which cannot make this change; close the file and apply again"
	}
	return ""
}

// Root returns the folder on disk.
func (w *Writer) Root() *disk.Root { return w.view.Root }

// Folder returns the folder, with the documents that are open now over the files on disk.
func (w *Writer) Folder() paths.Folder { return w.view.Folder.View(w.editor.docs.Snapshot()).Keys() }

func (w *Writer) label() string { return "Aptix: " + plan.Summary(w.plan.Files) }

// manyFiles is the smallest number of files for which an apply shows its progress. The progress has a cancel button,
// which works until the edit is sent to the editor.
const manyFiles = 100

// Write carries out the plan for which the writer was made. `p` must contain the same plan.
func (w *Writer) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	if len(p.Files) >= manyFiles {
		shown, progress := w.editor.Begin(ctx, w.label())
		defer progress.End(ctx)
		stop := context.AfterFunc(shown, func() { giveUp(ctx) })
		defer stop()
		ctx = shown
	}
	if err := ready(); err != nil {
		return apply.Written{}, err
	}
	// The server creates the folders for new files. If the editor does not save these files, the folders stay empty,
	// and are removed again.
	above := w.view.Root.MissingDirs(created(w.texts))
	defer w.view.Root.RemoveDirs(above)
	var e edited
	folders, err := w.aroundDisk(ctx, p, id, above, func() error {
		e = w.writeInEditor(ctx)
		return e.failed
	})
	if err == nil {
		w.folders = folders
		return w.complete(e.seen), nil
	}
	return w.failed(ctx, e, err)
}

// failed returns the result of a change that failed with the error `err`. `e` is the result of the workspace edit.
func (w *Writer) failed(ctx context.Context, e edited, err error) (apply.Written, error) {
	switch {
	case e.failed == errGone:
		r, torn := diskUndone(e.Written, err)
		return r, cmp.Or(torn, error(&apply.UnknownError{Message: r.Message}))
	case e.failed != nil:
		return diskUndone(e.Written, err)
	// The editor made the workspace edit, but the journal could not record that.
	case e.Applied:
		return diskUndone(w.undoEdit(context.WithoutCancel(ctx), e.seen, "The change could not be completed ("+err.Error()+")"), err)
	}
	return diskFailed(err)
}

// aroundDisk writes the files that the editor cannot write, creates the folders for new files, and then calls inEditor.
// If inEditor returns an error, aroundDisk undoes its changes. If this process exits before that, the next start undoes
// them. The folder is locked throughout.
func (w *Writer) aroundDisk(ctx context.Context, p apply.Cleared, id string, above []string, inEditor func() error) (disk.Folders, error) {
	if len(w.disk.Files) == 0 && len(above) == 0 {
		return disk.Folders{}, inEditor()
	}
	tx := p.Transaction(id, w.disk)
	tx.Make = append(tx.Make, above...)
	tx.Rest = inEditor
	return w.view.Root.Commit(ctx, w.editor.stateDir, tx)
}

func diskFailed(err error) (apply.Written, error) {
	_, changed := errors.AsType[*disk.ChangedError](err)
	_, torn := errors.AsType[*disk.RollbackError](err)
	if changed || torn {
		return apply.Written{}, err
	}
	return apply.Written{Message: err.Error()}, nil
}

// diskUndone returns the result of a change whose files on disk were restored. `r` is the result of the workspace edit,
// and `err` is the error of the disk transaction.
func diskUndone(r apply.Written, err error) (apply.Written, error) {
	torn, ok := errors.AsType[*disk.RollbackError](err)
	if !ok {
		return r, nil
	}
	r.RolledBack = false
	for _, l := range torn.Left {
		r.Left = append(r.Left, l.Path)
		r.Message += "; " + l.String()
	}
	if torn.Undo != nil {
		// The next start tries again to undo the changes on disk.
		return r, &disk.RollbackError{Cause: errors.New(r.Message), Undo: torn.Undo}
	}
	return r, nil
}

type edited struct {
	apply.Written // the result if the editor's part failed; otherwise only Applied is set
	seen          findings
	failed        error // why the editor's part was not made, or was undone
}

// errGone means that the connection to the editor was lost before the editor responded to an edit. The next start
// decides from the files whether the edit was made.
var errGone = errors.New("the editor was closed before it reported the result of the change; if the change was made, the history has it")

func notMade(r apply.Written) edited { return edited{Written: r, failed: errors.New(r.Message)} }

// writeInEditor sends the workspace edit to the editor, and verifies the result. If the editor made only some of the
// changes, these are undone.
func (w *Writer) writeInEditor(ctx context.Context) edited {
	if len(w.texts) == 0 {
		return edited{Written: apply.Written{Applied: true}}
	}
	if err := ctx.Err(); err != nil {
		return notMade(apply.Written{Message: err.Error()})
	}
	// From here on, the change cannot be cancelled, because the server must learn whether the editor made it.
	ctx, release := w.editor.conn.Outlive(ctx)
	defer release()
	defer w.editor.ShowWaiting(ctx)()
	a := w.editor.arrival(w.view.Folder, w.texts)
	defer a.End()
	answer, err := w.editor.edit(ctx, w.view, w.label(), w.texts)
	if err != nil {
		return notMade(apply.Written{Message: err.Error()})
	}
	applied, why := answer.Applied, reason(answer)
	seen := w.editor.verify(ctx, w.view.Folder, w.texts, applied, a)
	if ctx.Err() != nil {
		return edited{Written: apply.Written{Message: errGone.Error()}, failed: errGone}
	}
	if applied && seen.partial(Yes(w.editor.Options().OpensTouched)) || !applied && seen.any(asPlanned, begun) {
		return notMade(w.undoEdit(ctx, seen, "The editor made only a part of the change ("+why+")"))
	}
	if !applied {
		return notMade(refusedEdit(seen, why))
	}
	return edited{Written: apply.Written{Applied: true}, seen: seen}
}

// refusedEdit returns the result of an edit that the editor refused. It names the files that have neither their old nor
// their planned content, because they may contain a part of the edit together with text that the person typed.
func refusedEdit(seen findings, why string) apply.Written {
	r := apply.Written{Message: "The editor refused the change: " + why, Left: seen.paths(differs, formatted)}
	if len(r.Left) > 0 {
		r.Message += "; not undone, because they were changed in the meantime: " + strings.Join(r.Left, ", ")
	}
	return r
}

func (w *Writer) undoEdit(ctx context.Context, seen findings, why string) apply.Written {
	r := apply.Written{Message: why + "; ", Left: seen.paths(differs, formatted)}
	if w.invertEdit(ctx, seen.inverse()) {
		r.RolledBack = true
		r.Message += "this part was undone"
	} else {
		r.Left = append(r.Left, seen.paths(asPlanned, begun)...)
		r.Message += "this part could not be undone"
	}
	if len(r.Left) > 0 {
		r.Message += "; not undone: " + strings.Join(r.Left, ", ")
	}
	return r
}

func (w *Writer) invertEdit(ctx context.Context, back []plan.File) bool {
	now := w.view.Folder.View(w.editor.docs.Snapshot())
	a := w.editor.arrival(now.Folder, back)
	defer a.End()
	answer, err := w.editor.edit(ctx, now, "Undo "+w.label(), back)
	if err != nil {
		w.editor.conn.Log().Error("a partial edit could not be undone", zap.Error(err))
		return false
	}
	return w.editor.verify(ctx, now.Folder, back, answer.Applied, a).all(asPlanned, formatted)
}

// complete does the work that must wait until the edit is certain to stay, such as setting executable bits. It returns
// the result of the change.
func (w *Writer) complete(seen findings) apply.Written {
	unset := w.setModes()
	removed := w.removeDirs()
	onDisk := look(w.view, slices.Concat(w.disk.Files, w.dirs))
	r := apply.Written{Applied: true, Lasting: w.lasting(), Message: w.done}
	r.Left = append(seen.paths(differs), onDisk.paths(asBefore, unseen, begun, differs)...)
	r.Verified = seen.all(asPlanned, formatted) && onDisk.all(asPlanned) && unset == nil
	if r.Lasting != "" {
		r.Message += "; " + r.Lasting
	}
	if by := seen.paths(formatted); len(by) > 0 {
		r.Message += "; formatted on save: " + strings.Join(by, ", ")
	}
	switch unsure := seen.paths(unseen, begun, asBefore); {
	case len(r.Left) > 0:
		r.Message += "; also changed by another program or by hand: " + strings.Join(r.Left, ", ")
	case len(unsure) > 0:
		r.Message += "; not verified, because the editor does not report their text: " + strings.Join(unsure, ", ")
	}
	if unset != nil {
		r.Message += fmt.Sprintf("; an executable bit could not be set: %v", unset)
	}
	r.Folders = disk.Folders{Made: w.folders.Made, Removed: slices.Concat(w.folders.Removed, removed)}
	return r
}

// removeDirs removes the folders in w.prune that are empty, and returns them, outermost first.
func (w *Writer) removeDirs() (removed []string) {
	there := func(dir string) bool { return w.view.OnDisk(dir).Mode.IsDir() }
	dirs := slices.DeleteFunc(slices.Clone(w.prune), func(dir string) bool { return !there(dir) })
	w.view.Root.RemoveDirs(dirs)
	return slices.DeleteFunc(dirs, there)
}

// setModes sets the executable bits of the files in w.modes, because an editor cannot set them. It returns the first
// error, for example about a file that the editor has not saved yet.
func (w *Writer) setModes() (first error) {
	for _, f := range w.modes {
		if err := w.view.Root.SetExecutable(f.Target(), text.Executable(f.After.Mode)); err != nil && first == nil {
			first = err
		}
	}
	return first
}
