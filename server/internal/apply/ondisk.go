package apply

import (
	"context"
	"errors"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/history"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// OnDisk is how documents are checked that are about a folder on disk, where nobody
// can be asked: a protected path is an error, unless it is allowed. name is what
// docPaths call the folder; h may be nil.
// FolderName is what docPaths call a folder on disk: its name as it was given,
// whatever it is a link to.
// Apply makes a result true on disk, which [Result.Applicable] says can be done, and
// gives its line patches their ids. id is that of the record, of which label and
// source are taken; it is empty where there was nothing to write. Errors are those
// of [Make].
func Apply(ctx context.Context, h *history.Store, root *disk.Root, stateDir, label, source string, r *check.Result) (id string, untold, err error) {
	unknown := r.Identify(ctx, h, root.Dir())
	if len(r.Plan.Files) == 0 {
		return "", unknown, nil
	}
	record := history.Apply{ID: history.NewID(), Root: root.Dir(), Key: r.Key, Label: label, Source: source, Batches: r.Applying()}
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
func TakeBack(ctx context.Context, h *history.Store, root *disk.Root, stateDir, source string, apply history.Apply, merge bool, behind func([]plan.File) (why string, err error)) (answer protocol.RevertResult, untold, err error) {
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
	record := back.Record(history.NewID(), source)
	untold, err = Make(ctx, h, root, stateDir, record, p)
	if changed, ok := errors.AsType[*disk.ChangedError](err); ok {
		answer.Message = "not reverted: " + changed.Error()
		return answer, nil, nil
	}
	if err == nil {
		answer.Applied, answer.Verified, answer.ID, answer.Files = true, true, record.ID, check.ReportFiles(p.Files)
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
// any. The errors are those of [history.Store.Get], and [LastApply].
func FindApply(ctx context.Context, h *history.Store, id, dir string) (history.Apply, error) {
	if id == "" {
		last, err := LastApply(ctx, h, dir)
		if err != nil {
			return history.Apply{}, err
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
func Overwrite(ctx context.Context, h *history.Store, root *disk.Root, stateDir string, record history.Apply, path, data string) (files []plan.File, untold, err error) {
	now, err := check.Current(root.Tree(nil), path)
	if err != nil {
		return nil, nil, err
	}
	then := now
	then.Data = data
	if files = appendChange(nil, path, now, then); len(files) == 0 {
		return nil, nil, nil
	}
	record.ID, record.Root = history.NewID(), root.Dir()
	untold, err = Make(ctx, h, root, stateDir, record, plan.Plan{Files: files})
	return files, untold, err
}
