package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// onlyUser returns a file to which the reply adds the name of the new file `key`, for example in an import. It returns
// "" if there is none, or if these files are in the root, in several folders, or have a different extension.
func (b *builder) onlyUser(key string) (user string) {
	ext, name := path.Ext(key), stem(key)
	if name == "" || ext == "" {
		return ""
	}
	for _, other := range b.newWords()[name] {
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

// introduces reports whether the reply adds the name of a new folder to another file, for example in an import. That
// file must be in the root, or in the same top-level folder as the new folder. The tree must have no other folder of
// that name.
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
	fresh := map[string][]string{}
	for _, key := range b.order {
		e := b.files[key]
		if !b.Meter.Pay(eachWritten * (e.base.len() + e.now.len())) {
			break
		}
		had := text.Set(wordsOf(e.base))
		for _, word := range wordsOf(e.now) {
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

func wordsOf(v version) []string {
	return strings.FieldsFunc(v.bytes(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
}

// judgeRenamed looks at renames that count as done because only the new path exists. It warns if another file begins to
// use the old name, or no longer uses the new name, because the two paths may be in the wrong order.
func (b *builder) judgeRenamed() {
	var edited []string
	if len(b.renamed) > 0 {
		edited = text.Only(b.order, func(key string) bool { return b.files[key].now.Exists && !b.files[key].base.same(b.files[key].now) })
	}
	for _, u := range b.renamed {
		was, is := stem(u.key), stem(u.toKey)
		user := func(key string) bool { return b.Meter.Pay(1) && key != u.toKey && path.Ext(key) == path.Ext(u.key) }
		if was == is {
			continue
		}
		does := ""
		if i := slices.IndexFunc(b.newWords()[was], user); i >= 0 {
			does = fmt.Sprintf("%s would begin to use `%s`", b.newWords()[was][i], was)
		} else if i := slices.IndexFunc(edited, func(key string) bool { return user(key) && b.drops(key, is) }); i >= 0 {
			does = fmt.Sprintf("%s would no longer use `%s`", edited[i], is)
		}
		if does == "" {
			continue
		}
		d := at(u.Change, diag.New(diag.RenameUnsure, text.Span{}, fmt.Sprintf("%s does not exist and %s does, so the file seems to be renamed already, but %s; check the order of the two paths", u.Path, u.To, does)))
		b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
	}
}

func stem(key string) string { return strings.TrimSuffix(path.Base(key), path.Ext(key)) }

// drops reports whether the reply removes all occurrences of a word from an edited file.
func (b *builder) drops(key, word string) bool {
	e := b.files[key]
	if !b.Meter.Pay(eachWritten * (e.base.len() + e.now.len())) {
		return false
	}
	return slices.Contains(wordsOf(e.base), word) && !slices.Contains(wordsOf(e.now), word)
}
