package plan

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A few lines of a reply can ask for any amount of memory: a find that occurs in a million
// places and has a long replacement, deltas of large files, moving a folder of videos. So the
// memory of one plan is limited. The limit counts bytes, never time, so that the same reply
// is cut off at the same place everywhere. Rule R45.

// mostHeld is the most bytes of files in a plan, counting each file as it was read and as
// each block leaves it.
const mostHeld = 512 << 20

// The costs, in units, of a file that the reply names, of a file or new folder that is written,
// and of each folder above it. All of these are mostly calls of the system.
const (
	eachNamed  = 30_000
	eachStored = 100_000
	eachLevel  = 12_000
)

// affordWriting spends the whole meter if the remaining units do not suffice to write files. It spends
// nothing otherwise, because a reply may be planned several times, but is written once.
func (b *builder) affordWriting(files []File) {
	cost := 0
	for _, f := range files {
		cost += eachStored + eachLevel*strings.Count(f.Target(), "/")
	}
	if cost > b.Meter.Left() {
		b.Meter.Pay(cost)
	}
}

// A room counts the bytes of files in the plan so far.
type room struct {
	held  int
	grown int // the bytes that steps and copies of the present block have added
	most  int
}

func (r *room) tooLarge() *diag.Diagnostic {
	return pathProblem(diag.ReplyTooLarge, fmt.Sprintf("up to here, the files of the reply have more than %d MB before and after the changes, so the rest is not checked; send the changes in parts", r.most>>20))
}

// TooMuchWork returns the error for a reply that spent its meter.
func TooMuchWork() diag.Diagnostic {
	return *pathProblem(diag.ReplyTooLarge, "checking the reply exceeds the limit of work for one reply, so nothing from here on is checked; send fewer changes at once, and look for texts that occur only once in their files")
}

// grow reserves room for the result of edits. It returns a diagnostic if there is not enough.
func (r *room) grow(t *locate.Text, edits []text.Edit) *diag.Diagnostic {
	size := t.Len()
	for _, e := range edits {
		size += len(e.New) - e.Span.Len()
	}
	if size > MaxFile {
		return pathProblem(diag.ReplyTooLarge, fmt.Sprintf("the edit would make the file %d MB large; files above %d MB are not edited", size>>20, MaxFile>>20))
	}
	if r.grown += max(size-t.Len(), 0); r.held+r.grown > r.most {
		return r.tooLarge()
	}
	return nil
}

// read is like the function [read], but first checks that there is room for the file.
func (b *builder) read(key string) (text.Content, *diag.Diagnostic, error) {
	if info, err := fs.Lstat(b.tree, key); err == nil && info.Mode().IsRegular() && info.Size() <= MaxFile {
		b.Meter.Allow(int(info.Size()))
		if b.room.held += int(info.Size()); b.room.held > b.room.most {
			return text.Content{}, b.room.tooLarge(), nil
		}
	}
	return read(b.tree, key)
}

// hasRoom reports whether the reply is still within its limits before a block is planned. If not, it
// adds an error to the block.
func (b *builder) hasRoom(d *draft) bool {
	b.room.grown = 0
	return len(d.set.Changes) == 0 || b.isWithin(d, d.set.Changes[0])
}

// isWithin reports whether the reply is within its limits. If not, it reports a diagnostic at a
// change.
func (b *builder) isWithin(d *draft, c intent.Change) bool {
	switch {
	case b.Meter.Spent():
		d.cutOff(at(c, TooMuchWork()))
		return false
	case b.room.held+b.room.grown > b.room.most:
		d.cutOff(at(c, *b.room.tooLarge()))
		return false
	}
	return true
}

// cutOff reports that the plan ends in this block, unless the block already has such a report.
func (d *draft) cutOff(why diag.Diagnostic) {
	if n := len(d.found); n == 0 || d.found[n-1].Code != diag.ReplyTooLarge {
		d.report(why)
	}
}

// takeRoom counts the bytes of the files as a block leaves them. If they exceed the limit, it reports
// an error in the block.
func (b *builder) takeRoom(d *draft) {
	for _, t := range d.traces {
		e := b.files[t.path]
		if d.byKey[t.path] != t || e == nil || e.now.sameBytes(t.before) {
			continue
		}
		if b.room.held += e.now.len(); b.room.held > b.room.most {
			d.cutOff(at(t.by, *b.room.tooLarge()))
			return
		}
	}
}
