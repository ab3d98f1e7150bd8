package plan

import (
	"cmp"
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

// newFile returns a diagnostic if the path of a new file is probably wrong:
//
//   - It is spelled nearly like the path of an existing file ([isSpelledAlike]), or of another new file of the reply
//     ([paths.IsSameName]).
//   - It begins with the name of the project's own folder, or with folders that are superfluous in another path of the
//     reply.
//   - An existing file has the name of its module, or its number ([builder.takenName]).
func (b *builder) newFile(g *group, key string, c intent.Change) []diag.Diagnostic {
	root := g.root
	if made := b.madeAlike(key); made != "" && !g.vacates[made] {
		d := *diag.Unplaced(diag.PathCase, fmt.Sprintf("the reply also creates %s: the two paths differ only %s", made, differAlike(made, key)))
		d.Fixes = b.pathFix(root, made, c, false)
		return []diag.Diagnostic{d}
	}
	// If the reply removes the existing file, the other spelling is a rename on purpose.
	if other := b.nearSpelling(key); other != "" && !g.vacates[other] && !b.isGone(other) {
		d := *diag.Unplaced(diag.PathCase, fmt.Sprintf("%s does not exist, but %s does: they differ only %s", c.Path, other, differAlike(other, key)))
		d.Fixes = b.pathFix(root, other, c, false)
		return []diag.Diagnostic{d}
	}
	if inner := b.withoutProject(key); inner != "" {
		d := *diag.Unplaced(diag.PathProject, fmt.Sprintf("%s begins with the name of the project's own folder, which contains no folder %s", c.Path, path.Base(b.Base)))
		_, known := b.meant(key)
		known = known || path.Dir(inner) != "." && b.isFolder(path.Dir(inner))
		if known {
			d.Severity = diag.Error
		}
		d.Fixes = b.pathFix(root, inner, c, known)
		return []diag.Diagnostic{d}
	}
	if inner, certain := b.meant(key); certain {
		d := *diag.Unplaced(diag.PathProject, fmt.Sprintf("%s begins with %s, which does not exist here; without it, this path, or another path of the reply that begins with it, names an existing file", c.Path, strings.TrimSuffix(key, inner)))
		d.Severity = diag.Error
		d.Fixes = b.pathFix(root, inner, c, true)
		return []diag.Diagnostic{d}
	}
	return b.takenName(key, c)
}

func differAlike(a, b string) string {
	switch {
	case !paths.IsSameName(a, b):
		return "in how the file extension is spelled"
	case strings.EqualFold(a, b):
		return "in case"
	}
	return "in spaces, in characters that look alike, or in how characters are encoded"
}

// madeAlike returns the first new file of the reply whose path differs from `key` only in ways that [paths.IsSameName]
// ignores. If there is none, it records `key` and returns "".
func (b *builder) madeAlike(key string) string {
	names := strings.Split(key, "/")
	for i, name := range names {
		names[i] = paths.FoldedName(name)
	}
	folded := path.Join(names...)
	if first, ok := b.newFiles[folded]; ok && first != key {
		return first
	}
	b.newFiles[folded] = key
	return ""
}

func (b *builder) isGone(key string) bool {
	e := b.files[key]
	return e != nil && !e.now.Exists
}

// nearSpelling returns the only path in the tree whose components are spelled like the components of `key`
// ([isSpelledAlike]). It returns "" if there is no such path, if there are several, or if `key` itself exists.
func (b *builder) nearSpelling(key string) string {
	paid := func(folder string) []fs.DirEntry {
		entries := b.entries(folder)
		if !b.Meter.Pay(eachName * len(entries)) {
			return nil
		}
		return entries
	}
	at := paths.Spelled(key, paid, isSpelledAlike)
	if at == "" || at == key || !fspath.IsFile(b.tree, at) || !paths.IsSameName(at, key) && b.named(at) {
		return ""
	}
	return at
}

// shortExtensions maps the longer spellings of an extension to the shortest one.
var shortExtensions = map[string]string{".yaml": ".yml", ".html": ".htm", ".markdown": ".md"}

// isSpelledAlike reports whether two names are the same ([paths.IsSameName]), or differ only in the spelling of their
// extension.
func isSpelledAlike(a, b string) bool {
	x, y := path.Ext(a), path.Ext(b)
	return paths.IsSameName(a[:len(a)-len(x)], b[:len(b)-len(y)]) && paths.IsSameName(cmp.Or(shortExtensions[x], x), cmp.Or(shortExtensions[y], y))
}

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
