package plan

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const offeredPlaces = 5

// missing adds fixes to the diagnostic about a missing file. Each fix names an existing file that may be meant:
//
//   - a file whose name is the same ([paths.IsSameName])
//   - the file that the path names without its superfluous leading folders
//   - the only file whose path ends with the given path
//   - a file in a folder that other changes name
//   - a file with a similar name in the same folder, or the only file with the same name
//
// If the person asks for fixes, files with the same name in other folders are offered, too.
func (b *builder) missing(d diag.Diagnostic, root, key string, c intent.Change) diag.Diagnostic {
	if c.PathAt.Span == (text.Span{}) {
		return d
	}
	if other := b.nearSpelling(key); paths.IsSameName(other, key) {
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

// otherFolder refuses to create a file if an existing file in another folder is probably meant (rule R47), because all
// of these are true:
//
//   - One of the two paths is the end of the other.
//   - Nothing says that the file is new.
//   - The text may be a new text of the existing file, or of a part of it.
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
// own folder, names an existing file (rule R47). If another change of the reply names the existing file, notGone does
// not refuse: a reply that moves a file in two changes must count as done when it is applied again.
func (b *builder) notGone(it *item) []diag.Diagnostic {
	inner := b.withoutProject(it.key)
	if it.DocPath || it.e.base.Exists || inner == "" || !fspath.IsFile(b.tree, inner) || b.named(inner) {
		return nil
	}
	return []diag.Diagnostic{at(it.Change, diag.New(diag.FileMissing, text.Span{}, fmt.Sprintf("%s does not exist, but %s does, and may be the right file; check the path, or leave this change out", it.Path, inner)))}
}

// otherFits asks about an edit if another path that may be meant names a file that the edit fits, too.
func (b *builder) otherFits(g *group, it *item) []diag.Diagnostic {
	other := path.Join(g.root, it.Other)
	if it.Other == "" || other == it.key || !fspath.IsFile(b.tree, other) {
		return nil
	}
	if _, fits := b.fitted(b.textOf(other), it.Change, b.Applied[other]); !fits {
		return nil
	}
	return []diag.Diagnostic{at(it.Change, diag.New(diag.WholeUnsure, text.Span{}, fmt.Sprintf("this edit is for %s or for %s, and fits both; write the path of the right file", it.Other, it.Path)))}
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

// textOf returns the text of a file in the tree, or "" if the file is large or not text.
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
	return []diag.Fix{{Title: fmt.Sprintf("Write the path %q", key), Edits: []text.Edit{c.PathAt.Set(key)}, Preferred: certain}}
}

// beside looks for a file with the bare name `key` in the folders in which the reply writes other files. It returns the
// path of that file if the tree has no other file with this name, and otherwise "" (rule R47).
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

// likeName returns the path of the file in the same folder whose name is most similar to the name in `key`. It returns
// "" if several names are equally similar, or if more than a quarter of the letters differ, not counting the extension.
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

// Costs in units of the meter.
const (
	eachChange = 200 // comparing a path with one path of the reply
	eachName   = 32  // comparing a name with one name in a folder
)

// longestName is the length, in bytes, of the longest names that are compared letter by letter.
const longestName = 200

// sameEnding returns the files with the same name as `key` whose paths share the most components with `key` at their
// ends. `all` reports whether it looked at every file of the tree.
func (b *builder) sameEnding(key string) (found []string, all bool) {
	best := 1
	named, all := b.byName()
	for _, p := range named[path.Base(key)] {
		switch n := text.CommonEnd(strings.Split(p, "/"), strings.Split(key, "/")); {
		case n > best:
			best, found = n, []string{p}
		case n == best:
			found = append(found, p)
		}
	}
	return found[:min(len(found), offeredPlaces)], all
}

// Limits of the search for a passage in other files. If a limit is reached, nothing is suggested, because a file that
// was not searched may also have the passage.
const (
	passageLines = 2 // a passage with this many nonblank lines, and half of passageChars, is distinctive
	// A passage is also distinctive if it has this many characters other than white space. A shorter one could be in
	// any file.
	passageChars = 40
	otherBytes   = 256 << 20 // at most this many bytes are read from all files together
	otherFile    = 2 << 20   // files with more bytes are not read, because they are not source code
	otherLimit   = 20_000    // at most this many files and folders are visited
)

// suggestOther adds a suggestion to the diagnostic about a missing passage: the path of another file, if only that
// file has the passage. The search begins when the person asks for the suggestion.
func (b *builder) suggestOther(g *group, it *item, d diag.Diagnostic) diag.Diagnostic {
	if it.DocPath || it.PathAt.Span == (text.Span{}) || !distinct(d.Passage) {
		return d
	}
	suggest, passage, root, change := d.Suggest, text.WithEOL(d.Passage, text.LF), g.root, it.Change
	d.Suggest = func(ctx context.Context) []diag.Fix {
		var fixes []diag.Fix
		if suggest != nil {
			fixes = suggest(ctx)
		}
		other, ok := b.onlyOther(ctx, it.key, passage)
		if !ok {
			return fixes
		}
		for _, fix := range b.pathFix(root, other, change, false) {
			fix.Path, fix.Title = other, fmt.Sprintf("Write the path %q: only that file has the text", other)
			fixes = append(fixes, fix)
		}
		return fixes
	}
	return d
}

// lacksAll reports whether the file has none of the passages of the item.
func (it *item) lacksAll(problems []diag.Diagnostic) bool {
	lacking, parts := text.Count(problems, func(p diag.Diagnostic) bool { return p.Passage != "" }), 0
	for _, s := range it.Steps {
		parts += max(1, len(s.Parts()))
	}
	return lacking > 0 && lacking == parts
}

// distinct reports whether a passage is so long that other files are unlikely to have it by chance.
func distinct(passage string) bool {
	lines := 0
	for line := range strings.SplitSeq(passage, "\n") {
		if !text.IsBlank(line) {
			lines++
		}
	}
	chars := text.NonBlanks(passage, passageChars)
	return chars == passageChars || lines >= passageLines && chars >= passageChars/2
}

// onlyOther returns the only file, other than `key`, that has a passage. That file must have the passage exactly once.
// onlyOther skips binary files and files that git ignores.
func (b *builder) onlyOther(ctx context.Context, key, passage string) (string, bool) {
	found, complete := b.filesWith(ctx, key, passage)
	if b.Ignored != nil && len(found) > 0 && complete {
		ignored, err := b.Ignored(ctx, found)
		if err != nil {
			return "", false
		}
		found = slices.DeleteFunc(found, func(p string) bool { return ignored[p] })
	}
	if !complete || len(found) != 1 {
		return "", false
	}
	data, err := readString(b.tree, found[0])
	return found[0], err == nil && strings.Count(text.WithEOL(data, text.LF), passage) == 1
}

// filesWith returns the text files, except for `key`, that have a passage. `complete` is false if a limit ended the
// search.
func (b *builder) filesWith(ctx context.Context, key, passage string) (found []string, complete bool) {
	seen, size := 0, int64(0)
	complete = true
	_ = fs.WalkDir(b.tree, ".", func(p string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case ctx.Err() != nil || seen > otherLimit || size > otherBytes || !b.Meter.Pay(eachFile):
			complete = false
			return fs.SkipAll
		case err != nil || e.IsDir() && slices.Contains(paths.Skipped, e.Name()):
			return fs.SkipDir
		case !e.Type().IsRegular() || p == key || path.Base(p) == ".git":
			return nil
		}
		info, err := e.Info()
		if err != nil || info.Size() > otherFile || info.Size() < int64(len(passage)) {
			return nil
		}
		if size += info.Size(); !b.Meter.Pay(int(info.Size())) {
			return nil
		}
		if data, err := readString(b.tree, p); err == nil && !strings.Contains(data, "\x00") && strings.Contains(text.WithEOL(data, text.LF), passage) {
			found = append(found, p)
		}
		return nil
	})
	return found, complete && ctx.Err() == nil && !b.Meter.Spent()
}
