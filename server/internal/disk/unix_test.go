//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// If this test hangs, the code has opened a FIFO: opening a FIFO for reading waits for a writer.
func TestOtherThanFilesAreNeverOpened(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	symlink(t, "fifo", filepath.Join(dir, "to-fifo"))
	symlink(t, "target", filepath.Join(dir, "link"))
	symlink(t, "real", filepath.Join(dir, "dir-link"))
	gittest.Lay(t, dir, map[string]string{"target": "target", "real/x": "x"})
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	must(t, err)
	defer socket.Close()
	before := picture(t, dir)
	r := open(t, dir)
	for name, how := range map[string]string{
		"fifo": "it is a FIFO now", "to-fifo": "it is a symbolic link now", "socket": "it is a socket now",
		"link": "it is a symbolic link now", "dir-link/x": "dir-link is a symbolic link now",
	} {
		err := commit1(r, state, Op{name, regular("target"), regular("n")})
		if changed, ok := errors.AsType[*ChangedError](err); !ok || changed.Files[0].How != how {
			t.Errorf("commit of %s: %v; want %s", name, err, how)
		}
		if err := commit1(r, state, Op{name, nil, regular("n")}); err == nil {
			t.Errorf("create over %s: no error", name)
		}
	}
	for _, name := range []string{"fifo", "to-fifo", "socket"} {
		if _, err := r.Tree(nil).ReadFile(name); !errors.Is(err, errNotRegular) {
			t.Errorf("ReadFile(%s): %v", name, err)
		}
		if f, err := r.Tree(nil).Open(name); !errors.Is(err, errNotRegular) {
			t.Errorf("Open(%s) = %v, %v", name, f, err)
		}
	}
	same(t, "untouched", picture(t, dir), before)
}

func TestAFifoThatComesDuringRecovery(t *testing.T) {
	s, _ := crashed(t)
	must(t, os.Remove(filepath.Join(s.dir, "mod.txt")))
	must(t, syscall.Mkfifo(filepath.Join(s.dir, "mod.txt"), 0o644))
	done, err := Recover(s.state, s.dir)
	must(t, err)
	if len(done) != 1 || len(done[0].Left) != 1 || done[0].Left[0].Path != "mod.txt" {
		t.Errorf("recovered %+v", done)
	}
}

func TestCommitKeepsTheUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	dir, state := t.TempDir(), t.TempDir()
	must(t, commit1(open(t, dir), state, Op{"d/x", nil, regular("x")}, Op{"run", nil, &File{"r", 0o755}}))
	now := picture(t, dir)
	if now["d"] != "drwx------" || now["d/x"] != "-rw------- x" || now["run"] != "-rwx------ r" {
		t.Errorf("the tree is %v", now)
	}
}

// A changed file no longer runs with its owner's rights, whatever mode the op gives it. An unchanged file still does.
func TestSetuidGoes(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a": "old", "b": "old", "c": "old"})
	const bits = fs.ModeSetuid | fs.ModeSetgid
	for _, name := range []string{"a", "b", "c"} {
		must(t, os.Chmod(filepath.Join(dir, name), 0o755|bits))
	}
	must(t, commit1(open(t, dir), state, Op{"a", regular("old"), regular("new")}, Op{"b", &File{"old", 0o755}, &File{"new", 0o755}}))
	for name, want := range map[string]fs.FileMode{"a": 0o755, "b": 0o755, "c": 0o755 | bits} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s has the mode %v, want %v (%v)", name, info.Mode(), want, err)
		}
	}
}

func TestHardLinksKeepTheOldText(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a": "old"})
	must(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")))
	must(t, commit1(open(t, dir), state, Op{"a", regular("old"), regular("new a")}))
	must(t, commit1(open(t, dir), state, Op{"b", regular("old"), regular("new b")}))
	if now := picture(t, dir); now["a"] != "-rw-r--r-- new a" || now["b"] != "-rw-r--r-- new b" || len(now) != 3 {
		t.Errorf("the tree is %v", now)
	}
}

func TestOpenHasOneNameForOneFolder(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"real/": ""})
	symlink(t, "real", filepath.Join(dir, "link"))
	a, b := open(t, filepath.Join(dir, "real")), open(t, filepath.Join(dir, "link"))
	if a.Dir() != b.Dir() {
		t.Errorf("%s and %s", a.Dir(), b.Dir())
	}
}

// The transaction needs a directory that it may not write to. The test runs as a user without
// that right.
func TestCommitInADirectoryOfAnother(t *testing.T) {
	t.Parallel()
	dir, state := publicDir(t), publicDir(t)
	gittest.Lay(t, dir, map[string]string{"a.txt": "a", "locked/b.txt": "b", "hidden/c.txt": "c"})
	exe := publicCopy(t)
	own(t, dir, filepath.Join(dir, "a.txt"), state)
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0o555))
	before := picture(t, dir)
	for _, op := range []Op{{"locked/b.txt", regular("b"), regular("B")}, {"locked/b.txt", regular("b"), nil}, {"locked/new", nil, regular("n")}, {"locked/d/new", nil, regular("n")}} {
		out, err := asNobody(t, exe, order{dir, state, Transaction{Ops: []Op{{"a.txt", regular("a"), regular("A")}, op}}, 0})
		if err == nil || !strings.HasPrefix(out, op.Path+": ") && !strings.HasPrefix(out, "locked/d: ") || !strings.Contains(out, "permission denied") {
			t.Errorf("%s: %v, %s", op.Path, err, out)
		}
		same(t, "refused", picture(t, dir), before)
		noJournals(t, state)
	}
	must(t, os.Chmod(filepath.Join(dir, "hidden"), 0))
	out, err := asNobody(t, exe, order{dir, state, Transaction{Ops: []Op{{"hidden/c.txt", regular("c"), regular("C")}}}, 0})
	if err == nil || !strings.HasPrefix(out, "hidden/c.txt: ") {
		t.Errorf("hidden: %v, %s", err, out)
	}
	must(t, os.Chmod(filepath.Join(dir, "hidden"), 0o755))
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0o755))
	if out, err := asNobody(t, exe, order{dir, state, Transaction{Ops: []Op{{"a.txt", regular("a"), regular("A")}}}, 0}); err != nil {
		t.Errorf("a.txt: %v, %s", err, out)
	}
}

// Root may write everywhere. So if the tests run as root, the helper runs as the user nobody.
const nobody = 65534

func asNobody(t *testing.T, exe string, o order) (string, error) {
	cmd := helper(t, exe, o)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func own(t *testing.T, names ...string) {
	if os.Geteuid() == 0 {
		for _, name := range names {
			must(t, os.Chown(name, nobody, nobody))
		}
	}
}

func publicDir(t *testing.T) string {
	dir := t.TempDir()
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	must(t, os.Chmod(dir, 0o755))
	return dir
}

func publicCopy(t *testing.T) string {
	self, err := os.Executable()
	must(t, err)
	from, err := os.Open(self)
	must(t, err)
	defer from.Close()
	// Another test may start a program at the same time. That program would inherit the open file, and a file that is
	// open for writing cannot be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	to, err := os.OpenFile(filepath.Join(publicDir(t), "helper"), os.O_CREATE|os.O_WRONLY, fs.FileMode(0o755))
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, errors.Join(err, to.Close()))
	return to.Name()
}

// A root shell in a container must not take over a person's files.
func TestLinksKeepTheirOwner(t *testing.T) {
	needs.Root(t)
	dir, state := t.TempDir(), t.TempDir()
	gittest.Lay(t, dir, map[string]string{"file": "f", "target": "t"})
	link(t, dir, map[string]string{"link": "target", "turns": "target"})
	for _, name := range []string{"file", "link", "turns"} {
		must(t, os.Lchown(filepath.Join(dir, name), nobody, nobody))
	}
	must(t, commit1(open(t, dir), state, Op{"link", linkTo("target"), linkTo("file")}, Op{"file", regular("f"), linkTo("link")},
		Op{"turns", linkTo("target"), regular("t")}))
	for name, want := range map[string]uint32{"file": nobody, "link": nobody, "turns": nobody, "target": 0} {
		info, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != want || stat.Gid != want {
			t.Errorf("%s belongs to %+v; want %d", name, info.Sys(), want)
		}
	}
}
