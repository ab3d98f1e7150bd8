package plan

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const offeredPlaces = 5

// missing adds fixes to the diagnostic about a missing file. Each fix names an existing file that may be meant: a file
// whose name is the same ([isSameName]), the path without superfluous leading folders, the only file whose path ends with
// the given path, a file in a folder that other changes name, a file with a similar name in the same folder, or the only
// file with the same name. If the person asks for fixes, files with the same name in other folders are offered, too.
func (b *builder) missing(d diag.Diagnostic, root, key string, c intent.Change) diag.Diagnostic {
	if c.PathAt.Span == (text.Span{}) {
		return d
	}
	if other := b.nearSpelling(key); isSameName(other, key) {
		d.Fixes = append(d.Fixes, b.pathFix(root, other, c, true)...)
		return d
	}
	if inner, certain := b.meant(key); certain && fspath.IsFile(b.tree, inner) {
		d.Fixes = append(d.Fixes, b.pathFix(root, inner, c, true)...)
		return d
	}
	if ending := b.onlyEnding(key); ending != "" && b.fits(key, ending) {
		d.Fixes = append(d.Fixes, b.pathFix(root, ending, c, true)...)
		return d
	}
	if beside := b.beside(key); beside != "" {
		// For a deletion, the fix is uncertain, because the file may have been deleted before.
		certain := c.Kind != intent.Delete
		d.Fixes = append(d.Fixes, b.pathFix(root, beside, c, certain)...)
		return d
	}
	like := b.likeName(key)
	if like == "" && !c.NeedsFolder {
		like = b.onlyNamed(key)
	}
	if like != "" {
		d.Message = fmt.Sprintf("%s does not exist; did you mean %s?", c.Path, like)
		d.Fixes = append(d.Fixes, b.pathFix(root, like, c, false)...)
	}
	d.Suggest = func(context.Context) []diag.Fix {
		var fixes []diag.Fix
		places, _ := b.sameEnding(key)
		for _, place := range text.Only(places, func(p string) bool { return p != like }) {
			fixes = append(fixes, b.pathFix(root, place, c, false)...)
		}
		return fixes
	}
	return d
}

// newFile returns diagnostics if the path of a new file is probably wrong. Such a path differs from the path of an
// existing file only as [isSpelledAlike] says, or from that of another new file of the reply as [isSameName] says. Or it
// begins with the name of the project's own folder or with folders that are superfluous in another path of the reply.
func (b *builder) newFile(g *group, key string, c intent.Change) []diag.Diagnostic {
	root := g.root
	if made := b.madeAlike(key); made != "" && !g.vacates[made] {
		d := *diag.Unplaced(diag.PathCase, fmt.Sprintf("the reply also creates %s: the two paths differ only %s", made, differAlike(made, key)))
		d.Fixes = b.pathFix(root, made, c, false)
		return []diag.Diagnostic{d}
	}
	// A file that goes while the other comes is renamed on purpose.
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
		d := *diag.Unplaced(diag.PathProject, fmt.Sprintf("%s begins with %s, which does not exist here; without it, this path, or another one that begins in the same way, names an existing file", c.Path, strings.TrimSuffix(key, inner)))
		d.Severity = diag.Error
		d.Fixes = b.pathFix(root, inner, c, true)
		return []diag.Diagnostic{d}
	}
	return nil
}

// differAlike says for people in what two paths differ that are spelled alike.
func differAlike(a, b string) string {
	switch {
	case !isSameName(a, b):
		return "in the spelling of the extension"
	case strings.EqualFold(a, b):
		return "in case"
	}
	return "in spaces, or in how letters are encoded"
}

// madeAlike returns the first new file of the reply whose path is the same as `key` ([isSameName]) in all of its names,
// but not equal to it. It returns "" if there is none.
func (b *builder) madeAlike(key string) string {
	names := strings.Split(key, "/")
	for i, name := range names {
		names[i] = fspath.FoldedLetters(strings.TrimSpace(name))
	}
	folded := path.Join(names...)
	if first, ok := b.newFiles[folded]; ok && first != key {
		return first
	}
	b.newFiles[folded] = key
	return ""
}

// isGone reports whether the changes so far have removed or renamed a file.
func (b *builder) isGone(key string) bool {
	e := b.files[key]
	return e != nil && !e.now.Exists
}

// otherFolder refuses to create a file if an existing file in another folder is probably meant (rule R47). Three
// conditions must hold: one of the two paths is the end of the other, nothing says that the file is new, and the text
// may be a new text of the existing file, or of a part of that file.
func (b *builder) otherFolder(key string, c intent.Change) *diag.Diagnostic {
	if !c.MayBePart || c.Kind != intent.Write {
		return nil
	}
	var places []string
	if !strings.Contains(key, "/") {
		places, _ = b.sameEnding(key)
	} else if !b.isFolder(path.Dir(key)) {
		places = append(places, b.onlyEnding(key))
	}
	for _, end, below := strings.Cut(key, "/"); below; _, end, below = strings.Cut(end, "/") {
		if fspath.IsFile(b.tree, end) {
			places = append(places, end)
		}
	}
	for _, place := range places {
		if content := b.textOf(place); content != "" && b.mayBeNewText(content, c) {
			return new(at(c, diag.New(diag.FileMissing, text.Span{}, fmt.Sprintf("%s does not exist, but the text has lines of %s; write the path of the right file", c.Path, place))))
		}
	}
	return nil
}

// notGone refuses to treat a missing file as already deleted or renamed if its path, without the name of the project's
// own folder, names an existing file (rule R47). It ignores that file if another change of the reply names it, because
// a reply that moves a file in two changes must still count as done.
func (b *builder) notGone(it *item) []diag.Diagnostic {
	inner := b.withoutProject(it.key)
	if it.DocPath || it.e.base.Exists || inner == "" || !fspath.IsFile(b.tree, inner) || b.named(inner) {
		return nil
	}
	return []diag.Diagnostic{at(it.Change, diag.New(diag.FileMissing, text.Span{}, fmt.Sprintf("%s does not exist, but %s does, and may be the right file; check the path, or leave this change out", it.Path, inner)))}
}

func (b *builder) named(key string) bool {
	if b.naming == nil {
		b.naming = map[string]string{}
		for _, set := range b.sets {
			for _, c := range set.Changes {
				b.naming[path.Join(set.Root, c.Path)] = c.Content
				if c.To != "" {
					b.naming[path.Join(set.Root, c.To)] = ""
				}
			}
		}
	}
	_, is := b.naming[key]
	return is
}

// textOf returns the text of a file in the tree. It returns "" if the file is large, or is not text.
func (b *builder) textOf(key string) string {
	info, err := fs.Stat(b.tree, key)
	if err != nil || info.Size() > otherFile {
		return ""
	}
	data, _ := readString(b.tree, key)
	content, _, _ := text.Decode(data)
	return content
}

// pathFix returns a fix that replaces the path of a change with the path of another file, relative to the block's root.
// It returns no fix if that file is outside the root.
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

// nearSpelling returns the path in the tree that differs from `key` only as [isSpelledAlike] says. It returns "" if there
// is no such path, or several.
func (b *builder) nearSpelling(key string) string {
	at := "."
	for name := range strings.SplitSeq(key, "/") {
		entries := b.entries(at)
		if !b.Meter.Pay(eachName * len(entries)) {
			return ""
		}
		var same []string
		for _, e := range entries {
			if e.Name() == name {
				same = []string{name}
				break
			}
			if isSpelledAlike(e.Name(), name) {
				same = append(same, e.Name())
			}
		}
		if len(same) != 1 {
			return ""
		}
		at = path.Join(at, same[0])
	}
	if at == key || !fspath.IsFile(b.tree, at) || !isSameName(at, key) && b.named(at) {
		return ""
	}
	return at
}

// shortExtensions maps the spellings of an extension to the shortest one.
var shortExtensions = map[string]string{".yaml": ".yml", ".html": ".htm", ".markdown": ".md"}

// isSpelledAlike reports whether two names are the same ([isSameName]), or differ only in the spelling of their
// extension.
func isSpelledAlike(a, b string) bool {
	x, y := path.Ext(a), path.Ext(b)
	return isSameName(a[:len(a)-len(x)], b[:len(b)-len(y)]) && isSameName(cmp.Or(shortExtensions[x], x), cmp.Or(shortExtensions[y], y))
}

// isSameName reports whether two names differ only in what people do not see, or write by mistake: case, spaces at an
// end, invisible characters, and how letters are encoded.
func isSameName(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return strings.EqualFold(a, b) || !(text.IsASCII(a) && text.IsASCII(b)) && fspath.FoldedLetters(a) == fspath.FoldedLetters(b)
}

// beside looks for a file with the bare name `key` in the folders in which the reply writes other files. If there is
// exactly one such file, it returns the path of that file, otherwise "" (rule R47).
func (b *builder) beside(key string) string {
	if strings.Contains(key, "/") {
		return ""
	}
	inFolder := func(dir string) bool { return b.Meter.Pay(eachFolder) && fspath.IsFile(b.tree, path.Join(dir, key)) }
	if !slices.ContainsFunc(b.written(), inFolder) {
		return ""
	}
	if places, all := b.sameEnding(key); all && len(places) == 1 {
		return places[0]
	}
	return ""
}

// foldersWritten returns the folders below the root in which the reply writes files.
func (b *builder) foldersWritten() []string {
	found := map[string]bool{}
	for _, set := range b.sets {
		for _, c := range set.Changes {
			dir := path.Dir(path.Join(set.Root, c.Path))
			if !c.DocPath && c.Kind != intent.Delete && c.Kind != intent.Rename && dir != "." && fs.ValidPath(dir) {
				found[dir] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// entries returns the files and folders in a folder. A folder that cannot be read has none.
func (b *builder) entries(dir string) []fs.DirEntry {
	all, known := b.folders[dir]
	if !known {
		all, _ = fs.ReadDir(b.tree, dir)
		b.folders[dir] = all
	}
	return all
}

// likeName returns the path of the file in the same folder whose name is most similar to the name in `key`. Short names
// can be similar by chance, so it returns "" if more than a quarter of the letters differ, not counting the extension.
// It also returns "" if several names are equally similar.
func (b *builder) likeName(key string) (like string) {
	name, best, found := path.Base(key), 0, 0
	if len(name) > longestName {
		return ""
	}
	for _, e := range b.entries(path.Dir(key)) {
		if len(e.Name()) > longestName || !b.Meter.Pay(eachName+len(name)*len(e.Name())) {
			continue
		}
		switch d := place.Distance(e.Name(), name); {
		case 4*d > len(name)-len(path.Ext(name)) || found > 0 && d > best || !fspath.IsFile(b.tree, path.Join(path.Dir(key), e.Name())):
		case found > 0 && d == best:
			found++
		default:
			best, found, like = d, 1, path.Join(path.Dir(key), e.Name())
		}
	}
	if found != 1 {
		return ""
	}
	return like
}

// withoutProject removes the name of the tree's own folder from the beginning of the path `key`. It returns "" if the
// path does not begin with that name, or if the tree contains a file or folder of that name.
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

// eachFile is the cost of looking at one path in the tree, in units of the meter.
const eachFile = 1000

// These are the costs of comparing a path with one path of the reply, and of comparing a name with one name in a
// folder, in units of the meter.
const (
	eachChange = 200
	eachName   = 32
)

// longestName limits the names that are compared letter by letter, in bytes.
const longestName = 200

// sameEnding returns the files whose paths end with the same components as the path `key`. It returns only the files
// with the largest number of equal components. `all` reports whether it looked at every file of the tree.
func (b *builder) sameEnding(key string) (found []string, all bool) {
	best := 1
	named, all := b.byName()
	for _, p := range named[path.Base(key)] {
		switch n := commonEnding(p, key); {
		case n > best:
			best, found = n, []string{p}
		case n == best:
			found = append(found, p)
		}
	}
	return found[:min(len(found), offeredPlaces)], all
}

func commonEnding(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// An unplaced is a new file in a new folder that no word of the reply calls new.
type unplaced struct {
	*item
	block int // the index of its block
}

// needsFolder checks the folder of a new file. If the reply does not call the file new, it refuses a file in the root if a
// file with that name in another folder could be meant (rule F11). Other files in the root, and missing folders, are judged
// later, by [builder.judgeFolders].
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

// judgeFolders warns about new files in new folders which nothing else in the reply calls new, and about new files in the
// root that probably belong in another folder (rules W6 and F11). If the root has other files with the extension, even
// after the reply, it may be the right place.
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
				d := at(u.Change, diag.New(diag.WholeUnsure, text.Span{}, fmt.Sprintf("%s would be created in the project's root, but %s, which begins to use it, is in another folder; check the path", u.Path, user)))
				d.Fixes = b.pathFix(".", path.Join(path.Dir(user), u.key), u.Change, false)
				b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
			}
		} else if !b.isParallel(u.key) && !b.introduces(path.Dir(u.key)) && !paths.IsNewProject(b.tree) {
			d := sayNew(u.Change, diag.WholeUnsure, "neither "+u.Path+" nor its folder exists")
			b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
		}
	}
}

// onlyUser returns a file that gets the name of a new file in the root as a new word, as in an import, if all such files are in
// one folder below the root. The file must have the same extension. onlyUser returns "" if there is no such file.
func (b *builder) onlyUser(key string) (user string) {
	ext := path.Ext(key)
	stem := strings.TrimSuffix(key, ext)
	if stem == "" || ext == "" {
		return ""
	}
	for _, other := range b.newWords()[stem] {
		if other == key {
			continue
		}
		if path.Ext(other) != ext || path.Dir(other) == "." || user != "" && path.Dir(user) != path.Dir(other) {
			return ""
		}
		user = other
	}
	return user
}

// introduces reports whether the reply adds the name of a new folder to another file, as in an import. That file must
// be in the root, or below the same folder of the root. The tree must have no other folder of that name.
func (b *builder) introduces(dir string) bool {
	top, _, _ := strings.Cut(dir, "/")
	return slices.ContainsFunc(b.newWords()[path.Base(dir)], func(key string) bool {
		return (path.Dir(key) == "." || strings.HasPrefix(key, top+"/")) && !strings.HasPrefix(key, dir+"/")
	})
}

// newWords returns, for each word that the reply adds to files, the keys of the files that lacked it. It leaves out the
// names of folders in the tree.
func (b *builder) newWords() map[string][]string {
	if b.fresh != nil {
		return b.fresh
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	}
	fresh := map[string][]string{}
	for _, key := range b.order {
		e := b.files[key]
		if !b.Meter.Pay(eachWritten * (e.base.len() + e.now.len())) {
			break
		}
		had := text.Set(words(e.base.bytes()))
		for _, word := range words(e.now.bytes()) {
			if keys := fresh[word]; !had[word] && (len(keys) == 0 || keys[len(keys)-1] != key) {
				fresh[word] = append(keys, key)
			}
		}
	}
	b.fresh = map[string][]string{}
	named, all := b.byName()
	if !all {
		return b.fresh
	}
	for _, places := range named {
		for _, p := range places {
			for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
				delete(fresh, path.Base(dir))
			}
		}
	}
	b.fresh = fresh
	return fresh
}

// isParallel reports whether the reply also changes a file that has the name of a new file, in a sibling folder:
// `lang/fr/messages.php` and `lang/de/messages.php`.
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
