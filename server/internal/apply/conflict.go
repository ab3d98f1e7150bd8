package apply

import (
	"fmt"
	"io/fs"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Conflict is a file that has changed since the apply.
type Conflict struct {
	protocol.RevertConflict
	// Merged removes only the changes of the apply, and keeps all later edits. It is set only if Mergeable is true.
	Merged plan.File
	// Back restores the content from before the apply, and drops the later edits. Applied is the content right after
	// the apply. With both, a person can merge by hand. Both are set only if Clashes is not empty.
	Back    plan.File
	Applied text.Content
}

// conflict describes how a file has changed since the apply, and tries to merge these later changes with the revert.
func conflict(f history.File, now text.Content) Conflict {
	c := newConflict(f.Path, "")
	switch {
	case !now.Exists:
		c.Why = "it is gone"
	case !f.After.Exists:
		c.Why = "it was deleted, but " + kindOf(now) + " with different content was created at its path"
	case now.Mode.Type() != f.After.Mode.Type():
		c.Why = "it is " + kindOf(now) + " now"
	case now.Mode.Type() == fs.ModeSymlink:
		c.Why = "it now leads elsewhere"
	case !f.Before.Exists:
		c.Why = "it was created, and has been edited since"
	default:
		c.Why = "it has been edited since"
		if f.Before.Mode.IsRegular() && now.Mode.IsRegular() {
			c.merge(f, now)
		}
	}
	return c
}

func newConflict(path, why string) Conflict {
	return Conflict{RevertConflict: protocol.RevertConflict{Path: path, Why: why, Clashes: []protocol.Range{}}}
}

func kindOf(c text.Content) string {
	switch c.Mode.Type() {
	case fs.ModeDir:
		return "a folder"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeIrregular:
		return fmt.Sprintf("a file of more than %d MB", plan.MaxFile>>20)
	}
	return "a file"
}

// merge removes the changes of the apply from a file, and keeps the later changes. Each line keeps its current ending.
// Endings are not compared, because an editor may have changed all of them.
func (c *Conflict) merge(f history.File, now text.Content) {
	base, _, err1 := text.Decode(f.After.Data)
	ours, enc, err2 := text.Decode(now.Data)
	theirs, _, err3 := text.Decode(f.Before.Data)
	if err1 != nil || err2 != nil || err3 != nil {
		c.Why += ", and is not text"
		return
	}
	b, o, t := text.WithEOL(base, text.LF), text.WithEOL(ours, text.LF), text.WithEOL(theirs, text.LF)
	if b == t && base != theirs {
		c.Why += ", and only line endings were changed"
		return
	}
	merged, clashes := diff.Merge(b, o, t)
	if clashes != nil {
		for _, clash := range clashes {
			c.Clashes = append(c.Clashes, protocol.Range{Start: protocol.Position{Line: clash.Ours.Start}, End: protocol.Position{Line: clash.Ours.End}})
		}
		c.Back = plan.File{Path: f.Path, Operation: plan.Modify, State: plan.Change, Before: now, After: f.Before}
		c.Applied = f.After
		c.Why += fmt.Sprintf(" in the same place (%s)", lineNames(c.Clashes))
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

// lineNames names lines for people, for example "line 3, lines 7 to 9", counted from 1. For an empty range, it names
// the line below the range.
func lineNames(all []protocol.Range) string {
	s := ""
	for i, l := range all {
		if i == 10 {
			return s + fmt.Sprintf(" and %d more", len(all)-i)
		}
		if i > 0 {
			s += ", "
		}
		s += text.LineNames(l.Start.Line+1, l.End.Line)
	}
	return s
}
