package plan

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	// searchLimit is how many files and folders the search for a file elsewhere
	// looks at.
	searchLimit = 50_000
	// offeredPlaces is how many places are offered at most.
	offeredPlaces = 5
)

// skipped are folders in which nobody means a file to be edited.
var skipped = []string{".git", "node_modules", ".hg", ".svn"}

// missing completes the diagnostic of a file that should be there: by a file
// whose name differs in case alone, by the project's own folder put in front, by a
// folder that other changes are for, and at leisure by a file of the same name in another
// folder.
func (b *builder) missing(d diag.Diagnostic, root, key string, c intent.Change) diag.Diagnostic {
	if c.PathAt.Span == (text.Span{}) {
		return d
	}
	if other := b.otherCase(key); other != "" {
		d.Fixes = append(d.Fixes, b.pathFix(root, other, c, true)...)
		return d
	}
	if inner := b.withoutProject(key); inner != "" && b.isRegular(inner) {
		d.Fixes = append(d.Fixes, b.pathFix(root, inner, c, true)...)
		return d
	}
	if beside := b.beside(key); beside != "" {
		certain := c.Kind != intent.Delete // it may be gone already
		d.Fixes = append(d.Fixes, b.pathFix(root, beside, c, certain)...)
		return d
	}
	d.Suggest = func(ctx context.Context) []diag.Fix {
		var fixes []diag.Fix
		places, _ := sameEnding(ctx, b.Meter, b.tree, key)
		for _, place := range places {
			fixes = append(fixes, b.pathFix(root, place, c, false)...)
		}
		return fixes
	}
	return d
}

// newFile warns where a file is about to be made beside one whose name differs
// in case alone, or in a folder named like the project in the project.
func (b *builder) newFile(root, key string, c intent.Change) []diag.Diagnostic {
	if other := b.otherCase(key); other != "" {
		d := *pathWarning(diag.PathCase, fmt.Sprintf("%s does not exist, but %s does: they differ in case alone", c.Path, other))
		d.Fixes = b.pathFix(root, other, c, false)
		return []diag.Diagnostic{d}
	}
	if inner := b.withoutProject(key); inner != "" {
		d := *pathWarning(diag.PathProject, fmt.Sprintf("%s begins with the name of the project's own folder; there is no folder %s in it", c.Path, path.Base(b.Base)))
		known := b.isRegular(inner) || path.Dir(inner) != "." && b.isFolder(path.Dir(inner)) || b.outside()
		if known {
			d.Severity = diag.Error
		}
		d.Fixes = b.pathFix(root, inner, c, known)
		return []diag.Diagnostic{d}
	}
	return b.otherFolder(key, c)
}

// otherFolder refuses to make a file of a text that has at least half of the lines of a file
// with that name in another folder, where the path is only a name and nothing says that the file
// is new (rule R47).
func (b *builder) otherFolder(key string, c intent.Change) []diag.Diagnostic {
	if !c.MayBePart || c.Kind != intent.Write || strings.Contains(key, "/") {
		return nil
	}
	places, _ := sameEnding(b.ctx, b.Meter, b.tree, path.Base(key))
	for _, place := range places {
		if doubt.KeepsHalf(b.textOf(place), c.Content) {
			return []diag.Diagnostic{at(c, diag.Diagnostic{Severity: diag.Error, Code: diag.FileMissing,
				Message: fmt.Sprintf("%s does not exist, and the text has most lines of %s; write the path of the file that is meant", c.Path, place)})}
		}
	}
	return nil
}

// notGone refuses to take a missing file for one that was deleted or renamed before, where its
// path without the project's own folder is a file (rule R47). A file that the reply names too is
// none: a reply that moves a file in two changes stays done.
func (b *builder) notGone(it *item) []diag.Diagnostic {
	inner := b.withoutProject(it.key)
	if it.DocPath || it.e.base.Exists || inner == "" || !b.isRegular(inner) || b.named(inner) {
		return nil
	}
	return []diag.Diagnostic{at(it.Change, diag.Diagnostic{Severity: diag.Error, Code: diag.FileMissing,
		Message: fmt.Sprintf("%s does not exist, but %s does, which may be meant; check the path, or leave this out", it.Path, inner)})}
}

// named reports whether a change of the reply is for a file.
func (b *builder) named(key string) bool {
	for _, set := range b.sets {
		for _, c := range set.Changes {
			if path.Join(set.Root, c.Path) == key || c.To != "" && path.Join(set.Root, c.To) == key {
				return true
			}
		}
	}
	return false
}

// textOf is the text of a file of the tree; "" for a large one, or for no text.
func (b *builder) textOf(key string) string {
	info, err := fs.Stat(b.tree, key)
	if err != nil || info.Size() > otherFile {
		return ""
	}
	data, err := readString(b.tree, key)
	if err != nil {
		return ""
	}
	content, _, err := text.Decode(data)
	if err != nil {
		return ""
	}
	return content
}

// pathFix writes the path of a file as seen from the block's root. A file that
// lies elsewhere cannot be written.
func (b *builder) pathFix(root, key string, c intent.Change, certain bool) []diag.Fix {
	if root != "." {
		rel, below := strings.CutPrefix(key, root+"/")
		if !below {
			return nil
		}
		key = rel
	}
	if c.PathAt.Span == (text.Span{}) {
		return nil
	}
	return []diag.Fix{{Title: fmt.Sprintf("Write %q", key), Edits: []text.Edit{c.PathAt.Set(key)}, Preferred: certain}}
}

// otherCase is the only path in the tree that differs from key in case alone; ""
// where there is none, or more than one.
func (b *builder) otherCase(key string) string {
	at := "."
	for name := range strings.SplitSeq(key, "/") {
		entries, err := fs.ReadDir(b.tree, at)
		if err != nil || !b.Meter.Pay(eachName*len(entries)) {
			return ""
		}
		var same []string
		for _, e := range entries {
			if e.Name() == name {
				same = []string{name}
				break
			}
			if strings.EqualFold(e.Name(), name) {
				same = append(same, e.Name())
			}
		}
		if len(same) != 1 {
			return ""
		}
		at = path.Join(at, same[0])
	}
	if at == key || !b.isRegular(at) {
		return ""
	}
	return at
}

// beside is the only file in the tree with a bare name, if the reply has another change in
// its folder; else "" (rule R47).
func (b *builder) beside(key string) string {
	if strings.Contains(key, "/") {
		return ""
	}
	for _, set := range b.sets {
		for _, c := range set.Changes {
			dir := path.Dir(path.Join(set.Root, c.Path))
			if !b.Meter.Pay(eachChange) {
				return ""
			}
			if c.DocPath || dir == "." || !fs.ValidPath(dir) || !b.isRegular(path.Join(dir, key)) {
				continue
			}
			places, all := sameEnding(b.ctx, b.Meter, b.tree, key)
			if all && len(places) == 1 {
				return places[0]
			}
			return ""
		}
	}
	return ""
}

// withoutProject is key without the name of the tree's own folder in front; ""
// where it has none, or the tree has such a folder.
func (b *builder) withoutProject(key string) string {
	project := path.Base(b.Base)
	inner, found := strings.CutPrefix(key, project+"/")
	if b.Base == "" || !found {
		return ""
	}
	if _, err := fs.Stat(b.tree, project); err == nil {
		return ""
	}
	return inner
}

// seenFromOutside reports whether the reply writes the path of a file that is there with the
// tree's own folder in front: then all such paths are meant so.
func (b *builder) seenFromOutside() bool {
	for _, set := range b.sets {
		for _, c := range set.Changes {
			if inner := b.withoutProject(path.Join(set.Root, c.Path)); inner != "" && !c.DocPath && b.isRegular(inner) {
				return true
			}
		}
	}
	return false
}

func (b *builder) isRegular(key string) bool {
	info, err := fs.Stat(b.tree, key)
	return err == nil && info.Mode().IsRegular()
}

// eachFile is what it costs to look at a path in the tree, in units.
const eachFile = 1000

// What it costs to compare a path with those of the reply, and a name with those of a folder.
const (
	eachChange = 200
	eachName   = 16
)

// sameEnding are the files whose path ends as key does by most folders, best
// first. It gives up at searchLimit, or when ctx is done or the meter is spent; all is whether it saw everything.
func sameEnding(ctx context.Context, m *meter.Meter, tree fs.FS, key string) (found []string, all bool) {
	best, seen := 1, 0
	all = true
	// An unreadable folder is one in which the file is not found.
	_ = fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > searchLimit || ctx.Err() != nil || !m.Pay(eachFile):
			all = false
			return fs.SkipAll
		case err != nil:
			all = false
			return fs.SkipDir
		case d.IsDir() && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case d.IsDir() || path.Base(p) != path.Base(key):
			return nil
		}
		switch n := commonEnding(p, key); {
		case n > best:
			best, found = n, []string{p}
		case n == best:
			found = append(found, p)
		}
		return nil
	})
	return found[:min(len(found), offeredPlaces)], all
}

// commonEnding counts the names that two paths share at their end.
func commonEnding(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}
