// Package plan turns intended changes and a file tree into a precise description of the
// effect: the content of every file before and after. It only reads. All blocks of a reply
// share one tree in memory, so that a later block sees the effects of earlier ones.
//
// Invariants: if the result of a plan is planned again, nothing changes, unless a step warns
// about it. Before holds the content in the tree at the time of planning, and a writer must
// check that the file still matches. If a file has an error, Before == After.
//
// # Changes that happen at once
//
// The files of one git commit change at once: renames and copies read the files as they were
// before the commit, a path that the commit vacates is free, and deletions come before
// creations. A plan works in such groups (Change.Group of package intent); a change of
// another format is a group of its own. Git patches are raw: they see bytes, modes and
// symbolic links, and follow no link.
//
// If a whole text leaves out lines of its file, it becomes an edit as soon as the file is
// known: package elision finds the places of its parts, and from then on it is a change like
// any other.
package plan

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Plan describes the effect of a reply.
type Plan struct {
	Blocks []Block     // one for each set, in the same order
	Files  []File      // the net effect of all blocks, without files that stay the same
	Prune  []string    // folders to remove if the deletions in Files leave them empty
	Sums   []text.Sums // the sums of [Paths] of Files, in order, after [Plan.Hash]
	// Through maps the path of a file to the paths by which the reply names it through links.
	// All are relative to the tree's root.
	Through map[string][]string
	Copied  map[string]string // maps the paths of copies to the paths of their sources
}

// A Block describes the effect of one set after the effects of the preceding sets.
type Block struct {
	Files       []BlockFile // one for each file that the set names, in order of first mention
	Diagnostics []diag.Diagnostic
	Places      []Place
}

// A Place maps a part of a block to its place in the file.
type Place struct {
	At   text.Span    // in the block's body
	Path string       // relative to the tree's root
	Text *locate.Text // the text to which the part was applied: the file after all earlier parts of the block
	In   text.Span    // in Text, in bytes
	Done bool         // the file already has the part's result
}

// Operation names the change of a file as a whole.
type Operation string

// The operations.
const (
	Create Operation = "create"
	Modify Operation = "modify"
	Remove Operation = "delete"
	Rename Operation = "rename"
)

// State compares a file with the requested result.
type State string

// The states of a file.
const (
	Change State = "change" // the file would be written
	Done   State = "done"   // the file already has the result
	Failed State = "error"  // the change cannot be made
)

// A File is one file's part in a plan.
type File struct {
	Path      string // relative to the tree's root, with / between names and symbolic links resolved
	To        string // the new path if the file is renamed; Before is at Path, After at To
	Operation Operation
	State     State
	Before    text.Content
	After     text.Content
	At        text.Span // the first place in the block that names the file
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

// countable returns the text whose lines are counted. If the encoding is unknown, it returns the
// bytes.
func countable(c text.Content) (string, error) {
	if c.Data != "" && c.Data[0] < 0xef && !strings.Contains(c.Data, "\x00") {
		return c.Data, nil // without a byte order mark, nothing needs decoding
	}
	s, _, err := text.Decode(c.Data)
	if err != nil && !strings.Contains(c.Data, "\x00") {
		return c.Data, nil
	}
	return s, err
}

// Edits returns the minimal edits between the decoded texts of a file that exists before and
// after.
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

// Unified returns the file's change as a git patch. For a folder it returns "", because git
// has no folders.
func (f File) Unified() string {
	return diff.Unified(side(f.Path, f.Before), side(f.Target(), f.After))
}

// Paths returns the file's path, followed by the new path if the file is renamed.
func (f File) Paths() []string {
	if f.Operation == Rename {
		return []string{f.Path, f.To}
	}
	return []string{f.Path}
}

// Target returns the path of After.
func (f File) Target() string {
	if f.Operation == Rename {
		return f.To
	}
	return f.Path
}

// side returns one side of a change in the form that git compares, which has no folders.
func side(path string, c text.Content) diff.Side {
	if c.Mode.IsDir() {
		c = text.Content{}
	}
	return diff.Side{Path: path, Content: c}
}

// Invert returns the change that undoes f.
func (f File) Invert() File {
	f.Before, f.After = f.After, f.Before
	if f.Operation == Rename {
		f.Path, f.To = f.To, f.Path
		return f
	}
	f.Operation = OperationOf(f.Before, f.After)
	return f
}

// Invert returns the plan that undoes p. It removes a folder if a file returns in its place;
// callers that know of other new folders must remove them.
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

// Paths returns the files by path: each rename becomes a deletion and a creation.
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

// OperationOf returns the operation for a file that keeps its path.
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

// Tree is the input of a plan: the files under a workspace root. If the tree has symbolic
// links, it must implement ReadLink (fs.ReadLinkFS). A tree may have a method Cached that
// returns a cached view of the tree for one plan, and a function that ends it.
type Tree = fs.FS

// Options holds the inputs of a plan other than the tree.
type Options struct {
	// Base is the absolute path of the tree's root with slashes, used to interpret absolute
	// paths in a block. It is "" if there is none.
	Base string
	// Own is the folder of this program's state, relative to the tree's root. It is "." if
	// the root lies in that folder, and "" if the folder is outside. A reply can neither
	// read nor write files there.
	Own string
	// Applied names the files, by path relative to the tree's root, that the same sets were
	// applied to before.
	Applied map[string]bool
	// Meter pays for all searches of the plan. If it is nil, the plan makes a meter of its
	// own.
	Meter *meter.Meter
	// DocPath looks up files of the tree, and files that earlier blocks create. If it is nil,
	// no file has a docPath.
	DocPath docpath.LookupFunc
	// EndingsUnknown: see [intent.Target].
	EndingsUnknown bool
	// SkipMissing: see [intent.Target].
	SkipMissing bool
	// Earlier returns earlier contents of a file. If a file lacks passages, the change is
	// made on the earlier content that has them, and merged. If Earlier is nil, the change
	// is refused.
	Earlier EarlierFunc
	// Ignored returns those of the given paths that a reply means only if it names them. If Ignored is
	// nil, a reply can mean any path.
	Ignored func(ctx context.Context, paths []string) (map[string]bool, error)
	// Skipped holds the parts to leave out of each set, in the order of the sets. If it is
	// nil, nothing is left out.
	Skipped []intent.Skipped
	// Missing works like SkipMissing, but only for some steps of each set, given by their
	// spans.
	Missing []intent.Skipped
}

// Cached returns a view of the tree that caches its contents for one check, if the tree
// supports that.
func Cached(tree Tree) (cached Tree, end func()) {
	if t, ok := tree.(interface{ Cached() (fs.FS, func()) }); ok {
		return t.Cached()
	}
	return tree, func() {}
}

// Build plans sets in order, as one transaction. It returns an error if input could not be
// read, or if ctx is done.
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

// Hash computes the plan's Sums on all processors. Without it, the writer and the recorder of
// a plan would each hash all contents.
func (p *Plan) Hash() {
	files := Paths(p.Files)
	sums := make([]text.Sums, len(files))
	workers := min(runtime.GOMAXPROCS(0), len(files))
	group := parallel.New(workers)
	for first := range workers {
		group.Go(func() error {
			for i := first; i < len(files); i += workers {
				sums[i] = text.Sums{Before: text.Sum(files[i].Before.Data), After: text.Sum(files[i].After.Data)}
			}
			return nil
		})
	}
	_ = group.Wait()
	p.Sums = sums
}

// Counted is a file whose lines can be counted: a [File] or a [BlockFile].
type Counted interface {
	// Changes reports whether the file would be written.
	Changes() bool
	// Stat counts the lines of a line diff. It returns zeros if the file is not text.
	Stat() (added, removed int)
	// Paths returns the file's path, followed by the new path if the file is renamed.
	Paths() []string
}

// Summary counts the files that change, and their lines: `3 files +10 −2`. The minus sign is
// U+2212. A file that is renamed and then edited under its new name counts once.
func Summary[F Counted](files []F) string {
	n, added, removed := 0, 0, 0
	renamed := map[string]bool{} // by the new name
	for _, f := range files {
		if !f.Changes() {
			continue
		}
		more, less := f.Stat()
		added, removed = added+more, removed+less
		paths := f.Paths()
		if !renamed[paths[0]] {
			n++
		}
		if len(paths) > 1 {
			renamed[paths[1]] = true
		}
	}
	return SummaryOf(n, added, removed)
}

// SummaryOf formats known counts like [Summary].
func SummaryOf(files, added, removed int) string {
	return fmt.Sprintf("%s +%d −%d", format.Count(files, "file"), added, removed)
}
