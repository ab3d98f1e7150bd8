package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/aptix-dev/aptix/server/internal/change"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// MaxFile is the size in bytes above which a file is refused: an editor would
// not open it either, and a plan holds it twice.
const MaxFile = 256 << 20

// A builder is the tree in memory that all blocks of a reply share.
type builder struct {
	ctx  context.Context
	tree Tree
	base string

	applied map[string]bool // files on which the same was done before

	files map[string]*entry
	order []string            // keys of files, by first mention
	below map[string][]string // a folder's path -> keys of files anywhere below it
}

// An entry is a file that some block names.
type entry struct {
	base Content // as the tree has it
	now  Content // as the blocks so far leave it
	last int     // index of the last block that names it
	past past    // what the steps so far did
}

// A draft collects one block.
type draft struct {
	index int
	set   change.Set
	files []*File
	byKey map[string]*File
	found []diag.Diagnostic
}

func (d *draft) report(ds ...diag.Diagnostic) { d.found = append(d.found, ds...) }

func (b *builder) block(index int, set change.Set) (Block, error) {
	d := &draft{index: index, set: set, byKey: map[string]*File{}}
	root, ok := b.root(d)
	for _, c := range set.Changes {
		if err := b.ctx.Err(); err != nil {
			return Block{}, err
		}
		if !ok {
			d.files = append(d.files, failed(c.Path, c))
			continue
		}
		if err := b.change(d, root, c); err != nil {
			return Block{}, err
		}
	}
	block := Block{Diagnostics: d.found}
	for _, f := range d.files {
		block.Files = append(block.Files, *f)
	}
	return block, nil
}

// change plans one change and puts its result into the tree.
func (b *builder) change(d *draft, root string, c change.Change) error {
	key, problem, err := b.resolve(d, root, c)
	if err != nil {
		return err
	}
	if problem != nil {
		d.files = append(d.files, failed(c.Path, c))
		d.report(at(c, *problem))
		return nil
	}
	f, again := d.byKey[key]
	e, problem, err := b.load(key)
	if err != nil {
		return err
	}
	if problem != nil {
		if !again {
			d.files = append(d.files, failed(key, c))
		}
		d.report(at(c, *problem))
		return nil
	}
	if !again {
		f = &File{Path: key, State: Done, Before: e.now, After: e.now, At: at(c, diag.Diagnostic{}).Span}
		d.files = append(d.files, f)
		d.byKey[key] = f
		d.noteOverlap(e, c)
	} else if !d.set.PathsRepeat {
		d.report(at(c, pathTwice(c.Path)))
	}
	e.last = d.index + 1
	b.apply(d, root, f, e, c, again)
	return nil
}

// noteOverlap warns where an earlier block names the same file (APTIX_FILE_SPEC §5).
func (d *draft) noteOverlap(e *entry, c change.Change) {
	if e.last != 0 {
		d.report(at(c, diag.Diagnostic{
			Severity: diag.Warning, Code: diag.Overlap,
			Message: fmt.Sprintf("block %d of this reply changes %s too; this block is applied to what that one leaves", e.last, c.Path),
		}))
	}
}

func (b *builder) apply(d *draft, root string, f *File, e *entry, c change.Change, again bool) {
	past := e.past.in(d.index)
	past.applied = b.applied[f.Path]
	after, problems := outcome(e.now, c, again, &past)
	if !e.now.Exists && after.Exists {
		problems = append(problems, b.newFile(root, f.Path, c)...)
	}
	for _, p := range problems {
		if p.Span == (text.Span{}) {
			p = at(c, p)
		}
		if p.Code == diag.FileMissing {
			p = b.missing(p, root, f.Path, c)
		}
		d.report(p)
	}
	if diag.HasErrors(problems) {
		f.State, f.Operation, f.After = Failed, intended(c), f.Before
		return
	}
	e.now, e.past = after, past
	if f.State == Failed {
		return
	}
	f.After = after
	f.State, f.Operation = Done, operation(f.Before, f.After)
	if f.Before != f.After {
		f.State = Change
	}
}

// load reads a file, once. The diagnostic says why the path cannot be a file.
func (b *builder) load(key string) (*entry, *diag.Diagnostic, error) {
	if e, ok := b.files[key]; ok {
		return e, nil, nil
	}
	if p := b.clash(key); p != nil {
		return nil, p, nil
	}
	content, problem, err := read(b.tree, key)
	if err != nil || problem != nil {
		return nil, problem, err
	}
	e := &entry{base: content, now: content}
	b.files[key] = e
	b.order = append(b.order, key)
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		b.below[dir] = append(b.below[dir], key)
	}
	return e, nil, nil
}

// clash tells that an earlier change made a file where key needs a folder, or a
// folder where key names a file.
func (b *builder) clash(key string) *diag.Diagnostic {
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		if e, ok := b.files[dir]; ok && e.now.Exists {
			return &diag.Diagnostic{Severity: diag.Error, Code: diag.PathParentFile,
				Message: fmt.Sprintf("%s is a file, so it cannot hold %s", dir, path.Base(key))}
		}
	}
	for _, other := range b.below[key] {
		if b.files[other].now.Exists {
			return &diag.Diagnostic{Severity: diag.Error, Code: diag.PathDirectory,
				Message: fmt.Sprintf("%s is a folder: another change puts %s into it", key, other)}
		}
	}
	return nil
}

func read(tree Tree, key string) (Content, *diag.Diagnostic, error) {
	info, err := fs.Stat(tree, key)
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, nil, nil
	}
	if err != nil {
		if p := unresolved(key, err); p != nil {
			return Content{}, p, nil
		}
		return Content{}, nil, fmt.Errorf("%s: %w", key, err)
	}
	if p := refuse(key, info); p != nil {
		return Content{}, p, nil
	}
	data, err := fs.ReadFile(tree, key)
	if err != nil {
		return Content{}, nil, fmt.Errorf("%s: %w", key, err)
	}
	return Content{Exists: true, Data: string(data), Mode: info.Mode().Perm()}, nil, nil
}

func refuse(key string, info fs.FileInfo) *diag.Diagnostic {
	switch {
	case info.IsDir():
		return &diag.Diagnostic{Severity: diag.Error, Code: diag.PathDirectory,
			Message: key + " is a folder; name a file"}
	case !info.Mode().IsRegular():
		return &diag.Diagnostic{Severity: diag.Error, Code: diag.PathNotRegular,
			Message: fmt.Sprintf("%s is no regular file (%v); only files can be changed", key, info.Mode().Type())}
	case info.Size() > MaxFile:
		return &diag.Diagnostic{Severity: diag.Error, Code: diag.FileTooLarge,
			Message: fmt.Sprintf("%s has %d MB; files above %d MB are not edited", key, info.Size()>>20, MaxFile>>20)}
	}
	return nil
}

// at puts a diagnostic where the block names the file.
func at(c change.Change, d diag.Diagnostic) diag.Diagnostic {
	d.Span = c.At
	if c.PathAt.Span != (text.Span{}) {
		d.Span = c.PathAt.Span
	}
	return d
}

func failed(path string, c change.Change) *File {
	return &File{Path: path, Operation: intended(c), State: Failed, At: at(c, diag.Diagnostic{}).Span}
}

// intended is the operation that a change which cannot be planned speaks of.
func intended(c change.Change) Operation {
	switch c.Kind {
	case change.Create, change.Write:
		return Create
	case change.Delete:
		return Remove
	}
	return Modify
}
