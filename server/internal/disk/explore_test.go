package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// The explorer runs the real code and lets two events happen before operations on disk:
// another program acts on a file, and the process dies. For every cut, it tries every pair of
// operations for the two events, including operations of the recovery. It needs no model of
// the states, because it runs the code itself.

const written = "by another program\n"

// An act is an action of another program on a path. It reports whether the action was possible.
type act struct {
	name string
	do   func(full string) bool
}

var acts = []act{
	{"writes", func(full string) bool {
		info, err := os.Lstat(full)
		return err == nil && info.Mode().IsRegular() && os.WriteFile(full, []byte(written), 0o644) == nil
	}},
	{"replaces", func(full string) bool {
		if info, err := os.Lstat(full); err != nil || info.IsDir() {
			return false
		}
		temp := full + "~"
		return os.WriteFile(temp, []byte(written), 0o644) == nil && os.Rename(temp, full) == nil
	}},
	{"makes", func(full string) bool {
		f, err := os.OpenFile(full, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return false
		}
		_, err = f.WriteString(written)
		return errors.Join(err, f.Close()) == nil
	}},
	{"removes", func(full string) bool {
		info, err := os.Lstat(full)
		return err == nil && !info.IsDir() && os.Remove(full) == nil
	}},
	{"applies", nil}, // see [visit.applyElsewhere]
}

// applyElsewhere applies a change to the path as another machine with access to the folder
// might. That machine has its own state folder, and so its own lock.
func (v *visit) applyElsewhere() bool {
	var before *File
	data, err := os.ReadFile(filepath.Join(v.dir, filepath.FromSlash(v.path)))
	if err == nil {
		before = regular(string(data))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	r, err := Open(v.dir)
	if err != nil {
		return false
	}
	defer r.Close()
	return commit1(r, v.dir+"-elsewhere", Op{v.path, before, regular(written)}) == nil
}

// A visit is one run: another program acts on a path before operation actAt, and the process
// dies before operation dieAt. Operations count from 0; -1 means never.
type visit struct {
	scene
	act           act
	path          string
	actAt, dieAt  int
	mu            sync.Mutex
	n             int
	acted, lost   bool // lost: the act happened after the last look at the path and before its change
	left          []Left
	phases        map[phase]bool // phases of the journal at the time of the act
	lockWasNotHad bool
}

var errDead = errors.New("dead")

func (v *visit) probe(op operation, perform func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := v.n
	v.n++
	if n == v.actAt {
		v.perform(op)
	}
	if v.dieAt >= 0 && n >= v.dieAt {
		return errDead
	}
	return perform()
}

// perform carries out the act. If the act falls between the last look at a file and the system call that changes the
// file, the transaction cannot notice it, because no system has a single call for both.
func (v *visit) perform(op operation) {
	full := filepath.Join(v.dir, filepath.FromSlash(v.path))
	if v.act.do == nil {
		v.acted = v.applyElsewhere()
	} else {
		v.acted = v.act.do(full)
	}
	changes := op.kind == opRename && op.to == full || op.kind == opRemove && op.path == full
	v.lost = v.acted && changes
	files, _ := os.ReadDir(journalDir(v.state))
	for _, p := range []phase{staging, applying, applied} {
		v.phases[p] = v.phases[p] || slices.ContainsFunc(files, func(f os.DirEntry) bool { return strings.HasSuffix(f.Name(), "."+string(p)+".json") })
	}
	if op.kind != opMkdir {
		v.secondProcess()
	}
}

// secondProcess starts another process at the time of the act. It must not recover the
// transaction of a process that is alive.
func (v *visit) secondProcess() {
	done, err := Recover(v.state, v.dir)
	if len(done) > 0 || err != nil {
		v.lockWasNotHad = true
	}
}

// commit makes the change, during which the act and the death happen. It reports whether the
// change was made and whether the process died.
func (v *visit) commit(t *testing.T, c cut) (made, died bool) {
	t.Helper()
	r := c.open(t, v.dir)
	defer r.Close()
	r.probe = v.probe
	_, err := r.Commit(context.Background(), v.state, c.tx)
	if torn, ok := errors.AsType[*RollbackError](err); ok {
		v.left = torn.Left
	}
	return err == nil, v.dieAt >= 0 && v.n > v.dieAt
}

// paths returns the paths on which another program may act: those of the files, and one more next to each.
func (c cut) paths() []string {
	all := map[string]bool{}
	for _, op := range c.tx.Ops {
		all[op.Path], all[path.Join(path.Dir(op.Path), "beside")] = true, true
	}
	return slices.Sorted(maps.Keys(all))
}

// stride returns the distance between the deaths that are tried. It is large on Windows: under
// Wine a visit takes a hundred times as long, and the operations are the same as elsewhere.
func stride() int {
	if runtime.GOOS == "windows" {
		return 4
	}
	return trials.OneIn(4)
}

// deaths returns the operations before which the process dies; -1 stands for none. n is the number of operations, and
// the act happens before the operation `at`. deaths returns -1, `at`, and one operation of each later stride. Each act
// has other strides. If that would take too long, deaths returns only -1 and `at`.
func (c cut) deaths(a act, at, n int) []int {
	all := []int{-1, at}
	if len(c.tx.Ops) < 3 && a.do != nil {
		for die := at + 1 + at/2%stride(); die <= n; die += stride() {
			all = append(all, die)
		}
	}
	return all
}

// TestExplore lets another program act, and the process die, at every pair of points of a
// change.
func TestExplore(t *testing.T) {
	for _, c := range cuts {
		if c.fresh {
			continue // this cut tests only the loss of power
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, records, after := c.record(t)
			phases, visits := map[phase]bool{}, 0
			c.eachAct(func(a act, name string) {
				for at := range records {
					for _, die := range c.deaths(a, at, len(records)) {
						c.layAgain(t, s)
						v := &visit{scene: s, act: a, path: name, actAt: at, dieAt: die, phases: phases}
						made, died := v.commit(t, c)
						if !v.acted {
							break // the act will not happen at later operations
						}
						v.check(t, c, after, made, died)
						visits++
					}
				}
			})
			t.Logf("%d visits", visits)
			if len(phases) != 3 {
				t.Errorf("the phases were %v", phases)
			}
		})
	}
}

// TestExploreRecovery lets the process die at every operation of a change. Then another program acts at every operation
// of the recovery. The recovery may die at the same operation. Another recovery follows.
func TestExploreRecovery(t *testing.T) {
	for _, c := range cuts {
		if c.fresh || len(c.tx.Ops) > 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, records, after := c.record(t)
			visits := 0
			for first := 0; first < len(records); first += stride() {
				c.eachAct(func(a act, name string) {
					for at, n := 0, 1; at < n; at++ {
						for _, die := range []int{at, -1} {
							v := &visit{scene: s, act: a, path: name, actAt: at, dieAt: die, phases: map[phase]bool{}}
							v.recoverAfter(t, c, first)
							if n = v.n; v.acted {
								v.check(t, c, after, false, true)
								visits++
							}
						}
					}
				})
			}
			t.Logf("%d visits", visits)
			if visits < 100/stride() {
				t.Error("too few")
			}
		})
	}
}

// recoverAfter lets a change die at an operation, and then recovers while the act happens.
func (v *visit) recoverAfter(t *testing.T, c cut, first int) {
	t.Helper()
	c.layAgain(t, v.scene)
	dying := &visit{scene: v.scene, actAt: -1, dieAt: first}
	if _, died := dying.commit(t, c); !died {
		t.Fatal("it did not die")
	}
	done, _ := recoverAll(v.state, hooks{probe: v.probe}, v.dir)
	for _, r := range done {
		v.left = append(v.left, r.Left...)
	}
}

func (c cut) eachAct(f func(act, string)) {
	for _, a := range acts {
		for _, name := range c.paths() {
			f(a, name)
		}
	}
}

// layAgain restores the tree of a used scene.
func (c cut) layAgain(t *testing.T, s scene) {
	t.Helper()
	s.clear(t)
	gittest.Lay(t, s.dir, c.files)
	link(t, s.dir, c.links)
}

// check recovers and then checks the tree: the other program's action is preserved, and the rest is either completely
// old or completely new.
func (v *visit) check(t *testing.T, c cut, after map[string]string, made, died bool) {
	t.Helper()
	done, err := Recover(v.state, v.dir)
	must(t, err)
	for _, r := range done {
		v.left = append(v.left, r.Left...)
	}
	now := picture(t, v.dir)
	for _, l := range v.left {
		delete(now, l.Backup)
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s: it %s %s before operation %d, and the process dies before %d: %s; the tree is %v", c.name, v.act.name, v.path, v.actAt, v.dieAt, fmt.Sprintf(format, args...), now)
	}
	if v.lockWasNotHad {
		fail("another process recovered meanwhile")
	}
	if !v.lost && !v.keeps(now[v.path]) {
		fail("what the other program did is lost")
	}
	old, all := v.differ(now, v.before), v.differ(now, after)
	switch {
	case len(old) > 0 && len(all) > 0:
		fail("neither the old tree (%v) nor the new one (%v)", old, all)
	case !died && made && len(all) > 0:
		fail("it was made, but not %v", all)
	case !died && !made && len(old) > 0:
		fail("it was refused, but made %v", old)
	}
	if _, err := os.Stat(journalDir(v.state)); err == nil {
		noJournals(t, v.state)
	}
}

// keeps reports whether a path is as the other program left it. A path that the other program removed may have been
// restored.
func (v *visit) keeps(now string) bool {
	if v.act.name == "removes" {
		return now == "" || now == v.before[v.path]
	}
	return strings.HasSuffix(now, written)
}

// differ returns the paths at which two trees differ. It skips the path of the other program,
// and the paths above and below it.
func (v *visit) differ(now, want map[string]string) (paths []string) {
	both := maps.Clone(now)
	maps.Copy(both, want)
	for p := range both {
		if now[p] != want[p] && p != v.path && p != "." && !strings.HasPrefix(v.path, p+"/") && !strings.HasPrefix(p, v.path+"/") {
			paths = append(paths, p)
		}
	}
	return paths
}
