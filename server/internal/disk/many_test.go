package disk

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// manyTransaction is large enough for several goroutines to work in each directory.
// A sixth of its files are new, a sixth deleted.
func manyTransaction() (files map[string]string, tx Transaction) {
	files, tx = map[string]string{}, Transaction{ID: "many"}
	for i := range 120 {
		op := Op{fmt.Sprintf("d%d/e%d/file-%d.txt", i%2, i%3, i), regular("old\n"), regular(fmt.Sprintf("new %d\n", i))}
		switch i / 6 % 6 {
		case 0:
			op.Before = nil
		case 1:
			op.After = nil
		}
		if op.Before != nil {
			files[op.Path] = op.Before.Data
		}
		tx.Ops = append(tx.Ops, op)
	}
	return files, tx
}

func manyScene(t *testing.T) (scene, Transaction) {
	t.Helper()
	s := scene{dir: t.TempDir(), state: t.TempDir()}
	must(t, os.Mkdir(journalDir(s.state), 0o700))
	files, tx := manyTransaction()
	gittest.Lay(t, s.dir, files)
	s.before = picture(t, s.dir)
	return s, tx
}

func manyAfter(t *testing.T) (after map[string]string, steps []string) {
	t.Helper()
	s, tx := manyScene(t)
	r, count := open(t, s.dir), failAt(0)
	r.probe = beforeEach(count.step)
	_, err := r.Commit(context.Background(), s.state, tx)
	must(t, err)
	noJournals(t, s.state)
	after = picture(t, s.dir)
	for _, op := range tx.Ops {
		switch now := after[op.Path]; {
		case op.After == nil && now != "", op.After != nil && now != "-rw-r--r-- "+op.After.Data:
			t.Errorf("%s is %q", op.Path, now)
		}
	}
	return after, count.names
}

// There are too many steps to test all of them, even each night. The tested steps include the last steps of each phase.
func TestManyFilesMayFailAndCrash(t *testing.T) {
	t.Parallel()
	after, steps := manyAfter(t)
	exe, err := os.Executable()
	must(t, err)
	staged, every := slices.Index(steps, markBegun), max(97, trials.OneIn(97))
	for n := 1; n <= len(steps); n++ {
		if ends := n == len(steps) || steps[n] != steps[n-1]; n%every != 0 && (!ends || n < staged) {
			continue
		}
		s, tx := manyScene(t)
		r := open(t, s.dir)
		r.probe = beforeEach(failAt(n).step)
		_, err := r.Commit(context.Background(), s.state, tx)
		want := s.before
		if err == nil {
			want = after
		} else if made(steps, n) {
			t.Fatal(err)
		}
		_, err = Recover(s.state, s.dir)
		must(t, err)
		same(t, "failed at "+steps[n-1], picture(t, s.dir), want)
		noJournals(t, s.state)
		want = s.before
		if made(steps, n) {
			want = after
		}
		killMany(t, exe, n, want)
	}
}

func killMany(t *testing.T, exe string, n int, want map[string]string) {
	t.Helper()
	s, tx := manyScene(t)
	if out, finished := RunAndKill(t, helper(t, exe, order{s.dir, s.state, tx, n})); finished {
		t.Fatalf("it lived through step %d: %s", n, out)
	}
	_, err := Recover(s.state, s.dir)
	must(t, err)
	same(t, "after kill -9 and recovery", picture(t, s.dir), want)
	noJournals(t, s.state)
}

func TestHasContent(t *testing.T) {
	large, buf := strings.Repeat("0123456789", 60<<10), make([]byte, 1000)
	for _, c := range []struct {
		file, data string
		want       bool
	}{
		{"", "", true}, {"a", "", false}, {"", "a", false}, {"a", "a", true}, {"a", "b", false}, {"ab", "a", false}, {"a", "ab", false},
		{large, large, true}, {large + "x", large, false}, {large, large + "x", false}, {large[1:] + "x", large, false},
	} {
		if got, err := hasContent(strings.NewReader(c.file), c.data, buf); got != c.want || err != nil {
			t.Errorf("%d bytes hold %d: %v, %v", len(c.file), len(c.data), got, err)
		}
		if got, err := hasContent(iotest.DataErrReader(iotest.HalfReader(strings.NewReader(c.file))), c.data, buf); got != c.want || err != nil {
			t.Errorf("in pieces, %d bytes hold %d: %v, %v", len(c.file), len(c.data), got, err)
		}
	}
	if _, err := hasContent(iotest.ErrReader(errInjected), "a", buf); err != errInjected {
		t.Errorf("a failure to read is %v", err)
	}
}

// BenchmarkCommitModified modifies files as a large patch does: many files in a few
// directories, or only one.
func BenchmarkCommitModified(b *testing.B) {
	for _, c := range []struct{ files, size int }{{1, 4 << 10}, {30, 4 << 10}, {1000, 4 << 10}, {1, 8 << 20}} {
		b.Run(fmt.Sprintf("%dx%d", c.files, c.size), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				dir, state := b.TempDir(), b.TempDir()
				files := map[string]string{}
				var ops []Op
				for i := range c.files {
					op := Op{fmt.Sprintf("dir%d/file%d.txt", i%20, i), regular(strings.Repeat("old line\n", c.size/9)), regular(strings.Repeat("new line\n", c.size/9))}
					files[op.Path] = op.Before.Data
					ops = append(ops, op)
				}
				gittest.Lay(b, dir, files)
				r := open(b, dir)
				b.StartTimer()
				must(b, commit1(r, state, ops...))
			}
		})
	}
}
