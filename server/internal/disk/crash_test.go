package disk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

var errInjected = errors.New("injected")

// The names of the operations that tests look for: see [nameOf].
const (
	writeTemp  = "write a temporary file"
	keepBackup = "keep a backup"
	markBegun  = "mark the journal as applying"
	markDone   = "mark the journal as applied"
)

// nameOf returns a name for an operation.
func nameOf(op operation) string {
	file := op.path
	if op.to != "" {
		file = op.to
	}
	switch {
	case op.kind == opRename && strings.HasSuffix(op.to, "."+string(applying)+".json"):
		return markBegun
	case op.kind == opRename && strings.HasSuffix(op.to, "."+string(applied)+".json"):
		return markDone
	case op.kind == opRemove || op.kind == opRename:
	case strings.HasSuffix(file, ".new"):
		return writeTemp
	case strings.HasSuffix(file, ".old"):
		return keepBackup
	}
	return string(op.kind)
}

// beforeEach returns a probe that calls f before each operation, with the operation's name.
func beforeEach(f func(name string) error) func(operation, func() error) error {
	return func(op operation, perform func() error) error {
		if err := f(nameOf(op)); err != nil {
			return err
		}
		return perform()
	}
}

// A counter counts operations, which are the steps of a change. It fails at one of them or, if staysOut is set, also at
// all later ones.
type counter struct {
	mu       sync.Mutex
	n        int
	at       int // from 1
	staysOut bool
	fail     func() error
	names    []string
}

func (c *counter) step(name string) error {
	c.mu.Lock()
	c.n++
	c.names = append(c.names, name)
	hit := c.n == c.at || (c.staysOut && c.n > c.at && c.at > 0)
	c.mu.Unlock()
	if !hit {
		return nil
	}
	return c.fail()
}

func failAt(n int) *counter {
	return &counter{at: n, fail: func() error { return errInjected }}
}

// deadFrom returns a counter that fails from step n on. Every operation asks it first, so the disk ends up as after a
// crash at step n.
func deadFrom(n int) *counter {
	c := failAt(n)
	c.staysOut = true
	return c
}

var mixed = map[string]string{
	"mod.txt": "old\n", "tool.sh": "#!/bin/sh\n", "same.txt": "same\n", "dir/del.txt": "to delete\n",
	"sub/from.txt": "moved\n", "file-then-dir": "file\n", "dir-then-file/a/in.txt": "in\n", "dir-then-file/b.txt": "b\n", "empty/": "",
	"na\u00efve \u304c/\u00fc.txt": "unicode\n",
	"file-then-link":               "plain\n", "dir-then-link/a/in.txt": "in\n",
	"gone/a/b/x": "x\n", "gone/a/y": "y\n", "hollow/deep/": "",
}

var mixedLinks = map[string]string{
	"moves": "mod.txt", "dangles": "nowhere/at all", "stays": "mod.txt", "link-then-file": "same.txt", "link-then-dir": "sub",
}

// mixedTransaction returns a transaction with every kind of op on the tree of mixed,
// including links if the system has them.
func mixedTransaction() Transaction {
	tx := mixedWithLinks()
	if !needs.HasLinks() {
		tx.Ops = slices.DeleteFunc(tx.Ops, func(op Op) bool {
			return op.Before != nil && op.Before.isLink() || op.After != nil && op.After.isLink()
		})
	}
	return tx
}

func mixedWithLinks() Transaction {
	return Transaction{ID: "mixed", Make: []string{"made/empty"}, Remove: []string{"hollow", "hollow/deep"},
		Prune: []string{"dir-then-file", "dir-then-file/a", "dir", "dir-then-link", "dir-then-link/a", "gone", "gone/a", "gone/a/b"}, Ops: []Op{
			{"mod.txt", regular("old\n"), regular("new\n")},
			{"tool.sh", regular("#!/bin/sh\n"), &File{"#!/bin/sh\n", 0o755}},
			{"same.txt", regular("same\n"), regular("same\n")},
			{"dir/del.txt", regular("to delete\n"), nil},
			{"new/nested/deep.txt", nil, regular("created\n")},
			{"new/exec", nil, &File{"run\n", 0o755}},
			{"sub/from.txt", regular("moved\n"), nil},
			{"sub/to.txt", nil, regular("moved\n")},
			{"file-then-dir", regular("file\n"), nil},
			{"file-then-dir/x", nil, regular("x\n")},
			{"dir-then-file/a/in.txt", regular("in\n"), nil},
			{"dir-then-file/b.txt", regular("b\n"), nil},
			{"dir-then-file", nil, regular("now a file\n")},
			{"na\u00efve \u304c/\u00fc.txt", regular("unicode\n"), regular("\u00fcnicode\n")},
			{"moves", linkTo("mod.txt"), linkTo("same.txt")},
			{"dangles", linkTo("nowhere/at all"), nil},
			{"stays", linkTo("mod.txt"), linkTo("mod.txt")},
			{"new/link", nil, linkTo("../../out of here")},
			{"file-then-link", regular("plain\n"), linkTo("mod.txt")},
			{"link-then-file", linkTo("same.txt"), regular("own\n")},
			{"link-then-dir", linkTo("sub"), nil},
			{"link-then-dir/from.txt", nil, regular("not in sub\n")},
			{"dir-then-link/a/in.txt", regular("in\n"), nil},
			{"dir-then-link", nil, linkTo("sub")},
			{"gone/a/b/x", regular("x\n"), nil},
			{"gone/a/y", regular("y\n"), nil},
		}}
}

// A scene is a fresh tree, with a picture of it for comparison.
type scene struct {
	dir, state string
	before     map[string]string
}

func newScene(t testing.TB) scene {
	t.Helper()
	s := scene{dir: t.TempDir(), state: t.TempDir()}
	must(t, os.Mkdir(journalDir(s.state), 0o700))
	gittest.Lay(t, s.dir, mixed)
	if needs.HasLinks() {
		link(t, s.dir, mixedLinks)
	}
	s.before = picture(t, s.dir)
	return s
}

func mixedAfter(t testing.TB, prepare ...func(*Root)) (after map[string]string, steps []string) {
	t.Helper()
	s := newScene(t)
	r := open(t, s.dir)
	for _, f := range prepare {
		f(r)
	}
	count := failAt(0)
	r.probe = beforeEach(count.step)
	got, err := r.Commit(context.Background(), s.state, mixedTransaction())
	must(t, err)
	want := Folders{
		Made: []string{"file-then-dir", "link-then-dir", "made", "made/empty", "new", "new/nested"},
		Removed: []string{"dir", "dir-then-file", "dir-then-file/a", "dir-then-link", "dir-then-link/a", "gone", "gone/a", "gone/a/b",
			"hollow", "hollow/deep"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("folders (-want +got):\n%s", diff)
	}
	noJournals(t, s.state)
	return picture(t, s.dir), count.names
}

func TestCommitOfEveryKind(t *testing.T) {
	needs.Links(t)
	needs.Modes(t)
	after, _ := mixedAfter(t)
	for name, want := range map[string]string{
		"mod.txt": "-rw-r--r-- new\n", "tool.sh": "-rwxr-xr-x #!/bin/sh\n", "same.txt": "-rw-r--r-- same\n",
		"dir/del.txt": "", "dir": "", "new/nested/deep.txt": "-rw-r--r-- created\n", "new/exec": "-rwxr-xr-x run\n", "sub/from.txt": "",
		"sub/to.txt": "-rw-r--r-- moved\n", "file-then-dir/x": "-rw-r--r-- x\n", "dir-then-file": "-rw-r--r-- now a file\n",
		"empty": "drwxr-xr-x", "made/empty": "drwxr-xr-x", "gone": "", "hollow": "",
		"moves": "link to same.txt", "dangles": "", "stays": "link to mod.txt", "new/link": "link to ../../out of here",
		"file-then-link": "link to mod.txt", "link-then-file": "-rw-r--r-- own\n",
		"link-then-dir": "drwxr-xr-x", "link-then-dir/from.txt": "-rw-r--r-- not in sub\n", "dir-then-link": "link to sub",
	} {
		if after[name] != want {
			t.Errorf("%s is %q; want %q", name, after[name], want)
		}
	}
	if len(after) != 26 {
		t.Errorf("%d names in %v", len(after), after)
	}
}

// Whatever operation fails, the old tree is restored at once. If the change was already complete, the new tree stays,
// and the next start removes the temporary files. If a hard link cannot be made, the change is made without it.
func TestEveryStepMayFail(t *testing.T) {
	t.Parallel()
	after, steps := mixedAfter(t)
	for n := 1; n <= len(steps); n++ {
		s := newScene(t)
		failOnce(t, s, open(t, s.dir), steps, n, after)
	}
}

func TestEveryStepMayFailWithoutHardLinks(t *testing.T) {
	t.Parallel()
	noLinks := func(r *Root) {
		r.link = func(*os.Root, string, string) error { return errors.ErrUnsupported }
	}
	after, steps := mixedAfter(t, noLinks)
	for n := 1; n <= len(steps); n++ {
		s := newScene(t)
		r := open(t, s.dir)
		noLinks(r)
		failOnce(t, s, r, steps, n, after)
	}
}

func failOnce(t *testing.T, s scene, r *Root, steps []string, n int, after map[string]string) {
	t.Helper()
	r.probe = beforeEach(failAt(n).step)
	_, err := r.Commit(context.Background(), s.state, mixedTransaction())
	switch {
	case err == nil:
		_, err = Recover(s.state, s.dir)
		must(t, err)
		now := picture(t, s.dir)
		for _, dir := range mixedTransaction().Prune {
			if now[dir] == "drwxr-xr-x" {
				delete(now, dir) // it is empty, but could not be removed
			}
		}
		same(t, "changed", now, after)
	case made(steps, n):
		t.Fatalf("failing operation %d: %v", n, err)
	default:
		same(t, "failed at "+steps[n-1], picture(t, s.dir), s.before)
	}
	noJournals(t, s.state)
}

// made reports whether the change was complete before step n failed. After the journal has advanced for the last time,
// the change is no longer taken back.
func made(steps []string, n int) bool {
	last := 0
	for i, name := range steps {
		if name == markDone {
			last = i + 1
		}
	}
	return n > last
}

// The process crashes, then the recovery crashes, and then another recovery runs to its end.
func TestRecoveryMayCrashToo(t *testing.T) {
	t.Parallel()
	after, steps := mixedAfter(t)
	middle := len(steps) / 2
	for n := 1; n <= len(steps); n++ {
		crashTwice(t, steps, n, 1+n*7%23, after)
	}
	for m := 1; m <= 40; m++ {
		crashTwice(t, steps, middle, m, after)
	}
}

func crashTwice(t *testing.T, steps []string, n, m int, after map[string]string) {
	t.Helper()
	s := newScene(t)
	r := open(t, s.dir)
	r.probe = beforeEach(deadFrom(n).step)
	_, err := r.Commit(context.Background(), s.state, mixedTransaction())
	want := s.before
	if made(steps, n) {
		must(t, err)
		want = after
	} else if rollback, ok := errors.AsType[*RollbackError](err); !ok || rollback.Undo == nil || !errors.Is(err, errInjected) {
		t.Fatalf("dead from %q on: %v", steps[n-1], err)
	}
	_, _ = recoverAll(s.state, hooks{probe: beforeEach(deadFrom(m).step)}, s.dir) // does not fail if the recovery has fewer steps
	done, err := Recover(s.state, s.dir)
	must(t, err)
	for _, d := range done {
		if len(d.Left) > 0 || d.ID != "mixed" || d.Root != r.Dir() {
			t.Fatalf("recovered %+v", d)
		}
	}
	same(t, "recovered", picture(t, s.dir), want)
	noJournals(t, s.state)
}

// Another process runs the change, and is really killed before every single step.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	after, steps := mixedAfter(t)
	exe, err := os.Executable()
	must(t, err)
	var group errgroup.Group
	group.SetLimit(syncers)
	for n := 1; n <= len(steps)+1; n++ {
		group.Go(func() error {
			s := newScene(t)
			cmd := helper(t, exe, order{s.dir, s.state, mixedTransaction(), n})
			if out, finished := RunAndKill(t, cmd); finished != (n > len(steps)) {
				t.Errorf("step %d of %d: finished %v, %s", n, len(steps), finished, out)
				return nil
			}
			checkKilled(t, s, after)
			return nil
		})
	}
	must(t, group.Wait())
}

func checkKilled(t *testing.T, s scene, after map[string]string) {
	done, err := Recover(s.state, s.dir)
	if err != nil {
		t.Error(err)
		return
	}
	now, want := picture(t, s.dir), s.before
	if now["mod.txt"] == after["mod.txt"] {
		want = after
	}
	for _, d := range done {
		if d.Done != (now["mod.txt"] == after["mod.txt"]) || len(d.Left) != 0 {
			t.Errorf("recovered %+v", d)
		}
	}
	same(t, "after kill -9 and recovery", now, want)
	noJournals(t, s.state)
	if again, err := Recover(s.state, s.dir); len(again) != 0 || err != nil {
		t.Errorf("a second recovery found %v, %v", again, err)
	}
}

func helper(t testing.TB, exe string, o order) *exec.Cmd {
	t.Helper()
	data, err := json.Marshal(o)
	must(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), helperEnv+"="+string(data))
	return cmd
}

// crashed makes the changes of mixedTransaction to all files, and leaves the journal as after
// a crash.
func crashed(t testing.TB) (scene, *Root) {
	t.Helper()
	_, steps := mixedAfter(t)
	n := 1 + slices.Index(steps, markDone)
	s := newScene(t)
	r := open(t, s.dir)
	r.probe = beforeEach(deadFrom(n).step)
	_, err := r.Commit(context.Background(), s.state, mixedTransaction())
	if err == nil {
		t.Fatal("it did not crash")
	}
	r.probe = nil
	return s, r
}

func TestRecoverLeavesWhatSomebodyChanged(t *testing.T) {
	s, _ := crashed(t)
	gittest.Lay(t, s.dir, map[string]string{"mod.txt": "mine\n", "new/nested/deep.txt": "mine too\n", "sub/from.txt": "and this\n"})
	done, err := Recover(s.state, s.dir)
	must(t, err)
	if len(done) != 1 || len(done[0].Left) != 3 || len(done[0].Restored) != len(mixedTransaction().Ops)-5 {
		t.Fatalf("recovered %+v", done)
	}
	now := picture(t, s.dir)
	old := map[string]string{"mod.txt": "-rw-r--r-- old\n", "sub/from.txt": "-rw-r--r-- moved\n"}
	for _, l := range done[0].Left {
		if now[l.Backup] != old[l.Path] {
			t.Errorf("%s: its backup holds %q", l, now[l.Backup])
		}
		delete(now, l.Backup)
	}
	want := s.before
	want["mod.txt"], want["sub/from.txt"] = "-rw-r--r-- mine\n", "-rw-r--r-- and this\n"
	want["new"], want["new/nested"], want["new/nested/deep.txt"] = "drwxr-xr-x", "drwxr-xr-x", "-rw-r--r-- mine too\n"
	same(t, "recovered around them", now, want)
	noJournals(t, s.state)
}

// Before the first file is changed there is nothing to restore, even if other programs have written since.
func TestRecoverOfAStagedTransaction(t *testing.T) {
	_, steps := mixedAfter(t)
	s := newScene(t)
	r := open(t, s.dir)
	r.probe = beforeEach(deadFrom(slices.Index(steps, markBegun)).step)
	_, err := r.Commit(context.Background(), s.state, mixedTransaction())
	if !errors.Is(err, errInjected) {
		t.Fatal(err)
	}
	replace(t, filepath.Join(s.dir, "mod.txt"), "mine")
	replace(t, filepath.Join(s.dir, "sub", "from.txt"), "mine")
	done, err := Recover(s.state, s.dir)
	must(t, err)
	if len(done) != 1 || done[0].Done || len(done[0].Left) != 0 || len(done[0].Restored) != 0 {
		t.Errorf("recovered %+v", done)
	}
	s.before["mod.txt"], s.before["sub/from.txt"] = "-rw-r--r-- mine", "-rw-r--r-- mine"
	same(t, "recovered", picture(t, s.dir), s.before)
	noJournals(t, s.state)
}

func TestRecoverNeverTrustsABackup(t *testing.T) {
	s, _ := crashed(t)
	backups, err := filepath.Glob(filepath.Join(s.dir, ".aptix-*.old"))
	must(t, err)
	for _, b := range backups {
		must(t, os.Remove(b))
	}
	now := picture(t, s.dir)
	done, err := Recover(s.state, s.dir)
	must(t, err)
	if len(done) != 1 || len(done[0].Left) == 0 {
		t.Fatalf("recovered %+v", done)
	}
	if got := picture(t, s.dir)["mod.txt"]; got != now["mod.txt"] {
		t.Errorf("mod.txt is %q; it had no backup", got)
	}
}

func TestInterruptedRootTakesNoMore(t *testing.T) {
	s, r := crashed(t)
	err := commit1(r, s.state, Op{"x", nil, regular("x")})
	if !errors.Is(err, ErrInterrupted) {
		t.Fatalf("commit: %v", err)
	}
	_, err = Recover(s.state, s.dir)
	must(t, err)
	must(t, commit1(r, s.state, Op{"x", nil, regular("x")}))
}

func TestRecoverLeavesTheLivingAlone(t *testing.T) {
	s, r := crashed(t)
	l, err := openLedger(context.Background(), s.state, r)
	must(t, err)
	now := picture(t, s.dir)
	if done, err := Recover(s.state, s.dir); len(done) != 0 || err != nil {
		t.Fatalf("recovered %v, %v under another's lock", done, err)
	}
	same(t, "under another's lock", picture(t, s.dir), now)
	l.close()
	_, err = Recover(s.state, s.dir)
	must(t, err)
	same(t, "after it", picture(t, s.dir), s.before)
}

func TestRecoverWaitsForAMissingFolder(t *testing.T) {
	s, r := crashed(t)
	must(t, r.Close()) // Windows cannot rename an open folder
	must(t, os.Rename(s.dir, s.dir+"-away"))
	if done, err := Recover(s.state, s.dir); len(done) != 0 || err != nil {
		t.Fatalf("recovered %v, %v", done, err)
	}
	must(t, os.Rename(s.dir+"-away", s.dir))
	_, err := Recover(s.state, s.dir)
	must(t, err)
	same(t, "when it is back", picture(t, s.dir), s.before)
}

func TestRecoverRefusesAJournalItCannotRead(t *testing.T) {
	for _, text := range []string{"", "{", `{"version": 3, "root": "/"}`, `{"version": 0, "root": "/"}`} {
		s, _ := crashed(t)
		files, err := filepath.Glob(filepath.Join(journalDir(s.state), "*.json"))
		must(t, err)
		must(t, os.WriteFile(files[0], []byte(text), 0o600))
		now := picture(t, s.dir)
		if _, err := Recover(s.state, s.dir); err == nil {
			t.Errorf("journal %q: no error", text)
		}
		same(t, "with a journal of another kind", picture(t, s.dir), now)
	}
}

func TestRecoverWithoutState(t *testing.T) {
	if done, err := Recover(filepath.Join(t.TempDir(), "none")); len(done) != 0 || err != nil {
		t.Errorf("recovered %v, %v", done, err)
	}
}
