package apply

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/merge"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Reversal is the way back from an apply, as the tree is now. Nothing of it is to
// be written while there are conflicts, unless [Reversal.Merged] has an answer and
// the person wants it.
//
// A reversal that is made is an apply of its own in the history, which names what it
// undoes: so it is seen, and can be reverted too, which applies again. The apply is
// marked as reverted then, and its reply may be applied anew.
type Reversal struct {
	Apply     history.Apply
	Plan      plan.Plan  // of the files that stand as the apply left them
	Conflicts []Conflict // all other files, but for those that stand as before the apply
}

// A Conflict is a file that does not stand as the apply left it.
type Conflict struct {
	Path string
	Why  string // "it was edited since", to be read behind the path
	// The file with what the apply did taken out and all that came later kept. Of no
	// meaning where Mergeable is false.
	Merged    plan.File
	Mergeable bool
	Clashes   []merge.Lines // of the file as it is now: later edits of what the apply did
}

// Revert plans the way back from an apply, of which [history.Store.Get] gave the
// contents. tree is that of the apply's root, with what is open and not saved. A file
// counts as left as it was as with [history.Store.Standing]. The folders that the apply
// made go if they end up empty. An error is that of reading the tree, or ctx's.
func Revert(ctx context.Context, apply history.Apply, tree fs.FS) (Reversal, error) {
	r := Reversal{Apply: apply, Plan: plan.Plan{Prune: slices.Clone(apply.Made)}}
	for _, f := range apply.Files {
		if err := ctx.Err(); err != nil {
			return Reversal{}, err
		}
		now, err := check.Current(tree, f.Path)
		if err != nil {
			return Reversal{}, err
		}
		now = besideFolder(f, now)
		switch standing := f.Standing(now); {
		case standing == history.Left:
			r.Plan.Files = appendChange(r.Plan.Files, f.Path, now, restored(f, now))
		case standing == history.Moved && !stoodLike(f.Before, now):
			r.Conflicts = append(r.Conflicts, conflict(f, now))
		}
	}
	return r, nil
}

// Merged is the way back that keeps what was edited since; false where there is a
// file for which there is none.
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

// Record is what the history keeps of the reversal, once it is made as id.
func (r Reversal) Record(id, source string) history.Apply {
	return history.Apply{ID: id, Root: r.Apply.Root, Label: r.Apply.Label, Source: source, Undoes: r.Apply.ID}
}

// besideFolder is now, where a folder that the apply knew nothing of is nothing: it
// is there for the files in it.
func besideFolder(f history.File, now text.Content) text.Content {
	if now.Mode.IsDir() && !f.Before.Mode.IsDir() && !f.After.Mode.IsDir() {
		return text.Content{}
	}
	return now
}

func appendChange(files []plan.File, path string, now, then text.Content) []plan.File {
	if now == then {
		return files
	}
	before, after := now, then
	return append(files, plan.File{Path: path, Operation: plan.OperationOf(before, after), State: plan.Change, Before: before, After: after})
}

// restored is a file as before the apply, now that it stands as the apply left it.
// What the apply had no part in stays as it is now: an encoding in which an editor
// saved it, permissions.
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
	was, is := f.Before.Mode&0o111 != 0, f.After.Mode&0o111 != 0
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

// encodedAs is data in the encoding of like; as it is where either is no text.
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

// stoodLike reports whether a regular file has the text that it had before,
// whatever its encoding.
func stoodLike(before, now text.Content) bool {
	if !before.Exists || !now.Exists || !before.Mode.IsRegular() || !now.Mode.IsRegular() || before.Mode&0o111 != now.Mode&0o111 {
		return false
	}
	was, _, err := text.Decode(before.Data)
	if err != nil {
		return false
	}
	is, _, err := text.Decode(now.Data)
	return err == nil && is == was
}

// conflict says what became of a file, and looks for a way to keep it.
func conflict(f history.File, now text.Content) Conflict {
	c := Conflict{Path: f.Path}
	switch {
	case !now.Exists:
		c.Why = "it is gone"
	case !f.After.Exists:
		c.Why = "it was deleted, and there is " + kindOf(now) + " again with other content"
	case now.Mode.Type() != f.After.Mode.Type():
		c.Why = "it is " + kindOf(now) + " now"
	case now.Mode.Type() == fs.ModeSymlink:
		c.Why = "it leads somewhere else now"
	case !f.Before.Exists:
		c.Why = "it was created, and edited since"
	default:
		c.Why = "it was edited since"
		if f.Before.Mode.IsRegular() && now.Mode.IsRegular() {
			c.merge(f, now)
		}
	}
	return c
}

func kindOf(c text.Content) string {
	switch c.Mode.Type() {
	case fs.ModeDir:
		return "a folder"
	case fs.ModeSymlink:
		return "a symbolic link"
	}
	return "a file"
}

// merge takes what the apply did out of a file, and keeps what came later. It does
// not look at line endings, which editors make all alike: each line keeps the one
// that it has now.
func (c *Conflict) merge(f history.File, now text.Content) {
	base, _, err1 := text.Decode(f.After.Data)
	ours, enc, err2 := text.Decode(now.Data)
	theirs, _, err3 := text.Decode(f.Before.Data)
	if err1 != nil || err2 != nil || err3 != nil {
		c.Why += ", and is no text"
		return
	}
	b, o, t := text.WithEOL(base, text.LF), text.WithEOL(ours, text.LF), text.WithEOL(theirs, text.LF)
	if b == t && base != theirs {
		c.Why += ", and the change was one of line endings"
		return
	}
	merged, clashes := merge.Three(b, o, t)
	if clashes != nil {
		for _, clash := range clashes {
			c.Clashes = append(c.Clashes, clash.Ours)
		}
		c.Why += fmt.Sprintf(" in the same place (%s)", Lines(c.Clashes))
		return
	}
	after := now
	after.Mode = restoredMode(f, now)
	if merged != o {
		after.Data = enc.Encode(diff.KeepEndings(ours, merged))
	}
	c.Mergeable = true
	c.Merged = plan.File{Path: f.Path, Operation: plan.Modify, State: plan.Change, Before: now, After: after}
}

// Lines names lines for people, who count from 1: "line 3, lines 7 to 9". Where
// there are none between two, it is the first behind the place.
func Lines(all []merge.Lines) string {
	s := ""
	for i, l := range all {
		if i == 10 {
			return s + fmt.Sprintf(" and %d more", len(all)-i)
		}
		if i > 0 {
			s += ", "
		}
		if l.Len() < 2 {
			s += fmt.Sprintf("line %d", l.Start+1)
		} else {
			s += fmt.Sprintf("lines %d to %d", l.Start+1, l.End)
		}
	}
	return s
}
