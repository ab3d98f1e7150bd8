package check

import (
	"io/fs"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestCurrent(t *testing.T) {
	for path, want := range map[string]text.Content{
		"a.txt":     {Exists: true, Data: "one\r\ntwo\nthree\r\n", Mode: 0o644},
		"dir/b.txt": {Exists: true, Data: "\ufeffb", Mode: 0o755},
		"link":      {Exists: true, Data: "dir/b.txt", Mode: fs.ModeSymlink},
		"dir":       {Exists: true, Mode: fs.ModeDir | 0o555},
		"none":      {},
	} {
		if got, err := Current(tree(), path); err != nil || got != want {
			t.Errorf("%s is %+v, %v; want %+v", path, got, err, want)
		}
	}
}
