package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// MaxFile limits the size of a file, in bytes. Editors do not open larger files either, and a plan holds each file in
// memory twice.
const MaxFile = 256 << 20

// A builder plans the blocks of a reply on one tree in memory, so that each block starts from the results of the blocks
// above.
type builder struct {
	Options
	ctx       context.Context
	tree      Tree
	workspace paths.Workspace
	sets      []intent.Set

	earlier map[string]text.Content // contents to use instead of the contents in the tree, by path
	files   map[string]*entry
	order   []string            // the keys of the files, in the order in which blocks name them
	below   map[string][]string // key: the path of a folder; value: the keys of all files below it
	// key: a path such as `x/HEAD`, in folded spelling, which may make its folder a git directory; value: the keys of
	// the files at and below the path
	marks   map[string][]string
	prune   []string            // folders that may be empty after deletions
	through map[string][]string // see [Plan.Through]
	copied  map[string]string   // see [Plan.Copied]
	names   fspath.Names
	// key: a path in the form in which the file system compares names; value: the reply's spelling of the path
	spelled map[string]spelling
	room    room
	// the total size, in bytes, of the files that were read only to compare them with changed files
	readOthers int
	// key: a path that a change of the reply names; value: the whole text that a change gives the file, or "". The map
	// is nil until it is needed.
	naming     map[string]string
	extensions map[string][]sized        // the results of withExtension
	near       map[string][]sized        // the results of siblings
	folders    map[string][]fs.DirEntry  // the results of entries
	doubts     map[int][]diag.Diagnostic // the doubts about edits, by the index of their block
	unplaced   []unplaced
	vacated    map[string]unplaced // the items that delete or rename files, by the path of the file
	renamed    []unplaced          // the renames that count as done, because only the new path exists
	newFiles   map[string]string   // the new files of the reply; the key is the path in folded letters
	fresh      map[string][]string // the result of newWords; nil until first needed
	// calls leadingFolders at most once, because leadingFolders looks at all paths of the reply
	superfluous func() []string
	written     func() []string                              // calls foldersWritten at most once
	byName      func() (named map[string][]string, all bool) // returns the files of the tree by name, and whether these are all
	fitting     map[string]bool                              // the results of fits
}

type entry struct {
	base version // the file in the tree
	now  version // the file after the blocks so far
	from string  // the path before a rename; "" if the file was not renamed
	past past
	// the last change that wrote the file, and the index of its block; the path is "" if there is none
	by    intent.Change
	block int

	suspect *suspect // the steps so far that are not checked for doubts yet, or nil
	broken  bool     // the file lacks a text to replace, so `now` only serves later changes and is not written
}

func (b *builder) block(index int, set intent.Set) (Block, error) {
	d := &draft{index: index, set: set, byKey: map[string]*trace{}, failed: map[string]int{}}
	if b.Skipped != nil {
		d.skipped = b.Skipped[index]
	}
	root, problem := b.workspace.Root(set)
	if problem != nil {
		d.report(*problem)
	}
	ok := root != ""
	ok = b.hasRoom(d) && ok
	for changes := set.Changes; len(changes) > 0; {
		n := groupLen(changes)
		if err := b.ctx.Err(); err != nil {
			return Block{}, err
		}
		if !ok {
			d.fail(changes[0].Path, changes[0])
			n = 1
		} else if err := b.group(d, root, changes[:n]); err != nil {
			return Block{}, err
		}
		ok = ok && b.isWithin(d, changes[0])
		changes = changes[n:]
	}
	if err := b.refuseGitDirs(d); err != nil {
		return Block{}, err
	}
	b.refuseLinks(d)
	b.takeRoom(d)
	return Block{Files: d.files(b), Diagnostics: d.found, Places: d.places}, nil
}

// undone reports whether the edits of a file undo each other. It returns false if they belong to several commits,
// because a later commit may take an earlier one back.
func (e *entry) undone() bool {
	return e.past.original != nil && !e.past.series && !e.broken && e.now.Exists && e.now.same(e.base) && e.past.text != nil && e.past.text.Equal(e.past.original)
}

func groupLen(changes []intent.Change) int {
	n := 1
	for changes[0].Group != 0 && n < len(changes) && changes[n].Group == changes[0].Group {
		n++
	}
	return n
}

func (b *builder) judgeAll(blocks []Block) {
	for _, key := range b.order {
		b.judge(b.files[key])
	}
	b.judgeFolders()
	b.judgeRenamed()
	b.judgeReferences()
	for i, found := range b.doubts {
		blocks[i].Diagnostics = append(blocks[i].Diagnostics, found...)
	}
}

// net returns the files that all blocks together change, and the folders to remove if they are empty.
func (b *builder) net() ([]File, []string) {
	var traces []*trace
	for _, key := range b.order {
		e := b.files[key]
		if !e.broken && !e.base.same(e.now) {
			traces = append(traces, &trace{path: key, before: e.base, after: e.now, from: e.from})
		}
	}
	files := Files(filesOf(traces))
	slices.Sort(b.prune)
	return files, slices.Compact(b.prune)
}

// load reads a file unless it was read before. If no file can have the path, the diagnostic says why. `belowVacated` is
// true if a change deletes or renames a folder above the path. If so, load reads nothing through a link above the path,
// because the link does not lead to the intended file.
func (b *builder) load(key string, belowVacated bool) (*entry, *diag.Diagnostic, error) {
	if e, ok := b.files[key]; ok {
		return e, nil, nil
	}
	var content text.Content
	if !belowVacated || !slices.ContainsFunc(fspath.Parents(key), b.isLink) {
		var problem *diag.Diagnostic
		var err error
		if content, problem, err = b.read(key); err != nil || problem != nil {
			return nil, problem, err
		}
	}
	if earlier, ok := b.earlier[key]; ok {
		content = earlier
	}
	e := &entry{base: versionOf(content), now: versionOf(content)}
	b.files[key] = e
	b.order = append(b.order, key)
	b.mark(key, key)
	for _, dir := range fspath.Parents(key) {
		if b.below[dir] == nil && !b.inTree(dir) {
			b.Meter.Pay(eachStored)
		}
		b.below[dir] = append(b.below[dir], key)
		b.mark(dir, key)
	}
	b.Meter.Pay(eachNamed)
	return e, nil, nil
}

func read(tree Tree, key string) (text.Content, *diag.Diagnostic, error) {
	info, err := fs.Lstat(tree, key)
	if paths.IsAbsent(err) {
		return text.Content{}, nil, nil
	}
	if err != nil {
		if p := paths.Unresolved(key, err); p != nil {
			return text.Content{}, p, nil
		}
		return text.Content{}, nil, fmt.Errorf("%s: %w", key, err)
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return text.Content{Exists: true, Mode: fs.ModeDir | mode.Perm()}, nil, nil
	case mode.Type() == fs.ModeSymlink:
		target, err := fs.ReadLink(tree, key)
		if err != nil {
			return text.Content{}, nil, fmt.Errorf("%s: %w", key, err)
		}
		return text.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}, nil, nil
	case !mode.IsRegular():
		return text.Content{}, diag.Unplaced(diag.PathNotRegular, fmt.Sprintf("%s is not a regular file (%v); only files can be changed", key, mode.Type())), nil
	case info.Size() > MaxFile:
		return text.Content{}, diag.Unplaced(diag.FileTooLarge,
			fmt.Sprintf("the size of %s is %d MB; files above %d MB are not edited", key, info.Size()>>20, MaxFile>>20)), nil
	}
	data, err := readString(tree, key)
	if err != nil {
		return text.Content{}, nil, fmt.Errorf("%s: %w", key, err)
	}
	return text.Content{Exists: true, Data: data, Mode: info.Mode().Perm()}, nil, nil
}

// readString reads a file as a string. It makes no copy if the tree supports that.
func readString(tree Tree, key string) (string, error) {
	if t, ok := tree.(interface{ ReadString(string) (string, error) }); ok {
		return t.ReadString(key)
	}
	data, err := fs.ReadFile(tree, key)
	return string(data), err
}

// clash returns an error if the changes so far need a path both as a file and as a folder.
func (b *builder) clash(key string) *diag.Diagnostic {
	for _, dir := range fspath.Parents(key) {
		if b.isFile(dir) {
			return diag.Unplaced(diag.PathParentFile, fmt.Sprintf("%s is a file, so it cannot hold %s; use another path, or delete the file first", dir, path.Base(key)))
		}
	}
	if b.files[key].now.Mode.IsDir() {
		return nil
	}
	for _, other := range b.below[key] {
		if b.files[other].now.Exists {
			return diag.Unplaced(diag.PathDirectory, fmt.Sprintf("%s would be a folder, because another change puts %s into it; use another path for one of the two", key, other))
		}
	}
	if b.files[key].base.Mode.IsDir() && !b.emptied(key) {
		return diag.Unplaced(diag.PathDirectory, fmt.Sprintf("%s is a folder that holds other files; name a file", key))
	}
	return nil
}

func (b *builder) isFile(key string) bool {
	if e, ok := b.files[key]; ok {
		return e.now.Exists && !e.now.Mode.IsDir()
	}
	info, err := fs.Lstat(b.tree, key)
	return err == nil && !info.IsDir()
}

// emptied reports whether a folder has no files left after the changes so far.
func (b *builder) emptied(dir string) bool {
	left := errors.New("something is left")
	err := fs.WalkDir(b.tree, dir, func(p string, d fs.DirEntry, err error) error {
		switch e := b.files[p]; {
		case err != nil || d.IsDir():
			return err
		case e == nil || e.now.Exists:
			return left
		}
		return nil
	})
	return err == nil
}
