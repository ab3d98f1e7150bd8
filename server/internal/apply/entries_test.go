package apply

import (
	"context"
	"fmt"
	"io/fs"
	"testing"
)

// A countingTree counts how often each file is read.
type countingTree struct {
	fs.FS
	reads map[string]int
}

func (t countingTree) ReadFile(name string) ([]byte, error) {
	t.reads[name]++
	return fs.ReadFile(t.FS, name)
}

func (t countingTree) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(t.FS, name) }

func (t countingTree) ReadLink(name string) (string, error) { return fs.ReadLink(t.FS, name) }

// Each file is read only once, however many applies changed it.
func TestEntriesReadOnce(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "0\n"})
	for i := range 20 {
		p, err := OverwriteOf(s.writer(), "a.txt", fmt.Sprintf("%d\n", i+1), "label", "test")
		ok(t, err)
		s.make(t, p)
	}
	applies, err := s.history.List(context.Background(), "", 10)
	ok(t, err)
	tree := countingTree{s.root.Tree(nil), map[string]int{}}
	entries, files, err := Entries(context.Background(), applies, func(string) fs.FS { return tree })
	ok(t, err)
	if tree.reads["a.txt"] != 1 || len(files) != 1 || len(entries) != 10 {
		t.Errorf("%d entries, %d files, read %v", len(entries), len(files), tree.reads)
	}
	if entries[0].State != "applied" || entries[1].State != "changed since" {
		t.Errorf("the states are %q, %q", entries[0].State, entries[1].State)
	}
}
