package fspath_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

func link(target string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
}

func tree() fstest.MapFS {
	return fstest.MapFS{
		"a.txt":         {Data: []byte("a")},
		"dir/b.txt":     {Data: []byte("b")},
		"dir/up":        link("../a.txt"),
		"dir/out":       link("../../a.txt"),
		"d":             link("dir"),
		"dd":            link("d"),
		"slash":         link("dir/"),
		"dot":           link("./dir/./b.txt"),
		"deep/er/back":  link("../../d/up"),
		"abs":           link("/etc/passwd"),
		"dangling":      link("new/leaf.txt"),
		"via-missing":   link("gone/../a.txt"),
		"via-file":      link("a.txt/../dir"),
		"loop":          link("pool"),
		"pool":          link("loop"),
		"self/self":     link("../self/self"),
		"dir/sub/c.txt": {Data: []byte("c")},
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{
		".":                    ".",
		"a.txt":                "a.txt",
		"d":                    "dir",
		"d/b.txt":              "dir/b.txt",
		"dd/sub/c.txt":         "dir/sub/c.txt",
		"slash/b.txt":          "dir/b.txt",
		"dot":                  "dir/b.txt",
		"dir/up":               "a.txt",
		"dd/up":                "a.txt",
		"deep/er/back":         "a.txt",
		"new":                  "new",
		"new/x/y":              "new/x/y",
		"d/new/y":              "dir/new/y",
		"dangling":             "new/leaf.txt",
		"dangling/below":       "new/leaf.txt/below",
		"dir/na\u00efve\nname": "dir/na\u00efve\nname",
	} {
		if got, err := fspath.Canonical(tree(), name); err != nil || got != want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for name, want := range map[string]struct {
		err error
		at  string
	}{
		"abs":         {fspath.ErrEscapes, "abs"},
		"abs/x":       {fspath.ErrEscapes, "abs"},
		"dir/out":     {fspath.ErrEscapes, ".."},
		"loop":        {fspath.ErrLoop, ""},
		"loop/x":      {fspath.ErrLoop, ""},
		"self/self/x": {fspath.ErrLoop, "self/self"},
		"a.txt/x":     {fspath.ErrNotDir, "a.txt"},
		"dir/up/x":    {fspath.ErrNotDir, "a.txt"},
		"via-file":    {fspath.ErrNotDir, "a.txt"},
		"via-missing": {fs.ErrNotExist, "gone"},
		"../x":        {fs.ErrInvalid, "../x"},
		"/x":          {fs.ErrInvalid, "/x"},
		"":            {fs.ErrInvalid, ""},
		"a//b":        {fs.ErrInvalid, "a//b"},
	} {
		got, err := fspath.Canonical(tree(), name)
		if pathErr, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, want.err) || (want.at != "" && pathErr.Path != want.at) {
			t.Errorf("Canonical(%q) = %q, %v; want %v at %q", name, got, err, want.err, want.at)
		}
	}
}

// folding is a file system that lists names as they were given but finds them in any case
// and normal form, as those of macOS do.
type folding struct{ fstest.MapFS }

func (f folding) listed(name string) string {
	for known := range f.MapFS {
		if strings.EqualFold(norm.NFC.String(known), norm.NFC.String(name)) {
			return known
		}
	}
	return name
}
func (f folding) Open(name string) (fs.File, error)          { return f.MapFS.Open(f.listed(name)) }
func (f folding) Lstat(name string) (fs.FileInfo, error)     { return f.MapFS.Lstat(f.listed(name)) }
func (f folding) ReadDir(name string) ([]fs.DirEntry, error) { return f.MapFS.ReadDir(f.listed(name)) }

func TestCanonicalFindsTheListedSpelling(t *testing.T) {
	fsys := folding{fstest.MapFS{
		"README.md": {}, "Src": {Mode: fs.ModeDir | 0o755}, "Src/Caf\u00e9.go": {}, "\u304c": {}, "42": {},
	}}
	for name, want := range map[string]string{
		"readme.MD": "README.md", "README.md": "README.md", "src/CAFE\u0301.go": "Src/Caf\u00e9.go",
		"src/New.go": "Src/New.go", "\u304b\u3099": "\u304c", "42": "42",
	} {
		if got, err := fspath.Canonical(fsys, name); err != nil || got != want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	both := fstest.MapFS{"a": {}, "A": {}}
	for _, name := range []string{"a", "A"} {
		if got, err := fspath.Canonical(both, name); err != nil || got != name {
			t.Errorf("Canonical(%q) = %q, %v where case counts", name, got, err)
		}
	}
}

// The operating system is the oracle: if it finds a file, Canonical returns a path without
// links to the same file.
func TestCanonicalAgreesWithTheSystem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("links need a privilege on Windows; the trees in memory cover the logic")
		return
	}
	names := []string{"a", "b", "c", "a/a", "a/b", "b/a", "b/c", "a/a/a"}
	targets := []string{"a", "b", "c", "../a", "../b/c", "./b", "a/b", "../a/a", "..", ".", "../../c", "missing"}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "fspath")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		for _, name := range names {
			plant(t, filepath.Join(dir, name), rapid.SampledFrom([]string{"file", "dir", "dir", "link", "none"}).Draw(t, name), targets)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		for _, name := range append(names, "c/a", "c/b/c", "b/b/a") {
			agree(t, root, dir, name)
		}
	})
}

func plant(t *rapid.T, full, kind string, targets []string) {
	switch kind {
	case "file":
		_ = os.WriteFile(full, []byte(full), 0o600) // it fails below a file, and then makes no file
	case "dir":
		_ = os.Mkdir(full, 0o700)
	case "link":
		_ = os.Symlink(rapid.SampledFrom(targets).Draw(t, "target"), full)
	}
}

func agree(t *rapid.T, root *os.Root, dir, name string) {
	got, err := fspath.Canonical(root.FS(), name)
	real, realErr := filepath.EvalSymlinks(filepath.Join(dir, name))
	base, _ := filepath.EvalSymlinks(dir)
	inside := realErr == nil && (real == base || strings.HasPrefix(real, base+"/"))
	switch {
	case inside && err == nil && filepath.Join(base, got) != real:
		t.Fatalf("Canonical(%q) = %q; the system says %s", name, got, real)
	case inside && err != nil && !errors.Is(err, fspath.ErrEscapes): // the link may leave the root and come back
		t.Fatalf("Canonical(%q): %v; the system says %s", name, err, real)
	case realErr == nil && !inside && !errors.Is(err, fspath.ErrEscapes):
		t.Fatalf("Canonical(%q) = %q, %v; it leaves the root to %s", name, got, err, real)
	case err == nil && !fs.ValidPath(got):
		t.Fatalf("Canonical(%q) = %q", name, got)
	case err == nil:
		noLinks(t, root, got)
	}
}

func noLinks(t *rapid.T, root *os.Root, name string) {
	for p := name; p != "."; p = path.Dir(p) {
		if info, err := root.Lstat(p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			t.Fatalf("%s is a link", p)
		}
	}
}

func TestUnusable(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	_, err = root.Lstat(strings.Repeat("x", 5000))
	if runtime.GOOS != "windows" && !fspath.Unusable(err) {
		t.Errorf("a name that is too long: %v", err)
	}
	_, err = root.Lstat("missing")
	if fspath.Unusable(err) || !fspath.Missing(err) {
		t.Errorf("a missing file: %v", err)
	}
	if err := root.WriteFile("f", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = root.Lstat("f/x"); !fspath.Missing(err) {
		t.Errorf("below a file: %v", err)
	}
}

// shortNames is a folder on a Windows system that also finds files by short names, which it does
// not list.
type shortNames struct {
	fs.FS
	long map[string]string
}

func (f shortNames) Lstat(name string) (fs.FileInfo, error) {
	for short, long := range f.long {
		name = strings.ReplaceAll(name, short, long)
	}
	return fs.Lstat(f.FS, name)
}

func (f shortNames) ReadLink(name string) (string, error) { return fs.ReadLink(f.FS, name) }

func TestShortNamesMeanTheListedFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Long folder/Secret notes.txt", "Long folder/other~1.txt"} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fsys := shortNames{os.DirFS(dir), map[string]string{"LONGFO~1": "Long folder", "SECRET~1.TXT": "Secret notes.txt", "1234~1": "Long folder"}}
	for name, want := range map[string]string{
		"LONGFO~1/SECRET~1.TXT":    "Long folder/Secret notes.txt",
		"Long folder/SECRET~1.TXT": "Long folder/Secret notes.txt",
		"1234~1/new.txt":           "Long folder/new.txt",
		"LONGFO~1/other~1.txt":     "Long folder/other~1.txt",
		"LONGFO~1/new~1.txt":       "Long folder/new~1.txt",
	} {
		if got, err := fspath.Canonical(fsys, name); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}
