package history

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func listed(t testing.TB, s *Store) (ids []string) {
	t.Helper()
	applies, err := s.List(context.Background(), root(), 0)
	must(t, err)
	for _, a := range applies {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestPendingIsInNoList(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	a := apply("k", did("a", stands("1"), stands("2")))
	p, err := s.Begin(ctx, a)
	must(t, err)
	if got := listed(t, s); got != nil {
		t.Errorf("listed: %v", got)
	}
	if _, err := s.Get(ctx, a.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("got with %v", err)
	}
	if known(t, s, "k", tree{"a": stands("2")}) {
		t.Error("it is known already")
	}
	if err := s.MarkReverted(ctx, a.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("marked with %v", err)
	}
	must(t, p.Finish(ctx, []string{"d"}, []string{"e", "e/f"}))
	got, err := s.Get(ctx, a.ID)
	must(t, err)
	a.Made, a.Pruned = []string{"d"}, []string{"e", "e/f"}
	if diff := cmp.Diff(a, got, asRecorded); diff != "" {
		t.Errorf("finished (-want +got):\n%s", diff)
	}
	if !known(t, s, "k", tree{"a": stands("2")}) {
		t.Error("it is not known")
	}
	noLocks(t, s)
}

func noLocks(t testing.TB, s *Store) {
	t.Helper()
	if files, _ := os.ReadDir(s.pendingDir()); len(files) > 0 {
		t.Errorf("%s is left", files[0].Name())
	}
}

func TestDroppedIsGoneWithItsContents(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	must(t, s.Record(ctx, apply("1", did("a", text.Content{}, stands("kept")))))
	p, err := s.Begin(ctx, apply("2", did("a", stands("kept"), stands("dropped"))))
	must(t, err)
	must(t, p.Drop(ctx))
	if count(t, s, "apply") != 1 || count(t, s, "file") != 1 || count(t, s, "blob") != 1 {
		t.Errorf("%d applies, %d files, %d contents", count(t, s, "apply"), count(t, s, "file"), count(t, s, "blob"))
	}
	noLocks(t, s)
	if err := p.Finish(ctx, nil, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("finished with %v", err)
	}
}

// The applies of a running process are not abandoned, even if the process opens the history again.
func TestAbandoned(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, other := open(t, dir), open(t, dir)
	a := apply("k", did("a", stands("1"), stands("2")), did("b", stands("1"), stands("2")))
	a.Made, a.Pruned = []string{"d"}, []string{"e"}
	p, err := s.Begin(ctx, a)
	must(t, err)
	if found, err := other.Abandoned(ctx); err != nil || len(found) != 0 {
		t.Fatalf("found %v, %v", found, err)
	}
	p.Leave()
	found, err := other.Abandoned(ctx)
	must(t, err)
	if len(found) != 1 || found[0].ID != a.ID || found[0].Root != a.Root || found[0].Source != a.Source {
		t.Fatalf("found %+v", found)
	}
	standing, err := found[0].Standing(ctx, tree{"a": stands("1"), "b": stands("2")}.current)
	must(t, err)
	if standing["a"] != Undone || standing["b"] != Left {
		t.Errorf("standing %v", standing)
	}
	made, pruned, err := found[0].Folders(ctx)
	if err != nil || !cmp.Equal(made, a.Made) || !cmp.Equal(pruned, a.Pruned) {
		t.Errorf("folders %v, %v, %v", made, pruned, err)
	}
	if again, err := s.Abandoned(ctx); err != nil || len(again) != 0 {
		t.Errorf("two have it: %v, %v", again, err)
	}
	must(t, found[0].Finish(ctx, made, pruned))
	if got := listed(t, s); len(got) != 1 {
		t.Errorf("listed %v", got)
	}
	noLocks(t, s)
}

// The lock is missing, because another program cleaned up the state folder.
func TestAbandonedWithoutItsLock(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	p, err := s.Begin(ctx, apply("k", did("a", stands("1"), stands("2"))))
	must(t, err)
	p.Leave()
	must(t, os.RemoveAll(s.pendingDir()))
	found, err := s.Abandoned(ctx)
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	must(t, found[0].Drop(ctx))
}

// A folder in place of the lock cannot be opened. On Windows, a lock that another process is removing cannot be opened
// either.
func TestTakeOverWhileItsLockIsRemoved(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	p, err := s.Begin(ctx, apply("k", did("a", stands("1"), stands("2"))))
	must(t, err)
	seen, err := s.allPending(ctx, "SELECT id, root, source FROM apply WHERE pending")
	must(t, err)
	must(t, p.Finish(ctx, nil, nil))
	must(t, os.Mkdir(p.lock.Path(), 0o700))
	if taken, err := seen[0].takeOver(ctx); taken || err != nil {
		t.Errorf("what another process ended is taken: %v, %v", taken, err)
	}
}

func TestTakeOverWithoutItsLock(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	p, err := s.Begin(ctx, apply("k", did("a", stands("1"), stands("2"))))
	must(t, err)
	p.Leave()
	must(t, os.Mkdir(p.lock.Path(), 0o700))
	if found, err := s.Abandoned(ctx); err == nil {
		t.Errorf("found %v without a lock", found)
	}
	if _, err := os.Stat(p.lock.Path()); err != nil {
		t.Errorf("what is in the place of the lock: %v", err)
	}
}

func TestNoHistoryHasNothingPending(t *testing.T) {
	var p *Pending
	must(t, errors.Join(p.Finish(context.Background(), nil, nil), p.Drop(context.Background())))
	p.Leave()
}

// Marking an apply as reverted updates the whole chain of reverts.
func TestRevertsOfReverts(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	var ids []string
	record := func(undoes string) string {
		a := apply("", did("a", stands("1"), stands("2")))
		a.Undoes = undoes
		ids = append(ids, a.ID)
		p, err := s.Begin(ctx, a)
		must(t, err)
		must(t, p.Finish(ctx, nil, nil))
		return a.ID
	}
	expect := func(want ...bool) {
		t.Helper()
		for i, id := range ids {
			a, err := s.Get(ctx, id)
			must(t, err)
			if a.Reverted != want[i] {
				t.Errorf("after %d applies, the one of index %d is reverted: %v", len(ids), i, a.Reverted)
			}
		}
	}
	first := record("")
	expect(false)
	second := record(first)
	expect(true, false)
	third := record(second)
	expect(false, true, false)
	record(third)
	expect(true, false, true, false)
	must(t, s.MarkReverted(ctx, first))
	expect(true, false, true, false)
	record(newID()) // record of an apply that is no longer known
	expect(true, false, true, false, false)
}

func TestRecordIDsAreTakenOnce(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	a := apply("k", did("a", stands("1"), stands("2")))
	p, err := s.Begin(ctx, a)
	must(t, err)
	if _, err := s.Begin(ctx, a); err == nil {
		t.Error("begun twice")
	}
	if _, err := os.Stat(filepath.Join(s.pendingDir(), a.ID+".lock")); err != nil {
		t.Errorf("the lock of the first: %v", err)
	}
	must(t, p.Finish(ctx, nil, nil))
	if _, err := s.Begin(ctx, a); err == nil {
		t.Error("begun again")
	}
	noLocks(t, s)
}

// The id of a row is used as the name of its lock. A forged id could name a file elsewhere.
func TestPlantedPendingIDs(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	victim := filepath.Join(dir, "victim", "Cargo.lock")
	must(t, os.MkdirAll(filepath.Dir(victim), 0o755))
	must(t, os.WriteFile(victim, []byte("keep"), 0o600))
	s := open(t, filepath.Join(dir, "state"))
	linked := apply("k", did("a", stands("1"), stands("2")))
	for _, id := range []string{"../../victim/Cargo", victim, "..", linked.ID} {
		a := apply("k", did("a", stands("1"), stands("2")))
		if a.ID = id; id != linked.ID {
			if p, err := s.Begin(ctx, a); err == nil {
				p.Leave()
				t.Errorf("begun with the id %q", id)
			}
		}
		must(t, s.record(ctx, a))
	}
	must(t, os.MkdirAll(s.pendingDir(), 0o700))
	needs.Links(t)
	must(t, os.Symlink(filepath.Join(dir, "victim", "new"), filepath.Join(s.pendingDir(), linked.ID+".lock")))
	abandoned, err := s.Abandoned(ctx)
	must(t, err)
	for _, p := range abandoned {
		t.Errorf("%q is taken over", p.ID)
		p.Leave()
	}
	if found, _ := os.ReadDir(filepath.Dir(victim)); len(found) != 1 {
		t.Errorf("beside the state folder are %v", found)
	}
}

func TestPlantedPendingFolder(t *testing.T) {
	needs.Links(t)
	dir, outside := t.TempDir(), t.TempDir()
	s := open(t, dir)
	must(t, os.Symlink(outside, s.pendingDir()))
	if _, err := s.Begin(context.Background(), apply("k", did("a", stands("1"), stands("2")))); err == nil {
		t.Error("a lock was made elsewhere")
	}
}

// The history never writes through a link, and never opens a FIFO.
func TestPlantedLinks(t *testing.T) {
	needs.Links(t)
	needs.Program(t, "mkfifo")
	dir := t.TempDir()
	must(t, exec.Command("mkfifo", filepath.Join(dir, "history.lock")).Run())
	if _, err := Open(dir); err == nil {
		t.Error("opened with a FIFO as its lock")
	}
	for _, name := range []string{FileName, FileName + "-wal", "history.lock", FileName + "-damaged"} {
		dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "file")
		if name == FileName {
			must(t, os.WriteFile(outside, nil, 0o600))
		}
		must(t, os.Symlink(outside, filepath.Join(dir, name)))
		if s, err := Open(dir); err == nil {
			_ = s.Close()
			t.Errorf("opened through %s", name)
		}
		if info, err := os.Stat(outside); err == nil && (name != FileName || info.Size() > 0) {
			t.Errorf("written through %s", name)
		}
	}
}
