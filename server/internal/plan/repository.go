package plan

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// refuseGitDirs refuses each change that a block makes inside a git directory, such as .git (rule R16). The folder may
// be a git directory already, or become one through the block. A link into a git directory is refused, too, because
// another program would write there through the link.
func (b *builder) refuseGitDirs(d *draft) error {
	gitDirs := git.Finder{Tree: b.tree, Names: b.names, Base: b.Base, After: b.leaves}
	for _, t := range d.traces {
		e := b.files[t.path]
		if d.byKey[t.path] != t || e == nil || t.failed != nil || e.now.same(t.before) {
			continue
		}
		name := t.path
		how, err := gitDirs.Holds(name)
		if err == nil && how == "" && e.now.Mode.Type() == fs.ModeSymlink {
			target := path.Join(path.Dir(name), strings.ReplaceAll(e.now.bytes(), `\`, "/"))
			if real, failed := fspath.Canonical(b.tree, target); failed == nil {
				name = "the target of the link " + name
				how, err = gitDirs.Holds(path.Join(real, "entry")) // so that a link to the git directory itself counts, too
			}
		}
		if err != nil {
			return err
		}
		if how != "" {
			b.refuse(d, t, diag.Unplaced(diag.PathGit, fmt.Sprintf("%s lies in %s; Aptix never writes into a git directory, because git runs programs that its configuration names", name, how)))
		}
	}
	return nil
}

// refuse reports an error about a path, and cancels its planned change. If the change was a rename to this path, it is
// also cancelled at the old path.
func (b *builder) refuse(d *draft, t *trace, why *diag.Diagnostic) {
	d.report(at(t.by, *why))
	source := d.byKey[t.from]
	for _, t := range []*trace{t, source} {
		if t == nil {
			continue
		}
		by := t.by
		if t != source && (by.Kind == intent.Rename || by.Kind == intent.Copy) && !t.before.Exists {
			// The path is the target of a rename or a copy, so only its creation is refused here.
			by.Kind = intent.Create
		}
		b.files[t.path].now, t.failed = t.before, &by
	}
}

// eachMark is the cost of looking at one change that may make its folder a git directory, in units of the meter.
const eachMark = 4 * meter.Line

// mark records a path such as `x/HEAD`, which may make the folder `x` a git directory. The argument `key` is the path
// itself, or the path of a file below it.
func (b *builder) mark(at, key string) {
	if name := fspath.Folded(path.Base(at)); git.IsMark(name) {
		at = path.Join(path.Dir(at), name)
		b.marks[at] = append(b.marks[at], key)
	}
}

// leaves reports whether a folder contains a name after the changes so far, and whether it is the name of a file. It
// serves as [git.Finder.After].
func (b *builder) leaves(dir, name string) (exists, isFile bool) {
	at := path.Join(dir, name)
	for _, key := range b.marks[at] {
		if isFile || !b.Meter.Pay(eachMark) {
			break
		}
		now := b.files[key].now
		exists = exists || now.Exists
		isFile = now.Exists && !now.Mode.IsDir() && path.Dir(key) == path.Dir(at)
	}
	return exists, isFile
}
