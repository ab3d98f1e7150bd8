package reply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

// Every listed part lies in the document and outside of the claimed spans. The parts are in
// order, and their number is limited.
func FuzzUnreads(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "replies", "*.txt"))
	if err != nil || len(names) == 0 {
		f.Fatal("no replies", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(data), "\n=== ") {
			f.Add(part)
		}
	}
	f.Add(strings.Repeat("{\n", 300) + strings.Repeat("```sh\nrm src/old.py\n```\n", 300))
	tree := fstest.MapFS{"src/app.py": {Data: []byte("port = 80\n")}, "src/old.py": {Data: []byte("old = 1\n")}}
	f.Fuzz(func(t *testing.T, doc string) {
		files := &Files{Tree: tree, Made: map[string]Made{"src/app.py": {Before: "port = 80\n", After: "port = 8080\n"}}}
		last := 0
		all := Unreads(Document{Text: doc, Fences: mdblock.Find(doc), Files: files})
		for _, u := range all {
			if u.At.Start < last || u.At.End < u.At.Start || u.At.End > len(doc) || u.What == "" || u.Kind == "" {
				t.Fatalf("%+v after %d, in %d bytes", u, last, len(doc))
			}
			last = u.At.Start
			if u.Path != "" {
				if name, ok := clean(u.Path); !ok || name != u.Path {
					t.Errorf("%q is no path from the root", u.Path)
				}
			}
		}
		if len(all) > mostUnread {
			t.Errorf("%d parts", len(all))
		}
	})
}
