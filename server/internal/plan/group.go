package plan

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A group consists of changes that happen at the same time, like the changes of one git patch: all of them read the
// tree in its state before the group, and deletions come before writes. In other formats, each change is a group of
// its own.
type group struct {
	root    string
	vacates map[string]bool  // the paths that a change of the group deletes or renames
	deletes map[string]bool  // the paths that a change of the group deletes
	removed map[string]*item // the items that remove files, by the key of the file
	dropped []*item          // deletions that are not made, because an earlier change of the group wrote the file
	written map[string]result
	order   []string // the keys of `written`, in the order of the changes
	prune   []string // the folders to remove if they are empty after the group
}

type result struct {
	version
	by   intent.Change
	from string
	keep bool // the change only edited the text, so the path before an earlier rename stays recorded
	past past
}

type item struct {
	intent.Change
	key, toKey string
	e, to      *entry
	again      bool // another change of the block also names the file
}

func (b *builder) group(d *draft, root string, changes []intent.Change) error {
	g := &group{root: root, vacates: map[string]bool{}, deletes: map[string]bool{}, removed: map[string]*item{}, written: map[string]result{}}
	for _, c := range changes {
		if c.Kind == intent.Delete || c.Kind == intent.Rename {
			g.vacates[path.Join(root, c.Path)] = true
			g.deletes[path.Join(root, c.Path)] = c.Kind == intent.Delete
		}
	}
	var items []*item
	for _, c := range changes {
		if d.skipped[c.At] {
			continue
		}
		it, err := b.item(d, g, c)
		if err != nil {
			return err
		}
		if it != nil {
			items = append(items, it)
		}
	}
	for _, it := range items {
		if err := b.plan(d, g, it); err != nil {
			return err
		}
	}
	refuseUnsure(d, g, items)
	refuseDropped(d, g)
	b.settle(d, g)
	return nil
}

// item finds the files that a change names. If a path is invalid, it reports an error and returns nil.
func (b *builder) item(d *draft, g *group, c intent.Change) (*item, error) {
	if b.names.Windows {
		var left []diag.Diagnostic
		c, left = withoutBits(c)
		d.report(left...)
	}
	if c.MayBeInto && b.goesInto(g.root, c) {
		c = c.Into()
	}
	it := &item{Change: c}
	var ok bool
	var err error
	if it.key, it.e, ok, err = b.locate(d, g, c, ""); !ok {
		return nil, err
	}
	if c.Kind == intent.Rename || c.Kind == intent.Copy {
		target := c
		target.Path, target.PathAt = c.To, c.ToAt
		if it.toKey, it.to, ok, err = b.locate(d, g, target, it.key); !ok {
			return nil, err
		}
	}
	known := d.byKey[it.key]
	source := c.Kind == intent.Copy && (known == nil || known.source)
	var t *trace
	if t, it.again = d.touch(it.key, it.e, c); it.again && !d.set.PathsRepeat && !c.Raw {
		d.report(at(c, *diag.Unplaced(diag.PathTwice, c.Path+" occurs twice in this block; its entries are applied in order")))
	}
	t.source = source
	return it, nil
}

// goesInto reports whether the target of a rename or copy is an existing folder, so that the file goes into that
// folder. It also returns true if an earlier apply already moved the file there.
func (b *builder) goesInto(root string, c intent.Change) bool {
	folder, from, into := path.Join(root, c.To), path.Join(root, c.Path), path.Join(root, c.Into().To)
	return fs.ValidPath(folder) && b.isFolder(folder) && (fs.ValidPath(from) && (b.isFile(from) || b.isFolder(from)) || fs.ValidPath(into) && b.isFile(into))
}

// locate resolves the path of a change and loads the file there. If the path is the target of a rename, `source` is the
// key of the renamed file, otherwise "". An error about the target is recorded for the source.
func (b *builder) locate(d *draft, g *group, c intent.Change, source string) (key string, e *entry, ok bool, err error) {
	key, problem, err := b.resolve(d, g, c)
	if problem == nil && err == nil {
		problem = b.workspace.OwnState(key)
	}
	if problem == nil && err == nil {
		problem = b.otherSpelling(d, g, key, c)
	}
	if err == nil && problem == nil {
		if e, problem, err = b.load(key, c.Raw && g.vacatesAbove(key)); problem != nil && d.byKey[key] == nil {
			d.fail(cmp.Or(source, key), c)
		}
	} else if problem != nil {
		d.fail(cmp.Or(source, c.Path), c)
	}
	if problem != nil {
		d.report(at(c, *problem))
	}
	ok = err == nil && problem == nil
	if written := path.Join(g.root, c.Path); ok && !c.DocPath && written != key && !slices.Contains(b.through[key], written) {
		b.through[key] = append(b.through[key], written)
	}
	return key, e, ok, err
}

// refuseUnsure refuses a copy or rename whose source might not be the file for which the patch was made: the tree
// already has a part of the patch's result, and nothing in the patch shows the content of the source.
func refuseUnsure(d *draft, g *group, items []*item) {
	done := map[string]bool{}
	for _, it := range items {
		r, written := g.written[it.key]
		if len(it.Steps) > 0 && it.Kind == intent.Edit && d.byKey[it.key].failed == nil && (!written || r.same(it.e.now)) {
			done[it.key] = true
		}
	}
	for _, it := range items {
		moves := it.Kind == intent.Rename || it.Kind == intent.Copy
		circle := it.Kind == intent.Rename && g.vacates[it.toKey] && it.to.now.Exists && len(it.Steps) == 0 && len(done) > 0
		t := d.byKey[it.key]
		if target := d.byKey[it.toKey]; it.Kind == intent.Copy && target != nil {
			t = target
		}
		if moves && t.failed == nil && (done[it.key] || circle) {
			t.failed = &it.Change
			d.report(at(it.Change, diag.New(diag.SourceUnsure, text.Span{},
				fmt.Sprintf("it is unclear whether the patch was made for this text of %s: another part of the same commit is already applied; apply the rest by hand", it.Path))))
		}
	}
}

// refuseDropped refuses to delete a file that an earlier change of the same patch wrote. Git would keep the file,
// because it makes all deletions before all writes.
func refuseDropped(d *draft, g *group) {
	for _, it := range g.dropped {
		if _, again := g.written[it.key]; again {
			continue
		}
		d.byKey[it.key].failed = &it.Change
		d.report(at(it.Change, diag.New(diag.DeleteChanged, text.Span{},
			fmt.Sprintf("%s is deleted, but an earlier section of the same patch changes it: git would keep the changed file; remove one of the two sections, or apply them as two patches", it.Path))))
	}
}

// now returns the version of a file from which the next item of the group starts. `gone` is true if an earlier item
// removed the file.
func (g *group) now(key string, e *entry) (v version, past past, gone bool) {
	if r, ok := g.written[key]; ok {
		return r.version, r.past, false
	}
	return e.now, e.past, g.removed[key] != nil
}

func (g *group) write(key string, r result) {
	if _, again := g.written[key]; !again {
		g.order = append(g.order, key)
	}
	g.written[key] = r
}

// takeAway removes the file of an item. If the item comes from a git patch, it also removes the folders that become
// empty, as git does.
func (g *group) takeAway(it *item) {
	// This does not remove a file that an earlier change of the group wrote here.
	g.removed[it.key] = it
	if it.Raw {
		g.prune = append(g.prune, fspath.Parents(it.key)...)
	}
}

// remove removes a file for an item, which is about the file or about a folder above it.
func (g *group) remove(key string, it *item) {
	g.removed[key] = it
	delete(g.written, key)
}

// plan adds the result of an item to the group. If the item depends on a change that failed, the item fails without
// another message.
func (b *builder) plan(d *draft, g *group, it *item) error {
	if d.unknown(it) {
		d.fails(it)
		return nil
	}
	var problems []diag.Diagnostic
	var err error
	switch it.Kind {
	case intent.Rename, intent.Copy:
		problems, err = b.transfer(d, g, it)
	case intent.MakeDir:
		problems = makeDir(g, it)
	case intent.DeleteAll:
		problems, err = b.deleteAll(d, g, it)
	case intent.Delete:
		problems = b.delete(d, g, it)
	default:
		problems = b.rewrite(d, g, it)
	}
	if err != nil {
		return err
	}
	lacksAll := it.lacksAll(problems)
	for _, p := range problems {
		if lacksAll && p.Passage != "" {
			p = b.suggestOther(g, it, p)
		}
		if p.Span == (text.Span{}) {
			p = at(it.Change, p)
		}
		if p.Code == diag.FileMissing && it.e.base.Exists {
			p = at(it.Change, alreadyGone(it.Path))
		} else if p.Code == diag.FileMissing {
			p = b.missing(p, g.root, it.key, it.Change)
		}
		d.report(p)
	}
	if diag.HasErrors(problems) {
		d.fails(it)
	}
	return nil
}

func (b *builder) rewrite(d *draft, g *group, it *item) []diag.Diagnostic {
	now, past, gone := g.now(it.key, it.e)
	if it.Raw && it.Kind == intent.Create && g.vacates[it.key] {
		// The patch has two entries for this file, and the first one removes the existing file.
		now, gone = version{}, false
	}
	if gone && it.Raw {
		return []diag.Diagnostic{alreadyGone(it.Path)}
	}
	if it.Raw && it.Kind == intent.Create && now.Mode.IsDir() {
		// Later, settle checks whether the folder becomes empty.
		now = version{}
	}
	if !now.Exists {
		if problem := b.otherFolder(it.key, it.Change); problem != nil {
			return list(problem)
		}
	}
	after, past, problems := b.outcome(d, it, now, past)
	if !now.Exists && after.Exists {
		problems = append(problems, b.newFile(g, it.key, it.Change)...)
		problems = append(problems, b.needsFolder(d, it)...)
	}
	if !after.same(now) {
		problems = append(problems, b.otherFits(g, it)...)
	}
	if stops(problems) {
		if it.e.past.text == nil {
			it.e.past.text = past.text // so that the next change of the file does not decode and index it again
		}
		return problems
	}
	it.e.broken = it.e.broken || diag.HasErrors(problems)
	g.write(it.key, result{version: after, by: it.Change, keep: it.Kind == intent.Edit, past: past})
	return problems
}

// delete plans the deletion of one file. The steps of the item describe the expected content of the file.
func (b *builder) delete(d *draft, g *group, it *item) []diag.Diagnostic {
	now, past, gone := g.now(it.key, it.e)
	switch {
	case gone && it.Raw:
		return []diag.Diagnostic{alreadyGone(it.Path)}
	case !now.Exists:
		return b.notGone(it)
	}
	if !it.Raw && it.e.base.Exists && !now.same(it.e.base) {
		d.report(at(it.Change, diag.New(diag.Alternative, text.Span{},
			fmt.Sprintf("an earlier edit of this reply changes %s, and this one deletes the file, so the earlier edit has no effect; one of the two may be intended for another file", it.Path))))
	}
	if p := unfit(now, it.Change); p != nil || len(it.Steps) == 0 {
		if p == nil {
			delete(g.written, it.key)
			g.takeAway(it)
		}
		return list(p)
	}
	after, _, problems := b.outcome(d, it, now, past)
	if !diag.HasErrors(problems) && after.len() > 0 && !it.partsSkipped(d) {
		problems = append(problems, diag.New(diag.DeleteLeaves, text.Span{},
			fmt.Sprintf("%s is to be deleted, but the patch leaves %d bytes of it; delete all of its lines", it.Path, after.len())))
	}
	if diag.HasErrors(problems) {
		return problems
	}
	if _, written := g.written[it.key]; written && it.Raw && !now.same(it.e.now) {
		g.dropped = append(g.dropped, it)
	}
	// The file stays, because a person left out a part of the deletion.
	if after.len() > 0 {
		g.write(it.key, result{version: after, by: it.Change, keep: true, past: past})
		return problems
	}
	delete(g.written, it.key)
	g.takeAway(it)
	return problems
}

func (it *item) partsSkipped(d *draft) bool {
	return slices.ContainsFunc(it.Steps, func(s intent.Step) bool {
		return slices.ContainsFunc(s.Parts(), func(part text.Span) bool { return d.skipped[part] })
	})
}

// transfer plans a rename or a copy. The source is the file as it was before the group.
func (b *builder) transfer(d *draft, g *group, it *item) ([]diag.Diagnostic, error) {
	target, _, gone := g.now(it.toKey, it.to)
	if gone || g.vacates[it.toKey] {
		target = version{}
	}
	if it.Raw && target.Mode.IsDir() {
		// Later, settle checks whether the folder becomes empty.
		target = version{}
	}
	source := it.e.now
	switch {
	case it.key == it.toKey && b.respells(it):
		return list(respelled(it.Change)), nil
	case it.key == it.toKey:
		return b.rewrite(d, g, it), nil
	case !source.Exists && target.Exists && it.Kind == intent.Rename:
		if problems := b.notGone(it); problems != nil {
			return problems, nil
		}
		return b.renamedBefore(d, it, target), nil
	case source.Mode.IsDir() && it.Kind == intent.Rename && !it.Raw && len(it.Steps) == 0:
		return b.moveAll(d, g, it)
	}
	return b.transferFile(d, g, it, target), nil
}

func (b *builder) transferFile(d *draft, g *group, it *item, target version) []diag.Diagnostic {
	after, past, problems := b.outcome(d, it, it.e.now, it.e.past)
	switch {
	case diag.HasErrors(problems):
		return problems
	case target.Exists && target.same(after) && (it.Kind == intent.Copy || g.written[it.toKey].from == it.key):
		d.touch(it.toKey, it.to, it.Change)
		return problems
	case target.Exists:
		return append(problems, *targetExists(it.Change))
	}
	made := it.Change
	made.Path, made.PathAt = it.To, it.ToAt
	problems = append(problems, b.newFile(g, it.toKey, made)...)
	d.touch(it.toKey, it.to, it.Change)
	r := result{version: after, by: it.Change, past: past}
	if it.Kind == intent.Rename {
		r.from = it.key
		g.takeAway(it)
	} else {
		b.copied[it.toKey] = it.key
		b.room.grown += after.len()
	}
	g.write(it.toKey, r)
	return problems
}

// renamedBefore plans a rename whose source is missing. If the target already has the results of the item's steps, the
// rename counts as done.
func (b *builder) renamedBefore(d *draft, it *item, target version) []diag.Diagnostic {
	var problems []diag.Diagnostic
	if !target.Mode.IsDir() || len(it.Steps) > 0 {
		past := it.to.past
		past.applied = true
		var after version
		if after, _, problems = b.outcome(d, it, target, past); diag.HasErrors(problems) || !after.same(target) {
			return []diag.Diagnostic{fileMissing(it.Change)}
		}
	}
	if t, _ := d.touch(it.toKey, it.to, it.Change); t.from == "" {
		t.from = it.key
	}
	if !b.Applied[it.toKey] {
		b.renamed = append(b.renamed, unplaced{it, d.index})
	}
	return problems
}

// settle makes the results of a group the current versions of its files.
func (b *builder) settle(d *draft, g *group) {
	origin := map[string]string{} // the path that each renamed file had before the reply, by its path before the rename
	inBlock := map[string]string{}
	for _, r := range g.written {
		if r.from != "" {
			origin[r.from], inBlock[r.from] = cmp.Or(b.files[r.from].from, r.from), cmp.Or(d.byKey[r.from].from, r.from)
		}
	}
	for key, it := range g.removed {
		b.vacated[key] = unplaced{it, d.index}
		e := b.files[key]
		e.now, e.from, e.past = version{}, "", past{}
		d.byKey[key].from = ""
	}
	kept := text.Only(g.order, func(key string) bool { _, is := g.written[key]; return is })
	for _, key := range kept {
		r, e, t := g.written[key], b.files[key], d.byKey[key]
		t.whole = t.whole || r.by.Kind == intent.Write || r.by.Kind == intent.Create || r.by.Kind == intent.Replace
		if !r.keep {
			e.from, t.from = origin[r.from], inBlock[r.from]
		}
		e.now, e.past, e.by, e.block = r.version, r.past, r.by, d.index
	}
	// No path may be both a file and a folder after all these changes.
	for _, key := range kept {
		if p := b.clash(key); p != nil {
			by := g.written[key].by
			d.report(at(by, *p))
			b.files[key].now = d.byKey[key].before
			d.byKey[key].failed = &by
		}
	}
	b.prune = append(b.prune, g.prune...)
}
