package disk

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
)

// A holder holds files so that nobody can remove them. It can also make one operation fail.
type holder struct {
	mu    sync.Mutex
	hold  func(path string) bool
	fail  int // number of the operation that fails, from 0; -1 if none fails
	n     int
	names map[string]bool // names of the held files
}

func (h *holder) probe(op operation, perform func() error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n++
	name := filepath.Base(op.path)
	switch {
	case h.n-1 == h.fail:
		return syscall.EIO
	case op.kind == opRemove && stagedName.MatchString(name) && h.hold(name):
		if _, err := os.Lstat(op.path); err == nil {
			h.names[name] = true
			return syscall.EBUSY
		}
	}
	return perform()
}

func newHolder(hold func(string) bool, fail int) *holder {
	return &holder{hold: hold, fail: fail, names: map[string]bool{}}
}

func everything(string) bool { return true }

var holds = map[string]func(string) bool{
	"all":     everything,
	"backups": func(name string) bool { return filepath.Ext(name) == ".old" },
	"temps":   func(name string) bool { return filepath.Ext(name) == ".new" },
	"first":   func(name string) bool { return name[len(".aptix-XXXXXXXXXXXXXXXX-")] == '0' },
}

// If operations fail, and temps and backups cannot be removed, the tree is still the old one or the new one. Later
// changes can be made, and the held files are reported once. After they are released, the next start removes them.
func TestHeldLeftovers(t *testing.T) {
	for _, c := range cuts {
		for name, hold := range holds {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				_, records, after := c.record(t)
				for n := -1; n < len(records); n++ {
					c.hold(t, newHolder(hold, n), after)
				}
			})
		}
	}
}

// A journal that cannot be removed is renamed. As long as it cannot even be renamed, later changes of its root are
// refused, but not those of other roots.
func TestHeldJournal(t *testing.T) {
	for _, c := range cuts {
		for name, held := range map[string][]opKind{"removed": {opRemove}, "renamed": {opRemove, opRename}} {
			t.Run(c.name+"/"+name, func(t *testing.T) { c.holdJournal(t, held) })
		}
	}
}

func (c cut) holdJournal(t *testing.T, held []opKind) {
	s, r := c.start(t)
	applied := newLedger(journalDir(s.state), r.ledgerKey()).file(applied)
	probe := func(op operation, perform func() error) error {
		if _, err := os.Lstat(applied); err == nil && op.path == applied && slices.Contains(held, op.kind) {
			return syscall.EBUSY
		}
		return perform()
	}
	r.probe = probe
	_, err := r.Commit(context.Background(), s.state, c.tx)
	must(t, err)
	after := picture(t, s.dir)
	_, err = recoverAll(s.state, hooks{probe: probe}, s.dir)
	_, stuck := errors.AsType[*stuckError](err)
	if stuck != slices.Contains(held, opRename) || !stuck && err != nil {
		t.Errorf("recover: %v", err)
	}
	other := open(t, t.TempDir())
	other.probe = probe
	must(t, commit1(other, s.state, Op{"another", nil, regular("x\n")}))
	err = commit1(r, s.state, Op{"another", nil, regular("x\n")})
	if _, refused := errors.AsType[*stuckError](err); refused != stuck || !stuck && err != nil {
		t.Errorf("a later change: %v", err)
	}
	if stuck {
		same(t, "refused", picture(t, s.dir), after)
	}
	r.probe = nil
	_, err = Recover(s.state, s.dir)
	must(t, err)
	if stuck {
		must(t, commit1(r, s.state, Op{"another", nil, regular("x\n")}))
	}
	noJournals(t, s.state)
}

func (c cut) hold(t *testing.T, h *holder, after map[string]string) {
	t.Helper()
	s, r := c.start(t)
	r.probe = h.probe
	_, err := r.Commit(context.Background(), s.state, c.tx)
	if rollback, torn := errors.AsType[*RollbackError](err); torn {
		t.Fatalf("failing %d: %v", h.fail, rollback)
	}
	want := s.before
	if err == nil {
		want = after
	}
	c.sameButStaged(t, s, want)
	first, err := recoverAll(s.state, hooks{probe: h.probe}, s.dir)
	must(t, err)
	if named := heldNames(first); !slices.Equal(named, slices.Sorted(maps.Keys(h.names))) {
		t.Errorf("failing %d: named are %v, held are %v", h.fail, named, h.names)
	}
	must(t, commit1(r, s.state, Op{"another", nil, regular("x\n")}))
	again, err := recoverAll(s.state, hooks{probe: h.probe}, s.dir)
	must(t, err)
	for _, name := range heldNames(again) {
		if slices.Contains(heldNames(first), name) {
			t.Errorf("failing %d: %s is named twice", h.fail, name)
		}
	}
	r.probe = nil
	_, err = Recover(s.state, s.dir)
	must(t, err)
	must(t, commit1(r, s.state, Op{"another", regular("x\n"), nil}))
	if now := picture(t, s.dir); !maps.Equal(now, want) && !maps.Equal(c.stripped(now, want), want) {
		same(t, "at the end", now, want)
	}
	noJournals(t, s.state)
}

// sameButStaged compares the tree with want, ignoring temps and backups.
func (c cut) sameButStaged(t *testing.T, s scene, want map[string]string) {
	t.Helper()
	if now := c.stripped(picture(t, s.dir), want); !maps.Equal(now, want) {
		same(t, "with leftovers", now, want)
	}
}

func heldNames(all []Recovered) (names []string) {
	for _, r := range all {
		for _, name := range r.Held {
			names = append(names, filepath.Base(name))
		}
	}
	slices.Sort(names)
	return names
}
