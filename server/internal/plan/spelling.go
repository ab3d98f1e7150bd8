package plan

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// namesOf returns the way in which the tree compares names. By default, any difference between two spellings makes them
// two names.
func namesOf(tree Tree) fspath.Names {
	if t, ok := tree.(interface{ Names() fspath.Names }); ok {
		return t.Names()
	}
	return fspath.Names{}
}

type spelling struct {
	path  string
	block int
	at    text.Span // the place of the path in the block
}

// otherSpelling refuses a new path if the file system cannot tell it from another new path of the reply (rule R48): one
// file would overwrite the other. Existing files need no check, because each has one canonical name.
func (b *builder) otherSpelling(d *draft, g *group, key string, c intent.Change) *diag.Diagnostic {
	if b.names.Distinct() {
		return nil
	}
	for _, at := range slices.Backward(append([]string{key}, fspath.Parents(key)...)) {
		is := b.names.Key(at)
		first, known := b.spelled[is]
		switch {
		case !known:
			b.spelled[is] = spelling{at, d.index, spanOf(intent.Literal{}, c)}
		case first.path != at && !(b.inTree(first.path) && b.inTree(at)):
			return b.sameFile(d, g, first, at, key, c)
		}
	}
	return nil
}

func (b *builder) inTree(key string) bool {
	_, err := fs.Lstat(b.tree, key)
	return err == nil
}

func (b *builder) sameFile(d *draft, g *group, first spelling, at, key string, c intent.Change) *diag.Diagnostic {
	why := "treats both encodings of an accented letter as the same"
	if b.names.IgnoresCase && strings.EqualFold(first.path, at) {
		why = "ignores case"
	}
	what := "file"
	if at != key {
		what = "folder"
	}
	p := diag.Unplaced(diag.PathSameFile, fmt.Sprintf("%s and %s, which the reply names before, are the same %s here, because the file system %s; write both names in the same way, or rename one %s", at, first.path, what, why, what))
	if first.block == d.index {
		p.Related = []diag.Related{{Span: first.at, Message: "the other path, " + first.path}}
	}
	p.Fixes = b.pathFix(g.root, first.path+strings.TrimPrefix(key, at), c, false)
	return p
}

// respells reports whether an item only changes the spelling of a file's name, and the file system treats both
// spellings as the same name.
func (b *builder) respells(it *item) bool {
	from, to := path.Base(it.key), path.Base(strings.ReplaceAll(it.To, `\`, "/"))
	return it.Kind == intent.Rename && from != to && b.names.Key(from) == b.names.Key(to)
}

func respelled(c intent.Change) *diag.Diagnostic {
	d := diag.Unplaced(diag.PathSameFile, fmt.Sprintf("%s and %s are the same file here, and only the spelling of the name would change; rename the file by hand, or with `git mv`", c.Path, c.To))
	d.Span = spanOf(c.ToAt, c)
	return d
}
