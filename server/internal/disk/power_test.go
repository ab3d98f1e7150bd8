package disk

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// A cut is a change during which power is lost. The test checks every tree that may remain.
type cut struct {
	name    string
	files   map[string]string
	links   map[string]string
	tx      Transaction
	noLinks bool // a file system without hard links
	fresh   bool // another program wrote the files just now, and did not sync them
	held    bool // temps and backups cannot be removed until the loss of power
	caches  bool // the drive caches data: see [drive]
}

var cuts = []cut{
	{name: "modify", files: map[string]string{"a.txt": "old\n"}, tx: Transaction{Ops: []Op{{"a.txt", regular("old\n"), regular("new\n")}}}},
	{name: "modify what is fresh", fresh: true, files: map[string]string{"a.txt": "old\n"}, tx: Transaction{Ops: []Op{{"a.txt", regular("old\n"), regular("new\n")}}}},
	{name: "create", tx: Transaction{Ops: []Op{{"d/e/a.txt", nil, regular("new\n")}}}},
	{name: "delete", files: map[string]string{"d/e/a.txt": "old\n"},
		tx: Transaction{Prune: []string{"d", "d/e"}, Ops: []Op{{"d/e/a.txt", regular("old\n"), nil}}}},
	{name: "rename", files: map[string]string{"d/a.txt": "old\n"},
		tx: Transaction{Ops: []Op{{"d/a.txt", regular("old\n"), nil}, {"e/b.txt", nil, regular("old\n")}}}},
	{name: "three", files: map[string]string{"a.txt": "old\n", "b.txt": "old too\n"}, tx: Transaction{Ops: []Op{
		{"a.txt", regular("old\n"), regular("new\n")}, {"b.txt", regular("old too\n"), nil}, {"c.txt", nil, regular("created\n")}}}},
	{name: "three without hard links", noLinks: true, files: map[string]string{"a.txt": "old\n", "b.txt": "old too\n"}, tx: Transaction{Ops: []Op{
		{"a.txt", regular("old\n"), regular("new\n")}, {"b.txt", regular("old too\n"), nil}, {"c.txt", nil, regular("created\n")}}}},
	{name: "kinds", files: map[string]string{"f": "file\n", "d/x": "in\n"}, links: map[string]string{"l": "f"}, tx: Transaction{Prune: []string{"d"}, Ops: []Op{
		{"f", regular("file\n"), nil}, {"f/x", nil, regular("x\n")}, {"d/x", regular("in\n"), nil}, {"d", nil, regular("now a file\n")}, {"l", linkTo("f"), regular("own\n")}}}},
}

// Whenever power is lost, the tree is the old one or the new one after the next start. It is the new one if an apply
// has reported success. Any part of the data that was not synced may be lost, in any order.
func TestPowerLoss(t *testing.T) {
	for _, c := range cuts {
		c.cutEverywhere(t)
		c.name, c.held = c.name+" held", true
		c.cutEverywhere(t)
	}
}

// On macOS, fsync leaves the content of files in the cache of the drive. The result must be
// the same, because a sync with F_FULLFSYNC follows.
func TestPowerLossOfADriveWithACache(t *testing.T) {
	for _, c := range cuts {
		c.caches = true
		c.cutEverywhere(t)
	}
}

func (c cut) cutEverywhere(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		needs.FolderSyncs(t)
		s, records, after := c.record(t)
		c.allIsSynced(t, s, records)
		d := c.drive(t, s)
		tried := 0
		for n := 0; n <= len(records); n++ {
			d.doLast(records, n)
			if c.fresh && !changesBegan(records[:n]) {
				continue // we do not guarantee data that others did not sync
			}
			tried += d.lose(t, s, after, n == len(records), records[:n])
		}
		t.Logf("%d operations, %d states of the disk", len(records), tried)
	})
}

// Power is lost again while the next start restores the tree.
func TestPowerLossInRecovery(t *testing.T) {
	for _, c := range cuts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			needs.FolderSyncs(t)
			s, records, after := c.record(t)
			d := c.drive(t, s)
			tried := 0
			for n := 0; n <= len(records); n++ {
				d.doLast(records, n)
				if !changesBegan(records[:n]) {
					continue
				}
				d.layAll(t, s, keepWhere(len(d.pending), func(int) bool { return true }), losses[0])
				tried += cutRecovery(t, s, after)
			}
			t.Logf("%d operations, %d states of the disk", len(records), tried)
		})
	}
}

func cutRecovery(t *testing.T, s scene, after map[string]string) (tried int) {
	d := readDrive(t, s.dir, s.state)
	var w watch
	_, err := recoverAll(s.state, hooks{probe: w.probe(t)}, s.dir)
	must(t, err)
	for n := 0; n <= len(w.records); n++ {
		d.doLast(w.records, n)
		tried += d.lose(t, s, after, false, w.records[:n])
	}
	return tried
}

// start creates the tree.
func (c cut) start(t testing.TB) (scene, *Root) {
	s := scene{dir: t.TempDir(), state: t.TempDir()}
	gittest.Lay(t, s.dir, c.files)
	link(t, s.dir, c.links)
	s.before = picture(t, s.dir)
	r := c.open(t, s.dir)
	t.Cleanup(func() { _ = r.Close() })
	return s, r
}

func (c cut) open(t testing.TB, dir string) *Root {
	t.Helper()
	r, err := Open(dir)
	must(t, err)
	if c.noLinks {
		r.link = func(*os.Root, string, string) error { return errors.ErrUnsupported }
	}
	return r
}

// drive returns a model of the disk's contents before the change.
func (c cut) drive(t testing.TB, s scene) *drive {
	s.clear(t)
	gittest.Lay(t, s.dir, c.files)
	link(t, s.dir, c.links)
	d := readDrive(t, s.dir, s.state)
	d.caches = c.caches
	if c.fresh {
		d.top.loseContent()
	}
	return d
}

func (s scene) clear(t testing.TB) {
	empty(t, s.dir)
	empty(t, s.state)
}

// record makes the change, and returns the operations on the disk, in order.
func (c cut) record(t testing.TB) (s scene, records []record, after map[string]string) {
	s, r := c.start(t)
	var w watch
	r.probe = w.probe(t)
	if c.held {
		h := newHolder(everything, -1)
		r.probe = func(op operation, perform func() error) error {
			return h.probe(op, func() error { return w.probe(t)(op, perform) })
		}
	}
	_, err := r.Commit(context.Background(), s.state, c.tx)
	must(t, err)
	if c.held {
		_, err := Recover(s.state, s.dir)
		must(t, err)
	}
	return s, w.records, picture(t, s.dir)
}

// allIsSynced fails the test unless the change synced everything.
func (c cut) allIsSynced(t testing.TB, s scene, records []record) {
	t.Helper()
	d := c.drive(t, s)
	for _, rec := range records {
		d.do(rec)
	}
	if len(d.pending) > 0 || d.hasUnsynced() {
		t.Errorf("%d changes are not synced at the end", len(d.pending))
	}
}

// A watch records the operations on the disk, one at a time.
type watch struct {
	mu      sync.Mutex
	records []record
}

func (w *watch) probe(t testing.TB) func(operation, func() error) error {
	return func(op operation, perform func() error) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		err := perform()
		if err == nil {
			w.records = append(w.records, seen(t, op))
		}
		return err
	}
}

func seen(t testing.TB, op operation) record {
	rec := record{operation: op}
	switch op.kind {
	case opCreate, opWrite, opMode, opMkdir, opSymlink:
		rec.mode, rec.content = look(t, op.path)
	}
	return rec
}

// changesBegan reports whether the journal has reached a phase in which files may have
// changed.
func changesBegan(done []record) bool {
	return slices.ContainsFunc(done, func(r record) bool { return r.kind == opRename && strings.Contains(r.to, "."+string(applying)+".") })
}

// doLast performs the last of n operations.
func (d *drive) doLast(records []record, n int) {
	if n > 0 {
		d.do(records[n-1])
	}
}

// lose tries everything that a loss of power after some operations may leave.
func (d *drive) lose(t *testing.T, s scene, after map[string]string, finished bool, done []record) (tried int) {
	t.Helper()
	for _, keep := range subsets(len(d.pending)) {
		for _, lost := range d.losses() {
			d.layAll(t, s, keep, lost)
			checkPower(t, s, after, finished)
			tried++
			if t.Failed() {
				t.Fatalf("the power went after %d operations, with %v of the unsynced ones kept: %v", len(done), keep, done)
			}
		}
	}
	return tried
}

func (d *drive) layAll(t testing.TB, s scene, keep []bool, lost unsynced) {
	s.clear(t)
	d.lay(t, s.dir, keep, lost)
	d.lay(t, s.state, keep, lost)
}

func (d *drive) losses() []unsynced {
	if d.hasUnsynced() {
		return losses
	}
	return losses[:1]
}

func checkPower(t *testing.T, s scene, after map[string]string, finished bool) {
	t.Helper()
	if _, err := Recover(s.state, s.dir); err != nil {
		t.Errorf("recover: %v", err)
		return
	}
	now := picture(t, s.dir)
	if !maps.Equal(now, after) && (finished || !maps.Equal(now, s.before)) {
		same(t, "after the power went", now, after)
	}
	if _, err := os.Stat(journalDir(s.state)); err == nil {
		noJournals(t, s.state)
	}
}

// everySubset is the largest number of unsynced changes for which the test tries every combination of lost changes.
// With more changes, lose tries to lose all, none, each one alone, and all but each one.
const everySubset = 9

func subsets(n int) (all [][]bool) {
	if n <= everySubset {
		for bits := range 1 << n {
			all = append(all, keepWhere(n, func(i int) bool { return bits>>i&1 == 1 }))
		}
		return all
	}
	for one := -1; one < n; one++ {
		all = append(all, keepWhere(n, func(i int) bool { return i == one }), keepWhere(n, func(i int) bool { return i != one }))
	}
	return all
}

func keepWhere(n int, keep func(int) bool) []bool {
	all := make([]bool, n)
	for i := range all {
		all[i] = keep(i)
	}
	return all
}

func empty(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range slices.Backward(entries) {
		must(t, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
}
