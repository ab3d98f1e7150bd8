// Package plan turns intended changes and a file tree into what exactly would
// happen: for every file its content before and after. It reads, and never
// writes. All blocks of a reply share one tree in memory, so that a later one
// sees what an earlier one did.
//
// Invariants: a plan of its own result has nothing to change, unless a step says
// so with a warning; Before is what the tree held when the plan was built, and
// whoever writes must check that it still does; a file with an error has
// Before == After.
package plan

import (
	"context"
	"io/fs"

	"github.com/aptix-dev/aptix/server/internal/change"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Plan is what a reply would do.
type Plan struct {
	Blocks []Block // one for each set, in order
	Files  []File  // the net effect of all blocks, files with no effect left out
}

// A Block is what one set would do, given what the ones before it did.
type Block struct {
	Files       []File // one for each file that the set names, in order of first mention
	Diagnostics []diag.Diagnostic
}

// Operation is what happens to a file as a whole.
type Operation string

// The operations.
const (
	Create Operation = "create"
	Modify Operation = "modify"
	Remove Operation = "delete"
)

// State is how far a file is from what is asked.
type State string

// The states of a file.
const (
	Change State = "change" // it would be written
	Done   State = "done"   // it stands as asked
	Failed State = "error"  // it cannot be
)

// A File is one file's part in a plan.
type File struct {
	Path      string // from the tree's root, with / between names and symbolic links resolved
	Operation Operation
	State     State
	Before    Content
	After     Content
	At        text.Span // where the block first names it
}

// Content is a file at one moment.
type Content struct {
	Exists bool
	Data   string // bytes as on disk, or the text of an open buffer
	Mode   fs.FileMode
}

// Stat counts lines of a line diff. A file that is not text counts none.
func (f File) Stat() (added, removed int) {
	before, _, err := text.Decode(f.Before.Data)
	if err != nil {
		return 0, 0
	}
	after, _, err := text.Decode(f.After.Data)
	if err != nil {
		return 0, 0
	}
	return diff.Stat(before, after)
}

// Edits are the minimal edits of the decoded text for a file that stays.
func (f File) Edits() ([]text.Edit, error) {
	before, _, err := text.Decode(f.Before.Data)
	if err != nil {
		return nil, err
	}
	after, _, err := text.Decode(f.After.Data)
	if err != nil {
		return nil, err
	}
	return diff.Edits(before, after), nil
}

// Unified is the file's change as a git patch.
func (f File) Unified() string {
	return diff.Unified(f.side(f.Before), f.side(f.After))
}

func (f File) side(c Content) diff.Side {
	return diff.Side{Path: f.Path, Exists: c.Exists, Data: c.Data, Mode: c.Mode}
}

// Invert is the file's way back.
func (f File) Invert() File {
	f.Before, f.After = f.After, f.Before
	f.Operation = operation(f.Before, f.After)
	return f
}

// Invert is the way back from what the plan does.
func (p Plan) Invert() []File {
	back := make([]File, len(p.Files))
	for i, f := range p.Files {
		back[i] = f.Invert()
	}
	return back
}

func operation(before, after Content) Operation {
	switch {
	case !after.Exists:
		return Remove
	case !before.Exists:
		return Create
	}
	return Modify
}

// Tree is what a plan reads: the files under a workspace root. ReadLink tells
// symbolic links apart (fs.ReadLinkFS) where the tree has any.
type Tree = fs.FS

// Build plans sets in order, as one transaction. base is the absolute path of
// the tree's root with slashes, to tell what an absolute path in a block means;
// "" where there is none. applied are the files, by path from the tree's root, on
// which just these sets were applied before. An error is input that could not be
// read, or ctx's.
func Build(ctx context.Context, tree Tree, base string, sets []change.Set, applied map[string]bool) (Plan, error) {
	b := &builder{ctx: ctx, tree: tree, base: base, applied: applied, files: map[string]*entry{}, below: map[string][]string{}}
	var p Plan
	for i, set := range sets {
		block, err := b.block(i, set)
		if err != nil {
			return Plan{}, err
		}
		p.Blocks = append(p.Blocks, block)
	}
	for _, path := range b.order {
		e := b.files[path]
		if e.base != e.now {
			p.Files = append(p.Files, File{path, operation(e.base, e.now), Change, e.base, e.now, text.Span{}})
		}
	}
	return p, nil
}
