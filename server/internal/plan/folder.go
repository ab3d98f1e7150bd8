package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
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
