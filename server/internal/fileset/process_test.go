package fileset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

// eachIsolation also runs a test on a server that rejects conflicting reads and asks the
// client to try again (SQLSTATE 40001).
func eachIsolation(t *testing.T, test func(t *testing.T, where string)) {
	eachDatabase(t, test)
	t.Run("serializable", func(t *testing.T) { test(t, postgrestest.URL(t)+"&default_transaction_isolation=serializable") })
}

// This binary also runs as the other processes of the tests below. If these variables are
// set, it adds its lines to a file of that set.
const (
	childWhere = "APTIX_TEST_FILE_SET"
	childName  = "APTIX_TEST_NAME"
)

const shareFile, linesEach = "r/shared.txt", 15

func child(where string) error {
	if _, err := io.ReadAll(os.Stdin); err != nil { // all processes start when their input ends
		return err
	}
	return addLines(where, os.Getenv(childName))
}

// addLines opens a set and appends lines to a file. It retries each line on the latest
// revision until it is stored.
func addLines(where, name string) error {
	ctx := context.Background()
	s, err := Open(ctx, where)
	if err != nil {
		return err
	}
	defer s.Close()
	for n := 0; n < linesEach; {
		f, err := s.Get(ctx, shareFile)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		base := Base{f.Revision, f.SHA256}
		_, err = s.Put(ctx, "cli", []Upload{{DocPath: shareFile, Base: base, Content: f.Content + fmt.Sprintf("%s-%d\n", name, n)}})
		if conflict := new(ConflictError); !errors.As(err, &conflict) {
			n++
		} else {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Processes and goroutines create the set and write one file at the same time. No update is
// lost, and each creates one revision.
func TestManyAtOnce(t *testing.T) {
	const processes, goroutines = 2, 4
	eachIsolation(t, func(t *testing.T, where string) {
		var all sync.WaitGroup
		for n := range processes {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childWhere+"="+where, fmt.Sprintf("%s=process%d", childName, n))
			problems := &strings.Builder{}
			cmd.Stderr = problems
			begin, err := cmd.StdinPipe()
			must(t, err)
			must(t, cmd.Start())
			all.Go(func() {
				begin.Close()
				if err := cmd.Wait(); err != nil {
					t.Errorf("a process ended with %v: %s", err, problems)
				}
			})
		}
		for n := range goroutines {
			all.Go(func() {
				if err := addLines(where, fmt.Sprintf("goroutine%d", n)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		f := get(t, open(t, where), shareFile)
		lines := strings.Fields(f.Content)
		if want := (processes + goroutines) * linesEach; len(lines) != want || f.Revision != int64(want) {
			t.Errorf("%d lines in revision %d, want %d of each", len(lines), f.Revision, want)
		}
		slices.Sort(lines)
		if len(slices.Compact(lines)) != len(lines) {
			t.Error("a line is there twice")
		}
	})
}

// Of many uploads with the same base, one is stored. The others get a conflict that names the stored upload.
func TestOneWins(t *testing.T) {
	const goroutines = 8
	ctx := context.Background()
	eachIsolation(t, func(t *testing.T, where string) {
		handles := []*Set{open(t, where), open(t, where)}
		base := Base{}
		for round := range 6 {
			errs := make([]error, goroutines)
			var all sync.WaitGroup
			for n := range errs {
				uploads := []Upload{{DocPath: "a", Base: base, Content: fmt.Sprint(round, n)}, {DocPath: "b", Base: base, Content: fmt.Sprint(round, n)}}
				if n%2 == 0 {
					slices.Reverse(uploads)
				}
				all.Go(func() { _, errs[n] = handles[n%2].Put(ctx, "cli", uploads) })
			}
			all.Wait()
			a, b := get(t, handles[0], "a"), get(t, handles[1], "b")
			if a.Content != b.Content || a.Revision != int64(round+1) || b.Revision != int64(round+1) {
				t.Errorf("round %d: %v and %v", round, a, b)
			}
			checkLosers(t, errs, a.Entry)
			base = Base{a.Revision, a.SHA256}
		}
	})
}

func checkLosers(t *testing.T, errs []error, won Entry) {
	t.Helper()
	winners := 0
	for _, err := range errs {
		conflict := new(ConflictError)
		switch {
		case err == nil:
			winners++
		case !errors.As(err, &conflict):
			t.Error(err)
		case len(conflict.Conflicts) != 2 || conflict.Conflicts[0].Standing.Revision != won.Revision || conflict.Conflicts[0].Standing.SHA256 != won.SHA256:
			t.Errorf("told of %+v, where the set has %+v", conflict.Conflicts, won)
		}
	}
	if winners != 1 {
		t.Errorf("%d won", winners)
	}
}
