package disk

import (
	"context"
	"errors"
	"maps"
	"testing"
)

// withRest adds a function Rest to the change. Rest checks that it sees the new tree, and then returns err.
func (c cut) withRest(t *testing.T, s scene, after map[string]string, calls *int, err error) Transaction {
	tx := c.tx
	tx.Rest = func() error {
		*calls++
		c.sameButStaged(t, s, after)
		return err
	}
	return tx
}

// Rest is called after all files have changed. If it returns an error, they are restored.
func TestRest(t *testing.T) {
	refused := errors.New("refused")
	for _, c := range cuts {
		_, _, after := c.record(t)
		for _, want := range []error{nil, refused} {
			s, r := c.start(t)
			calls := 0
			_, err := r.Commit(context.Background(), s.state, c.withRest(t, s, after, &calls, want))
			if !errors.Is(err, want) || calls != 1 {
				t.Errorf("%s: %v after %d calls, want %v", c.name, err, calls, want)
			}
			tree := after
			if want != nil {
				tree = s.before
			}
			same(t, c.name, picture(t, s.dir), tree)
			noJournals(t, s.state)
		}
	}
}

// After a panic, the change is taken back and the folder is unlocked before the caller can
// recover from the panic.
func TestPanicTakesTheChangeBack(t *testing.T) {
	for _, c := range cuts {
		_, _, after := c.record(t)
		for name, panics := range map[string]func(*Root, *Transaction){
			"being staged": func(r *Root, _ *Transaction) { r.probe = beforeEach(panicInWorker) },
			"staged":       func(_ *Root, tx *Transaction) { tx.Ready = func() error { panic("boom") } },
			"changed":      func(_ *Root, tx *Transaction) { tx.Rest = func() error { panic("boom") } },
		} {
			s, r := c.start(t)
			tx := c.tx
			panics(r, &tx)
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: the panic when it was %s is gone", c.name, name)
					}
				}()
				_, _ = r.Commit(context.Background(), s.state, tx)
			}()
			same(t, c.name+" "+name, picture(t, s.dir), s.before)
			noJournals(t, s.state)
			r.probe = nil
			if _, err := r.Commit(context.Background(), s.state, c.tx); err != nil {
				t.Errorf("%s: the change after it: %v", c.name, err)
			}
			same(t, c.name, picture(t, s.dir), after)
		}
	}
}

// panicInWorker panics in one of the goroutines that stage.
func panicInWorker(step string) error {
	if step == writeTemp || step == keepBackup {
		panic("boom")
	}
	return nil
}

func TestRestOfNothing(t *testing.T) {
	s, r := cuts[0].start(t)
	calls := 0
	_, err := r.Commit(context.Background(), s.state, Transaction{Rest: func() error { calls++; return nil }})
	if err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// If any operation fails, an error means that all files are as before. If Rest was called,
// its caller must undo what Rest did.
func TestEveryOperationMayFailAroundRest(t *testing.T) {
	for _, c := range cuts {
		_, records, after := c.record(t)
		for n := range records {
			s, r := c.start(t)
			calls := 0
			r.probe = fault{err: errInjected}.probe(n)
			_, err := r.Commit(context.Background(), s.state, c.withRest(t, s, after, &calls, nil))
			if calls > 1 || err == nil && calls == 0 {
				t.Errorf("%s: %v after %d calls", c.name, err, calls)
			}
			want := after
			if err != nil {
				want = s.before
			}
			_, err = Recover(s.state, s.dir)
			must(t, err)
			if now := picture(t, s.dir); !maps.Equal(now, want) && !maps.Equal(c.stripped(now, want), want) {
				same(t, c.name, now, want)
			}
		}
	}
}

// If a process dies during Rest, the next start takes the change back.
func TestDiesInRest(t *testing.T) {
	for _, c := range cuts {
		_, _, after := c.record(t)
		s, r := c.start(t)
		calls := 0
		tx := c.withRest(t, s, after, &calls, nil)
		rest := tx.Rest
		tx.Rest = func() error {
			r.probe = func(operation, func() error) error { return errInjected } // from here on no operation succeeds
			return errors.Join(rest(), errInjected)
		}
		_, err := r.Commit(context.Background(), s.state, tx)
		if _, torn := errors.AsType[*RollbackError](err); !torn {
			t.Fatalf("%s: %v", c.name, err)
		}
		done, err := Recover(s.state, s.dir)
		must(t, err)
		if len(done) != 1 || done[0].Done || len(done[0].Left) > 0 {
			t.Errorf("%s: recovered %+v", c.name, done)
		}
		same(t, c.name, picture(t, s.dir), s.before)
		noJournals(t, s.state)
	}
}
