package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/workspace"
)

// OnDisk is how documents are checked that are about a folder on disk, where nobody
// can be asked: a protected path is an error, unless it is allowed. name is what
// docPaths call the folder; h may be nil.
func OnDisk(root *workspace.Root, name string, h *store.Store, allowProtected bool) Where {
	tree := root.Tree(nil)
	where := Where{Tree: tree, Base: filepath.ToSlash(root.Dir()), ProtectedIs: diag.Error,
		DocPath: docpath.Folder{Names: []string{name}, Tree: tree}.Lookup}
	if !allowProtected {
		where.Protected = func(ctx context.Context, paths []string) (map[string]bool, error) {
			return workspace.ProtectedAmong(ctx, root.Dir(), paths)
		}
	}
	if h != nil {
		where.Remembered = Remembered(h, root.Dir(), tree)
		where.Snippet, where.Version = Snippet(h), Version(h, root.Dir())
	}
	return where
}

// FolderName is what docPaths call a folder on disk: its name as it was given,
// whatever it is a link to.
func FolderName(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil {
		full = dir
	}
	return filepath.Base(full)
}

// Apply makes a result true on disk, which [Result.Applicable] says can be done, and
// gives its line patches their ids. id is that of the record, of which label and
// source are taken; it is empty where there was nothing to write. Errors are those
// of [Make].
func Apply(ctx context.Context, h *store.Store, root *workspace.Root, stateDir, label, source string, r *Result) (id string, untold, err error) {
	unknown := r.Identify(ctx, h, root.Dir())
	if len(r.Plan.Files) == 0 {
		return "", unknown, nil
	}
	record := store.Apply{ID: newID(), Root: root.Dir(), Key: r.Key, Label: label, Source: source, Batches: r.Applying()}
	untold, err = Make(ctx, h, root, stateDir, record, r.Plan)
	if err != nil {
		return "", nil, err
	}
	return record.ID, errors.Join(unknown, untold), nil
}

// TakeBack reverts an apply on disk, all or nothing; root is the apply's, and merge
// keeps what was edited since. behind is asked about what would be written, as
// [Behind] is; it may be nil. Where nothing is written, the message says why, and Verified whether
// there was nothing to do. An error is one of input and output, or behind's; untold is
// as in [Make].
func TakeBack(ctx context.Context, h *store.Store, root *workspace.Root, stateDir, source string, apply store.Apply, merge bool, behind func([]plan.File) (why string, err error)) (answer protocol.RevertResult, untold, err error) {
	answer = protocol.RevertResult{Reverts: apply.ID, Files: []protocol.File{}, Left: []string{}, Conflicts: []protocol.RevertConflict{}}
	if apply.Reverted {
		answer.Verified, answer.Message = true, ShortID(apply.ID)+" was reverted already"
		return answer, nil, nil
	}
	back, err := Revert(ctx, apply, root.Tree(nil))
	if err != nil {
		return answer, nil, err
	}
	answer.Conflicts = ReportConflicts(back.Conflicts)
	p, ok := back.choose(merge)
	switch {
	case !ok:
		answer.Message = "not reverted: not all files stand as the apply left them"
		return answer, nil, nil
	case len(p.Files) == 0:
		answer.Verified, answer.Message = true, "nothing to change: the files stand as before "+ShortID(apply.ID)
		return answer, nil, h.MarkReverted(ctx, apply.ID)
	}
	if behind != nil {
		if why, err := behind(p.Files); err != nil || why != "" {
			answer.Message = "not reverted: " + why
			return answer, nil, err
		}
	}
	record := back.Record(newID(), source)
	untold, err = Make(ctx, h, root, stateDir, record, p)
	if changed, ok := errors.AsType[*workspace.ChangedError](err); ok {
		answer.Message = "not reverted: " + changed.Error()
		return answer, nil, nil
	}
	if err == nil {
		answer.Applied, answer.Verified, answer.ID, answer.Files = true, true, record.ID, ReportFiles(p.Files)
		answer.Message = "reverted " + ShortID(apply.ID)
	}
	return answer, untold, err
}

// choose is the plan that may be written.
func (r Reversal) choose(merge bool) (plan.Plan, bool) {
	if len(r.Conflicts) == 0 {
		return r.Plan, true
	}
	if !merge {
		return plan.Plan{}, false
	}
	return r.Merged()
}

// FindApply is the apply of an id, which may be shortened, with its contents; for ""
// the last one in dir that is in force. dir is the root that it has to be in, "" for
// any. The errors are those of [store.Store.Get], and [LastApply].
func FindApply(ctx context.Context, h *store.Store, id, dir string) (store.Apply, error) {
	if id == "" {
		last, err := LastApply(ctx, h, dir)
		if err != nil {
			return store.Apply{}, err
		}
		id = last
	}
	apply, err := h.Get(ctx, id)
	if err == nil && dir != "" && apply.Root != dir {
		err = fmt.Errorf("%s was applied in %s, not in %s", id, apply.Root, dir)
	}
	return apply, err
}

// shortID is how much of an id people see. Ids begin with their time, so that those
// of one moment differ only behind it.
const shortID = 13

// ShortID is an id as people see it.
func ShortID(id string) string { return id[:min(len(id), shortID)] }

// Overwrite gives a regular file in root another content, and has the history say so, as
// record does. files is what was done, nothing where the file stands so already. Errors
// are those of [Make].
func Overwrite(ctx context.Context, h *store.Store, root *workspace.Root, stateDir string, record store.Apply, path, data string) (files []plan.File, untold, err error) {
	now, err := current(root.Tree(nil), path)
	if err != nil {
		return nil, nil, err
	}
	then := now
	then.Data = data
	if files = appendChange(nil, path, now, then); len(files) == 0 {
		return nil, nil, nil
	}
	record.ID, record.Root = newID(), root.Dir()
	untold, err = Make(ctx, h, root, stateDir, record, plan.Plan{Files: files})
	return files, untold, err
}
