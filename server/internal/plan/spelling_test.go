package plan

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// folding is a file system that ignores case.
type folding struct{ fstest.MapFS }

func (f folding) listed(name string) string {
	for known := range f.MapFS {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}
func (f folding) Open(name string) (fs.File, error)          { return f.MapFS.Open(f.listed(name)) }
func (f folding) Lstat(name string) (fs.FileInfo, error)     { return f.MapFS.Lstat(f.listed(name)) }
func (f folding) ReadDir(name string) ([]fs.DirEntry, error) { return f.MapFS.ReadDir(f.listed(name)) }
func (folding) Names() fspath.Names                          { return fspath.Names{IgnoresCase: true} }

// A rename that only changes case does not count as done, although the file system also finds the file under the new
// name.
func TestRenameOfCase(t *testing.T) {
	tree := folding{fstest.MapFS{"src/app.ts": {Data: []byte("a\n")}}}
	for to, want := range map[string]string{"src/App.ts": "error:path-same-file", "src/app.ts": "", "src/b.ts": ""} {
		for _, raw := range []bool{false, true} {
			p := build(t, tree, intent.Set{Root: "", Changes: []intent.Change{{Kind: intent.Rename, Path: "src/app.ts", To: to, Raw: raw}}})
			if got := codes(p); got != want {
				t.Errorf("to %s, raw %v: %q, want %q", to, raw, got, want)
			}
		}
	}
}
