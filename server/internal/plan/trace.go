package plan

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A draft collects one block.
type draft struct {
	index  int
	set    intent.Set
	traces []*trace // by first mention
	byKey  map[string]*trace
	found  []diag.Diagnostic
	places []Place
	failed map[string]int // groups of changes that cannot be made, by the keys of their files
}

// A trace is what becomes of one path.
type trace struct {
	path          string
	before, after version
	from          string         // the path that after was renamed from; "" if it was not
	by            intent.Change  // the first change that names it
	failed        *intent.Change // the first change of it that cannot be made
	source        bool           // it was only copied from
	whole         bool           // a change wrote all of its content
	at            text.Span
}

func (d *draft) report(ds ...diag.Diagnostic) { d.found = append(d.found, ds...) }

// fail notes a change of a path that could not even be looked at.
func (d *draft) fail(path string, c intent.Change) {
	d.traces = append(d.traces, &trace{path: path, failed: &c, at: spanOf(intent.Literal{}, c)})
}

// touch is the trace of a path that change c names; again is whether another one
// of the block did before.
func (d *draft) touch(key string, e *entry, c intent.Change) (t *trace, again bool) {
	if t, ok := d.byKey[key]; ok {
		t.source = false
		return t, true
	}
	t = &trace{path: key, before: e.now, by: c, at: spanOf(intent.Literal{}, c)}
	d.traces = append(d.traces, t)
	d.byKey[key] = t
	return t, false
}

// fails notes that an item cannot be made.
func (d *draft) fails(it *item) {
	if t := d.byKey[it.key]; t.failed == nil {
		t.failed = &it.Change
	}
	d.failed[it.key], d.failed[it.toKey] = it.Group, it.Group
}

// unknown reports whether an item works on what a change that cannot be made would
// have left. Copies and renames read what was there before their group.
func (d *draft) unknown(it *item) bool {
	group, failed := d.failed[it.key]
	moves := it.Kind == intent.Copy || it.Kind == intent.Rename
	return it.Raw && failed && (group != it.Group || !moves)
}

// files is what the block did, once all of it is planned.
func (d *draft) files(b *builder) []BlockFile {
	for key, t := range d.byKey {
		t.before, t.after = t.before.kept(), b.files[key].now.kept()
	}
	return filesOf(d.traces)
}

// filesOf pairs what a rename takes away with what it puts elsewhere.
func filesOf(traces []*trace) []BlockFile {
	byPath := map[string]*trace{}
	for _, t := range traces {
		byPath[t.path] = t
	}
	traces = slices.DeleteFunc(slices.Clone(traces), func(t *trace) bool { return t.source && t.failed == nil && t.before.same(t.after) })
	moved, isTarget := map[string]*trace{}, map[*trace]bool{}
	for _, t := range traces {
		if source := byPath[t.from]; t.from != "" && source != nil && moved[t.from] == nil && renames(source, t) {
			moved[t.from], isTarget[t] = t, true
		}
	}
	var files []BlockFile
	for _, t := range traces {
		switch {
		case isTarget[t]:
		case moved[t.path] != nil:
			files = append(files, t.rename(moved[t.path]))
		default:
			files = append(files, t.file())
		}
	}
	return files
}

// renames reports whether all that became of source and target is that one is
// now the other, or was before.
func renames(source, target *trace) bool {
	if source.failed != nil || target.failed != nil || source.after.Exists || !target.after.Exists {
		return false
	}
	return source.before.Exists && !target.before.Exists || !source.before.Exists && target.before.same(target.after)
}

func (t *trace) rename(target *trace) BlockFile {
	f := BlockFile{Path: t.path, To: target.path, Operation: Rename, State: Change, before: t.before, after: target.after, At: t.at}
	if !t.before.Exists {
		f.State, f.before = Done, f.after
	}
	return f
}

func (t *trace) file() BlockFile {
	f := BlockFile{Path: t.path, before: t.before, after: t.after, At: t.at}
	if t.failed != nil {
		f.State, f.Operation, f.after = Failed, intended(*t.failed, f.before), f.before
		switch t.failed.Kind {
		case intent.Rename:
			f.To = t.failed.To
		case intent.Copy:
			f.Path = t.failed.To
		}
		return f
	}
	f.State, f.Operation, f.Whole = Done, operationOf(f.before.Exists, f.after.Exists), t.whole
	if !f.before.same(f.after) {
		f.State = Change
	}
	return f
}

// intended is the operation that a change which cannot be planned speaks of.
func intended(c intent.Change, before version) Operation {
	switch c.Kind {
	case intent.Write:
		if before.Exists && !before.Mode.IsDir() {
			return Modify
		}
		return Create
	case intent.Create, intent.Copy, intent.MakeDir:
		return Create
	case intent.Delete, intent.DeleteAll:
		return Remove
	case intent.Rename:
		return Rename
	}
	return Modify
}

// at puts a diagnostic where the block names the file.
func at(c intent.Change, d diag.Diagnostic) diag.Diagnostic {
	d.Span = spanOf(intent.Literal{}, c)
	return d
}

// spanOf is where a literal is; where it is not written, that of the path.
func spanOf(l intent.Literal, c intent.Change) text.Span {
	for _, l := range []intent.Literal{l, c.PathAt} {
		if l.Span != (text.Span{}) {
			return l.Shown()
		}
	}
	return c.At
}
