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

// eachFolder is the cost of looking at one folder on the way to a file, in units of the meter.
const eachFolder = 3000

// resolve turns the path in a change into the key of a file. A key is a clean path relative to the tree's root, with
// symbolic links resolved. If this fails, the diagnostic says why.
func (b *builder) resolve(d *draft, g *group, c intent.Change) (string, *diag.Diagnostic, error) {
	b.Meter.Pay(eachFolder * strings.Count(c.Path, "/"))
	if c.DocPath {
		return b.resolveDocPath(c)
	}
	if c.Kind == intent.MakeDir || c.Kind == intent.DeleteAll || c.Kind == intent.Rename && !c.Raw {
		c.Path = strings.TrimSuffix(c.Path, "/")
	}
	if p := b.workspace.Check(c.Path, c.PathAt, c.Raw); p != nil {
		if p.Severity == diag.Error {
			if p.Code == diag.PathAbsolute && len(p.Fixes) == 0 {
				if file, certain := b.meant(from(g.root, c.Path)); file != "" {
					p.Fixes = b.pathFix(g.root, file, c, certain && c.Kind != intent.DeleteAll)
				}
			}
			return "", p, nil
		}
		d.report(at(c, *p))
	}
	if p := b.workspace.RepeatsRoot(d.set, g.root, c); p != nil {
		return "", p, nil
	}
	written := path.Join(g.root, c.Path)
	if why := b.names.Refuses(written); why != "" {
		return "", diag.Unplaced(diag.PathUnusable, fmt.Sprintf("%s is not a possible file name here: %s; use another name", c.Path, why)), nil
	}
	if c.Raw {
		return b.resolveRaw(g, written, c)
	}
	if link := b.changedLink(written); link != "" {
		return "", diag.Unplaced(diag.PathSymlink, fmt.Sprintf("%s leads through the symbolic link %s, which an earlier block of the reply changes; name the file itself", c.Path, link)), nil
	}
	key, err := fspath.Canonical(b.tree, written)
	if err != nil {
		if p := paths.Unresolved(c.Path, err); p != nil {
			return "", p, nil
		}
		return "", nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if fspath.IsGit(key) {
		return "", paths.InGit(c.Path), nil
	}
	if (c.Kind == intent.Delete || c.Kind == intent.DeleteAll || c.Kind == intent.Rename) && b.isLink(written) {
		return "", diag.Unplaced(diag.PathSymlink,
			c.Path+" is a symbolic link; only files are deleted or renamed: name the file that it points to"), nil
	}
	return key, nil, nil
}

// resolveDocPath returns the file that a docPath names (rules R27 and R28). If two files have this docPath, it returns
// an error, because choosing one would be a guess.
func (b *builder) resolveDocPath(c intent.Change) (string, *diag.Diagnostic, error) {
	if b.DocPath == nil {
		return "", diag.Unplaced(diag.DocPathUnknown, fmt.Sprintf("the docPath %q has no meaning here, because there is no workspace; open the folder of the file", c.Path)), nil
	}
	found, err := b.DocPath(b.Meter, c.Path, b.made()...)
	found = slices.DeleteFunc(found, func(key string) bool { return b.files[key] != nil && !b.files[key].now.Exists })
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("docPath %q: %w", c.Path, err)
	case len(found) == 0:
		return "", diag.Unplaced(diag.DocPathUnknown, fmt.Sprintf("no file of this workspace has the docPath %q; copy it from the list of active files or from a search", c.Path)), nil
	case len(found) > 1:
		return "", diag.Unplaced(diag.DocPathAmbiguous, fmt.Sprintf("the docPath %q belongs to %s; rename one of these files", c.Path, strings.Join(found, " and "))), nil
	}
	if fspath.IsGit(found[0]) {
		return "", paths.InGit(found[0]), nil
	}
	return found[0], nil, nil
}

func (b *builder) made() []string {
	return text.Only(b.order, func(key string) bool {
		e := b.files[key]
		return e.now.Exists && !e.base.Exists && e.now.Mode.IsRegular()
	})
}

// resolveRaw resolves a path without following links, because git does not write through a link. The path itself may
// name a link.
func (b *builder) resolveRaw(g *group, written string, c intent.Change) (string, *diag.Diagnostic, error) {
	for _, dir := range fspath.Parents(written) {
		if !g.deletes[dir] && b.isLinkNow(dir) {
			return "", diag.Unplaced(diag.PathSymlink, fmt.Sprintf("%s leads through the symbolic link %s; name the file itself", c.Path, dir)), nil
		}
	}
	if b.files[written] != nil || slices.ContainsFunc(fspath.Parents(written), b.isLink) {
		// The tree cannot resolve this path, because an earlier change created the file or removed a link above it.
		return written, nil, nil
	}
	name, links := written, b.isLinkNow(written)
	if links {
		name = path.Dir(written)
	}
	key, err := fspath.Canonical(b.tree, name)
	if links {
		key = path.Join(key, path.Base(written))
	}
	switch {
	case errors.Is(err, fspath.ErrNotDir) || g.vacatesAbove(written):
		// If a file is in the way, either a change removes it, or settle refuses the path.
		return written, nil, nil
	case err == nil:
		return key, nil, nil
	}
	if p := paths.Unresolved(c.Path, err); p != nil {
		return "", p, nil
	}
	return "", nil, fmt.Errorf("%s: %w", c.Path, err)
}

func (g *group) vacatesAbove(key string) bool {
	return slices.ContainsFunc(fspath.Parents(key), func(dir string) bool { return g.vacates[dir] })
}

// changedLink returns a link of the tree, at a path or above it, that an earlier change removed or replaced. It returns
// "" if there is no such link.
func (b *builder) changedLink(written string) string {
	return text.Find(append(fspath.Parents(written), written), func(at string) bool {
		e := b.files[at]
		return e != nil && e.base.Mode.Type() == fs.ModeSymlink && !e.now.same(e.base)
	})
}

func (b *builder) isLinkNow(key string) bool {
	if e, ok := b.files[key]; ok {
		return e.now.Exists && e.now.Mode.Type() == fs.ModeSymlink
	}
	return b.isLink(key)
}

func (b *builder) isLink(name string) bool {
	info, err := fs.Lstat(b.tree, name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
