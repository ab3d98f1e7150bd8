package apply

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

// eachSet runs a test on an empty set of this machine, and on a shared one.
func eachSet(t *testing.T, test func(t *testing.T, set *fileset.Set)) {
	for name, where := range map[string]func(t *testing.T) string{
		"local":  func(t *testing.T) string { return filepath.Join(t.TempDir(), "fileset.db") },
		"shared": func(t *testing.T) string { return postgrestest.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			set, err := fileset.Open(t.Context(), where(t))
			ok(t, err)
			defer set.Close()
			test(t, set)
		})
	}
}

func inDemo(files map[string]string) paths.Folder {
	tree := fstest.MapFS{}
	for path, data := range files {
		tree[path] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	return paths.Folder{Names: []string{"Demo"}, Tree: tree}
}

// file returns a change of a file from one text to another; "" means that the file does not
// exist.
func file(path, before, after string) plan.File {
	b, a := text.Content{}, text.Content{}
	if before != "" {
		b = text.Content{Exists: true, Data: before, Mode: 0o644}
	}
	if after != "" {
		a = text.Content{Exists: true, Data: after, Mode: 0o644}
	}
	return plan.File{Path: path, Operation: plan.OperationOf(b, a), Before: b, After: a}
}

func putInSet(t *testing.T, set *fileset.Set, docPath, content string) {
	t.Helper()
	_, err := set.Put(t.Context(), "somebody", []fileset.Upload{{DocPath: docPath, Content: content}})
	ok(t, err)
}

func inSetIs(t *testing.T, set *fileset.Set, docPath, content string) {
	t.Helper()
	held, err := set.Known(t.Context(), []string{docPath})
	ok(t, err)
	if content == "" {
		if len(held) > 0 {
			t.Errorf("the set has %v", held)
		}
		return
	}
	got, err := set.Get(t.Context(), docPath)
	if err != nil || got.Content != content {
		t.Errorf("the set has %q of %s, want %q: %v", got.Content, docPath, content, err)
	}
}

// A set of this machine never prevents an apply.
func TestDiffersFromSet(t *testing.T) {
	link := file("a.txt", "x", "y")
	link.Before.Mode |= fs.ModeSymlink
	for name, c := range map[string]struct {
		file plan.File
		says string
	}{
		"as in the set":                {file("A.txt", "set", "new"), ""},
		"differs":                      {file("A.txt", "disk", "new"), `"demo/a.txt" on disk`},
		"differs, and is deleted":      {file("A.txt", "disk", ""), `"demo/a.txt" on disk`},
		"will be as in the set":        {file("A.txt", "disk", "set"), ""},
		"is made, with another text":   {file("A.txt", "", "new"), `"demo/a.txt" is only in the file set`},
		"is made, as in the set":       {file("A.txt", "", "set"), ""},
		"is not in the set":            {file("b.txt", "disk", "new"), ""},
		"is a link":                    {link, ""},
		"has a name that is no text":   {file("a\xff", "disk", "new"), ""},
		"is renamed away":              {rename("A.txt", "disk", "b.txt", "new"), `"demo/a.txt" on disk`},
		"is where another is moved to": {rename("b.txt", "disk", "A.txt", "new"), `"demo/a.txt" is only in the file set`},
		"is renamed in case alone":     {rename("A.txt", "set", "a.txt", "new"), ""},
	} {
		eachSet(t, func(t *testing.T, set *fileset.Set) {
			putInSet(t, set, "demo/a.txt", "set")
			why, err := differsFromSet(t.Context(), set, "cli", inDemo(nil), []plan.File{file("other.txt", "", "x"), c.file})
			ok(t, err)
			want := c.says
			if !set.Shared() {
				want = ""
			}
			if !strings.HasPrefix(why, want) || (why == "") != (want == "") {
				t.Errorf("%s: %q, want %q", name, why, want)
			}
			if c.file.After.Data == "set" {
				inSetIs(t, set, "demo/a.txt", "set") // what only the set has must outlast an interrupted change
			}
		})
	}
}

func rename(from, before, to, after string) plan.File {
	f := file(from, before, after)
	f.To, f.Operation = to, plan.Rename
	return f
}

// A rename is uploaded as a deletion and a new file. If the two names differ only in case, it is uploaded as the next
// revision.
func TestUploadRename(t *testing.T) {
	eachSet(t, func(t *testing.T, set *fileset.Set) {
		putInSet(t, set, "demo/a.txt", "1")
		both := map[string]bool{"a.txt": true, "b.txt": true}
		ok(t, uploadTo(t.Context(), set, "cli", inDemo(map[string]string{"A.txt": "2"}), []plan.File{rename("a.txt", "1", "A.txt", "2")}, both, nil))
		inSetIs(t, set, "demo/a.txt", "2")
		ok(t, uploadTo(t.Context(), set, "cli", inDemo(map[string]string{"b.txt": "3"}), []plan.File{rename("A.txt", "2", "b.txt", "3")}, both, nil))
		inSetIs(t, set, "demo/a.txt", "")
		inSetIs(t, set, "demo/b.txt", "3")
	})
}

// If somebody else changed the same file, a set of this machine follows the disk, but a
// shared one keeps its content.
func TestUploadAfterSomebody(t *testing.T) {
	eachSet(t, func(t *testing.T, set *fileset.Set) {
		putInSet(t, set, "demo/a.txt", "somebody's")
		err := uploadTo(t.Context(), set, "cli", inDemo(map[string]string{"a.txt": "on disk"}), []plan.File{file("a.txt", "old", "new")}, nil, nil)
		if !set.Shared() {
			ok(t, err)
			inSetIs(t, set, "demo/a.txt", "on disk")
			return
		}
		if err == nil || !strings.Contains(err.Error(), `"demo/a.txt" was made from SHA-256 `) {
			t.Errorf("got %v", err)
		}
		inSetIs(t, set, "demo/a.txt", "somebody's")
	})
}

// If two files have the same docPath, neither is uploaded.
func TestUploadAmbiguous(t *testing.T) {
	eachSet(t, func(t *testing.T, set *fileset.Set) {
		err := uploadTo(t.Context(), set, "cli", inDemo(map[string]string{"a.txt": "1", "A.txt": "2"}), []plan.File{file("a.txt", "", "1")}, map[string]bool{"a.txt": true}, nil)
		if err == nil || !strings.Contains(err.Error(), `"demo/a.txt" is the docPath of several files, ["A.txt" "a.txt"]`) {
			t.Errorf("got %v", err)
		}
		inSetIs(t, set, "demo/a.txt", "")
	})
}
