// Package plan turns intended changes and a file tree into a precise description of the effect: the content of every
// file before and after. It only reads. All blocks of a reply share one tree in memory, so that a later block sees the
// effects of earlier ones.
//
// Invariants: if a reply is planned again after its plan was carried out, nothing changes, unless a step warns that it
// would. The field Before has the content at the time of planning, and a writer must check that the file still has this
// content. If a file has an error, Before equals After.
//
// # Changes that are made as one
//
// All files of one git commit are changed as one step: renames and copies read the files as they were before the
// commit, a path that the commit vacates is free, and deletions come before creations. The changes of a commit are a
// group (Change.Group of package intent); a change of another format is a group of its own. Git patches are raw: they
// describe bytes, modes and symbolic links, and follow no link.
//
// A whole text that leaves out lines of its file becomes an edit as soon as the file is known: package elision finds
// the places of the parts.
package plan

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Plan describes the effect of a reply.
type Plan struct {
	Blocks []Block     // the effect of each set, in the order of the sets
	Files  []File      // the effect of all blocks together; files that stay the same are left out
	Prune  []string    // the folders to remove if they are empty after the deletions in Files
	Sums   []text.Sums // set by [Plan.Hash]: the checksums of [Paths] of Files, in the same order
	// key: the path of a file; value: the paths through links by which the reply names the file. All paths are relative
	// to the root of the tree.
	Through map[string][]string
	Copied  map[string]string // key: the path of a copy or a link; value: the path of its source or target
}

// A Block describes the effect of one set. It starts from the files after the preceding sets.
type Block struct {
	Files       []BlockFile // each file that the set names, in the order of the set
	Diagnostics []diag.Diagnostic
	Places      []Place
}

// A Place says where in a file a part of a block is applied.
type Place struct {
	At   text.Span   // where the part is in the body of the block
	Path string      // relative to the root of the tree
	Text *place.Text // the file after all earlier parts of the block
	In   text.Span   // the place in Text, in bytes
	Done bool        // the file already has the result of the part
}

// An Operation is the change of a file as a whole.
type Operation string

const (
	Create Operation = "create"
	Modify Operation = "modify"
	Remove Operation = "delete"
	Rename Operation = "rename"
)

// A State says whether a file already has the requested result.
type State string

const (
	Change State = "change" // the file will be written
	Done   State = "done"   // the file already has the result
	Failed State = "error"  // the change cannot be made
)

// A File is the effect of a plan on one file.
type File struct {
	Path      string // relative to the root of the tree, with / as the separator, and with links resolved
	To        string // the new path if the file is renamed: Before is at Path, and After at To
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

// countable returns the text whose lines are counted, or the bytes if the encoding is unknown.
func countable(c text.Content) (string, error) {
	if c.Data != "" && c.Data[0] < 0xef && !strings.Contains(c.Data, "\x00") {
		// Without a byte order mark, the bytes are already the text.
		return c.Data, nil
	}
	s, _, err := text.Decode(c.Data)
	if err != nil && !strings.Contains(c.Data, "\x00") {
		return c.Data, nil
	}
	return s, err
}

// Edits returns the minimal edits that turn the text before into the text after. The file must exist both before and
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

// Unified returns the change of the file as a git patch. If the file is a folder, it returns "", because git has no
// folders.
func (f File) Unified() string {
	return diff.Unified(side(f.Path, f.Before), side(f.Target(), f.After))
}

// Paths returns the path of the file. If the file is renamed, the new path follows.
func (f File) Paths() []string {
	if f.Operation == Rename {
		return []string{f.Path, f.To}
	}
	return []string{f.Path}
}

// Target returns the path of the file after the change.
func (f File) Target() string {
	if f.Operation == Rename {
		return f.To
	}
	return f.Path
}

// side returns one side of a change in the form in which git compares files. A folder counts as missing, because git
// has no folders.
func side(path string, c text.Content) diff.Side {
	if c.Mode.IsDir() {
		c = text.Content{}
	}
	return diff.Side{Path: path, Content: c}
}

// Invert returns the opposite change, which undoes this one.
func (f File) Invert() File {
	f.Before, f.After = f.After, f.Before
	if f.Operation == Rename {
		f.Path, f.To = f.To, f.Path
		return f
	}
	f.Operation = OperationOf(f.Before, f.After)
	return f
}

// Invert returns the plan that undoes p. If a file is restored at the path of a new folder, the plan removes that
// folder. Other new folders stay, and the caller must remove them.
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
		above := fspath.Parents(f.Path)
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

// Paths returns one file for each path: a rename becomes a deletion and a creation.
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

// OperationOf returns the operation for a file that is not renamed.
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

// A Tree has the files under the root of a workspace, for which a plan is made. If there are symbolic links, it must
// implement ReadLink (fs.ReadLinkFS). It may have a method Cached, which returns a cached view of the tree for one
// plan, and a function that ends the cache.
type Tree = fs.FS

// Options has the inputs of a plan, except for the tree and the sets.
type Options struct {
	// Base is the absolute path of the tree's root, with slashes. It is needed to read absolute paths in a block. It is
	// "" if the tree has no such path.
	Base string
	// Own is the folder in which this program keeps its state, relative to the root of the tree. It is "." if the root
	// is in that folder, and "" if the folder is outside the root. A reply can neither read nor write files in that
	// folder.
	Own string
	// Applied has the files that an earlier apply of the same sets has changed. The keys are paths relative to the root
	// of the tree.
	Applied map[string]bool
	// Meter limits the work of all searches of the plan. If Meter is nil, the plan makes its own meter.
	Meter *meter.Meter
	// DocPath finds a file of the tree, or a file that an earlier block creates, by its docPath. If it is nil, no file
	// has a docPath.
	DocPath paths.LookupFunc
	// EndingsUnknown is passed on to each step: see [intent.Target].
	EndingsUnknown bool
	// SkipMissing is passed on to each step: see [intent.Target].
	SkipMissing bool
	// Earlier returns earlier versions of a file. If a file lacks passages, the change is made in an earlier version
	// that has them, and the result is merged with the current text. If Earlier is nil, a change with missing passages
	// is refused.
	Earlier EarlierFunc
	// Ignored returns those of the given paths that git ignores. An ignored file is meant only if the reply gives its
	// exact path. If Ignored is nil, no path is ignored.
	Ignored func(ctx context.Context, paths []string) (map[string]bool, error)
	// Skipped has, for each set, the parts that are left out. If it is nil, nothing is left out.
	Skipped []intent.Skipped
	// Missing has, for each set, the spans of the steps for which SkipMissing is true.
	Missing []intent.Skipped
}

// Cached returns a view of the tree that remembers contents for one check, if the tree supports that.
func Cached(tree Tree) (cached Tree, end func()) {
	if t, ok := tree.(interface{ Cached() (fs.FS, func()) }); ok {
		return t.Cached()
	}
	return tree, func() {}
}

// Build plans sets in order, as one transaction. It returns an error if a file could not be read, or if ctx has ended.
func Build(ctx context.Context, tree Tree, sets []intent.Set, options Options) (Plan, error) {
	tree, end := Cached(tree)
	defer end()
	options.Meter = cmp.Or(options.Meter, meter.New(0))
	pl := planner{ctx, tree, sets, options, mostHeld}
	p, err := pl.build(nil)
	if err != nil || options.Earlier == nil {
		return p, err
	}
	return pl.recover(p)
}

// Hash sets the plan's Sums, on all processors, so that the writer of the plan and the history do not each hash all
// contents.
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
	// Changes reports whether the file will be written.
	Changes() bool
	// Stat returns how many lines a diff of the file adds and removes. It returns zeros if the file is not text.
	Stat() (added, removed int)
	// Paths returns the path of the file. If the file is renamed, the new path follows.
	Paths() []string
}

// Summary returns the number of changed files, and the numbers of added and removed lines: `3 files +10 −2`. The minus
// sign is U+2212. A file that is renamed, and later edited under the new name, counts only once.
func Summary[F Counted](files []F) string {
	n, added, removed := 0, 0, 0
	renamed := map[string]bool{} // renamed files, by the new path
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

// SummaryOf returns the given numbers in the form of [Summary].
func SummaryOf(files, added, removed int) string {
	return fmt.Sprintf("%s +%d −%d", format.Count(files, "file"), added, removed)
}
