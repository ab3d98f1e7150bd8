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
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Plan is what a reply would do.
type Plan struct {
	Blocks []Block     // one for each set, in order
	Files  []File      // the net effect of all blocks, files with no effect left out
	Prune  []string    // folders that go if the deletions in Files leave them empty
	Sums   []text.Sums // of [Paths] of Files, in order, once [Plan.Hash] was called
	// Through are the paths as the reply writes them, from the tree's root, that lead to
	// files through links, by the files' own paths.
	Through map[string][]string
	Copied  map[string]string // the paths of files that are copies, to those that they are copies of
}

// A Block is what one set would do, given what the ones before it did.
type Block struct {
	Files       []BlockFile // one for each file that the set names, in order of first mention
	Diagnostics []diag.Diagnostic
	Places      []Place
}

// A Place is where a part of a block is in its file.
type Place struct {
	At   text.Span    // in the block's body
	Path string       // from the tree's root
	Text *locate.Text // what the part met: the file with all that came before in the block
	In   text.Span    // of Text, in bytes
	Done bool         // the part's result is there already
}

// Operation is what happens to a file as a whole.
type Operation string

// The operations.
const (
	Create Operation = "create"
	Modify Operation = "modify"
	Remove Operation = "delete"
	Rename Operation = "rename"
)

// State is how far a file is from what is asked.
type State string

// The states of a file.
const (
	Change State = "change" // it would be written
	Done   State = "done"   // it is as asked
	Failed State = "error"  // it cannot be
)

// A File is one file's part in a plan.
type File struct {
	Path      string // from the tree's root, with / between names and symbolic links resolved
	To        string // of a Rename: the new path; Before is at Path, After at To
	Operation Operation
	State     State
	Before    text.Content
	After     text.Content
	At        text.Span // where the block first names it
	Whole     bool      // a change wrote all of the content, whatever it was before
}

// Changes implements [Counted].
func (f File) Changes() bool { return f.State == Change }

// Stat implements [Counted].
func (f File) Stat() (added, removed int) {
	before, err := countable(f.Before)
	if err != nil {
		return 0, 0
	}
	after, err := countable(f.After)
	if err != nil {
		return 0, 0
	}
	return diff.Stat(before, after)
}

// countable is the content for counting lines: in an encoding that is not known, lines are
// lines all the same.
func countable(c text.Content) (string, error) {
	if c.Data != "" && c.Data[0] < 0xef && !strings.Contains(c.Data, "\x00") {
		return c.Data, nil // without a byte order mark there is nothing to decode
	}
	s, _, err := text.Decode(c.Data)
	if err != nil && !strings.Contains(c.Data, "\x00") {
		return c.Data, nil
	}
	return s, err
}

// Edits are the minimal edits of the decoded text for a file that stays.
func (f File) Edits() ([]text.Edit, error) {
	before, err := f.Before.Text()
	if err != nil {
		return nil, err
	}
	after, err := f.After.Text()
	if err != nil {
		return nil, err
	}
	return diff.Edits(before, after), nil
}

// Unified is the file's change as a git patch. Git knows no folders: one has none.
func (f File) Unified() string {
	return diff.Unified(side(f.Path, f.Before), side(f.Target(), f.After))
}

// Target is the path of After.
func (f File) Target() string {
	if f.Operation == Rename {
		return f.To
	}
	return f.Path
}

// side is one side of a change as git sees it: a folder is nothing.
func side(path string, c text.Content) diff.Side {
	if c.Mode.IsDir() {
		c = text.Content{}
	}
	return diff.Side{Path: path, Content: c}
}

// Invert is the file's way back.
func (f File) Invert() File {
	f.Before, f.After = f.After, f.Before
	if f.Operation == Rename {
		f.Path, f.To = f.To, f.Path
		return f
	}
	f.Operation = OperationOf(f.Before, f.After)
	return f
}

// Invert is the way back from what the plan does. Folders where a file
// comes back go; others that the plan made are for whoever knows them.
func (p Plan) Invert() Plan {
	back := Plan{Files: make([]File, len(p.Files))}
	files := map[string]bool{}
	for i, f := range p.Files {
		back.Files[i] = f.Invert()
	}
	for _, f := range Paths(back.Files) {
		files[f.Path] = f.After.Exists && !f.After.Mode.IsDir()
	}
	for _, f := range Paths(back.Files) {
		above := parents(f.Path)
		for i, dir := range above {
			if files[dir] {
				back.Prune = append(back.Prune, above[:i+1]...)
			}
		}
	}
	slices.Sort(back.Prune)
	back.Prune = slices.Compact(back.Prune)
	return back
}

// Paths are files one for each path: a rename as a deletion and a creation.
func Paths(files []File) []File {
	out := make([]File, 0, len(files))
	for _, f := range files {
		if f.Operation != Rename {
			out = append(out, f)
			continue
		}
		out = append(out, File{Path: f.Path, Operation: Remove, State: f.State, Before: f.Before, At: f.At},
			File{Path: f.To, Operation: Create, State: f.State, After: f.After, At: f.At})
	}
	return out
}

// OperationOf is what happens to a file that stays under its path.
func OperationOf(before, after text.Content) Operation {
	return operationOf(before.Exists, after.Exists)
}

func operationOf(before, after bool) Operation {
	switch {
	case !after:
		return Remove
	case !before:
		return Create
	}
	return Modify
}

// Tree is what a plan reads: the files under a workspace root. ReadLink tells
// symbolic links apart (fs.ReadLinkFS) where the tree has any. A tree may have a
// method Cached, which returns it with a cache for one plan, and the cache's end.
type Tree = fs.FS

// Options are what a plan depends on besides the tree.
type Options struct {
	// Base is the absolute path of the tree's root with slashes, to tell what an
	// absolute path in a block means; "" where there is none.
	Base string
	// Own is the folder in which this program keeps its state, from the tree's root; "."
	// where the root is in it, "" where it is elsewhere. Nothing in it is read or written for a reply.
	Own string
	// Applied are the files, by path from the tree's root, on which just these sets
	// were applied before.
	Applied map[string]bool
	// Meter pays for all that the plan looks for. Nil: the plan has one of its own.
	Meter *meter.Meter
	// DocPath looks for files of the tree, and for those that blocks before this one make.
	// Nil: there is no index.
	DocPath docpath.LookupFunc
	// EndingsUnknown: see [intent.Target].
	EndingsUnknown bool
	// SkipMissing: likewise.
	SkipMissing bool
	// Earlier: where passages are not in a file, the change is made on the earlier content
	// that has them, and merged. Nil: it is refused.
	Earlier EarlierFunc
	// Ignored tells which of some paths are no files that a reply may mean. Nil: none.
	Ignored func(ctx context.Context, paths []string) (map[string]bool, error)
	// Skipped is what is left out of each set, in order. Nil: nothing is.
	Skipped []intent.Skipped
	// Missing is SkipMissing for some steps of each set only, by their spans.
	Missing []intent.Skipped
}

// Cached is the tree with a cache for as long as one check takes, where it can have one.
func Cached(tree Tree) (cached Tree, end func()) {
	if t, ok := tree.(interface{ Cached() (fs.FS, func()) }); ok {
		return t.Cached()
	}
	return tree, func() {}
}

// Build plans sets in order, as one transaction. An error is input that could not
// be read, or ctx's.
func Build(ctx context.Context, tree Tree, sets []intent.Set, options Options) (Plan, error) {
	tree, end := Cached(tree)
	defer end()
	if options.Meter == nil {
		options.Meter = meter.New(0)
	}
	pl := planner{ctx, tree, sets, options, mostHeld}
	p, err := pl.build(nil)
	if err != nil || options.Earlier == nil {
		return p, err
	}
	return pl.recover(p)
}
