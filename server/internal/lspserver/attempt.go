package lspserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// An attempt makes a plan true through two hands: the server's on disk, which come
// first, and the editor's. Whatever fails, what was done is taken back.
type attempt struct {
	*Server
	*checked
	division
	record  history.Apply    // as the history has it
	pending *history.Pending // nil where there is no history
	made    []string         // folders for the editor's new files, parents first
	folders disk.Folders     // that the server's part made and removed
}

// run asks the editor for its part, looks what became of all, and finishes or takes
// back. What the server writes was written before.
func (a *attempt) run(ctx context.Context) aptix.ApplyResult {
	applied, why := true, ""
	if len(a.editor) > 0 {
		answer, err := a.edit(ctx, a.view, label(a.checked), a.editor)
		if err != nil {
			return a.giveUp(ctx, err.Error())
		}
		applied, why = answer.Applied, reason(answer)
	}
	ctx = context.WithoutCancel(ctx)
	seen := a.verify(ctx, a.view.folder, a.editor, applied)
	if applied && seen.partial(a.opensTouched()) || !applied && seen.any(stands, begun) {
		return a.rollBack(ctx, seen, why)
	}
	if !applied {
		return a.giveUp(ctx, "The editor refused the change: "+why)
	}
	return a.finish(ctx, seen)
}

// write makes a part of the plan true on disk, as the transaction id.
func (a *attempt) write(ctx context.Context, id string, p plan.Plan) (disk.Folders, error) {
	if len(p.Files) == 0 {
		return disk.Folders{}, nil
	}
	return apply.Write(ctx, a.view.root, a.config.StateDir, id, p)
}

// giveUp is the end of an attempt of which the editor did nothing.
func (a *attempt) giveUp(ctx context.Context, why string) aptix.ApplyResult {
	r := refused(a.checked, why)
	a.unwrite(ctx, &r)
	return r
}

// unwrite takes back what the server wrote. That fails where somebody else has
// written there since.
func (a *attempt) unwrite(ctx context.Context, r *aptix.ApplyResult) {
	back := a.disk.Invert()
	back.Prune = a.folders.Made
	_, err := a.write(context.WithoutCancel(ctx), a.record.ID+" back", back)
	a.view.root.RemoveDirs(a.folders.Made) // nothing was ever in some
	if err != nil {
		a.conn.Log().Error("what was written could not be taken back", zap.Error(err))
		paths := targets(a.disk.Files)
		r.RolledBack = false
		r.Left = append(r.Left, paths...)
		r.Message += fmt.Sprintf("; %s could not be taken back: %v", strings.Join(paths, ", "), err)
	}
}

// rollBack takes back what a partial edit did, and nothing that somebody else
// did since.
func (a *attempt) rollBack(ctx context.Context, seen sights, why string) aptix.ApplyResult {
	r := refused(a.checked, "The editor made only a part of the change ("+why+"); ")
	r.Left = seen.paths(differs)
	if a.takeBack(ctx, seen.back()) {
		r.RolledBack = true
		r.Message += "that part was taken back"
	} else {
		r.Left = append(r.Left, seen.paths(stands, begun)...)
		r.Message += "it could not be taken back"
	}
	if len(r.Left) > 0 {
		r.Message += "; left as they are: " + strings.Join(r.Left, ", ")
	}
	a.unwrite(ctx, &r)
	return r
}

func (a *attempt) takeBack(ctx context.Context, back []plan.File) bool {
	now := a.view.folder.view(a.docs.Snapshot())
	if _, err := a.edit(ctx, now, "Undo "+label(a.checked), back); err != nil {
		a.conn.Log().Error("a partial edit could not be taken back", zap.Error(err))
		return false
	}
	return a.verify(ctx, now.folder, back, true).all(stands)
}

// finish does what has to wait until the edit stands, and is the result of one that
// stays.
func (a *attempt) finish(ctx context.Context, seen sights) aptix.ApplyResult {
	unset := a.setModes()
	removed := a.removeDirs()
	written := look(a.view, slices.Concat(a.disk.Files, a.dirs))
	r := result(a.checked)
	r.ID, r.Applied, r.Batches = a.record.ID, true, a.Batches()
	r.Left = append(seen.paths(differs), written.paths(unchanged, unseen, begun, differs)...)
	r.Verified = seen.all(stands) && written.all(stands) && unset == nil
	r.Message = "Applied " + filesText(a.Plan.Files)
	if a.record.Undoes != "" {
		r.Message = "Reverted " + filesText(a.Plan.Files)
	}
	if r.Lasting = a.lasting(); r.Lasting != "" {
		r.Message += "; " + r.Lasting
	}
	switch unsure := seen.paths(unseen, begun, unchanged); {
	case len(r.Left) > 0:
		r.Message += "; edited by somebody else meanwhile: " + strings.Join(r.Left, ", ")
	case len(unsure) > 0:
		r.Message += "; not verified, as the editor does not show the server: " + strings.Join(unsure, ", ")
	}
	if unset != nil {
		r.Message += fmt.Sprintf("; an executable bit could not be set: %v", unset)
	}
	a.remember(ctx, a.pending, disk.Folders{Made: slices.Concat(a.made, a.folders.Made), Removed: slices.Concat(a.folders.Removed, removed)})
	a.choices.forget(a.uri, a.Blocks)
	return r
}

// removeDirs removes the folders that are to go, if they are empty, and returns
// those that went, the outermost first.
func (a *attempt) removeDirs() (removed []string) {
	there := func(dir string) bool { return a.view.onDisk(dir).Mode.IsDir() }
	dirs := slices.DeleteFunc(slices.Clone(a.prune), func(dir string) bool { return !there(dir) })
	a.view.root.RemoveDirs(dirs)
	return slices.DeleteFunc(dirs, there)
}

// setModes sets the executable bits of files that the editor made or left. The
// error is that of the first one that cannot be, such as a file that the editor
// has not saved yet.
func (a *attempt) setModes() (first error) {
	for _, f := range a.modes {
		if err := a.view.root.SetExecutable(f.Target(), executable(f.After)); err != nil && first == nil {
			first = err
		}
	}
	return first
}
