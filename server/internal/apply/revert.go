package apply

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Reversal is the plan to revert an apply, made for the current tree.
//
// A revert is recorded as a separate apply, which names the apply that it undoes. The revert therefore appears in lists
// of applies and can itself be reverted. The apply that was undone is marked as reverted, so that its reply may be
// applied again.
type Reversal struct {
	Plan      plan.Plan  // the changes of the files that nobody has edited since the apply
	Conflicts []Conflict // all other files, except those in Already
	Already   []string   // the files that are already as they were before the apply
}

// PlanRevert plans the revert of an apply, whose contents must be loaded with [history.Store.Get]. `tree` has the files
// of the apply's root, with unsaved text of open documents. [history.File.Standing] defines when a file counts as
// edited since the apply. Folders that the apply created are removed if they become empty. The only possible error is
// the error of `ctx`.
func PlanRevert(ctx context.Context, apply history.Apply, tree fs.FS) (Reversal, error) {
	return planRevert(ctx, apply, func(path string) (text.Content, error) { return check.Current(tree, path) })
}

// FirstClash reverts the applies in order, without writing anything. It returns the index of the first apply that
// cannot be reverted, with its conflicts, or -1. The applies and `tree` are as for [PlanRevert].
func FirstClash(ctx context.Context, applies []history.Apply, tree fs.FS) (int, []Conflict, error) {
	reverted := map[string]text.Content{}
	for i, a := range applies {
		back, err := planRevert(ctx, a, func(path string) (text.Content, error) {
			if c, ok := reverted[path]; ok {
				return c, nil
			}
			return check.Current(tree, path)
		})
		if err != nil || len(back.Conflicts) > 0 {
			return i, back.Conflicts, err
		}
		for _, f := range back.Plan.Files {
			reverted[f.Path] = f.After
		}
	}
	return -1, nil, nil
}

func planRevert(ctx context.Context, apply history.Apply, current func(path string) (text.Content, error)) (Reversal, error) {
	r := Reversal{Plan: plan.Plan{Prune: slices.Clone(apply.Made)}}
	for _, f := range apply.Files {
		if err := ctx.Err(); err != nil {
			return Reversal{}, err
		}
		now, err := current(f.Path)
		if err != nil {
			r.Conflicts = append(r.Conflicts, newConflict(f.Path, fmt.Sprintf("it cannot be read: %v", err)))
			continue
		}
		now = withoutNewFolder(f, now)
		switch standing := f.Standing(history.See(now)); {
		case f.NotKept && f.Before.Exists && standing != history.Undone:
			r.Conflicts = append(r.Conflicts, newConflict(f.Path, "its contents were not kept, because git ignores the file"))
		case standing == history.Left:
			r.Plan.Files = appendChange(r.Plan.Files, f.Path, now, restored(f, now))
		case standing == history.Moved && !sameText(f.Before, now):
			c := conflict(f, now)
			// The later changes only took back parts of the apply, so there are no later edits to keep.
			if apply.Partly && c.Mergeable && sameText(f.Before, c.Merged.After) {
				r.Plan.Files = appendChange(r.Plan.Files, f.Path, now, c.Merged.After)
				continue
			}
			r.Conflicts = append(r.Conflicts, c)
		default:
			r.Already = append(r.Already, f.Path)
		}
	}
	return r, nil
}

// Merged returns the plan of a revert that keeps later edits. It returns false if any file cannot be merged.
func (r Reversal) Merged() (plan.Plan, bool) {
	p := plan.Plan{Files: slices.Clone(r.Plan.Files), Prune: r.Plan.Prune}
	for _, c := range r.Conflicts {
		if !c.Mergeable {
			return plan.Plan{}, false
		}
		p.Files = appendChange(p.Files, c.Path, c.Merged.Before, c.Merged.After)
	}
	return p, true
}

// RevertOf proposes to revert an apply. The apply and `tree` are as for [PlanRevert]. If `merge` is true, later edits
// are kept. If conflicts remain, the proposal is refused.
//
// If a file is already as it was before an apply by an editor, the change may have been taken back or may be unsaved. A
// source that sees only the disk cannot tell which. If this source marked the apply as reverted, the editor that has
// the change could no longer revert the apply. Therefore the revert is refused.
func RevertOf(ctx context.Context, apply history.Apply, w Writer, tree fs.FS, merge bool, source string) (Proposal, error) {
	p := Proposal{Writer: w}
	p.Record.Label, p.Record.Source, p.Record.Undoes = apply.Label, source, apply.ID
	if apply.Reverted {
		p.Nothing = ShortID(apply.ID) + " has already been reverted"
		return p, nil
	}
	back, err := PlanRevert(ctx, apply, tree)
	if err != nil {
		return p, err
	}
	p.Plan, p.Conflicts, p.Agreed = back.Plan, back.Conflicts, map[string]bool{}
	for _, f := range apply.Files {
		p.Agreed[f.Path] = f.Agreed
	}
	p.Nothing = "nothing to revert: the files are already as they were before " + ShortID(apply.ID)
	if len(back.Already) > 0 && inEditor(apply.Source) && !inEditor(source) {
		p.Plan, p.Refused = plan.Plan{}, fmt.Sprintf("on disk, %s is already as it was before this change; an editor made the change and may not have saved it, so only that editor can revert it", back.Already[0])
		return p, nil
	}
	if len(back.Conflicts) == 0 {
		return p, nil
	}
	merged, ok := back.Merged()
	if p.Plan = merged; !merge || !ok {
		p.Plan, p.Refused = plan.Plan{}, "some files have been edited since this change"
	}
	return p, nil
}

// withoutNewFolder returns `now`. If `now` is a folder and the apply had no folder at its path, it returns the zero
// content, because the folder may exist only for the files in it.
func withoutNewFolder(f history.File, now text.Content) text.Content {
	if now.Mode.IsDir() && !f.Before.Mode.IsDir() && !f.After.Mode.IsDir() {
		return text.Content{}
	}
	return now
}

func appendChange(files []plan.File, path string, now, then text.Content) []plan.File {
	if now == then {
		return files
	}
	return append(files, plan.File{Path: path, Operation: plan.OperationOf(now, then), State: plan.Change, Before: now, After: then})
}

// restored returns a file as it was before the apply. The file must be as the apply left it. The file keeps its
// encoding and its permissions, unless the apply changed them.
func restored(f history.File, now text.Content) text.Content {
	then := f.Before
	if !then.Exists || !now.Exists || now.Mode.Type() != then.Mode.Type() || !then.Mode.IsRegular() {
		return then
	}
	if now.Data != f.After.Data {
		then.Data = encodedAs(now.Data, then.Data)
	}
	then.Mode = restoredMode(f, now)
	return then
}

func restoredMode(f history.File, now text.Content) fs.FileMode {
	was, is := text.Executable(f.Before.Mode), text.Executable(f.After.Mode)
	switch {
	case now.Mode == f.After.Mode && f.Before.Mode != 0:
		return f.Before.Mode
	case was == is || !f.After.Exists:
		return now.Mode
	case was:
		return now.Mode | now.Mode&0o444>>2
	}
	return now.Mode &^ 0o111
}

// encodedAs converts `data` to the encoding of `like`. If either of them is not text, it returns `data` unchanged.
func encodedAs(like, data string) string {
	_, enc, err := text.Decode(like)
	if err != nil {
		return data
	}
	s, _, err := text.Decode(data)
	if err != nil {
		return data
	}
	return enc.Encode(s)
}

// sameText reports whether `now` is a regular file with the same text and the same executable bit as `before`. The
// encoding does not matter.
func sameText(before, now text.Content) bool {
	if !before.Exists || !now.Exists || !before.Mode.IsRegular() || !now.Mode.IsRegular() || text.Executable(before.Mode) != text.Executable(now.Mode) {
		return false
	}
	was, _, err := text.Decode(before.Data)
	if err != nil {
		return false
	}
	is, _, err := text.Decode(now.Data)
	return err == nil && is == was
}
