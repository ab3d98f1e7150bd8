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

// onlyUser returns a file to which the reply adds the name of the new file `key`, as in an import. All such files must
// have the extension of `key`, and be in one folder below the root. Otherwise, or if there are none, onlyUser returns
// "".
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
// be in the root, or in the same top-level folder as the new folder. The tree must have no other folder of that name.
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

// judgeRenamed warns about a rename that counts as done because only its new path exists, if the reply begins to use the
// old name in another file: the two paths may be in the wrong order.
func (b *builder) judgeRenamed() {
	for _, u := range b.renamed {
		old := strings.TrimSuffix(path.Base(u.key), path.Ext(u.key))
		users := text.Only(b.newWords()[old], func(key string) bool { return key != u.toKey && path.Ext(key) == path.Ext(u.key) })
		if len(users) == 0 || old == strings.TrimSuffix(path.Base(u.toKey), path.Ext(u.toKey)) {
			continue
		}
		d := at(u.Change, diag.New(diag.RenameUnsure, text.Span{}, fmt.Sprintf("%s does not exist but %s does, so it seems to be renamed already; but %s would begin to use `%s`: check the order of the two paths", u.Path, u.To, users[0], old)))
		b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
	}
}
