package check

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func tree() fstest.MapFS {
	return fstest.MapFS{
		"a.txt":     {Data: []byte("one\r\ntwo\nthree\r\n"), Mode: 0o644},
		"dir/b.txt": {Data: []byte("\ufeffb"), Mode: 0o755},
		"bin":       {Data: []byte("\x00"), Mode: 0o644},
		"link":      {Data: []byte("dir/b.txt"), Mode: fs.ModeSymlink},
	}
}

func check(t testing.TB, doc string, tree fs.FS) *Result {
	t.Helper()
	r, err := Check(context.Background(), []Document{{Name: "reply.md", Text: doc}}, Where{Tree: tree, Base: "/base", Guard: Guard{ProtectedIs: diag.Warning}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whatever the reply, ranges lie inside it, fixes fit it, paths stay below the root, nothing
// is planned for refused blocks, an apply can be reverted, and there is feedback on each
// block that cannot be applied.
func FuzzCheck(f *testing.F) {
	addReplies(f)
	f.Fuzz(func(t *testing.T, doc string) {
		files := tree()
		r := check(t, doc, files)
		mendable := false
		for _, b := range r.Blocks {
			inside(t, doc, b)
			mendable = mendable || b.State == Failed
			for _, file := range b.Files {
				if file.State == plan.Failed && file.Before() != file.After() {
					t.Fatalf("%s has an error and changes", file.Path)
				}
			}
		}
		for _, file := range r.Plan.Files {
			if !fs.ValidPath(file.Path) || strings.Contains(file.Path, ".git/") {
				t.Fatalf("%q is written", file.Path)
			}
		}
		staysAway(t, doc)
		if mendable && r.Feedback(t.Context()) == "" {
			t.Fatal("nothing is said of a block that cannot be applied")
		}
		if r.Applicable() {
			thereAndBack(t, r.Plan)
		}
	})
}

// Whatever the reply, making its certain repairs again and again comes to an end.
func FuzzRepair(f *testing.F) {
	addReplies(f)
	f.Fuzz(func(t *testing.T, doc string) {
		where := Where{Tree: tree(), Base: "/base", Lint: true}
		r, err := Repair(t.Context(), []Document{{Name: "reply.md", Text: doc}}, where)
		if err != nil {
			t.Fatal(err)
		}
		if edits := r.PreferredEdits(0); len(edits) > 0 {
			t.Fatalf("%d certain repairs are left in\n%s", len(edits), r.Documents[0].Text)
		}
		for _, b := range r.Blocks {
			inside(t, r.Documents[0].Text, b)
		}
	})
}

// addReplies adds the replies of all cases as seeds.
func addReplies(f *testing.F) {
	f.Helper()
	cases, err := filepath.Glob("../../../testdata/*/*/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, c := range cases {
		archive, err := txtar.ParseFile(c)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasPrefix(file.Name, "reply") {
				f.Add(string(file.Data))
			}
		}
	}
}

func inside(t *testing.T, doc string, b Block) {
	t.Helper()
	whole := text.Span{Start: 0, End: len(doc)}
	for _, d := range b.Diagnostics {
		if d.Span.Start > d.Span.End || !whole.Contains(d.Span) {
			t.Fatalf("%s at %v of %d bytes", d.Code, d.Span, len(doc))
		}
		for _, fix := range d.Fixes {
			if _, err := text.Sorted(doc, fix.Edits); err != nil {
				t.Fatalf("%s: fix %q: %v", d.Code, fix.Title, err)
			}
		}
	}
}

func thereAndBack(t *testing.T, p plan.Plan) {
	t.Helper()
	files := tree()
	before := fmt.Sprint(contents(files))
	write(files, plan.Paths(p.Files))
	write(files, plan.Paths(p.Invert().Files))
	if after := fmt.Sprint(contents(files)); after != before {
		t.Fatalf("taken back:\n%s\nwant\n%s", after, before)
	}
}

func write(files fstest.MapFS, changes []plan.File) {
	for _, f := range changes {
		if f.After.Exists {
			files[f.Path] = &fstest.MapFile{Data: []byte(f.After.Data), Mode: f.After.Mode}
		} else {
			delete(files, f.Path)
		}
	}
}

func contents(files fstest.MapFS) map[string]string {
	out := map[string]string{}
	for name, f := range files {
		out[name] = fmt.Sprintf("%v %q", f.Mode, f.Data)
	}
	return out
}

// Making certain repairs comes to an end, and never makes a document worse.
func TestRepairConverges(t *testing.T) {
	paths := rapid.SampledFrom([]string{"a.txt", "./a.txt", `dir\b.txt`, "x//y", "/base/c", "../up", "dir/../d", " e "})
	roots := rapid.SampledFrom([]string{"", `"root": ".",`, `"root": "docs",`, `"root": "./src",`, `"root": "/base",`})
	rapid.Check(t, func(t *rapid.T) {
		var entries []string
		for range rapid.IntRange(1, 4).Draw(t, "entries") {
			path, err := json.Marshal(paths.Draw(t, "path"))
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, fmt.Sprintf(`{"path": %s, "content": "x"}`, path))
		}
		doc := "> ```json\n> {" + roots.Draw(t, "root") + ` "files": [` + strings.Join(entries, ",\n> ") + "]}\n> ```\n"
		where := Where{Tree: tree(), Base: "/base"}
		repaired, err := Repair(context.Background(), []Document{{Name: "reply.md", Text: doc}}, where)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(context.Background(), repaired.Documents, where)
		if err != nil || len(r.Blocks) != 1 {
			t.Fatalf("%d blocks, %v in\n%s", len(r.Blocks), err, repaired.Documents[0].Text)
		}
		if edits := r.PreferredEdits(0); len(edits) > 0 {
			t.Fatalf("a certain repair is left in\n%s", repaired.Documents[0].Text)
		}
		if !slices.EqualFunc(r.Blocks, repaired.Blocks, func(a, b Block) bool { return a.State == b.State && len(a.Diagnostics) == len(b.Diagnostics) }) {
			t.Fatalf("another check than the one that the repair ended with: %+v, %+v", r.Blocks, repaired.Blocks)
		}
	})
}

func TestNoTree(t *testing.T) {
	r := check(t, "```json\n{\"root\": \".\", \"files\": [{\"path\": \"a\", \"content\": \"\"}]}\n```\n", nil)
	if r.Applicable() || r.Blocks[0].Diagnostics[0].Code != diag.NoWorkspace {
		t.Errorf("got %+v", r.Blocks)
	}
}

// In an indented fence, white space at the beginning of a raw line in a string may be part of
// the string.
func TestRawNewlineInAnIndentedFence(t *testing.T) {
	body := "{\"root\": \".\", \"files\": [{\"path\": \"a.py\", \"content\": \"if x:\n    y()\n\"}]}\n"
	for prefix, certain := range map[string]bool{"": true, "> ": true, "  ": false, "- ": false, "> - ": false} {
		indent := strings.ReplaceAll(prefix, "-", " ")
		doc := prefix + "```json\n" + indent + strings.ReplaceAll(body+"```\n", "\n", "\n"+indent)
		r := check(t, doc, tree())
		if len(r.Blocks) != 1 || (len(r.PreferredEdits(0)) > 0) != certain {
			t.Errorf("%q: %d blocks, certain edits %v", doc, len(r.Blocks), r.PreferredEdits(0))
		}
	}
}

// A request for block 0 gets an error that names block 0, not block -1.
func TestNoSuchBlockSaysWhy(t *testing.T) {
	for block, want := range map[int]string{3: "there is no block 3: the reply has 2 Aptix blocks", -1: "blocks are counted from 1: the reply has 2 Aptix blocks"} {
		if got := (&NoSuchBlock{block, 2}).Error(); got != want {
			t.Errorf("%d: %s", block, got)
		}
	}
}
