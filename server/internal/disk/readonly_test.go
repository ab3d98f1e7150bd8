package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// If Windows would refuse a change halfway, the change is refused before it begins, and the
// error names the file.
func TestReadOnlyFiles(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c"})
	for _, name := range []string{"b.txt", "c.txt"} {
		must(t, os.Chmod(filepath.Join(dir, name), 0o444))
	}
	before := picture(t, dir)
	r := open(t, dir)
	r.sparesReadOnly = true
	a, b, c := Op{"a.txt", regular("a"), regular("A")}, Op{"b.txt", regular("b"), regular("B")}, Op{"c.txt", regular("c"), regular("C")}
	for want, ops := range map[string][]Op{
		"b.txt is read-only: allow writing in the properties of the file, or with attrib -r, and apply again":         {a, b},
		"b.txt, c.txt are read-only: allow writing in the properties of the file, or with attrib -r, and apply again": {a, b, c},
	} {
		err := commit1(r, state, ops...)
		if err == nil || err.Error() != want || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%v, want %s", err, want)
		}
		same(t, "refused", picture(t, dir), before)
		noJournals(t, state)
	}
	must(t, commit1(r, state, a, Op{"b.txt", regular("b"), nil}))
	if now := picture(t, dir); now["a.txt"] != "-rw-r--r-- A" || now["b.txt"] != "" {
		t.Errorf("the tree is %v", now)
	}
}
