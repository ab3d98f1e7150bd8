package paths_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/paths"
)

func tree(names ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, name := range names {
		m[name] = &fstest.MapFile{}
	}
	return m
}

func link(target string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
}

func TestLookup(t *testing.T) {
	files := tree("a.txt", "README.md", "Src/Main.go", "src/util.go", "src/MAIN.go", "x/.git/config", "node_modules/y/index.js",
		"ÄÖ/ß.txt", "bad\xff.txt", "dir/file/deep.txt")
	files["link.txt"], files["linked"] = link("README.md"), link("Src")
	files["Outside"], files["loop"], files["dangling"], files["config"] = link("../a"), link("loop"), link("gone"), link("x/.git/config")
	folder := paths.Folder{Names: []string{"MyRepo"}, Tree: files}
	for key, want := range map[string]string{
		"myrepo/a.txt":                   "a.txt",
		"myrepo/readme.md":               "README.md",
		"myrepo/src/main.go":             "Src/Main.go src/MAIN.go",
		"myrepo/src/util.go":             "src/util.go",
		"myrepo/link.txt":                "README.md",
		"myrepo/linked/main.go":          "Src/Main.go",
		"myrepo/node_modules/y/index.js": "node_modules/y/index.js",
		"myrepo/äö/ß.txt":                "ÄÖ/ß.txt",

		"myrepo/README.md": "", "MyRepo/a.txt": "", "a.txt": "", "other/a.txt": "", "myrepo": "", "myrepo/": "", "": "", "/": "",
		"myrepo//a.txt": "", "myrepo/./a.txt": "", "myrepo/src/../a.txt": "", "myrepo/../myrepo/a.txt": "", "/myrepo/a.txt": "",
		"myrepo/src": "", "myrepo/a.txt/": "", "myrepo/a.txt/b": "", "myrepo/none.txt": "", "myrepo/none/none.txt": "",
		"myrepo/x/.git/config": "", "myrepo/config": "", "myrepo/outside": "", "myrepo/outside/b": "", "myrepo/loop": "", "myrepo/dangling": "",
		"myrepo/bad\ufffd.txt": "", "myrepo/bad\xff.txt": "", `myrepo\a.txt`: "",
	} {
		got, err := folder.Lookup(nil, key)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q, %v; want %q", key, got, err, want)
		}
	}
}

func TestHasDocPath(t *testing.T) {
	for path, want := range map[string]bool{"a.txt": true, "Ä/b": true, ".github/x": true, ".git": false, "a/.GIT/b": false, "bad\xff/b": false} {
		if got := paths.HasDocPath(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}

// A listing does not contain a file that an editor shows but that was never saved.
func TestOpen(t *testing.T) {
	folder := paths.Folder{Names: []string{"p"}, Tree: tree("a.txt", "New.txt"), Open: []string{"New.txt", "A.txt"}}
	if got, err := folder.Lookup(nil, "p/new.txt"); err != nil || !slices.Equal(got, []string{"New.txt"}) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := folder.Lookup(nil, "p/a.txt"); err != nil || !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("an open file that is gone: %q, %v", got, err)
	}
}

// Every file has a key, and the key finds all files that have it.
func TestKeyAndLookup(t *testing.T) {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "A", "b.txt", "B.txt", "É", "é", "K", "\u212a"}), 1, 3)
	rapid.Check(t, func(t *rapid.T) {
		files := fstest.MapFS{}
		for _, parts := range rapid.SliceOfN(names, 1, 6).Draw(t, "files") {
			if name := path.Join(parts...) + ".go"; !slices.ContainsFunc(parts, func(string) bool { return files[name] != nil }) {
				files[name] = &fstest.MapFile{}
			}
		}
		folder := paths.Folder{Names: []string{"Repo"}, Tree: files}
		for name := range files {
			var want []string
			for other := range files {
				if paths.DocPath("Repo", other) == paths.DocPath("Repo", name) {
					want = append(want, other)
				}
			}
			slices.Sort(want)
			if got, err := folder.Lookup(nil, paths.DocPath("Repo", name)); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: %q, %v; want %q", name, got, err, want)
			}
		}
	})
}

func TestFolders(t *testing.T) {
	all := paths.Folders{
		{Names: []string{"App"}, Tree: tree("main.go", "a.go", "A.go")},
		{Names: []string{"app"}, Tree: tree("Main.go", "lib.go")},
	}
	for _, tt := range []struct {
		folder    int
		key, want string
	}{
		{0, "app/main.go", "App/main.go app/Main.go"}, {1, "app/main.go", "App/main.go app/Main.go"},
		{0, "app/a.go", "A.go a.go"}, {1, "app/a.go", ""}, {1, "app/lib.go", "lib.go"}, {0, "app/lib.go", ""},
	} {
		got, err := all.In(tt.folder)(nil, tt.key)
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%d %s: %q, %v; want %q", tt.folder, tt.key, got, err, tt.want)
		}
	}
}

// A folder can be named by the name that the editor gives it and by the name of its
// directory.
func TestNames(t *testing.T) {
	folder := paths.Folder{Names: []string{"Shop (server)", "shop"}, Tree: tree("A.txt")}
	for _, key := range []string{paths.DocPath(folder.Names[0], "A.txt"), "shop/a.txt"} {
		if got, err := folder.Lookup(nil, key); err != nil || !slices.Equal(got, []string{"A.txt"}) {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
}

// If a folder cannot be read, Lookup returns an error instead of reporting no file.
func TestUnreadable(t *testing.T) {
	_, err := paths.Folder{Names: []string{"p"}, Tree: broken{}}.Lookup(nil, "p/dir/a.txt")
	if err == nil || !strings.Contains(err.Error(), "dir") {
		t.Errorf("%v", err)
	}
}

// broken is a tree whose folder dir cannot be listed.
type broken struct{}

func (broken) Open(name string) (fs.File, error) {
	if name == "." {
		return tree("dir/a.txt").Open(".")
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}
