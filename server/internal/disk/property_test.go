package disk

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

var treeNames = []string{"a", "b", "c", "a/a", "a/b", "b/a", "b/b", "a/a/a", "c/d/e/f", "c/d/g", "\u00e9/x y"}

func aFile() *rapid.Generator[File] {
	return rapid.Custom(func(t *rapid.T) File {
		if rapid.IntRange(0, 3).Draw(t, "link") == 0 && needs.HasLinks() {
			return *linkTo(rapid.SampledFrom([]string{"a", "b", "a/a", "../b", "c/d", ".", "..", "/etc/hostname", "nowhere/\u00e9 x"}).Draw(t, "target"))
		}
		return File{
			Data: rapid.OneOf(rapid.SampledFrom([]string{"", "x\n", "\x00\xff\r\n"}), rapid.StringN(0, 40, -1)).Draw(t, "data"),
			Mode: rapid.SampledFrom(someModes()).Draw(t, "mode"),
		}
	})
}

// someModes returns modes for files. Windows only knows whether a file may be written, and
// only replaces files that may.
func someModes() []fs.FileMode {
	if runtime.GOOS == "windows" {
		return []fs.FileMode{0o644}
	}
	return []fs.FileMode{0o644, 0o755, 0o600, 0o444}
}

// aTree draws files, none of which is below another.
func aTree() *rapid.Generator[map[string]File] {
	return rapid.Custom(func(t *rapid.T) map[string]File {
		files := map[string]File{}
		for _, name := range rapid.Permutation(treeNames).Draw(t, "names")[:rapid.IntRange(0, len(treeNames)).Draw(t, "n")] {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(o string) bool {
				return strings.HasPrefix(o, name+"/") || strings.HasPrefix(name, o+"/")
			}) {
				files[name] = aFile().Draw(t, name)
			}
		}
		return files
	})
}

// between returns the transaction that turns a into b, with the directories that it must
// remove.
func between(t *rapid.T, a, b map[string]File) Transaction {
	tx := Transaction{ID: "there"}
	for _, name := range treeNames {
		op := Op{Path: name}
		if f, ok := a[name]; ok {
			op.Before = &f
		}
		if f, ok := b[name]; ok {
			op.After = &f
		}
		if op.Before != nil || op.After != nil {
			tx.Ops = append(tx.Ops, op)
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if turnsIntoFile(b, dir) || rapid.Bool().Draw(t, "prune "+dir) {
				tx.Prune = append(tx.Prune, dir)
			}
		}
	}
	if len(tx.Ops) > 0 {
		tx.Ops = rapid.Permutation(tx.Ops).Draw(t, "order")
	}
	return tx
}

// turnsIntoFile reports whether b has a file at dir or at a folder above it.
func turnsIntoFile(b map[string]File, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := b[dir]; ok {
			return true
		}
	}
	return false
}

func (tx Transaction) inverse(made []string) Transaction {
	back := Transaction{ID: "back", Prune: made}
	for _, op := range tx.Ops {
		back.Ops = append(back.Ops, Op{op.Path, op.After, op.Before})
	}
	return back
}

// A transaction produces exactly the described tree, and its inverse restores the tree before
// it: bytes and modes, files, links and directories. If the transaction fails at some step,
// it changes nothing.
func TestCommitAndBack(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "workspace")
		must(t, err)
		defer os.RemoveAll(dir)
		a, b := aTree().Draw(rt, "a"), aTree().Draw(rt, "b")
		layFiles(t, dir, a)
		if name := rapid.SampledFrom([]string{"empty", "c/d/empty"}).Draw(rt, "empty"); a["c"].Mode == 0 && b["c"].Mode == 0 {
			gittest.Lay(t, dir, map[string]string{name + "/": ""})
		}
		before := picture(t, dir)
		r := open(t, dir)
		defer r.Close()
		tx := between(rt, a, b)

		r.probe = beforeEach(failAt(rapid.IntRange(1, 60).Draw(rt, "fail")).step)
		folders, err := r.Commit(context.Background(), state, tx)
		r.probe = nil
		if err != nil {
			same(t, "after a failure", picture(t, dir), before)
			folders, err = r.Commit(context.Background(), state, tx)
		}
		must(t, err)
		_, err = Recover(state) // the transaction may have failed during its clean-up
		must(t, err)
		checkFiles(t, dir, b)
		_, err = r.Commit(context.Background(), state, tx.inverse(folders.Made))
		must(t, err)
		same(t, "there and back", picture(t, dir), before)
	})
}

func layFiles(t *testing.T, dir string, files map[string]File) {
	for name, f := range files {
		if f.isLink() {
			must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, filepath.FromSlash(name))), 0o755))
			link(t, dir, map[string]string{name: f.Data})
			continue
		}
		gittest.Lay(t, dir, map[string]string{name: f.Data})
		must(t, os.Chmod(filepath.Join(dir, filepath.FromSlash(name)), f.Mode))
	}
}

func checkFiles(t *testing.T, dir string, want map[string]File) {
	t.Helper()
	files := map[string]string{}
	for name, text := range picture(t, dir) {
		if text[0] != 'd' {
			files[name] = text
		}
	}
	wanted := map[string]string{}
	for name, f := range want {
		wanted[name] = f.Mode.String() + " " + f.Data
		if f.isLink() {
			wanted[name] = "link to " + f.Data
		}
	}
	same(t, "the files", files, wanted)
}
