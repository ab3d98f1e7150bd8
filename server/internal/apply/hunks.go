package apply

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Hunk is a run of lines that an apply changed, or a file that it created.
type Hunk struct {
	protocol.EntryPart
	At  diff.LineRange // the current lines of the hunk in the file
	Was string         // the lines that the hunk replaced
}

// Hunks returns the hunks of an apply that are still in the files, and the paths of changed files without hunks, such
// as binary or deleted files. The apply needs the contents from [history.Store.Get]. The error comes from reading the
// tree, or from `ctx`.
func Hunks(ctx context.Context, a history.Apply, tree fs.FS) (hunks []Hunk, others []string, err error) {
	for _, f := range a.Files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		now, err := check.Current(tree, f.Path)
		if err != nil {
			return nil, nil, err
		}
		before, after, ok := sides(a, f)
		if !ok || before == after {
			others = append(others, f.Path)
			continue
		}
		if present, err := now.Text(); err == nil && now.Exists {
			hunks = append(hunks, hunksIn(f.Path, before, after, present)...)
		}
	}
	return hunks, others, nil
}

// hunksIn returns the hunks that no later edit touches. If equal lines are next to a run of added or removed lines, a
// diff may show the run at several places. A later edit touches the hunk if it touches any of these places.
func hunksIn(path, before, after, present string) (hunks []Hunk) {
	was := text.SplitLines(before)
	lines := func(s string) []string { return text.SplitLines(text.WithEOL(s, text.LF)) }
	old, new, now := lines(before), lines(after), lines(present)
	later := diff.RunsOf(new, now)
	moved := 0 // the number of lines that later edits added above the run
	for i, r := range diff.Runs(before, after) {
		up, down := slides(r, old, new)
		for len(later) > 0 && reach(later[0], new, now).End < r.NewStart-up {
			moved += later[0].NewEnd - later[0].NewStart - (later[0].OldEnd - later[0].OldStart)
			later = later[1:]
		}
		if len(later) > 0 && reach(later[0], new, now).Start <= r.NewEnd+down {
			continue
		}
		hunks = append(hunks, Hunk{
			EntryPart: protocol.EntryPart{Path: path, Hunk: i},
			At:        diff.LineRange{Start: r.NewStart + moved, End: r.NewEnd + moved},
			Was:       strings.Join(was[r.OldStart:r.OldEnd], ""),
		})
	}
	return hunks
}

// reach returns the lines of `old` that the run covers in any of its possible places.
func reach(r diff.Run, old, new []string) diff.LineRange {
	up, down := slides(r, old, new)
	return diff.LineRange{Start: r.OldStart - up, End: r.OldEnd + down}
}

// slides returns how many lines up and down a run can be moved so that the result is the same. Only a run that just
// adds lines, or just removes lines, can be moved. `old` and `new` are the lines of the two texts.
func slides(r diff.Run, old, new []string) (up, down int) {
	lines, start, end := new, r.NewStart, r.NewEnd
	if start == end {
		lines, start, end = old, r.OldStart, r.OldEnd
	} else if r.OldStart < r.OldEnd {
		return 0, 0
	}
	for up < start && lines[start-up-1] == lines[end-up-1] {
		up++
	}
	for end+down < len(lines) && lines[start+down] == lines[end+down] {
		down++
	}
	return up, down
}

// sides returns the texts of a file before and after an apply. It returns false if either of them is not text or not
// kept, if the apply deleted the file, or if it may have renamed another file to this one.
func sides(a history.Apply, f history.File) (before, after string, ok bool) {
	renames := !f.Before.Exists && slices.ContainsFunc(a.Files, func(f history.File) bool { return !f.After.Exists })
	if f.NotKept || !f.After.Exists || renames {
		return "", "", false
	}
	before, err1 := f.Before.Text()
	after, err2 := f.After.Text()
	return before, after, err1 == nil && err2 == nil
}

// Part returns an apply that consists of only one hunk, as if all other hunks had been applied before it. Reverting the
// result undoes only that hunk.
func Part(a history.Apply, part protocol.EntryPart) (history.Apply, error) {
	i := slices.IndexFunc(a.Files, func(f history.File) bool { return f.Path == part.Path })
	if i < 0 {
		return a, fmt.Errorf("%s did not change %s", ShortID(a.ID), part.Path)
	}
	f := a.Files[i]
	before, after, ok := sides(a, f)
	runs := diff.Runs(before, after)
	if !ok || part.Hunk < 0 || part.Hunk >= len(runs) {
		return a, fmt.Errorf("%s has no hunk %d in %s", ShortID(a.ID), part.Hunk, part.Path)
	}
	a.Files = []history.File{f}
	if !f.Before.Exists {
		return a, nil
	}
	old, new, r := text.SplitLines(before), text.SplitLines(after), runs[part.Hunk]
	// Decode cannot fail, because sides has found that the file is text.
	_, enc, _ := text.Decode(f.After.Data)
	without := f.After
	without.Data = enc.Encode(strings.Join(slices.Concat(new[:r.NewStart], old[r.OldStart:r.OldEnd], new[r.NewEnd:]), ""))
	a.Files[0], a.Made = f.WithBefore(without), nil
	return a, nil
}
