package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func TestCommitRefusesAChangedLink(t *testing.T) {
	for name, c := range map[string]struct {
		op  Op
		how string
	}{
		"elsewhere":      {Op{"l", linkTo("b"), linkTo("c")}, "it points somewhere else"},
		"delete":         {Op{"l", linkTo("b"), nil}, "it points somewhere else"},
		"same target":    {Op{"l", linkTo("a2"), linkTo("a")}, "it points somewhere else"},
		"a file now":     {Op{"a", linkTo("b"), regular("n")}, "it is a file now"},
		"a link now":     {Op{"l", regular("a"), regular("n")}, "it is a symbolic link now"},
		"a directory":    {Op{"d", linkTo("b"), nil}, "it is a directory now"},
		"there":          {Op{"l", nil, linkTo("a")}, "there is a symbolic link now"},
		"dangling":       {Op{"nowhere", nil, regular("n")}, "there is a symbolic link now"},
		"gone":           {Op{"none", linkTo("b"), nil}, "it is gone"},
		"below a link":   {Op{"dl/new", nil, regular("n")}, "dl is a symbolic link now"},
		"link below one": {Op{"dl/new", nil, linkTo("x")}, "dl is a symbolic link now"},
		"inside of it":   {Op{"dl/x", regular("x"), nil}, "dl is a symbolic link now"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, state := t.TempDir(), t.TempDir()
			gittest.Lay(t, dir, map[string]string{"a": "a", "d/x": "x"})
			link(t, dir, map[string]string{"l": "a", "dl": "d", "nowhere": "not/there"})
			before := picture(t, dir)
			err := commit1(open(t, dir), state, Op{"a2", nil, regular("n")}, c.op)
			changed, ok := errors.AsType[*ChangedError](err)
			if !ok || len(changed.Files) != 1 || changed.Files[0] != (Changed{c.op.Path, c.how}) {
				t.Errorf("commit: %v; want %s (%s)", err, c.op.Path, c.how)
			}
			same(t, "refused", picture(t, dir), before)
		})
	}
}

func TestCommitRefusesOtherTypes(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a": "a", "d/": ""})
	before := picture(t, dir)
	for _, op := range []Op{
		{"n", nil, &File{"", fs.ModeDir | 0o755}}, {"d", &File{"", fs.ModeDir | 0o755}, nil}, {"n", nil, &File{"", fs.ModeNamedPipe}},
		{"a", regular("a"), &File{"a", fs.ModeSocket}}, {"n", nil, &File{"x", fs.ModeSymlink | fs.ModeDevice}},
		{"n", nil, linkTo("")}, {"n", nil, linkTo("a\x00b")}, {"a", regular("a"), linkTo("")},
	} {
		if err := commit1(open(t, dir), state, op); err == nil || !strings.Contains(err.Error(), op.Path) {
			t.Errorf("%+v: %v", op, err)
		}
	}
	same(t, "refused", picture(t, dir), before)
}

// No operation changes the targets of links, inside the root or outside, whether the file
// system has hard links or not.
func TestCommitNeverFollowsLinks(t *testing.T) {
	for name, hard := range map[string]func(dir *os.Root, from, to string) error{
		"hard links": nil, "no hard links": func(*os.Root, string, string) error { return errors.ErrUnsupported },
	} {
		t.Run(name, func(t *testing.T) {
			dir, state, outside := t.TempDir(), t.TempDir(), t.TempDir()
			gittest.Lay(t, outside, map[string]string{"secret": "secret", "d/x": "x"})
			gittest.Lay(t, dir, map[string]string{"in": "in", "d/x": "x"})
			secret := filepath.Join(outside, "secret")
			link(t, dir, map[string]string{"1": secret, "2": secret, "3": outside + "/d", "4": "in", "5": "d", "6": "in"})
			r := open(t, dir)
			if hard != nil {
				r.link = hard
			}
			before, beyond := picture(t, dir), picture(t, outside)
			there := []Op{{"1", linkTo(secret), nil}, {"2", linkTo(secret), regular("mine")}, {"3", linkTo(outside + "/d"), nil}, {"3/x", nil, regular("new x")},
				{"4", linkTo("in"), &File{"run", 0o755}}, {"5", linkTo("d"), linkTo("in")}, {"6", linkTo("in"), linkTo(secret)}, {"7", nil, linkTo(secret)}}
			must(t, commit1(r, state, there...))
			now := picture(t, dir)
			want := map[string]string{"2": "-rw-r--r-- mine", "3/x": "-rw-r--r-- new x", "4": "-rwxr-xr-x run", "5": "link to in",
				"6": "link to " + secret, "7": "link to " + secret, "in": "-rw-r--r-- in", "d/x": "-rw-r--r-- x"}
			for name, what := range want {
				if now[name] != what {
					t.Errorf("%s is %q; want %q", name, now[name], what)
				}
			}
			same(t, "outside", picture(t, outside), beyond)
			_, err := r.Commit(context.Background(), state, Transaction{ID: "back", Ops: there}.inverse([]string{"3"}))
			must(t, err)
			same(t, "there and back", picture(t, dir), before)
			same(t, "outside, there and back", picture(t, outside), beyond)
		})
	}
}

// A directory above a file is replaced by a link in the middle of a transaction.
func TestCommitStopsBeforeALinkThatComes(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"d/e/old": "old", "other/e/": ""})
	r := open(t, dir)
	r.probe = beforeEach(func(step string) error {
		if step == markBegun {
			must(t, os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "moved")))
			link(t, dir, map[string]string{"d": "other"})
		}
		return nil
	})
	err := commit1(r, state, Op{"d/e/new", nil, regular("n")})
	if changed, ok := errors.AsType[*ChangedError](err); !ok || changed.Files[0].Path != "d/e/new" {
		t.Errorf("commit: %v", err)
	}
	now := picture(t, dir)
	if _, written := now["other/e/new"]; written || now["d"] != "link to other" || now["moved/e/old"] == "" {
		t.Errorf("the tree is %v", now)
	}
}

// A directory was removed to make room for a link. After the crash, somebody points the link
// elsewhere. Restoring a file must not follow the link.
func TestRecoverNeverGoesThroughLinks(t *testing.T) {
	needs.Links(t)
	s, _ := crashed(t)
	gittest.Lay(t, s.dir, map[string]string{"other/b/": ""})
	for _, name := range []string{"dir-then-link", "moves"} {
		must(t, os.Remove(filepath.Join(s.dir, name)))
	}
	must(t, os.RemoveAll(filepath.Join(s.dir, "new")))
	link(t, s.dir, map[string]string{"dir-then-link": "other", "moves": "mine", "new": "other"})
	done, err := Recover(s.state, s.dir)
	must(t, err)
	left := map[string]string{}
	for _, l := range done[0].Left {
		left[l.Path] = l.Backup
	}
	now := picture(t, s.dir)
	if len(left) != 3 || now[left["dir-then-link/a/in.txt"]] != "-rw-r--r-- in\n" || now[left["moves"]] != "link to mod.txt" {
		t.Errorf("left %v in %v", left, now)
	}
	for name, want := range map[string]string{"dir-then-link": "link to other", "moves": "link to mine", "new": "link to other",
		"other/b": "drwxr-xr-x", "other/a": "", "link-then-dir": "link to sub", "dangles": "link to nowhere/at all"} {
		if now[name] != want {
			t.Errorf("%s is %q; want %q", name, now[name], want)
		}
	}
	noJournals(t, s.state)
}

// A link whose target is the old file's bytes, or that leads to a file with the old bytes, is
// not mistaken for the old file.
func TestRecoverTellsLinksFromFiles(t *testing.T) {
	for _, target := range []string{"old\n", "copy"} {
		s, _ := crashed(t)
		gittest.Lay(t, s.dir, map[string]string{"copy": "old\n"})
		must(t, os.Remove(filepath.Join(s.dir, "mod.txt")))
		link(t, s.dir, map[string]string{"mod.txt": target})
		done, err := Recover(s.state, s.dir)
		must(t, err)
		if len(done) != 1 || len(done[0].Left) != 1 || done[0].Left[0].Path != "mod.txt" {
			t.Errorf("recovered %+v", done)
		}
		if now := picture(t, s.dir); now["mod.txt"] != "link to "+target || now["copy"] != "-rw-r--r-- old\n" {
			t.Errorf("the tree is %v", now)
		}
	}
}

// The journal was written by a version of the program that did not support links.
func TestRecoverOfAJournalOfVersion1(t *testing.T) {
	s := newScene(t)
	r := open(t, s.dir)
	var dead atomic.Bool // files are staged at the same time
	r.probe = beforeEach(func(step string) error {
		if step == markDone {
			dead.Store(true)
		}
		if dead.Load() {
			return errInjected
		}
		return nil
	})
	err := commit1(r, s.state, Op{"mod.txt", regular("old\n"), regular("new\n")}, Op{"dir/del.txt", regular("to delete\n"), nil}, Op{"x/y", nil, regular("y")})
	if _, ok := errors.AsType[*RollbackError](err); !ok {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(journalDir(s.state), "*.json"))
	must(t, err)
	data, err := os.ReadFile(files[0])
	must(t, err)
	old := strings.Replace(string(data), `"version":2`, `"version":1`, 1)
	if old == string(data) {
		t.Fatal("it has no version")
	}
	must(t, os.WriteFile(files[0], []byte(old), 0o600))
	done, err := Recover(s.state, s.dir)
	must(t, err)
	if len(done) != 1 || len(done[0].Restored) != 3 {
		t.Errorf("recovered %+v", done)
	}
	same(t, "recovered", picture(t, s.dir), s.before)
	noJournals(t, s.state)
}
