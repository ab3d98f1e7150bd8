package plan

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// insert is a step that inserts its text at the start of the file, once.
type insert string

func (insert) Span() text.Span    { return text.Span{} }
func (insert) Parts() []text.Span { return nil }

func (s insert) Resolve(on intent.Target) intent.Outcome {
	if strings.HasPrefix(on.Text.String(), string(s)) {
		return intent.Outcome{Done: true}
	}
	return intent.Outcome{Edits: []text.Edit{{New: string(s)}}}
}

func literal(at int) intent.Literal {
	return intent.Literal{Span: text.Span{Start: at, End: at + 1}}
}

func build(t testing.TB, tree fs.FS, sets ...intent.Set) Plan {
	t.Helper()
	p, err := Build(context.Background(), tree, sets, Options{Base: "/base/dir"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func codes(p Plan) string {
	var out []string
	for _, b := range p.Blocks {
		for _, d := range b.Diagnostics {
			out = append(out, fmt.Sprintf("%v:%s", d.Severity, d.Code))
		}
	}
	return strings.Join(out, " ")
}

func TestPaths(t *testing.T) {
	tree := fstest.MapFS{
		"dir/a.txt": {Data: []byte("a")},
		"out":       {Data: []byte("../elsewhere"), Mode: fs.ModeSymlink},
		"in":        {Data: []byte("dir/a.txt"), Mode: fs.ModeSymlink},
		"git":       {Data: []byte(".git"), Mode: fs.ModeSymlink},
	}
	for _, c := range []struct{ path, want, fix string }{
		{"b.txt", "", ""},
		{"", "error:path-empty", ""},
		{"  ", "error:path-empty", ""},
		{"../x", "error:path-parent", ""},
		{"dir/../../x", "error:path-parent", ""},
		{"dir/../x", "error:path-parent", "x"},
		{"dir/../.git/x", "error:path-parent", ""},
		{"/etc/passwd", "error:path-absolute", ""},
		{"/base/dir/x/y.txt", "error:path-absolute", "x/y.txt"},
		{"/base/dir/../y.txt", "error:path-absolute", ""},
		{"/base/dirty/y.txt", "error:path-absolute", ""},
		{`C:\x`, "error:path-absolute", ""},
		{"c:/x", "error:path-absolute", ""},
		{`\\host\share`, "error:path-absolute", ""},
		{"~/x", "error:path-absolute", ""},
		{"file:///x", "error:path-absolute", ""},
		{`src\x.ts`, "error:path-backslash", "src/x.ts"},
		{`..\x.ts`, "error:path-backslash", ""},
		{"a\x00b", "error:path-control-character", ""},
		{"src\new.ts", "error:path-control-character", ""},
		{".git/config", "error:path-git", ""},
		{".GIT/config", "error:path-git", ""},
		{"sub/.git", "error:path-git", ""},
		{"git~1/config", "error:path-git", ""},
		{"d/GIT~4/config", "error:path-git", ""},
		{".git. /config", "error:path-git", ""},
		{".g\u200cit/config", "error:path-git", ""},
		{"git/config", "error:path-git", ""},
		{"newdir/", "error:path-is-directory", ""},
		{"dir", "error:path-is-directory", ""},
		{"dir/a.txt/b", "error:path-parent-is-file", ""},
		{"out/x", "error:path-outside-root", ""},
		{"./b.txt", "warning:path-not-clean", "b.txt"},
		{"x//b.txt", "warning:path-not-clean", "x/b.txt"},
		{"b.txt ", "warning:path-blanks", "b.txt"},
		{".gitignore", "", ""},
		{"a..b/c", "", ""},
	} {
		set := intent.Set{Changes: []intent.Change{{Kind: intent.Write, Path: c.path, PathAt: literal(7), Content: "new"}}}
		p := build(t, tree, set)
		if got := codes(p); got != c.want {
			t.Errorf("%q: got %q, want %q", c.path, got, c.want)
		}
		if diag.HasErrors(p.Blocks[0].Diagnostics) != (len(p.Files) == 0) {
			t.Errorf("%q: an error and a change, or neither: %v", c.path, p.Files)
		}
		fix := ""
		for _, d := range p.Blocks[0].Diagnostics {
			if d.Span != (text.Span{Start: 7, End: 8}) {
				t.Errorf("%q: range %v", c.path, d.Span)
			}
			for _, f := range d.Fixes {
				fix = f.Edits[0].New
			}
		}
		if fix != c.fix {
			t.Errorf("%q: fix writes %q, want %q", c.path, fix, c.fix)
		}
	}
}

func TestRoots(t *testing.T) {
	tree := fstest.MapFS{"lib/lib/a.txt": {Data: []byte("a")}}
	for _, c := range []struct{ root, path, want, key string }{
		{".", "a.txt", "", "a.txt"},
		{"", "a.txt", "", "a.txt"},
		{"./", "a.txt", "", "a.txt"},
		{".//.", "a.txt", "", "a.txt"},
		{"/", "a.txt", "error:root-invalid", ""},
		{"./src", "a.txt", "", "src/a.txt"},
		{"src/", "a.txt", "", "src/a.txt"},
		{"./src", "tests/a.txt", "warning:root-not-workspace", "src/tests/a.txt"},
		{"docs", "a.txt", "warning:root-not-workspace", "docs/a.txt"},
		{"./src", "src/a.txt", "error:path-repeats-root", ""},
		{"lib", "lib/a.txt", "", "lib/lib/a.txt"},
		{"../x", "a.txt", "error:root-invalid", ""},
		{"/etc", "a.txt", "error:root-invalid", ""},
		{"/base/dir", "a.txt", "error:root-invalid", ""},
		{".git", "a.txt", "error:root-invalid", ""},
	} {
		set := intent.Set{Root: c.root, RootAt: literal(1),
			Changes: []intent.Change{{Kind: intent.Write, Path: c.path, PathAt: literal(7), Content: "new"}}}
		p := build(t, tree, set)
		key := ""
		if len(p.Files) > 0 {
			key = p.Files[0].Path
		}
		if got := codes(p); got != c.want || key != c.key {
			t.Errorf("root %q path %q: got %q for %q, want %q for %q", c.root, c.path, got, key, c.want, c.key)
		}
	}
}

func TestStates(t *testing.T) {
	tree := fstest.MapFS{"a": {Data: []byte("x\r\ny\r\n"), Mode: 0o755}, "bin": {Data: []byte("a\x00b")}}
	for name, c := range map[string]struct {
		changes []intent.Change
		want    string
	}{
		"create new":          {[]intent.Change{{Kind: intent.Create, Path: "n", Content: "c\n"}}, `create n change "c\n"`},
		"create same":         {[]intent.Change{{Kind: intent.Create, Path: "a", Content: "x\ny\n"}}, `modify a done "x\r\ny\r\n"`},
		"create other":        {[]intent.Change{{Kind: intent.Create, Path: "a", Content: "z"}}, `create a error "x\r\ny\r\n" error:file-exists`},
		"replace":             {[]intent.Change{{Kind: intent.Replace, Path: "a", Content: "x\nz"}}, `modify a change "x\r\nz"`},
		"replace missing":     {[]intent.Change{{Kind: intent.Replace, Path: "n", Content: "z"}}, `create n change "z" warning:replace-missing`},
		"replace binary":      {[]intent.Change{{Kind: intent.Replace, Path: "bin", Content: "z"}}, `modify bin error "a\x00b" error:file-binary`},
		"delete":              {[]intent.Change{{Kind: intent.Delete, Path: "a"}}, `delete a change ""`},
		"delete missing":      {[]intent.Change{{Kind: intent.Delete, Path: "n"}}, `delete n done ""`},
		"delete binary":       {[]intent.Change{{Kind: intent.Delete, Path: "bin"}}, `delete bin change ""`},
		"edit missing":        {[]intent.Change{{Kind: intent.Edit, Path: "n"}}, `modify n error "" error:file-missing`},
		"edit":                {[]intent.Change{{Kind: intent.Edit, Path: "a", Steps: []intent.Step{insert("w"), insert("v")}}}, `modify a change "vwx\r\ny\r\n"`},
		"edit done":           {[]intent.Change{{Kind: intent.Edit, Path: "a", Steps: []intent.Step{insert("x")}}}, `modify a done "x\r\ny\r\n"`},
		"create then edit":    {[]intent.Change{{Kind: intent.Create, Path: "n", Content: "c"}, {Kind: intent.Edit, Path: "n", Steps: []intent.Step{insert("b")}}}, `create n change "bc" warning:path-twice`},
		"create then delete":  {[]intent.Change{{Kind: intent.Create, Path: "n", Content: "c"}, {Kind: intent.Delete, Path: "n"}}, `delete n done "" warning:path-twice`},
		"two creates":         {[]intent.Change{{Kind: intent.Create, Path: "n", Content: "c"}, {Kind: intent.Create, Path: "n", Content: "d"}}, `create n error "" warning:path-twice error:file-exists`},
		"file below a file":   {[]intent.Change{{Kind: intent.Create, Path: "n", Content: "c"}, {Kind: intent.Create, Path: "n/m", Content: "d"}}, `create n change "c"; create n/m error "" error:path-parent-is-file`},
		"file over a folder":  {[]intent.Change{{Kind: intent.Create, Path: "n/m", Content: "c"}, {Kind: intent.Create, Path: "n", Content: "d"}}, `create n/m change "c"; create n error "" error:path-is-directory`},
		"same by two a names": {[]intent.Change{{Kind: intent.Edit, Path: "a", Steps: []intent.Step{insert("w")}}, {Kind: intent.Edit, Path: "./a", Steps: []intent.Step{insert("v")}}}, `modify a change "vwx\r\ny\r\n" warning:path-not-clean warning:path-twice`},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, tree, intent.Set{Changes: c.changes})
			var files []string
			for _, f := range p.Blocks[0].Files {
				files = append(files, fmt.Sprintf("%s %s %s %q", f.Operation, f.Path, f.State, f.After().Data))
			}
			if got := strings.TrimSpace(strings.Join(files, "; ") + " " + codes(p)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLaterBlocksSeeEarlierOnes(t *testing.T) {
	p := build(t, fstest.MapFS{},
		intent.Set{Changes: []intent.Change{{Kind: intent.Create, Path: "n", Content: "c"}}},
		intent.Set{Changes: []intent.Change{{Kind: intent.Edit, Path: "n", Steps: []intent.Step{insert("b")}}}})
	if got, want := codes(p), ""; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	second := p.Blocks[1].Files[0]
	if second.Operation != Modify || second.Before().Data != "c" || second.After().Data != "bc" {
		t.Errorf("the second block's file is %+v", second)
	}
	if len(p.Files) != 1 || p.Files[0].Operation != Create || p.Files[0].After.Data != "bc" {
		t.Errorf("the net effect is %+v", p.Files)
	}
}

// After a plan is applied, planning the same changes again changes nothing. The plan's
// inverse restores the tree, and the plan lists only files that a change names.
func TestPlanProperties(t *testing.T) {
	paths := rapid.SampledFrom([]string{"a", "b", "dir/c", "dir/d"})
	contents := rapid.SampledFrom([]string{"", "x", "x\n", "x\r\ny\r\n", "\ufeffz\n", "x\ny\n"})
	rapid.Check(t, func(t *rapid.T) {
		tree := fstest.MapFS{}
		for i := range rapid.IntRange(0, 4).Draw(t, "files") {
			tree[paths.Draw(t, "path")] = &fstest.MapFile{Data: []byte(contents.Draw(t, fmt.Sprint("content", i))), Mode: 0o644}
		}
		before := snapshot(tree)
		var set intent.Set
		for range rapid.IntRange(0, 5).Draw(t, "changes") {
			set.Changes = append(set.Changes, drawChange(t, paths, contents))
		}
		p, err := Build(context.Background(), tree, []intent.Set{set}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diag.HasErrors(p.Blocks[0].Diagnostics) {
			return
		}
		write(tree, p.Files)
		write(tree, p.Invert().Files)
		if after := snapshot(tree); after != before {
			t.Fatalf("the inverse left %s, want %s", after, before)
		}
	})
}

func drawChange(t *rapid.T, paths, contents *rapid.Generator[string]) intent.Change {
	kind := rapid.SampledFrom([]intent.Kind{intent.Write, intent.Create, intent.Replace, intent.Delete, intent.Edit}).Draw(t, "kind")
	c := intent.Change{Kind: kind, Path: paths.Draw(t, "path")}
	if kind == intent.Edit {
		c.Steps = []intent.Step{insert(contents.Draw(t, "insert"))}
	} else if kind != intent.Delete {
		c.Content = contents.Draw(t, "content")
	}
	return c
}

func write(tree fstest.MapFS, files []File) {
	for _, f := range files {
		if f.After.Exists {
			tree[f.Path] = &fstest.MapFile{Data: []byte(f.After.Data), Mode: f.After.Mode}
		} else {
			delete(tree, f.Path)
		}
	}
}

func snapshot(tree fstest.MapFS) string {
	out := map[string]string{}
	for name, f := range tree {
		out[name] = fmt.Sprintf("%v %q", f.Mode, f.Data)
	}
	return fmt.Sprint(out)
}

func write1(path string) intent.Set {
	return intent.Set{Changes: []intent.Change{{Kind: intent.Write, Path: path, PathAt: literal(7), Content: "x"}}}
}

func TestNotRegular(t *testing.T) {
	tree := fstest.MapFS{"pipe": {Mode: fs.ModeNamedPipe}}
	if got := codes(build(t, tree, write1("pipe"))); got != "error:path-not-regular" {
		t.Errorf("got %s", got)
	}
}

// large is a tree whose files claim to be above the size limit.
type large struct{ fstest.MapFS }

func (l large) Lstat(name string) (fs.FileInfo, error) {
	info, err := l.MapFS.Lstat(name)
	return largeInfo{info}, err
}

type largeInfo struct{ fs.FileInfo }

func (largeInfo) Size() int64 { return MaxFile + 1 }

func TestTooLarge(t *testing.T) {
	if got := codes(build(t, large{fstest.MapFS{"a": {Data: []byte("x")}}}, write1("a"))); got != "error:file-too-large" {
		t.Errorf("got %s", got)
	}
}

// The fix for a path that begins with the tree's own folder is certain if the file or its
// folder must exist. If both would be new, there is only a warning.
func TestProjectFolder(t *testing.T) {
	tree := fstest.MapFS{"src/a": {Data: []byte("x")}}
	patch := intent.Set{Changes: []intent.Change{{Kind: intent.Edit, Path: "dir/src/a", PathAt: literal(7), Steps: []intent.Step{insert("y")}}}}
	for _, c := range []struct {
		set     intent.Set
		want    string
		certain bool
	}{{patch, "error:file-missing", true}, {write1("dir/src/b"), "error:path-project-prefix", true}, {write1("dir/lib/src/b"), "warning:path-project-prefix", false}, {write1("dir/src/a"), "error:path-project-prefix", true}} {
		p := build(t, tree, c.set)
		if got := codes(p); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
			continue
		}
		fix := p.Blocks[0].Diagnostics[0].Fixes[0]
		if strings.HasPrefix(fix.Edits[0].New, "dir/") || fix.Preferred != c.certain {
			t.Errorf("fix %+v", fix)
		}
	}
	if got := codes(build(t, tree, patch, write1("dir/lib/src/b"))); got != "error:file-missing error:path-project-prefix" {
		t.Errorf("beside such a path of a file that is there: %s", got)
	}
	tree["dir/other"] = &fstest.MapFile{}
	if got := codes(build(t, tree, write1("dir/src/b"))); got != "" {
		t.Errorf("with such a folder: %s", got)
	}
}

// TestNotGone checks that deleting or renaming a missing file counts as done only if the path
// cannot mean another file.
func TestNotGone(t *testing.T) {
	tree := fstest.MapFS{"src/a": {Data: []byte("x")}, "src/b": {Data: []byte("y")}, "src/z": {}, "z": {}}
	gone := func(path string) intent.Change {
		return intent.Change{Kind: intent.Delete, Path: path, PathAt: literal(1)}
	}
	rename := func(path, to string) intent.Change {
		return intent.Change{Kind: intent.Rename, Path: path, To: to, PathAt: literal(1), ToAt: literal(9)}
	}
	move := write1("src/a").Changes[0]
	for name, c := range map[string]struct {
		changes []intent.Change
		want    string
	}{
		"project folder":         {[]intent.Change{gone("dir/src/a")}, "error:file-missing"},
		"project folder, rename": {[]intent.Change{rename("dir/src/a", "src/b")}, "error:file-missing"},
		"only a name":            {[]intent.Change{gone("a"), rename("a", "src/b")}, ""},
		"no other file":          {[]intent.Change{gone("c"), gone("dir/src/c"), gone("lib/a"), rename("c", "src/b")}, ""},
		"moved in two changes":   {[]intent.Change{move, gone("a"), gone("dir/src/a")}, ""},
		"gone by the reply":      {[]intent.Change{gone("z"), gone("z")}, ""},
	} {
		if got := codes(build(t, tree, intent.Set{Changes: c.changes, PathsRepeat: true})); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestRenamedIntoProjectFolder checks that problems with the new path of a rename are shown at that path.
func TestRenamedIntoProjectFolder(t *testing.T) {
	tree := fstest.MapFS{"src/a": {Data: []byte("x")}}
	rename := intent.Change{Kind: intent.Rename, Path: "src/a", To: "dir/src/b", PathAt: literal(1), ToAt: literal(9)}
	found := build(t, tree, intent.Set{Changes: []intent.Change{rename}}).Blocks[0].Diagnostics
	if len(found) != 1 || found[0].Code != diag.PathProject || !strings.HasPrefix(found[0].Message, "dir/src/b begins") ||
		found[0].Fixes[0].Edits[0].Span != literal(9).Span || !strings.Contains(found[0].Fixes[0].Edits[0].New, "src/b") {
		t.Errorf("%+v", found)
	}
}

func TestRefusedRenameNamesBothPaths(t *testing.T) {
	tree := fstest.MapFS{"a": {Data: []byte("a"), Mode: 0o644}, "b/.git/x": {Data: []byte("x"), Mode: 0o644}}
	for _, to := range []string{"../x", "b/.git/x", "b"} {
		p, err := Build(t.Context(), tree, []intent.Set{{Root: ".", Changes: []intent.Change{{Kind: intent.Rename, Path: "a", To: to}}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f := p.Blocks[0].Files; len(f) != 1 || f[0].Path != "a" || f[0].To != to || f[0].State != Failed {
			t.Errorf("to %s: %+v", to, f)
		}
	}
}

// TestOwnState checks that no kind of change reaches the folder of this program's state.
func TestOwnState(t *testing.T) {
	tree := fstest.MapFS{"s/aptix/j": {Data: []byte("j"), Mode: 0o644}, "a": {Data: []byte("a"), Mode: 0o644}}
	for _, c := range []intent.Change{
		{Kind: intent.Write, Path: "s/aptix/k", Content: "k"}, {Kind: intent.Delete, Path: "s/aptix/j"},
		{Kind: intent.Rename, Path: "a", To: "s/aptix/k"}, {Kind: intent.Rename, Path: "s", To: "z"},
		{Kind: intent.Rename, Path: "s/aptix/j", To: "z"}, {Kind: intent.DeleteAll, Path: "s"}, create("s/aptix/k", "k"),
	} {
		p, err := Build(t.Context(), tree, []intent.Set{{Root: ".", Changes: []intent.Change{c}}}, Options{Own: "s/aptix"})
		if err != nil || len(p.Blocks[0].Diagnostics) == 0 || p.Blocks[0].Diagnostics[0].Code != diag.PathOutside {
			t.Errorf("%v %s: %v, %v", c.Kind, c.Path, err, p.Blocks[0].Diagnostics)
		}
	}
	p, err := Build(t.Context(), tree, []intent.Set{{Root: ".", Changes: []intent.Change{{Kind: intent.Delete, Path: "a"}}}}, Options{Own: "."})
	if err != nil || len(p.Blocks[0].Diagnostics) == 0 || p.Blocks[0].Diagnostics[0].Code != diag.PathOutside {
		t.Errorf("the root is in the state folder: %v, %v", err, p.Blocks[0].Diagnostics)
	}
}
