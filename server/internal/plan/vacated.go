package plan

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mainFiles holds the names of files that the path of their folder names.
var mainFiles = []string{"index", "__init__"}

// judgeVacated warns about a file that the reply deletes or renames if a program still names it, for example in an
// import, and no file is left that can be meant. The reply is then probably incomplete.
func (b *builder) judgeVacated() {
	gone, ends := map[string]string{}, map[string]string{} // the files by their paths without extension, and by ends of these
	for _, key := range slices.Sorted(maps.Keys(b.vacated)) {
		if e := b.files[key]; !e.base.Mode.IsRegular() || e.now.Exists {
			continue
		}
		name := withoutExt(key)
		if slices.Contains(mainFiles, path.Base(name)) {
			name = path.Dir(name)
		}
		gone[name] = key
		for end := name; strings.Contains(end, "/"); _, end, _ = strings.Cut(end, "/") {
			ends[end] = key
		}
	}
	if len(gone) == 0 {
		return
	}
	left := b.left()
	for user, content := range b.programs(left) {
		for r := range doubt.References(user, content) {
			key := cmp.Or(gone[r.Path], gone[withoutExt(r.Path)])
			if r.Ending {
				key = ends[r.Path]
			}
			if key == "" || !r.May(path.Ext(key)) || b.remains(r, left) {
				continue
			}
			u, does := b.vacated[key], "deletes"
			if u.Kind == intent.Rename {
				does = "renames"
			}
			d := at(u.Change, diag.New(diag.FileUsed, text.Span{}, fmt.Sprintf("the reply %s %s, but %s still names it: %q; the reply may lack an edit of that file", does, key, user, text.Cut(r.Line, 60))))
			b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
			return
		}
	}
}

func withoutExt(key string) string { return strings.TrimSuffix(key, path.Ext(key)) }

// left returns the files of the tree after the reply, in order.
func (b *builder) left() []string {
	named, _ := b.byName()
	all := slices.Concat(append(slices.Collect(maps.Values(named)), b.order)...)
	slices.Sort(all)
	return text.Only(slices.Compact(all), func(key string) bool {
		e := b.files[key]
		return e == nil || e.now.Exists && !e.now.Mode.IsDir()
	})
}

// programs yields the paths and texts of the programs among files of the tree after the reply, except for large files.
func (b *builder) programs(left []string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, key := range left {
			e := b.files[key]
			if !doubt.NamesFiles(path.Ext(key)) || e == nil && !b.mayRead(key) {
				continue
			}
			content := ""
			if e != nil {
				content = b.decoded(e.now)()
			} else {
				content = b.textOf(key)
			}
			if !yield(key, content) {
				return
			}
		}
	}
}

// mayRead reports whether a file is small, and the reply has not yet read too much for comparisons.
func (b *builder) mayRead(key string) bool {
	info, err := fs.Stat(b.tree, key)
	if err != nil || !info.Mode().IsRegular() || info.Size() > siblingFile {
		return false
	}
	b.readOthers += max(int(info.Size()), siblingLeast)
	return b.readOthers <= siblingsOfReply && b.Meter.Pay(eachWritten*int(info.Size()))
}

// remains reports whether one of the files can be meant by a reference, or is in a folder that can be meant.
func (b *builder) remains(r doubt.Reference, left []string) bool {
	means := func(name string) bool {
		return name == r.Path || name == withoutExt(r.Path) || strings.HasPrefix(name, r.Path+"/")
	}
	return !b.Meter.Pay(eachName*len(left)) || slices.ContainsFunc(left, func(key string) bool {
		name := withoutExt(key)
		ends := r.Ending && (strings.HasSuffix(name, "/"+r.Path) || strings.Contains(name, "/"+r.Path+"/"))
		return r.May(path.Ext(key)) && (ends || means(key) || means(name))
	})
}
