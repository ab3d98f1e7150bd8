package plan

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
