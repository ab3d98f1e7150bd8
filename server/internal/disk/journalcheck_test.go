package disk

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// plant writes a journal as another program might, and returns the journal's file name.
func plant(t *testing.T, state, key string, p phase, j journal) string {
	t.Helper()
	if err := os.MkdirAll(journalDir(state), 0o700); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	file := newLedger(journalDir(state), key).file(p)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPlantedJournals plants journals that no transaction wrote. They must not delete or
// write anything. Each is set aside and reported once.
func TestPlantedJournals(t *testing.T) {
	const temp, backup = ".aptix-AAAAAAAAAAAAAAAA-0.new", ".aptix-AAAAAAAAAAAAAAAA-0.old"
	v := newVersion(0, text.Sum("keep"))
	for name, c := range map[string]struct {
		key string // "" for the root's own key
		j   journal
	}{
		"of another root":     {key: "0123456789abcdef0123456789abcdef", j: journal{Ops: []entry{{Path: "keep.txt", After: v, Temp: temp}}}},
		"backup of no kind":   {j: journal{Ops: []entry{{Path: "a", Before: v, Backup: "keep.txt"}}}},
		"temp of no kind":     {j: journal{Ops: []entry{{Path: "a", After: v, Temp: "keep.txt"}}}},
		"backup elsewhere":    {j: journal{Ops: []entry{{Path: "a", Before: v, Backup: "d/" + backup}}}},
		"temp as backup":      {j: journal{Ops: []entry{{Path: "a", Before: v, Backup: temp}}}},
		"below .git":          {j: journal{Ops: []entry{{Path: ".git/keep", After: v, Temp: temp}}}},
		"outside":             {j: journal{Ops: []entry{{Path: "../keep", After: v, Temp: temp}}}},
		"no backup":           {j: journal{Ops: []entry{{Path: "a", Before: v}}}},
		"folder outside":      {j: journal{Made: []string{"../d"}}},
		"pruned below .git":   {j: journal{Pruned: []folder{{".git/hooks", 0o777}}}},
		"the root as a file":  {j: journal{Ops: []entry{{Path: ".", After: v, Temp: temp}}}},
		"a device of a state": {j: journal{Ops: []entry{{Path: "a", After: &version{Mode: os.ModeDevice}, Temp: temp}}}},
	} {
		for _, p := range phases {
			t.Run(name+" "+string(p), func(t *testing.T) {
				dir, state := t.TempDir(), t.TempDir()
				gittest.Lay(t, dir, map[string]string{"keep.txt": "keep", "d/" + backup: "keep"})
				before := picture(t, dir)
				root := open(t, dir)
				c.j.Version, c.j.Root = journalVersion, root.Dir()
				if c.key == "" {
					c.key = root.ledgerKey()
				}
				file := plant(t, state, c.key, p, c.j)
				_, err := Recover(state)
				if _, is := errors.AsType[*JournalError](err); !is {
					t.Errorf("recover: %v", err)
				}
				same(t, "refused", picture(t, dir), before)
				if _, err := os.Stat(file + refused); err != nil {
					t.Error("it is not set aside:", err)
				}
				if done, err := Recover(state); err != nil || len(done) != 0 {
					t.Error("it is reported again:", done, err)
				}
			})
		}
	}
}

func TestStateFolderOfOthers(t *testing.T) {
	needs.Modes(t)
	for _, open := range []string{"", "transactions", "transactions/x.applying.json"} {
		dir, state := t.TempDir(), t.TempDir()
		gittest.Lay(t, dir, map[string]string{"a.txt": "a"})
		plant(t, state, "x", applying, journal{})
		if err := os.Chmod(filepath.Join(state, open), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := Recover(state); err == nil || !strings.Contains(err.Error(), "other users can write") {
			t.Errorf("recover with %q open to others: %v", open, err)
		}
	}
}

func TestStateFolderIsNoTarget(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, ".state", "aptix")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := commit1(open(t, dir), state, Op{".state/aptix/transactions/x.json", nil, regular("{}")}); err == nil {
		t.Error("a file was made in the state folder")
	}
	if err := commit1(open(t, dir), state, Op{"a.txt", nil, regular("a")}); err != nil {
		t.Error(err)
	}
}

// Undoing the change of a journal must obey the same rules as an apply.
func TestPlantedJournalsMakeNoRepository(t *testing.T) {
	const name = ".aptix-AAAAAAAAAAAAAAAA-0.old"
	for target, laid := range map[string]map[string]string{
		"tool/HEAD":            {"tool/objects/x": "", "tool/refs/x": "", "tool/" + name: "keep"},
		"worktree/config":      {".git": "gitdir: worktree\n", "worktree/" + name: "keep"},
		".state/aptix/history": {".state/aptix/" + name: "keep"},
	} {
		dir := t.TempDir()
		state := filepath.Join(dir, ".state", "aptix")
		gittest.Lay(t, dir, laid)
		root := open(t, dir)
		j := journal{Version: journalVersion, Root: root.Dir(), Ops: []entry{{Path: target, Before: newVersion(0o644, text.Sum("keep")), Backup: filepath.ToSlash(filepath.Dir(target)) + "/" + name}}}
		plant(t, state, root.ledgerKey(), applying, j)
		_, err := Recover(state)
		if _, is := errors.AsType[*JournalError](err); !is {
			t.Errorf("%s: %v", target, err)
		}
		if _, err := os.Lstat(filepath.Join(dir, target)); err == nil {
			t.Errorf("%s was written", target)
		}
	}
}

// A state folder in a repository may have come with the repository, and may contain a journal for a folder elsewhere.
func TestPlantedJournalForAnotherFolder(t *testing.T) {
	top, victim := t.TempDir(), t.TempDir()
	gittest.Run(t, top, "init", "-q")
	gittest.Lay(t, victim, map[string]string{"Cargo.toml": "known", "empty/": ""})
	state := filepath.Join(top, ".state", "aptix")
	root := open(t, victim)
	before := picture(t, victim)
	j := journal{Version: journalVersion, Root: root.Dir(), Made: []string{"empty"}, Pruned: []folder{{"made", 0o755}},
		Ops: []entry{{Path: "Cargo.toml", After: newVersion(0o644, text.Sum("known")), Temp: ".aptix-AAAAAAAAAAAAAAAA-0.new"}}}
	plant(t, state, root.ledgerKey(), applying, j)
	_, err := Recover(state)
	if _, is := errors.AsType[*JournalError](err); !is {
		t.Errorf("recover: %v", err)
	}
	same(t, "elsewhere", picture(t, victim), before)

	// If a change was really interrupted there, it is taken back.
	gittest.Lay(t, victim, map[string]string{".aptix-AAAAAAAAAAAAAAAA-0.new": "known"})
	plant(t, state, root.ledgerKey(), applying, journal{Version: journalVersion, Root: root.Dir(), Ops: j.Ops})
	if _, err := Recover(state); err != nil {
		t.Error(err)
	}
	same(t, "taken back", picture(t, victim), map[string]string{".": before["."], "empty": before["empty"]})
}

// Recover neither follows nor sets aside a journal for a folder that no command asked for, if the folder has no
// temporary file of the transaction. A command in that folder follows the journal.
func TestJournalForAFolderThatNobodyAskedFor(t *testing.T) {
	victim, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, victim, map[string]string{"Cargo.toml": "known"})
	root := open(t, victim)
	before := picture(t, victim)
	file := plant(t, state, root.ledgerKey(), applying, journal{Version: journalVersion, Root: root.Dir(),
		Ops: []entry{{Path: "Cargo.toml", After: newVersion(0o644, text.Sum("known")), Temp: ".aptix-AAAAAAAAAAAAAAAA-0.new"}}})
	for _, asked := range [][]string{nil, {t.TempDir()}} {
		if done, err := Recover(state, asked...); err != nil || len(done) != 0 {
			t.Error(done, err)
		}
		same(t, "not asked for", picture(t, victim), before)
	}
	if _, err := os.Lstat(file); err != nil {
		t.Error(err)
	}
	if done, err := Recover(state, victim); err != nil || len(done) != 1 {
		t.Error(done, err)
	}
	same(t, "asked for", picture(t, victim), map[string]string{".": before["."]})
}

// A journal that may have come with the workspace restores no protected file (R17).
func TestPlantedJournalForProtectedFiles(t *testing.T) {
	const name = ".aptix-AAAAAAAAAAAAAAAA-0.old"
	for file, is := range map[string]bool{".vscode/tasks.json": true, "src/tasks.json": false} {
		for _, brought := range []bool{true, false} {
			dir, state := t.TempDir(), t.TempDir()
			if brought {
				state = filepath.Join(dir, ".state", "aptix")
			}
			folder := filepath.ToSlash(filepath.Dir(file))
			gittest.Lay(t, dir, map[string]string{file: "of the person", folder + "/" + name: "keep"})
			root := open(t, dir)
			plant(t, state, root.ledgerKey(), applying, journal{Version: journalVersion, Root: root.Dir(), Ops: []entry{{
				Path: file, Before: newVersion(0o644, text.Sum("keep")), After: newVersion(0o644, text.Sum("of the person")),
				Temp: folder + "/.aptix-AAAAAAAAAAAAAAAA-0.new", Backup: folder + "/" + name,
			}}})
			_, err := Recover(state, dir)
			_, refused := errors.AsType[*JournalError](err)
			content, readErr := os.ReadFile(filepath.Join(dir, file))
			must(t, readErr)
			if want := is && brought; refused != want || (string(content) == "of the person") != want {
				t.Errorf("%s, brought %v: %s, %v", file, brought, content, err)
			}
		}
	}
}

// A journal that would fill the memory is not read.
func TestPlantedLargeJournal(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	must(t, os.Truncate(plant(t, state, open(t, dir).ledgerKey(), applying, journal{}), mostJournal+1))
	if _, err := Recover(state, dir); err == nil || !strings.Contains(err.Error(), "too large to be a journal") {
		t.Error(err)
	}
}

// A planted history may have names that Windows would take for a device or another file.
func TestGateRefusesNamesOfWindows(t *testing.T) {
	g := gate{repositories: git.Finder{Tree: os.DirFS(t.TempDir()), Names: fspath.Names{Windows: true}}, real: map[string]string{}}
	for _, name := range []string{"NUL", "a.txt:x", "dir./a"} {
		if err := g.check(name); err == nil {
			t.Errorf("%s may be written", name)
		}
	}
}

// A journal is never written through a link, and a FIFO in its place is never opened.
func TestPlantedLinksInStateFolder(t *testing.T) {
	for _, name := range []string{"transactions", "tmp", "lock", "applying.json"} {
		dir, state, outside := t.TempDir(), t.TempDir(), t.TempDir()
		root := open(t, dir)
		must(t, os.WriteFile(filepath.Join(outside, "file"), []byte("keep"), 0o600))
		at, to := journalDir(state), outside
		if name != "transactions" {
			must(t, os.Mkdir(at, 0o700))
			at, to = filepath.Join(at, root.ledgerKey()+"."+name), filepath.Join(outside, "file")
		}
		if name == "applying.json" {
			needs.Program(t, "mkfifo")
			must(t, exec.Command("mkfifo", at).Run())
		} else {
			symlink(t, to, at)
		}
		before := picture(t, outside)
		if err := commit1(root, state, Op{"a.txt", nil, regular("a")}); err == nil {
			t.Errorf("%s: committed", name)
		}
		if _, err := Recover(state); err == nil {
			t.Errorf("%s: recovered", name)
		}
		same(t, name, picture(t, outside), before)
	}
}
