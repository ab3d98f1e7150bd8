package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const newDirMode fs.FileMode = fs.ModeDir | 0o755

func makeDir(g *group, it *item) []diag.Diagnostic {
	now, past, _ := g.now(it.key, it.e)
	switch {
	case now.Mode.IsDir():
		return nil
	case now.Exists:
		return []diag.Diagnostic{diag.New(diag.FileExists, text.Span{}, it.Path+" is a file, so no folder of that name can be made; use another name, or delete it first")}
	}
	g.write(it.key, result{version: version{Exists: true, Mode: newDirMode}, by: it.Change, past: past})
	return nil
}

func (b *builder) deleteAll(d *draft, g *group, it *item) ([]diag.Diagnostic, error) {
	return b.eachWithin(d, it, func(key string, _ *entry) ([]diag.Diagnostic, error) {
		g.remove(key, it)
		return nil, nil
	})
}

func list(d *diag.Diagnostic) []diag.Diagnostic {
	if d == nil {
		return nil
	}
	return []diag.Diagnostic{*d}
}

// keysWithin returns the key of a file, or the keys of a folder and everything in it. It looks in the tree, and in the
// files of the plan so far.
func (b *builder) keysWithin(dir string) ([]string, error) {
	keys := append(slices.Clone(b.below[dir]), dir)
	err := fs.WalkDir(b.tree, dir, func(p string, _ fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && p == dir:
			// The tree has no such folder: only changes of the plan create it.
			return nil
		case err != nil:
			return err
		case !b.Meter.Pay(eachFile):
			// Stop without an error, because hasRoom reports the spent meter later.
			return fs.SkipAll
		}
		keys = append(keys, p)
		return b.ctx.Err()
	})
	slices.Sort(keys)
	return slices.Compact(keys), err
}

func (b *builder) moveAll(d *draft, g *group, it *item) ([]diag.Diagnostic, error) {
	switch {
	case it.to.now.Exists:
		return list(targetExists(it.Change)), nil
	case strings.HasPrefix(it.toKey, it.key+"/"):
		return []diag.Diagnostic{diag.New(diag.PathDirectory, text.Span{}, fmt.Sprintf("%s cannot be moved into itself, to %s", it.Path, it.To))}, nil
	}
	return b.eachWithin(d, it, func(key string, e *entry) ([]diag.Diagnostic, error) {
		toKey := it.toKey + key[len(it.key):]
		to, problem, err := b.load(toKey, false)
		if err != nil || problem != nil {
			return list(problem), err
		}
		d.touch(toKey, to, it.Change)
		g.remove(key, it)
		g.write(toKey, result{version: e.now, by: it.Change, from: key, past: e.past})
		return nil, nil
	})
}

// eachWithin calls `do` for the file or folder of an item and, for a folder, for each path in it.
func (b *builder) eachWithin(d *draft, it *item, do func(key string, e *entry) ([]diag.Diagnostic, error)) ([]diag.Diagnostic, error) {
	keys, err := b.keysWithin(it.key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", it.Path, err)
	}
	there := keys[:0]
	for _, key := range keys {
		if fspath.IsGit(key) {
			return list(paths.InGit(key)), nil
		}
		if p := b.workspace.OwnState(key); p != nil {
			return list(p), nil
		}
		e, problem, err := b.load(key, false)
		if err != nil || problem != nil {
			return list(problem), err
		}
		if e.now.Exists {
			there = append(there, key)
		}
	}
	for _, key := range there {
		d.touch(key, b.files[key], it.Change)
		if problems, err := do(key, b.files[key]); err != nil || problems != nil {
			return problems, err
		}
	}
	return nil, nil
}

// An unplaced is an item that is judged after all blocks: a new file in a new folder or in the root
// ([builder.judgeFolders]), or a rename ([builder.judgeRenamed]).
type unplaced struct {
	*item
	block int // the index of its block
}

// needsFolder checks the folder of a new file. It refuses a file in the root if nothing calls the file new, and the
// tree has a file of that name in another folder (rule F11). [builder.judgeFolders] later checks other files in the
// root, and missing folders.
func (b *builder) needsFolder(d *draft, it *item) []diag.Diagnostic {
	switch dir := path.Dir(it.key); {
	case dir != "." && (!it.NeedsFolder || b.isFolder(dir)):
	case dir != "." || !it.NeedsFolder || !b.isElsewhere(it.key):
		b.unplaced = append(b.unplaced, unplaced{it, d.index})
	default:
		return list(new(sayNew(it.Change, diag.FileMissing, it.Path+" does not exist, but a file of that name exists in another folder")))
	}
	return nil
}

func sayNew(c intent.Change, code diag.Code, message string) diag.Diagnostic {
	d := at(c, diag.New(code, text.Span{}, message+", and nothing says that the file is new; check the path, or say that the file is new"))
	d.Fixes = c.Instead
	if c.KindAt != (intent.Literal{}) {
		d.Fixes = []diag.Fix{{Title: "Say that the file is new", Edits: []text.Edit{c.KindAt.Set("create")}}}
	}
	return d
}

// judgeFolders warns about new files in new folders if nothing in the reply calls the file or the folder new. It also
// warns about new files in the root that probably belong in another folder (rules W6 and F11), unless the root has
// another file with the same extension, before or after the reply.
func (b *builder) judgeFolders() {
	inRoot := map[string]int{} // the number of files in the root, before or after the reply, by extension
	if slices.ContainsFunc(b.unplaced, func(u unplaced) bool { return path.Dir(u.key) == "." }) {
		for _, name := range append(text.Each(b.entries("."), fs.DirEntry.Name), b.order...) {
			if path.Dir(name) == "." {
				inRoot[path.Ext(name)]++
			}
		}
	}
	for _, u := range b.unplaced {
		if path.Dir(u.key) == "." {
			if inRoot[path.Ext(u.key)] > 1 {
				continue
			}
			if user := b.onlyUser(u.key); user != "" {
				d := at(u.Change, diag.New(diag.WholeUnsure, text.Span{}, fmt.Sprintf("%s would be created in the project's root, but %s, which now uses it, is in another folder; check the path", u.Path, user)))
				d.Fixes = b.pathFix(".", path.Join(path.Dir(user), u.key), u.Change, false)
				b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
			}
		} else if !b.isParallel(u.key) && !b.introduces(path.Dir(u.key)) && !paths.IsNewProject(b.tree) {
			d := sayNew(u.Change, diag.WholeUnsure, "neither "+u.Path+" nor its folder exists")
			b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
		}
	}
}

// isParallel reports whether the reply also changes a file with the same name in a sibling folder, such as
// `lang/de/messages.php` for the new file `lang/fr/messages.php`.
func (b *builder) isParallel(key string) bool {
	above := path.Dir(path.Dir(key))
	named, _ := b.byName()
	return above != "." && slices.ContainsFunc(named[path.Base(key)], func(p string) bool { return path.Dir(path.Dir(p)) == above && b.named(p) })
}

func (b *builder) isElsewhere(name string) bool {
	found, _ := b.sameEnding(name)
	return len(found) > 0
}

func (b *builder) isFolder(key string) bool {
	if e := b.files[key]; e != nil && e.now.Mode.IsDir() {
		return true
	}
	for _, inner := range b.below[key] {
		if b.files[inner].now.Exists {
			return true
		}
	}
	info, err := fs.Stat(b.tree, key)
	return err == nil && info.IsDir()
}
