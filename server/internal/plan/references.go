package plan

import (
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
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// judgeReferences looks at the references of programs to files of the project, such as imports, after the reply.
func (b *builder) judgeReferences() {
	vacated := text.Only(slices.Sorted(maps.Keys(b.vacated)), func(key string) bool {
		return b.files[key].base.Mode.IsRegular() && !b.files[key].now.Exists
	})
	var changed []references
	for _, key := range b.order {
		if r := b.references(key); len(r.fresh) > 0 {
			changed = append(changed, r)
		}
	}
	if len(vacated)+len(changed) == 0 {
		return
	}
	left := b.left()
	index := doubt.NewReferences(left)
	b.judgeVacated(vacated, left, index)
	for _, r := range changed {
		if b.asks() {
			return // An import is often wrong because of a mistake that is known already.
		}
		b.judgeImports(r, index)
	}
}

// asks reports whether a doubt about an edit asks so far.
func (b *builder) asks() bool {
	return text.AnyIn(maps.Values(b.doubts), func(found []diag.Diagnostic) bool { return slices.ContainsFunc(found, diag.Diagnostic.Asks) })
}

// references holds the references in a program file that the reply changes.
type references struct {
	key   string
	old   []doubt.Reference // those before the reply
	fresh []doubt.Reference // those that the reply adds, with the names that it adds
}

func (b *builder) references(key string) references {
	r, e := references{key: key}, b.files[key]
	if !doubt.NamesFiles(path.Ext(key)) || e.by.Path == "" || e.broken || !e.now.Exists || e.now.same(e.base) {
		return r
	}
	had := map[string]bool{} // paths, and names after paths
	for old := range doubt.ReferencesIn(key, b.decoded(e.base)()) {
		r.old = append(r.old, old)
		had[old.Path] = true
		for _, name := range old.Names {
			had[old.Path+" "+name] = true
		}
	}
	for is := range doubt.ReferencesIn(key, b.decoded(e.now)()) {
		is.Names = text.Only(is.Names, func(name string) bool { return !had[is.Path+" "+name] })
		if !had[is.Path] || len(is.Names) > 0 {
			r.fresh = append(r.fresh, is)
		}
	}
	return r
}

// judgeVacated reports a file that the reply deletes or renames if a program still names it, and no file is left that can
// be meant. It warns if the reply changes another program accordingly, because the reply is then incomplete. Otherwise,
// the person may want the file to go first.
func (b *builder) judgeVacated(vacated, left []string, index doubt.References) {
	if len(vacated) == 0 {
		return
	}
	gone := doubt.NewReferences(vacated)
	for user, content := range b.programs(left) {
		for r := range doubt.ReferencesIn(user, content) {
			of := text.Only(gone.Of(r, b.Meter), func(key string) bool { return !strings.HasSuffix(key, "/") })
			if len(of) == 0 || len(index.Of(r, b.Meter)) > 0 {
				continue
			}
			u, does := b.vacated[of[0]], "deletes"
			if u.Kind == intent.Rename {
				does = "renames"
			}
			d := at(u.Change, diag.New(diag.BrokenReference, text.Span{}, fmt.Sprintf("the reply %s %s, but %s still names it: %q; the reply may lack an edit of that file", does, of[0], user, text.Cut(r.Line, 60))))
			if !slices.ContainsFunc(b.order, func(key string) bool { return b.follows(key, of[0]) }) {
				d.Severity = diag.Info
			}
			b.doubts[u.block] = append(b.doubts[u.block], ofFile(d, u.item))
			return
		}
	}
}

// follows reports whether the reply removes all references to a file from a program.
func (b *builder) follows(key, file string) bool {
	e := b.files[key]
	names := func(v version) bool {
		return text.AnyIn(doubt.ReferencesIn(key, b.decoded(v)()), func(r doubt.Reference) bool { return r.Means(file) })
	}
	return doubt.NamesFiles(path.Ext(key)) && e.now.Exists && !e.now.same(e.base) && names(e.base) && !names(e.now)
}

// judgeImports warns about a new reference to a name that its file lacks, or to a file that the project lacks. The tree
// may have only a part of the project, so a file counts as lacking only if another reference of the same program leads
// to a file of the tree, and all old ones do, or if the reply creates a file of this name in another folder.
func (b *builder) judgeImports(of references, index doubt.References) {
	found := func(r doubt.Reference) []string { return index.Of(r, b.Meter) }
	leads := func(r doubt.Reference) bool { return len(found(r)) > 0 }
	fails := func(r doubt.Reference) bool { return r.Surely() && !leads(r) }
	message := ""
	for _, r := range of.fresh {
		if name := b.lacking(r, found(r), index); name != "" {
			message = fmt.Sprintf("%s would refer to the name `%s` in %s, which does not have it; correct the name, or add it there", of.key, name, found(r)[0])
			break
		}
	}
	if lost := text.Only(of.fresh, fails); message == "" && len(lost) > 0 {
		if slices.ContainsFunc(of.old, fails) || !slices.ContainsFunc(slices.Concat(of.old, of.fresh), leads) {
			lost = text.Only(lost, b.isMisplaced)
		}
		if len(lost) > 0 {
			message = fmt.Sprintf("%s would refer to a file that the project does not have: %q; correct the path, or add the file", of.key, text.Cut(lost[0].Line, 60))
		}
	}
	if message != "" {
		e := b.files[of.key]
		d := at(e.by, diag.New(diag.BrokenReference, text.Span{}, message))
		d.Path = of.key
		b.doubts[e.block] = append(b.doubts[e.block], d)
	}
}

// isMisplaced reports whether the reply creates a file with the name in a reference.
func (b *builder) isMisplaced(r doubt.Reference) bool {
	name := func(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }
	return slices.ContainsFunc(b.made(), func(key string) bool { return doubt.NamesFiles(path.Ext(key)) && name(key) == name(r.Path) })
}

// lacking returns the first name of a reference that its file does not contain. It returns "" if there is none, or if
// the reference may mean several files.
func (b *builder) lacking(r doubt.Reference, found []string, index doubt.References) string {
	if len(r.Names) == 0 || len(found) != 1 || strings.HasSuffix(found[0], "/") {
		return ""
	}
	content := b.textAfter(found[0])
	if content == "" || passesOn.MatchString(content) {
		return ""
	}
	has := text.Set(text.Names(content))
	for _, name := range r.Names {
		inner := r
		inner.Path += "/" + name
		if !has[name] && len(index.Of(inner, b.Meter)) == 0 {
			return name
		}
	}
	return ""
}

// passesOn matches lines with which a module may have names that its text does not contain.
var passesOn = lazyregexp.New(`(?m)^[ \t]*(?:export[ \t]+\*|from[ \t].*import[ \t]*\*|def[ \t]+__getattr__|module\.exports[ \t]*=[ \t]*[^{ \t])|globals\(\)|\.\.\.`)

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
			if doubt.NamesFiles(path.Ext(key)) && !yield(key, b.textAfter(key)) {
				return
			}
		}
	}
}

// textAfter returns the text of a file after the reply. It returns "" for a file that the reply does not change if the
// file is large, or if the reply has read too much for comparisons.
func (b *builder) textAfter(key string) string {
	if e := b.files[key]; e != nil {
		return b.decoded(e.now)()
	}
	info, err := fs.Stat(b.tree, key)
	if err != nil || !info.Mode().IsRegular() || info.Size() > siblingFile || !b.payForOther(int(info.Size())) {
		return ""
	}
	return b.textOf(key)
}
