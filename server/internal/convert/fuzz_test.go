package convert

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/tools/casefile"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// If the change of any reply, on the tree of any case, is written in another format, the new document gives the same
// files, or the conversion is refused.
func FuzzDocument(f *testing.F) {
	cases, err := casefile.Load("../../../testdata/conformance")
	if err != nil || len(cases) == 0 {
		f.Fatal("no seeds", err)
	}
	for i, c := range cases {
		if i%trials.OneIn(1) == 0 {
			f.Add(uint(i), c.Text)
		}
	}
	f.Fuzz(func(t *testing.T, index uint, reply string) {
		c := cases[index%uint(len(cases))]
		tree := fstest.MapFS{}
		for name, file := range c.Before {
			tree[name] = &fstest.MapFile{Data: []byte(file.Data), Mode: file.Mode}
		}
		r, err := check.Check(t.Context(), []check.Document{{Name: c.Reply, Text: reply}}, where(tree))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Applicable() || len(r.Plan.Files) == 0 {
			return
		}
		want := listing(after(tree, r.Plan.Files))
		for _, to := range known() {
			doc, err := Document(t.Context(), to, r.Plan.Files, where(tree), folder)
			if _, cannot := errors.AsType[*CannotError](err); cannot {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", to, err)
			}
			if got := listing(apply(t, tree, doc, to)); got != want {
				t.Fatalf("%s:\n%s\ngives\n%s\nnot\n%s", to, doc, got, want)
			}
		}
	})
}
