package check

import (
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/history"
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

// A history that another program wrote may have any path. A file that cannot exist is missing, so that no such path
// makes a check fail.
func TestStandingOfImpossibleNames(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"a\x00b", "../a", "/a", "", "a//b", strings.Repeat("a", 1_000), strings.Repeat("a/", 10_000) + "b"} {
		of := func(_ context.Context, _, _ string, current func(path string) (text.Content, error)) (map[string]history.Standing, error) {
			now, err := current(name)
			if now.Exists {
				t.Errorf("%.20q exists", name)
			}
			return nil, err
		}
		if _, err := (Past{}).standing(t.Context(), root.FS(), "key", of); err != nil {
			t.Errorf("%.20q: %v", name, err)
		}
	}
}
