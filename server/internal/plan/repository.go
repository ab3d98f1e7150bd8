package plan

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// refuseRepositories refuses each change of a block that lies in a git repository, whether
// the folder is one before or after the block (rule R16).
func (b *builder) refuseRepositories(d *draft) error {
	repositories := git.Finder{Tree: b.tree, Names: b.names, Base: b.Base, After: b.plannedIn}
	for _, t := range d.traces {
		e := b.files[t.path]
		if d.byKey[t.path] != t || e == nil || t.failed != nil || e.now.same(t.before) {
			continue
		}
		how, err := repositories.Holds(t.path)
		if err != nil {
			return err
		}
		if how != "" {
			b.refuse(d, t, how)
		}
	}
	return nil
}

// refuse undoes the change of one path, and of the source if the path was renamed.
func (b *builder) refuse(d *draft, t *trace, how string) {
	d.report(at(t.by, *pathProblem(diag.PathGit, fmt.Sprintf("%s lies in %s; git runs the programs that a repository's configuration names, so Aptix writes nothing into a repository's folder", t.path, how))))
	source := d.byKey[t.from]
	for _, t := range []*trace{t, source} {
		if t == nil {
			continue
		}
		by := t.by
		if t != source && (by.Kind == intent.Rename || by.Kind == intent.Copy) && !t.before.Exists {
			by.Kind = intent.Create // t is the target of a rename
		}
		b.files[t.path].now, t.failed = t.before, &by
	}
}

// eachPlanned is the cost of a changed file in a folder, in units.
const eachPlanned = 4 * meter.Line

// plannedIn returns the names that the changes so far leave in a folder, folded like the file
// system folds them, and whether each is a folder.
func (b *builder) plannedIn(dir string) map[string]bool {
	keys := b.below[dir]
	if dir == "." {
		keys = b.order
	}
	b.Meter.Pay(eachPlanned * len(keys))
	names := map[string]bool{}
	for _, key := range keys {
		name, _, deeper := strings.Cut(below(dir, key), "/")
		if now := b.files[key].now; now.Exists {
			names[fspath.Folded(name)] = deeper || now.Mode.IsDir()
		}
	}
	return names
}

// below returns a path in dir relative to dir.
func below(dir, key string) string {
	if dir == "." {
		return key
	}
	return strings.TrimPrefix(key, dir+"/")
}
