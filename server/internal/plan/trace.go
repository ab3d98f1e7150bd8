package plan

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type draft struct {
	index   int
	set     intent.Set
	skipped intent.Skipped
	traces  []*trace // in the order in which the block first names the paths
	byKey   map[string]*trace
	found   []diag.Diagnostic
	places  []Place
	failed  map[string]int // key: the file of a failed change; value: the group of that change
}

type trace struct {
	path          string
	before, after version
	from          string         // the path before a rename; "" if the file was not renamed
	by            intent.Change  // the first change that names the path
	failed        *intent.Change // the first change of the path that failed, or nil
	source        bool           // the path occurs only as the source of a copy
	whole         bool           // a change replaced the whole content of the file
	at            text.Span
}

func (d *draft) report(ds ...diag.Diagnostic) { d.found = append(d.found, ds...) }

// fail records a failed change whose file was not read.
func (d *draft) fail(path string, c intent.Change) {
	d.traces = append(d.traces, &trace{path: path, failed: &c, at: spanOf(intent.Literal{}, c)})
}

// touch returns the trace of a path that the change c names. `again` reports whether an earlier change of the block
// named the path.
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

func (d *draft) fails(it *item) {
	if t := d.byKey[it.key]; t.failed == nil {
		t.failed = &it.Change
	}
	d.failed[it.key], d.failed[it.toKey] = it.Group, it.Group
}

// unknown reports whether an item has no known result because it depends on a change that failed. Copies and renames
// never depend on changes of their own group, because they read the files as they were before the group.
func (d *draft) unknown(it *item) bool {
	group, failed := d.failed[it.key]
	moves := it.Kind == intent.Copy || it.Kind == intent.Rename
	return it.Raw && failed && (group != it.Group || !moves)
}

// files returns the effects of a block. All changes of the block must have been planned.
func (d *draft) files(b *builder) []BlockFile {
	for key, t := range d.byKey {
		t.before, t.after = t.before.kept(), b.files[key].now.kept()
	}
	return filesOf(d.traces)
}

// filesOf returns the files of traces. A rename has two traces, a deletion and a new file, which become one file.
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

// renames reports whether `source` and `target` together are a rename: the file moves from one path to the other, or
// has already moved.
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

func at(c intent.Change, d diag.Diagnostic) diag.Diagnostic {
	d.Span = spanOf(intent.Literal{}, c)
	return d
}

// spanOf returns the span of a literal. If the block does not contain the literal, it returns the span of the path or,
// without one, of the change.
func spanOf(l intent.Literal, c intent.Change) text.Span {
	for _, l := range []intent.Literal{l, c.PathAt} {
		if l.Span != (text.Span{}) {
			return l.Shown()
		}
	}
	return c.At
}
