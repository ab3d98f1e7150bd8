package history

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/internal/text"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func daysOld(days int, files ...File) Apply {
	a := apply("k", files...)
	a.Time = noon.AddDate(0, 0, -days)
	return a
}

// random returns content that cannot be compressed.
func random(size int) text.Content {
	data := make([]byte, size)
	rand.Read(data)
	return stands(string(data))
}

func TestPruneByAge(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	shared, own := stands("shared"), stands("own")
	var ids []string
	for _, a := range []Apply{
		daysOld(40, did("a", own, shared)), daysOld(31, did("a", shared, text.Content{})), daysOld(29, did("a", text.Content{}, shared)), daysOld(0, did("b", text.Content{}, shared)),
	} {
		must(t, s.Record(ctx, a))
		ids = append(ids, a.ID)
	}
	must(t, s.Prune(ctx, noon, Limits{}))
	if got := listed(t, s); len(got) != 4 {
		t.Fatalf("without limits %d are left", len(got))
	}
	must(t, s.Prune(ctx, noon, Limits{Age: 30 * 24 * time.Hour}))
	if got := listed(t, s); !slices.Equal(got, []string{ids[3], ids[2]}) {
		t.Errorf("left: %v of %v", got, ids)
	}
	if got := count(t, s, "blob"); got != 1 || count(t, s, "file") != 2 {
		t.Errorf("%d contents are left", got)
	}
	must(t, s.Prune(ctx, noon.AddDate(1, 0, 0), Limits{Age: time.Hour}))
	if got := listed(t, s); !slices.Equal(got, ids[3:]) {
		t.Errorf("the latest does not stay: %v", got)
	}
}

func TestPruneBySizeGivesSpaceBack(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	const each, kept, size = 400 << 10, 3, 2 << 20
	var last string
	for range 40 {
		a := daysOld(0, did("a", text.Content{}, random(each)))
		must(t, s.Record(ctx, a))
		must(t, s.Prune(ctx, noon, Limits{Size: size}))
		last = a.ID
	}
	if got := listed(t, s); len(got) < kept || len(got) > size/each || got[0] != last {
		t.Errorf("%d are left", len(got))
	}
	must(t, s.Close())
	s2 := open(t, s.path[:len(s.path)-len(FileName)])
	info, err := os.Stat(s2.path)
	must(t, err)
	if info.Size() > 2*size {
		t.Errorf("the file has %d bytes", info.Size())
	}
}

// An apply that is larger than the limit by itself can still be reverted.
func TestTheLatestStaysHoweverLarge(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	must(t, s.Record(ctx, daysOld(0, did("a", text.Content{}, random(1<<20)))))
	must(t, s.Record(ctx, daysOld(0, did("a", text.Content{}, random(1<<20)))))
	must(t, s.Prune(ctx, noon, Limits{Size: 1}))
	if got := listed(t, s); len(got) != 1 {
		t.Errorf("%d are left", len(got))
	}
}

// The record of an interrupted apply is kept until a start has found out whether the apply was made, even if nobody
// starts Aptix for a long time.
func TestPendingIsNotPruned(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	old := daysOld(400, did("a", stands("was"), stands("is")))
	p, err := s.Begin(ctx, old)
	must(t, err)
	p.Leave()
	must(t, s.Record(ctx, daysOld(0, did("b", text.Content{}, stands("b")))))
	must(t, s.Prune(ctx, noon, Limits{Age: time.Hour, Size: 1}))
	abandoned, err := s.Abandoned(ctx)
	must(t, err)
	if len(abandoned) != 1 || abandoned[0].ID != old.ID {
		t.Fatalf("left: %v", abandoned)
	}
	must(t, abandoned[0].Finish(ctx, nil, nil))
	must(t, s.Prune(ctx, noon, Limits{Age: time.Hour}))
	if got := listed(t, s); slices.Contains(got, old.ID) {
		t.Errorf("it stays after its end: %v", got)
	}
}

// One call of Prune does a bounded amount of work.
func TestPruneIsBounded(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	for i := range pruneBatch + 10 {
		must(t, s.Record(ctx, daysOld(40, did("a", text.Content{}, stands(fmt.Sprint(i))))))
	}
	for _, want := range []int{10, 1, 1} {
		must(t, s.Prune(ctx, noon, Limits{Age: time.Hour}))
		if got := listed(t, s); len(got) != want {
			t.Errorf("%d are left, want %d", len(got), want)
		}
	}
}

func TestLimitsAreShared(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, other := open(t, dir), open(t, dir)
	must(t, s.SetLimits(ctx, Limits{Age: time.Hour, Size: 7}))
	if got, err := other.limits(ctx, Limits{1, 1}); err != nil || got != (Limits{time.Hour, 7}) {
		t.Errorf("got %v, %v", got, err)
	}
	must(t, other.SetLimits(ctx, Limits{}))
	if got, err := s.limits(ctx, Limits{1, 1}); err != nil || got != (Limits{}) {
		t.Errorf("got %v, %v", got, err)
	}
}
