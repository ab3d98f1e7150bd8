package plan

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The memory of one plan is limited (rule R45), because a few lines of a reply can require any amount of memory: a long
// replacement for a text that occurs in a million places, deltas of large files, or moving a folder of videos. The
// limit is a number of bytes and not a time, so that every machine stops at the same place of a reply.

// mostHeld limits the total size of all files in a plan, in bytes. A file counts once as read, and once more after each
// block that changes it.
const mostHeld = 512 << 20

// Costs in units of the meter, mostly of system calls.
const (
	eachNamed  = 30_000  // a file that the reply names
	eachStored = 100_000 // a file or a new folder that is written
	eachLevel  = 12_000  // each folder above a written file
)

// affordWriting checks whether the meter has enough units left to write the files. If not, it spends all of them.
// Otherwise it spends none: a reply may be planned several times but is written only once.
func (b *builder) affordWriting(files []File) {
	cost := 0
	for _, f := range files {
		cost += eachStored + eachLevel*strings.Count(f.Target(), "/")
	}
	if cost > b.Meter.Left() {
		b.Meter.Pay(cost)
	}
}

type room struct {
	held  int
	grown int // the number of bytes that the steps and copies of the current block have added
	most  int
}

func (r *room) tooLarge() *diag.Diagnostic {
	return diag.Unplaced(diag.ReplyTooLarge, fmt.Sprintf("up to here, the old and new contents of the reply's files are larger than %d MB in total, so the rest is not checked; send the changes in several replies", r.most>>20))
}

// TooMuchWork returns the error for a reply that has spent its meter.
func TooMuchWork() diag.Diagnostic {
	return *diag.Unplaced(diag.ReplyTooLarge, "checking this reply takes more work than Aptix allows for one reply, so the rest is not checked; split the reply, and search for texts that occur only once in their files")
}

// grow counts the bytes that edits add to a text. It returns a diagnostic if the text or the plan becomes too large.
func (r *room) grow(t *place.Text, edits []text.Edit) *diag.Diagnostic {
	size := t.Len()
	for _, e := range edits {
		size += len(e.New) - e.Span.Len()
	}
	if size > MaxFile {
		return diag.Unplaced(diag.ReplyTooLarge, fmt.Sprintf("after the edit, the size of the file would be %d MB; files above %d MB are not edited", size>>20, MaxFile>>20))
	}
	if r.grown += max(size-t.Len(), 0); r.held+r.grown > r.most {
		return r.tooLarge()
	}
	return nil
}

// read reads a file, unless the file exceeds the plan's limit. It also raises the limit of work by the cost of reading
// the file.
func (b *builder) read(key string) (text.Content, *diag.Diagnostic, error) {
	if info, err := fs.Lstat(b.tree, key); err == nil && info.Mode().IsRegular() && info.Size() <= MaxFile {
		b.Meter.Allow(int(info.Size()))
		if b.room.held += int(info.Size()); b.room.held > b.room.most {
			return text.Content{}, b.room.tooLarge(), nil
		}
	}
	return read(b.tree, key)
}

// hasRoom is called before a block is planned. It reports whether the reply is still within its limits. If not, it adds
// an error to the block.
func (b *builder) hasRoom(d *draft) bool {
	b.room.grown = 0
	return len(d.set.Changes) == 0 || b.isWithin(d, d.set.Changes[0])
}

// isWithin reports whether the reply is still within its limits. If not, it adds an error at the path of a change.
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

// cutOff adds the error that ends the plan in this block, unless the block already has such an error.
func (d *draft) cutOff(why diag.Diagnostic) {
	if n := len(d.found); n == 0 || d.found[n-1].Code != diag.ReplyTooLarge {
		d.report(why)
	}
}

// takeRoom counts the bytes of the files that a block has changed. If they exceed the limit, it adds an error to the
// block.
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
