package apply

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// A site is a folder on disk with a history.
type site struct {
	dir, state string
	root       *disk.Root
	history    *history.Store
}

func newSite(t testing.TB) *site {
	t.Helper()
	s := &site{dir: t.TempDir(), state: t.TempDir()}
	var err error
	if s.root, err = disk.Open(s.dir); err != nil {
		t.Fatal(err)
	}
	if s.history, err = history.Open(s.state); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.history.Close(); _ = s.root.Close() })
	return s
}

// A fataler is a test of package testing or of rapid.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func ok(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// put puts content c at a path: a file, a link, a folder, or nothing if c does not exist.
func (s *site) put(t fataler, path string, c text.Content) {
	t.Helper()
	full := filepath.Join(s.dir, filepath.FromSlash(path))
	ok(t, os.RemoveAll(full))
	if !c.Exists {
		return
	}
	ok(t, os.MkdirAll(filepath.Dir(full), 0o755))
	switch c.Mode.Type() {
	case fs.ModeSymlink:
		ok(t, os.Symlink(c.Data, full))
	case fs.ModeDir:
		ok(t, os.Mkdir(full, 0o755))
	default:
		ok(t, os.WriteFile(full, []byte(c.Data), 0o644))
		ok(t, os.Chmod(full, c.Mode))
	}
}

func (s *site) picture(t fataler) map[string]string {
	t.Helper()
	all := map[string]string{}
	tree := s.root.Tree(nil)
	ok(t, fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		c, err := check.Current(tree, path)
		all[path] = c.Mode.String() + " " + c.Data
		return err
	}))
	return all
}

func (s *site) writer() Disk { return Disk{Dir: s.root, Names: []string{"p"}, StateDir: s.state} }

func (s *site) applier() *Applier { return New(s.history, noSet) }

func noSet(context.Context, bool) (*fileset.Set, error) { return nil, nil }

// propose returns a request for a change that is already planned.
func propose(p Proposal) Request {
	return Request{Propose: func(context.Context) (Proposal, error) { return p, nil }}
}

// make makes a proposed change, and returns the id of its record.
func (s *site) make(t fataler, p Proposal) string {
	t.Helper()
	o, err := s.applier().Apply(context.Background(), propose(p))
	ok(t, errors.Join(err, o.NotRecorded))
	if o.Refusal != nil || !o.Result.Applied {
		t.Fatalf("%+v %+v", o.Refusal, o.Result)
	}
	return o.Result.ID
}

// apply changes files as planned, and returns the id of the apply.
func (s *site) apply(t fataler, prune []string, files ...plan.File) string {
	t.Helper()
	return s.make(t, Proposal{Plan: plan.Plan{Files: files, Prune: prune}, Writer: s.writer(), Record: history.Apply{Key: "k", Label: "l", Source: "test"}})
}

func (s *site) reversal(t fataler, id string) Reversal {
	t.Helper()
	a, err := s.history.Get(context.Background(), id)
	ok(t, err)
	r, err := PlanRevert(context.Background(), a, s.root.Tree(nil))
	ok(t, err)
	return r
}

func (s *site) revertOf(t fataler, id string) Proposal {
	t.Helper()
	a, err := s.history.Get(context.Background(), id)
	ok(t, err)
	p, err := RevertOf(context.Background(), a, s.writer(), s.root.Tree(nil), false, "test")
	ok(t, err)
	return p
}

// revert reverts an apply without conflicts, and returns the id of the revert.
func (s *site) revert(t fataler, id string) string {
	t.Helper()
	return s.make(t, s.revertOf(t, id))
}

func has(data string) text.Content { return text.Content{Exists: true, Data: data, Mode: 0o644} }

func executes(data string) text.Content {
	return text.Content{Exists: true, Data: data, Mode: 0o755}
}

func pointsTo(target string) text.Content {
	return text.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}
}

var folder = text.Content{Exists: true, Mode: fs.ModeDir | 0o755}

func changed(path string, before, after text.Content) plan.File {
	b, a := before, after
	return plan.File{Path: path, Operation: plan.OperationOf(b, a), State: plan.Change, Before: b, After: a}
}

var someContent = rapid.SampledFrom([]text.Content{
	{}, has(""), has("one\ntwo\nthree\n"), has("one\r\n2\r\nthree"), has("\ufeffbom\r\n"), has("\xff\xfea\x00\n\x00"), has("\x00\xff"), executes("#!\n"), executes("one\ntwo\n"),
	{Exists: true, Data: "private\n", Mode: 0o600}, pointsTo("a"), pointsTo("nowhere"),
})

// A revert restores everything exactly: bytes, modes, links and folders. Reverting that
// revert gives the result of the apply again.
func TestRevertRestoresAll(t *testing.T) {
	needs.Modes(t)
	needs.Links(t)
	paths := []string{"a", "b", "dir/c", "dir/sub/d", "new/e"}
	all := newSite(t)
	rapid.Check(t, func(t *rapid.T) {
		s := all.fresh(t)
		defer s.close()
		var files []plan.File
		var prune []string
		for _, path := range paths {
			before, after := someContent.Draw(t, path+" before"), someContent.Draw(t, path+" after")
			s.put(t, path, before)
			if before != after {
				files = append(files, changed(path, before, after))
			}
		}
		if rapid.Bool().Draw(t, "folders go") {
			prune = []string{"dir", "dir/sub", "new"}
		}
		if len(files) == 0 {
			return
		}
		old := s.picture(t)
		first := s.apply(t, prune, files...)
		new := s.picture(t)
		second := s.revert(t, first)
		same(t, "reverted", old, s.picture(t))
		third := s.revert(t, second)
		same(t, "applied again", new, s.picture(t))
		s.revert(t, third)
		same(t, "reverted again", old, s.picture(t))
		if id, err := Last(context.Background(), s.history, s.root.Dir()); err == nil {
			t.Fatalf("%s is still to be reverted", id)
		}
	})
}

// fresh returns a new folder with the same history, for one round of a property test.
func (s *site) fresh(t fataler) *site {
	t.Helper()
	dir, err := os.MkdirTemp(s.dir, "*")
	ok(t, err)
	root, err := disk.Open(dir)
	ok(t, err)
	return &site{dir: dir, state: s.state, root: root, history: s.history}
}

func (s *site) close() {
	_ = s.root.Close()
	_ = os.RemoveAll(s.dir)
}

func same(t fataler, what string, want, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// The test reverts one apply while its file is in many different later states.
func TestRevertLooksAtFiles(t *testing.T) {
	needs.Modes(t)
	needs.Links(t)
	edited := changed("f", has("one\ntwo\nthree\nfour\n"), has("one\n2\nthree\nfour\n"))
	for name, c := range map[string]struct {
		file plan.File
		now  text.Content
		back *text.Content // nil if it is not written
		why  string        // reason of the conflict
		keep *text.Content // result of the merge
	}{
		"as left":                {edited, has(edited.After.Data), new(has(edited.Before.Data)), "", nil},
		"as before":              {edited, has(edited.Before.Data), nil, "", nil},
		"saved with a BOM":       {edited, has("\ufeff" + edited.After.Data), new(has("\ufeff" + edited.Before.Data)), "", nil},
		"before, with a BOM":     {edited, has("\ufeff" + edited.Before.Data), nil, "", nil},
		"made executable":        {edited, executes(edited.After.Data), new(executes(edited.Before.Data)), "", nil},
		"edited elsewhere":       {edited, has("zero\none\n2\nthree\nfour\n"), nil, "it has been edited since", new(has("zero\none\ntwo\nthree\nfour\n"))},
		"edited in the place":    {edited, has("one\ntwo and a half\nthree\nfour\n"), nil, "it has been edited since in the same place (line 2)", nil},
		"CRLF by an editor":      {edited, has("one\r\n2\r\nthree\r\nfour\r\n"), nil, "it has been edited since", new(has("one\r\ntwo\r\nthree\r\nfour\r\n"))},
		"edited, as UTF-16":      {edited, has("\xff\xfeo\x00\n\x00"), nil, "it has been edited since in the same place (line 1)", nil},
		"gone":                   {edited, text.Content{}, nil, "it is gone", nil},
		"a link":                 {edited, pointsTo("x"), nil, "it is a symbolic link now", nil},
		"a folder":               {edited, folder, nil, "it is gone", nil},
		"not text any more":      {edited, has("\x00\xff"), nil, "it has been edited since, and is not text", nil},
		"created, as left":       {changed("f", text.Content{}, has("x\n")), has("x\n"), new(text.Content{}), "", nil},
		"created, and edited":    {changed("f", text.Content{}, has("x\n")), has("x\nmine\n"), nil, "it was created, and has been edited since", nil},
		"created, and gone":      {changed("f", text.Content{}, has("x\n")), text.Content{}, nil, "", nil},
		"deleted, as left":       {changed("f", executes("x\n"), text.Content{}), text.Content{}, new(executes("x\n")), "", nil},
		"deleted, and another":   {changed("f", has("x\n"), text.Content{}), has("mine\n"), nil, "it was deleted, but a file with different content was created at its path", nil},
		"deleted, and back":      {changed("f", has("x\n"), text.Content{}), has("x\n"), nil, "", nil},
		"a link as left":         {changed("f", pointsTo("a"), pointsTo("b")), pointsTo("b"), new(pointsTo("a")), "", nil},
		"a link elsewhere":       {changed("f", pointsTo("a"), pointsTo("b")), pointsTo("c"), nil, "it now leads elsewhere", nil},
		"executable as left":     {changed("f", has("x\n"), executes("x\n")), executes("x\n"), new(has("x\n")), "", nil},
		"executable, and edited": {changed("f", has("x\n"), executes("x\n")), executes("x\ny\n"), nil, "it has been edited since", new(has("x\ny\n"))},
		"endings, and edited":    {changed("f", has("x\r\n"), has("x\n")), has("x\ny\n"), nil, "it has been edited since, and only line endings were changed", nil},
		"a folder made":          {changed("f", text.Content{}, folder), folder, new(text.Content{}), "", nil},
		"a folder removed":       {changed("f", folder, text.Content{}), text.Content{}, new(folder), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.put(t, "f", c.file.Before)
			id := s.apply(t, nil, c.file)
			s.put(t, "f", c.now)
			r := s.reversal(t, id)
			if got := after(r.Plan); !equal(got, c.back) {
				t.Errorf("it becomes %+v, want %+v", got, c.back)
			}
			why, mergeable := "", c.why == ""
			for _, conflict := range r.Conflicts {
				why, mergeable = conflict.Why, conflict.Mergeable
			}
			if why != c.why || mergeable != (c.why == "" || c.keep != nil) {
				t.Errorf("conflict %q (mergeable: %v), want %q", why, mergeable, c.why)
			}
			if merged, _ := r.Merged(); c.keep != nil && !equal(after(merged), c.keep) {
				t.Errorf("merged %+v, want %+v", after(merged), c.keep)
			}
		})
	}
}

// A log may grow without limit after an apply. Reading it would take as much memory as it is long.
func TestLargeFilesAreNotRead(t *testing.T) {
	s := newSite(t)
	s.put(t, "log", has("old"))
	s.put(t, "gone", has("old"))
	id := s.apply(t, nil, changed("log", has("old"), has("new")), changed("gone", has("old"), text.Content{}))
	for _, name := range []string{"log", "gone"} {
		s.put(t, name, has("new"))
		ok(t, os.Truncate(filepath.Join(s.dir, name), plan.MaxFile+1))
	}
	back := s.reversal(t, id)
	if len(back.Conflicts) != 2 || back.Conflicts[0].Why != "it is a file of more than 256 MB now" || len(back.Plan.Files) != 0 {
		t.Errorf("the revert is %+v", back)
	}
	list, err := s.history.List(t.Context(), "", 0)
	ok(t, err)
	entries, _, err := Entries(t.Context(), list, nil)
	ok(t, err)
	if entries[0].State != protocol.EntryChanged {
		t.Errorf("the state is %v", entries[0].State)
	}
}

// after returns the content of the only file of a plan after the change, or nil if the plan has no file.
func after(p plan.Plan) *text.Content {
	if len(p.Files) == 0 {
		return nil
	}
	c := text.Content(p.Files[0].After)
	return &c
}

func equal(a, b *text.Content) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// A merge keeps all edits made since an apply, and removes the changes of the apply.
func TestMergeKeepsEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := strings.Split("abcdefghijklmnop", "")
		with := func(at int, s string) string {
			l := append([]string{}, lines...)
			l[at] = s
			return strings.Join(l, "\n") + "\n"
		}
		was := strings.Join(lines, "\n") + "\n"
		ours, theirs := rapid.IntRange(0, 15).Draw(t, "apply"), rapid.IntRange(0, 15).Draw(t, "edit")
		f := history.File{Path: "f", Before: has(was), After: has(with(ours, "APPLIED"))}
		edited := append([]string{}, lines...)
		edited[ours] = "APPLIED"
		edited[theirs] = "MINE"
		r := conflict(f, has(strings.Join(edited, "\n")+"\n"))
		near := ours-theirs <= 1 && theirs-ours <= 1
		if r.Mergeable == near {
			t.Fatalf("mergeable: %v, %d and %d", r.Mergeable, ours, theirs)
		}
		if r.Mergeable && r.Merged.After.Data != with(theirs, "MINE") {
			t.Fatalf("merged to %q", r.Merged.After.Data)
		}
	})
}

// After a revert, the reply no longer counts as applied, and may be applied again.
func TestRevertedIsForgotten(t *testing.T) {
	s := newSite(t)
	s.put(t, "f", has("1\n"))
	known := func() bool {
		standing, err := check.Past{History: s.history, Root: s.root.Dir()}.Standing(context.Background(), s.root.Tree(nil), "k")
		ok(t, err)
		return len(standing) > 0
	}
	file := changed("f", has("1\n"), has("2\n"))
	id := s.apply(t, nil, file)
	if !known() {
		t.Error("it is not known")
	}
	revert := s.revert(t, id)
	if known() {
		t.Error("it is known after it was reverted")
	}
	s.revert(t, revert)
	if !known() {
		t.Error("it is not known after it was applied again")
	}
}

// The disk does not show whether an editor holds a change that it has not saved. A revert that sees only the disk must
// not count the change as reverted, because after that the editor could not revert it.
func TestRevertLeavesUnsavedChangesToTheEditor(t *testing.T) {
	for _, applied := range []string{SourceEditor, SourceAgent} {
		s := newSite(t)
		files := []plan.File{changed("saved", has("1\n"), has("2\n")), changed("unsaved", has("1\n"), has("2\n")), changed("created", text.Content{}, has("2\n"))}
		s.put(t, "saved", has("1\n"))
		s.put(t, "unsaved", has("1\n"))
		id := s.make(t, Proposal{Plan: plan.Plan{Files: files}, Writer: s.writer(), Record: history.Apply{Key: "k", Source: applied}})
		s.put(t, "unsaved", has("1\n"))
		s.put(t, "created", text.Content{})
		want := s.picture(t)
		a, err := s.history.Get(context.Background(), id)
		ok(t, err)
		for _, from := range []string{"cli", "mcp"} {
			o, err := s.applier().Apply(context.Background(), Request{Propose: func(ctx context.Context) (Proposal, error) {
				return RevertOf(ctx, a, s.writer(), s.root.Tree(nil), false, from)
			}})
			ok(t, err)
			if o.Refusal == nil || !strings.Contains(o.Refusal.Message, "on disk, unsaved is already as it was") {
				t.Errorf("%s: %+v %+v", from, o.Refusal, o.Result)
			}
		}
		same(t, "the revert from elsewhere", want, s.picture(t))
		if a, err = s.history.Get(context.Background(), id); err != nil || a.Reverted {
			t.Errorf("the change of the editor counts as reverted: %v", err)
		}
		p, err := RevertOf(context.Background(), a, s.writer(), s.root.Tree(nil), false, SourceEditor)
		ok(t, err)
		s.make(t, p)
		if a, err = s.history.Get(context.Background(), id); err != nil || !a.Reverted {
			t.Errorf("the editor could not revert its change: %v", err)
		}
	}
}
