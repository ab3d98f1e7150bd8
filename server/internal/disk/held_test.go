package disk

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// holding returns a probe that lets operations on one file fail a number of times, as if
// another program held the file.
func holding(kind opKind, file string, times int) (probe func(operation, func() error) error, failed *int) {
	failed = new(int)
	return func(op operation, perform func() error) error {
		if op.kind == kind && (filepath.Base(op.path) == file || filepath.Base(op.to) == file) && *failed < times {
			*failed++
			return ErrHeld
		}
		return perform()
	}, failed
}

var heldKinds = map[string]struct {
	kind opKind
	op   Op
}{
	"modify": {opRename, Op{"b.txt", regular("b"), regular("B")}},
	"delete": {opRemove, Op{"b.txt", regular("b"), nil}},
}

func TestHeldForAMoment(t *testing.T) {
	for name, c := range heldKinds {
		t.Run(name, func(t *testing.T) {
			dir, state := t.TempDir(), t.TempDir()
			gittest.Lay(t, dir, map[string]string{"a.txt": "a", "b.txt": "b"})
			r := open(t, dir)
			probe, failed := holding(c.kind, "b.txt", 3)
			r.probe = probe
			must(t, commit1(r, state, Op{"a.txt", regular("a"), regular("A")}, c.op))
			if now := picture(t, dir); *failed != 3 || now["a.txt"] != "-rw-r--r-- A" || now["b.txt"] == "-rw-r--r-- b" {
				t.Errorf("held %d times, and the tree is %v", *failed, now)
			}
			noJournals(t, state)
		})
	}
}

func TestHeldForLong(t *testing.T) {
	for name, c := range heldKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, state := t.TempDir(), t.TempDir()
			gittest.Lay(t, dir, map[string]string{"a.txt": "a", "b.txt": "b"})
			before := picture(t, dir)
			r := open(t, dir)
			r.probe, _ = holding(c.kind, "b.txt", 1<<30)
			err := commit1(r, state, Op{"a.txt", regular("a"), regular("A")}, c.op)
			if _, ok := errors.AsType[*RollbackError](err); ok || !errors.Is(err, ErrHeld) {
				t.Errorf("commit: %v", err)
			}
			same(t, "refused", picture(t, dir), before)
			noJournals(t, state)
		})
	}
}

// A transaction waits for all held files together, for the time of one wait.
func TestOneWaitForAll(t *testing.T) {
	var w wait
	start := time.Now()
	end := w.deadline(start)
	if end.Sub(start) != patience {
		t.Errorf("the first wait is %v", end.Sub(start))
	}
	for _, later := range []time.Duration{patience / 2, patience, patience + rest/2} {
		if w.deadline(start.Add(later)) != end {
			t.Errorf("after %v it waits again", later)
		}
	}
	if again := start.Add(patience + rest + time.Second); w.deadline(again) != again.Add(patience) {
		t.Error("after a rest it does not wait")
	}
}
