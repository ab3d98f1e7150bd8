package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// This binary also runs as the other processes of the tests below. If these variables are
// set, it records to a store and prints each id after recording it.
const (
	childDir    = "APTIX_TEST_STORE"
	childWrites = "APTIX_TEST_WRITES"
	childPrunes = "APTIX_TEST_PRUNES"
)

func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := child(dir, os.Getenv(childWrites)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(dir, writes string) error {
	if _, err := io.ReadAll(os.Stdin); err != nil { // all processes start when their input ends
		return err
	}
	s, err := Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if os.Getenv(childPrunes) != "" {
		return pruning(s, len(writes))
	}
	for n := 0; writes == "" || n < len(writes); n++ {
		a := apply("k", did("shared", stands("0"), stands("1")), did("own", text.Content{}, stands(newID())))
		if err := s.Record(context.Background(), a); err != nil {
			return err
		}
		fmt.Println(a.ID)
		if err := read(s, a.ID); err != nil {
			return err
		}
		if n%3 == 0 {
			if err := s.MarkReverted(context.Background(), a.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func read(s *Store, id string) error {
	ctx := context.Background()
	a, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	if len(a.Files) != 2 || a.Files[0].After.Data != "1" {
		return fmt.Errorf("%s came back as %v", id, a)
	}
	if _, err := s.List(ctx, a.Root, 5); err != nil {
		return err
	}
	_, err = s.Standing(ctx, a.Root, a.Key, tree{}.current)
	return err
}

// start runs a child that waits until its input is closed.
func start(t *testing.T, dir, writes string) (cmd *exec.Cmd, begin io.Closer, ids *bufio.Scanner, problems *strings.Builder) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, childWrites+"="+writes)
	problems = &strings.Builder{}
	cmd.Stderr = problems
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, in, bufio.NewScanner(out), problems
}

// Processes and goroutines create the file, record and read, all at once.
func TestManyAtOnce(t *testing.T) {
	const processes, goroutines, writes = 3, 3, 8
	dir := t.TempDir()
	var mu sync.Mutex
	want := map[string]bool{}
	add := func(id string) {
		mu.Lock()
		defer mu.Unlock()
		want[id] = true
	}
	var all sync.WaitGroup
	for range processes {
		cmd, begin, ids, problems := start(t, dir, strings.Repeat("x", writes))
		all.Go(func() {
			begin.Close()
			for ids.Scan() {
				add(ids.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("a process ended with %v: %s", err, problems)
			}
		})
	}
	for range goroutines {
		all.Go(func() {
			s, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			var inside sync.WaitGroup // the goroutines share a store
			for range 2 {
				inside.Go(func() {
					for range writes / 2 {
						a := apply("k", did("shared", stands("0"), stands("1")), did("own", text.Content{}, stands("")))
						if err := errors.Join(s.Record(context.Background(), a), read(s, a.ID)); err != nil {
							t.Error(err)
						}
						add(a.ID)
					}
				})
			}
			inside.Wait()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(want) != (processes+goroutines)*writes {
		t.Errorf("%d were recorded, want %d", len(want), (processes+goroutines)*writes)
	}
	complete(t, dir, want)
}

// A process can be killed at any moment without losing a finished record, or leaving a partial one.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	want := map[string]bool{}
	for round := range 4 {
		cmd, begin, ids, problems := start(t, dir, "")
		must(t, begin.Close())
		for n := 0; n <= 3*round && ids.Scan(); n++ {
			want[ids.Text()] = true
		}
		must(t, cmd.Process.Kill())
		for ids.Scan() {
			want[ids.Text()] = true
		}
		cmd.Wait()
		if problems.Len() > 0 {
			t.Errorf("before it was killed: %s", problems)
		}
		complete(t, dir, want)
	}
}

// complete fails the test unless the history has all ids, each apply is whole, and SQLite
// finds no fault in the file.
func complete(t *testing.T, dir string, want map[string]bool) {
	t.Helper()
	s := open(t, dir)
	applies, err := s.List(context.Background(), root(), 0)
	must(t, err)
	missing := len(want)
	for _, a := range applies {
		if want[a.ID] {
			missing--
		}
		must(t, read(s, a.ID))
	}
	if missing > 0 {
		t.Errorf("%d of %d applies are lost", missing, len(want))
	}
	var verdict string
	must(t, s.db.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	if verdict != "ok" {
		t.Error(verdict)
	}
}

// pruning alternately records applies to keep and old ones, begins applies and drops them,
// reads, and prunes.
func pruning(s *Store, rounds int) error {
	ctx, now := context.Background(), time.Now()
	limits := Limits{Age: 30 * 24 * time.Hour}
	for n := range rounds {
		old := apply("k", did("old", text.Content{}, random(100<<10)), did("shared", stands("0"), stands("1")))
		kept, dropped := apply("k", did("own", text.Content{}, stands("1")), did("shared", stands("0"), stands(newID()))), apply("k", did("x", text.Content{}, stands(newID())))
		kept.Time, dropped.Time = now, now
		then := old.Time
		old.Time = now // with an old time, others would drop it before it is finished
		if err := s.Record(ctx, old); err != nil {
			return err
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE apply SET time = ? WHERE id = ?", then.UnixMicro(), old.ID); err != nil {
			return err
		}
		p, err := s.Begin(ctx, kept)
		if err != nil {
			return err
		}
		q, err := s.Begin(ctx, dropped)
		if err != nil {
			return err
		}
		abandoned, err := s.Abandoned(ctx)
		if err != nil || len(abandoned) > 0 {
			return fmt.Errorf("%d are taken for abandoned: %w", len(abandoned), err)
		}
		if err := errors.Join(p.Finish(ctx, nil, nil), q.Drop(ctx), s.Prune(ctx, now, limits), read(s, kept.ID)); err != nil {
			return err
		}
		if n%2 == 0 {
			if err := s.SetLimits(ctx, limits); err != nil {
				return err
			}
		}
		fmt.Println(kept.ID)
	}
	return nil
}

// Processes record, prune and read at the same time. No apply that must be kept is lost, and
// no process fails because the file is locked.
func TestManyPruneAtOnce(t *testing.T) {
	const processes, rounds = 4, 25
	t.Setenv(childPrunes, "yes")
	dir := t.TempDir()
	var mu sync.Mutex
	want := map[string]bool{}
	var all sync.WaitGroup
	for range processes {
		cmd, begin, ids, problems := start(t, dir, strings.Repeat("x", rounds))
		all.Go(func() {
			begin.Close()
			for ids.Scan() {
				mu.Lock()
				want[ids.Text()] = true
				mu.Unlock()
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("a process ended with %v: %s", err, problems)
			}
		})
	}
	all.Wait()
	if len(want) != processes*rounds {
		t.Errorf("%d were recorded, want %d", len(want), processes*rounds)
	}
	complete(t, dir, want)
	s := open(t, dir)
	must(t, s.Prune(context.Background(), time.Now(), Limits{}))
	if got := len(listed(t, s)); got != len(want) {
		t.Errorf("%d are left, want %d", got, len(want))
	}
	noLocks(t, s)
	// The history has the contents of the applies that are kept, and the two contents that
	// all of them share.
	if got := count(t, s, "blob"); got != len(want)+2 {
		t.Errorf("%d contents are left, want %d", got, len(want)+2)
	}
}
