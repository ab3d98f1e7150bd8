package disk

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"syscall"
	"testing"
)

// A fault is a way in which an operation may fail.
type fault struct {
	name  string
	err   error
	half  bool // a write has written half of its data before it fails
	stays bool // all later operations also fail, as on a drive that was pulled out
}

var faults = []fault{
	{name: "EIO", err: syscall.EIO},
	{name: "EIO for good", err: syscall.EIO, stays: true},
	{name: "ENOSPC after half a write", err: syscall.ENOSPC, half: true},
	{name: "EACCES", err: syscall.EACCES},
	{name: "EINTR", err: syscall.EINTR},
}

// Whichever operation fails, and in whatever way, the tree is the old one or the new one. This is true at once or, if
// nothing more could be written, after the next start.
func TestEveryOperationMayFail(t *testing.T) {
	for _, c := range cuts {
		for _, f := range faults {
			t.Run(c.name+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				_, records, after := c.record(t)
				for n := range records {
					c.fail(t, f, n, after)
				}
			})
		}
	}
}

// fail lets operation n fail, counted from 0, and checks the tree.
func (c cut) fail(t *testing.T, f fault, n int, after map[string]string) {
	t.Helper()
	s, r := c.start(t)
	r.probe = f.probe(n)
	_, err := r.Commit(context.Background(), s.state, c.tx)
	rollback, left := errors.AsType[*RollbackError](err)
	now := picture(t, s.dir)
	switch {
	case err == nil && !maps.Equal(c.stripped(now, after), after):
		t.Errorf("operation %d: no error, but the tree is %v", n, now)
	case err != nil && !left && !maps.Equal(now, s.before):
		t.Errorf("operation %d: %v, and the tree is %v", n, err, now)
	case left && !f.stays:
		t.Errorf("operation %d: %v", n, rollback)
	}
	if _, err := Recover(s.state, s.dir); err != nil {
		t.Fatalf("operation %d: recover: %v", n, err)
	}
	if now := picture(t, s.dir); !maps.Equal(now, s.before) && !maps.Equal(c.stripped(now, after), after) {
		t.Fatalf("operation %d: after recovery the tree is %v", n, now)
	}
	if _, err := os.Stat(journalDir(s.state)); err == nil {
		noJournals(t, s.state)
	}
}

// stripped returns now without the files and folders that a complete change may leave behind: temps and backups, which
// the next start removes, and empty folders that could not be removed.
func (c cut) stripped(now, after map[string]string) map[string]string {
	all := maps.Clone(now)
	maps.DeleteFunc(all, func(name, _ string) bool {
		_, wanted := after[name]
		return !wanted && (stagedName.MatchString(path.Base(name)) || slices.Contains(c.tx.Prune, name))
	})
	return all
}

func (f fault) probe(n int) func(operation, func() error) error {
	var mu sync.Mutex
	done := 0
	return func(op operation, perform func() error) error {
		mu.Lock()
		defer mu.Unlock()
		done++
		switch {
		case done-1 < n, done-1 > n && !f.stays:
			return perform()
		case f.half && op.kind == opWrite:
			if err := perform(); err != nil {
				return err
			}
			info, err := os.Stat(op.path)
			if err != nil {
				return err
			}
			return errors.Join(os.Truncate(op.path, info.Size()/2), f.err)
		}
		return f.err
	}
}
