package plan

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// An absolute root is refused in every spelling. Its fix is certain only if the root and the
// paths can only mean files of the workspace.
func TestAbsoluteRoots(t *testing.T) {
	tree := fstest.MapFS{"a.txt": {Data: []byte("a")}, "src/b.txt": {Data: []byte("b")}}
	for _, c := range []struct{ root, paths, fix string }{
		{"/", "a.txt", `certain: "."`},
		{"//", "a.txt", `certain: "."`},
		{"/.", "a.txt src/b.txt", `certain: "."`},
		{"/./", "a.txt", `certain: "."`},
		{`\`, "a.txt", `certain: "."`},
		{"/", "a.txt src/new.txt", `certain: "."`},
		{"/", "new.txt", `offered: "."`},
		{"/", "a.txt etc/new.txt", `offered: "."`},
		{"/", "etc/hosts", `offered: "."`},
		{"/", "base/dir/new.txt", `certain: "." "new.txt"`},
		{"/", "base/dir/a.txt base/dir/x/b.txt", `certain: "." "a.txt" "x/b.txt"`},
		{"/", "base/dir/a.txt base/other/b.txt", `offered: "."`},
		{"/base", "dir/new.txt", `certain: "." "new.txt"`},
		{"/base/dir", "new.txt", `certain: "."`},
		{"/base/dir/", "new.txt", `certain: "."`},
		{"/base/dir/.", "new.txt", `certain: "."`},
		{"/base/dir/src", "new.txt", `certain: "src"`},
		{"/base/dir/../dir/src", "b.txt", `certain: "." "src/b.txt"`},
		{"/base/other", "new.txt", ``},
		{"/home/other/project", "a.txt", `offered: "."`},
		{`C:\work\project`, "a.txt", `offered: "."`},
		{"C:/", "a.txt", `offered: "."`},
		{"file:///", "a.txt", `offered: "."`},
		{"~", "a.txt", `offered: "."`},
		{"/etc", "hosts", ``},
	} {
		set := intent.Set{Root: c.root, RootAt: literal(1)}
		for i, p := range strings.Fields(c.paths) {
			set.Changes = append(set.Changes, intent.Change{Kind: intent.Write, Path: p, PathAt: literal(7 + 2*i), Content: "new"})
		}
		p := build(t, tree, set)
		if got := codes(p); got != "error:root-invalid" || len(p.Files) > 0 {
			t.Errorf("root %q path %q: %s, and %d files change", c.root, c.paths, got, len(p.Files))
			continue
		}
		if got := describe(p.Blocks[0].Diagnostics[0].Fixes); got != c.fix {
			t.Errorf("root %q path %q: fixes %s, want %s", c.root, c.paths, got, c.fix)
		}
	}
}

// An edit of a missing file does not show what a root means.
func TestAbsoluteRootOfEdit(t *testing.T) {
	tree := fstest.MapFS{"a.txt": {Data: []byte("a")}}
	edit := func(path string, at int) intent.Change {
		return intent.Change{Kind: intent.Edit, Path: path, PathAt: literal(at)}
	}
	p := build(t, tree, intent.Set{Root: "/", RootAt: literal(1), Changes: []intent.Change{edit("a.txt", 7), edit("b.txt", 9)}})
	if got := describe(p.Blocks[0].Diagnostics[0].Fixes); got != `offered: "."` {
		t.Errorf("fixes %s", got)
	}
}

// describe describes the only fix: whether it is certain, and its text.
func describe(fixes []diag.Fix) string {
	if len(fixes) != 1 {
		return ""
	}
	out := "offered:"
	if fixes[0].Preferred {
		out = "certain:"
	}
	for _, e := range fixes[0].Edits {
		out += ` "` + strings.Trim(e.New, `"`) + `"`
	}
	return out
}
