package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func TestCommitRefusesAChangedTree(t *testing.T) {
	files := map[string]string{"a.txt": "a", "b.txt": "b", "d/x": "x"}
	for name, c := range map[string]struct {
		op  Op
		how string
	}{
		"content":          {Op{"a.txt", regular("A"), regular("n")}, "its content differs"},
		"size":             {Op{"a.txt", regular("a+"), regular("n")}, "its content differs"},
		"gone":             {Op{"c.txt", regular("c"), regular("n")}, "it is gone"},
		"gone directory":   {Op{"e/c.txt", regular("c"), nil}, "it is gone"},
		"there":            {Op{"a.txt", nil, regular("n")}, "there is a file now"},
		"directory there":  {Op{"d", nil, regular("n")}, "there is a directory now"},
		"directory":        {Op{"d", regular("d"), regular("n")}, "it is a directory now"},
		"below a file":     {Op{"a.txt/x", nil, regular("n")}, "a.txt is a file now"},
		"deep below":       {Op{"a.txt/x/y/z", nil, regular("n")}, "a.txt is a file now"},
		"delete of other":  {Op{"a.txt", regular("b"), nil}, "its content differs"},
		"done, but not so": {Op{"a.txt", regular("b"), regular("b")}, "its content differs"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, state := t.TempDir(), t.TempDir()
			gittest.Lay(t, dir, files)
			before := picture(t, dir)
			err := commit1(open(t, dir), state, Op{"b.txt", regular("b"), regular("n")}, Op{"new", nil, regular("n")}, c.op)
			changed, ok := errors.AsType[*ChangedError](err)
			if !ok || len(changed.Files) != 1 || changed.Files[0] != (Changed{c.op.Path, c.how}) {
				t.Errorf("commit: %v; want %s (%s)", err, c.op.Path, c.how)
			}
			same(t, "refused", picture(t, dir), before)
			noJournals(t, state)
		})
	}
}

func TestChangedErrorNamesTheFirstTen(t *testing.T) {
	var ops []Op
	for i := range 12 {
		ops = append(ops, Op{fmt.Sprintf("f%02d", i), regular("x"), nil})
	}
	err := commit1(open(t, t.TempDir()), t.TempDir(), ops...)
	if got := err.Error(); !strings.Contains(got, "f09 (it is gone), and 2 more") {
		t.Error(got)
	}
}

func TestCommitRefusesBadOps(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"", ".", "..", "../x", "/x", "a/../b", "a//b", "./a"} {
		if err := commit1(open(t, dir), t.TempDir(), Op{p, nil, regular("x")}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("path %q: %v", p, err)
		}
	}
	if err := commit1(open(t, dir), t.TempDir(), Op{"a", nil, regular("x")}, Op{"a", nil, regular("y")}); err == nil {
		t.Error("two ops on one file: no error")
	}
	if now := picture(t, dir); len(now) != 1 {
		t.Errorf("written: %v", now)
	}
}

// Another program writes after the transaction was compared with the disk, and before its
// first change.
func TestCommitLooksALastTime(t *testing.T) {
	for name, meddle := range map[string]func(dir string){
		"modified":                    func(dir string) { gittest.Lay(t, dir, map[string]string{"b.txt": "B"}) },
		"replaced":                    func(dir string) { replace(t, filepath.Join(dir, "b.txt"), "B") },
		"removed":                     func(dir string) { must(t, os.Remove(filepath.Join(dir, "b.txt"))) },
		"mode":                        func(dir string) { must(t, os.Chmod(filepath.Join(dir, "b.txt"), 0o600)) },
		"written where it is deleted": func(dir string) { gittest.Lay(t, dir, map[string]string{"c.txt": "mine"}) },
		"created":                     func(dir string) { gittest.Lay(t, dir, map[string]string{"new": "mine"}) },
		"directory created":           func(dir string) { gittest.Lay(t, dir, map[string]string{"new/": ""}) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "mode" {
				needs.Modes(t)
			}
			dir, state, twin := t.TempDir(), t.TempDir(), t.TempDir()
			for _, d := range []string{dir, twin} {
				gittest.Lay(t, d, map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c"})
			}
			meddle(twin)
			r := open(t, dir)
			r.probe = beforeEach(func(step string) error {
				if step == markBegun {
					meddle(dir)
				}
				return nil
			})
			err := commit1(r, state, Op{"a.txt", regular("a"), regular("A")}, Op{"b.txt", regular("b"), regular("N")}, Op{"c.txt", regular("c"), nil}, Op{"new", nil, regular("N")})
			if changed, ok := errors.AsType[*ChangedError](err); !ok || len(changed.Files) != 1 {
				t.Errorf("commit: %v", err)
			}
			if _, ok := errors.AsType[*RollbackError](err); ok {
				t.Errorf("commit left a trace: %v", err)
			}
			same(t, "left", picture(t, dir), picture(t, twin))
			noJournals(t, state)
		})
	}
}

// replace replaces name with another file of the same length and modification time.
func replace(t *testing.T, name, data string) {
	info, err := os.Stat(name)
	must(t, err)
	must(t, os.WriteFile(name+"~", []byte(data), info.Mode()))
	must(t, os.Chtimes(name+"~", info.ModTime(), info.ModTime()))
	must(t, os.Rename(name+"~", name))
}

func TestCommitKeepsNames(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	long := strings.Repeat("n", 255)
	deep := strings.Repeat("directory-of-some-length/", 200) + "leaf" // longer than PATH_MAX
	needs.AnyNames(t)
	names := []string{"a b", "new\nline", "tab\t", "\u00e4\u304c\U0001f600", long, "-rf", "a:b", "x.aptix-1.new", "back\\slash", deep}
	var ops, inverse []Op
	for _, name := range names {
		ops = append(ops, Op{name, nil, regular(name)})
		inverse = append(inverse, Op{name, regular(name), nil})
	}
	r := open(t, dir)
	folders, err := r.Commit(context.Background(), state, Transaction{Ops: ops})
	must(t, err)
	for _, name := range names {
		if data, err := r.Tree(nil).ReadFile(name); err != nil || string(data) != name {
			t.Errorf("%q: %q, %v", name, data, err)
		}
	}
	_, err = r.Commit(context.Background(), state, Transaction{Ops: inverse, Prune: folders.Made})
	must(t, err)
	if now := picture(t, dir); len(now) != 1 {
		t.Errorf("left: %v", now)
	}
}

func TestCommitModes(t *testing.T) {
	needs.Modes(t)
	dir, state := t.TempDir(), t.TempDir()
	for name, mode := range map[string]fs.FileMode{"ro": 0o444, "wide": 0o777, "setgid": 0o640 | fs.ModeSetgid, "private": 0o600,
		"on": 0o644, "off": 0o755} {
		gittest.Lay(t, dir, map[string]string{name: name})
		must(t, os.Chmod(filepath.Join(dir, name), mode))
	}
	r := open(t, dir)
	must(t, commit1(r, state,
		Op{"ro", &File{"ro", 0o444}, regular("RO")},
		Op{"wide", &File{"wide", 0o777}, &File{"WIDE", 0o777}},
		Op{"setgid", &File{"setgid", 0o640}, &File{"SETGID", 0o640}},
		Op{"private", regular("private"), &File{"private", 0o755}},
		Op{"on", &File{"on", 0o644}, &File{"on", 0o755}}, // only the mode changes
		Op{"off", &File{"off", 0o755}, &File{"off", 0o644}},
	))
	want := map[string]string{"ro": "-r--r--r-- RO", "wide": "-rwxrwxrwx WIDE", "setgid": "-rw-r----- SETGID", "private": "-rwxr-xr-x private",
		"on": "-rwxr-xr-x on", "off": "-rw-r--r-- off"}
	for name, now := range picture(t, dir) {
		if name != "." && now != want[name] {
			t.Errorf("%s is %q; want %q", name, now, want[name])
		}
	}
	err := commit1(r, state, Op{"ro", &File{"RO", 0o644}, nil})
	if changed, ok := errors.AsType[*ChangedError](err); !ok || changed.Files[0].How != "its mode is -r--r--r-- now" {
		t.Errorf("commit over another mode: %v", err)
	}
}

func TestCommitPrunesOnlyWhatItEmptied(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a/b/x": "x", "a/b/c/y": "y", "k/x": "x", "k/other": "o", "empty/": "", "m/x": "x", "n/x": "x"})
	_, err := open(t, dir).Commit(context.Background(), state, Transaction{
		Prune: []string{"a", "a/b", "a/b/c", "k", "empty", "m", "nowhere"},
		Ops: []Op{{"a/b/x", regular("x"), nil}, {"a/b/c/y", regular("y"), nil}, {"k/x", regular("x"), nil}, {"n/x", regular("x"), nil},
			{"m/x", regular("x"), nil}, {"m/z", nil, regular("z")}},
	})
	must(t, err)
	now := picture(t, dir)
	delete(now, ".")
	same(t, "pruned", now, map[string]string{"empty": "drwxr-xr-x", "k": "drwxr-xr-x", "k/other": "-rw-r--r-- o", "n": "drwxr-xr-x",
		"m": "drwxr-xr-x", "m/z": "-rw-r--r-- z"})
}

func TestCommitOverADirectoryThatIsNotEmptied(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"d/x": "x", "d/other": "o"})
	before := picture(t, dir)
	_, err := open(t, dir).Commit(context.Background(), state, Transaction{Prune: []string{"d"}, Ops: []Op{{"d/x", regular("x"), nil}, {"d", nil, regular("d")}}})
	if _, ok := errors.AsType[*ChangedError](err); !ok {
		t.Errorf("commit: %v", err)
	}
	same(t, "refused", picture(t, dir), before)
}

func TestCommitIsCancelled(t *testing.T) {
	s := newScene(t)
	r := open(t, s.dir)
	ctx, cancel := context.WithCancel(context.Background())
	r.probe = beforeEach(func(step string) error {
		if step == writeTemp || step == keepBackup { // Windows keeps a backup only by renaming the file
			cancel()
		}
		return nil
	})
	if _, err := r.Commit(ctx, s.state, mixedTransaction()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while staging: %v", err)
	}
	same(t, "cancelled", picture(t, s.dir), s.before)
	noJournals(t, s.state)
}

func TestCommitWaitsForItsTurn(t *testing.T) {
	s := newScene(t)
	r := open(t, s.dir)
	l, err := openLedger(context.Background(), s.state, r)
	must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Commit(ctx, s.state, mixedTransaction()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for the lock: %v", err)
	}
	same(t, "while another has the lock", picture(t, s.dir), s.before)
	l.close()
	_, err = r.Commit(context.Background(), s.state, mixedTransaction())
	must(t, err)
}

func TestLockIsHeldUntilTheEnd(t *testing.T) {
	s := newScene(t)
	r := open(t, s.dir)
	r.probe = beforeEach(func(step string) error {
		other := newLedger(journalDir(s.state), r.ledgerKey())
		defer other.close()
		if locked, err := other.lock.TryLock(); locked || err != nil {
			t.Errorf("at %q the folder is not locked: %v", step, err)
		}
		return nil
	})
	_, err := r.Commit(context.Background(), s.state, mixedTransaction())
	must(t, err)
}

// Many concurrent transactions each read a number and write it back plus one. No increment is lost.
func TestCommitsNeverInterleave(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"n": "", "m": ""})
	var wg sync.WaitGroup
	const each = 5
	for range 4 {
		r := open(t, dir)
		wg.Go(func() {
			for range each {
				countUp(t, r, state)
			}
		})
	}
	wg.Wait()
	if now := picture(t, dir); now["n"] != "-rw-r--r-- "+strings.Repeat("+", 4*each) || now["m"] != now["n"] || len(now) != 3 {
		t.Errorf("the tree is %v", now)
	}
}

func countUp(t *testing.T, r *Root, state string) {
	for {
		data, err := r.Tree(nil).ReadFile("n")
		if err != nil {
			t.Error(err)
			return
		}
		now := string(data)
		err = commit1(r, state, Op{"n", regular(now), regular(now + "+")}, Op{"m", regular(now), regular(now + "+")})
		if err == nil {
			return
		}
		if _, ok := errors.AsType[*ChangedError](err); !ok {
			t.Error(err)
			return
		}
	}
}

func TestCommitOfNothing(t *testing.T) {
	s := newScene(t)
	r := open(t, s.dir)
	must(t, commit1(r, s.state))
	must(t, commit1(r, s.state, Op{"mod.txt", regular("old\n"), regular("old\n")}, Op{"none", nil, nil}))
	same(t, "nothing to do", picture(t, s.dir), s.before)
}

func TestCommitWithoutAPlaceForTheJournal(t *testing.T) {
	s := newScene(t)
	gittest.Lay(t, s.state, map[string]string{"file": ""})
	if _, err := open(t, s.dir).Commit(context.Background(), filepath.Join(s.state, "file"), mixedTransaction()); err == nil {
		t.Error("no error")
	}
	same(t, "without a journal", picture(t, s.dir), s.before)
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"file": ""})
	for _, bad := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "file"), filepath.Join(dir, "\xff")} {
		if r, err := Open(bad); err == nil {
			t.Errorf("Open(%q) = %v", bad, r.Dir())
		}
	}
}

func TestStateDir(t *testing.T) {
	base := t.TempDir()
	t.Setenv("XDG_STATE_HOME", base)
	if dir, err := StateDir(); err != nil || dir != filepath.Join(base, "aptix") {
		t.Errorf("StateDir() = %q, %v", dir, err)
	}
	for _, ignored := range []string{"", "relative"} {
		t.Setenv("XDG_STATE_HOME", ignored)
		t.Setenv("HOME", base)
		t.Setenv("LocalAppData", base)
		if dir, err := StateDir(); err != nil || !strings.HasPrefix(dir, base) || filepath.Base(dir) != "aptix" {
			t.Errorf("StateDir() = %q, %v", dir, err)
		}
	}
}

// BenchmarkCommit5000 commits 5,000 files in 100 directories: a fifth are new, a fifth are
// deleted, and the rest are modified.
func BenchmarkCommit5000(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		dir, state := b.TempDir(), b.TempDir()
		files := map[string]string{}
		var ops []Op
		for i := range 5000 {
			op := Op{fmt.Sprintf("d%02d/file-%d.txt", i%100, i), regular("old\n"), regular("new\n")}
			switch i / 100 % 5 {
			case 0:
				op.Before = nil
			case 1:
				op.After = nil
			}
			if op.Before != nil {
				files[op.Path] = op.Before.Data
			}
			ops = append(ops, op)
		}
		gittest.Lay(b, dir, files)
		r := open(b, dir)
		b.StartTimer()
		must(b, commit1(r, state, ops...))
	}
}

func TestReadyRefuses(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a.txt": "a"})
	before := picture(t, dir)
	tx := Transaction{ID: "x", Ops: []Op{{Path: "a.txt", Before: regular("a"), After: regular("b")}, {Path: "d/new", After: regular("n")}}}
	tx.Ready = func() error {
		if now := picture(t, dir); now["a.txt"] != before["a.txt"] || now["d/new"] != "" {
			t.Errorf("a file changed before all was ready: %v", now)
		}
		return fs.ErrInvalid
	}
	if _, err := open(t, dir).Commit(t.Context(), state, tx); err != fs.ErrInvalid {
		t.Errorf("got %v", err)
	}
	same(t, "refused", picture(t, dir), before)
}

// A file system counts the times of files in units. Two writes within one unit leave the same time.
func TestSameTimeAndSize(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	name := filepath.Join(dir, "a.txt")
	for what, tx := range map[string]Transaction{
		"edit":     {Ops: []Op{{"a.txt", regular("old"), regular("new")}}},
		"deletion": {Ops: []Op{{"a.txt", regular("old"), nil}}},
	} {
		t.Run(what, func(t *testing.T) {
			must(t, os.WriteFile(name, []byte("old"), 0o600))
			info, err := os.Stat(name)
			must(t, err)
			tx.ID = "t"
			tx.Ready = func() error {
				must(t, os.WriteFile(name, []byte("odd"), 0o600))
				return os.Chtimes(name, time.Time{}, info.ModTime())
			}
			_, err = open(t, dir).Commit(t.Context(), state, tx)
			if _, changed := errors.AsType[*ChangedError](err); !changed {
				t.Errorf("the error is %v", err)
			}
			if now := picture(t, dir); len(now) != 2 || !strings.HasSuffix(now["a.txt"], " odd") {
				t.Errorf("the tree is %v", now)
			}
		})
	}
}
