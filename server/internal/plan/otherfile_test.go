package plan

import (
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const passage = "    for item in self.items:\n        yield item.price\n"

// otherFileOf returns the path that is offered if a.py lacks a passage, or "" if none is.
func otherFileOf(t *testing.T, find string, files map[string]string) string {
	t.Helper()
	tree := fstest.MapFS{"a.py": {Data: []byte("nothing\n")}}
	for name, s := range files {
		tree[name] = &fstest.MapFile{Data: []byte(s)}
	}
	change := intent.Change{Kind: intent.Edit, Path: "a.py", PathAt: intent.Literal{Span: text.Span{Start: 1, End: 5}},
		Steps: []intent.Step{findreplace.Replacement{Find: find, Replace: "x", Limit: findreplace.Once}}}
	p, err := Build(t.Context(), tree, []intent.Set{{Changes: []intent.Change{change}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range p.Blocks[0].Diagnostics {
		for _, fix := range d.AllFixes(t.Context()) {
			if fix.Path != "" {
				if fix.Preferred || fix.Edits[0].New != fix.Path {
					t.Errorf("got %+v", fix)
				}
				return fix.Path
			}
		}
	}
	return ""
}

func TestOtherFile(t *testing.T) {
	for name, c := range map[string]struct {
		find  string
		files map[string]string
		want  string
	}{
		"one file":             {passage, map[string]string{"src/b.py": "class A:\n" + passage}, "src/b.py"},
		"CRLF":                 {passage, map[string]string{"b.py": "    for item in self.items:\r\n        yield item.price\r\n"}, "b.py"},
		"two files":            {passage, map[string]string{"b.py": passage, "c.py": passage}, ""},
		"twice in one":         {passage, map[string]string{"b.py": passage + passage}, ""},
		"a part of it":         {passage, map[string]string{"b.py": passage[:40]}, ""},
		"binary":               {passage, map[string]string{"b.bin": "\x00" + passage}, ""},
		"in a skipped folder":  {passage, map[string]string{"node_modules/b.py": passage}, ""},
		"a passage of nothing": {"}\n", map[string]string{"b.py": "}\n"}, ""},
	} {
		if got := otherFileOf(t, c.find, c.files); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
