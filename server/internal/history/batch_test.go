package history

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// batchOf returns a line patch of n files with n changes each.
func batchOf(block string, n int) Batch {
	b := Batch{Block: block, Batch: protocol.Batch{BatchID: newID(), BatchKey: "k", BatchLabel: "Zeile\n\u00e4"}}
	for i := range n {
		f := protocol.FilePatch{FilePatchID: newID(), DocPath: fmt.Sprintf("p/%d", i), Path: fmt.Sprint(i), FileKey: "f", OriginalSHA256: "0", SHA256: "1"}
		for j := range n {
			f.Changes = append(f.Changes, protocol.PatchChange{ChangeID: newID(), Operation: "insert", AfterLine: &j, NewLines: []string{"x", ""}})
			f.Changes = append(f.Changes, protocol.PatchChange{ChangeID: newID(), Operation: "replace", StartLine: j + 1, EndLine: j + 1, ExpectedOriginalLines: []string{""}, NewLines: []string{}})
		}
		b.Files = append(b.Files, f)
	}
	return b
}

func found(t *testing.T, s *Store, id string, want Batch) Apply {
	t.Helper()
	a, got, err := s.Batch(t.Context(), id)
	must(t, err)
	if diff := cmp.Diff(want.Batch, got); diff != "" {
		t.Errorf("%s: %s", id, diff)
	}
	return a
}

func notFound(t *testing.T, s *Store, id string) {
	t.Helper()
	if _, _, err := s.Batch(t.Context(), id); !errors.Is(err, ErrNoBatch) {
		t.Errorf("%s: %v", id, err)
	}
}

// Every id finds its whole batch, even after a restart, and even if the ids of two batches were created alternately.
func TestBatchById(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := Open(dir)
	must(t, err)
	first, second := batchOf("a", 3), batchOf("b", 2)
	first.Files[2].Changes[0].ChangeID = newID() // higher than the ids of the second batch
	for _, b := range []Batch{first, second} {
		a := apply(b.Block, did("x", text.Content{}, stands("x")))
		a.Batches = []Batch{b}
		must(t, s.Record(ctx, a))
	}
	must(t, s.Close())
	s = open(t, dir)
	for _, b := range []Batch{first, second} {
		for _, id := range ids(b.Batch) {
			if a := found(t, s, id, b); a.Key != b.Block || a.Root != root() || a.Reverted {
				t.Errorf("%+v", a)
			}
		}
	}
	notFound(t, s, newID())
	notFound(t, s, "")
}

// A batch can be found only after its apply is finished, and is deleted with it.
func TestBatchOfApply(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	b, c := batchOf("a", 1), batchOf("a", 1)
	a := apply("key", did("x", text.Content{}, stands("x")))
	a.Batches = []Batch{b, c}
	p, err := s.Begin(ctx, a)
	must(t, err)
	notFound(t, s, b.BatchID)
	must(t, p.Drop(ctx))
	if p, err = s.Begin(ctx, a); err != nil {
		t.Fatal(err)
	}
	must(t, p.Finish(ctx, nil, nil))
	found(t, s, b.BatchID, b)
	all, err := s.Batches(ctx, a.ID)
	must(t, err)
	if diff := cmp.Diff([]protocol.Batch{b.Batch, c.Batch}, all); diff != "" {
		t.Error(diff)
	}
	latest := apply("other", did("x", stands("x"), text.Content{}))
	latest.Time = a.Time.Add(48 * time.Hour)
	must(t, s.Record(ctx, latest))
	if all, err := s.Batches(ctx, latest.ID); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
	must(t, s.Prune(ctx, latest.Time, Limits{Age: 24 * time.Hour}))
	notFound(t, s, b.BatchID)
	notFound(t, s, c.Files[0].FilePatchID)
}

// A search for a block finds the batch of the block's latest apply that is in force.
func TestBatchOfBlock(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	var applies []Apply
	for range 2 {
		a := apply("key", did("x", text.Content{}, stands("x")))
		a.Batches = []Batch{batchOf("block", 1)}
		must(t, s.Record(ctx, a))
		applies = append(applies, a)
	}
	for i := range applies {
		latest := applies[len(applies)-1-i]
		b, err := s.BatchOf(ctx, root(), "block")
		must(t, err)
		if b.BatchID != latest.Batches[0].BatchID {
			t.Errorf("%s", b.BatchID)
		}
		must(t, s.MarkReverted(ctx, latest.ID))
		if a := found(t, s, b.BatchID, latest.Batches[0]); !a.Reverted {
			t.Errorf("%+v", a)
		}
	}
	for _, tt := range [][2]string{{root(), "block"}, {root(), "another"}, {root() + "2", "block"}} {
		if _, err := s.BatchOf(ctx, tt[0], tt[1]); !errors.Is(err, ErrNoBatch) {
			t.Errorf("%v: %v", tt, err)
		}
	}
}

func TestBatchWithoutIds(t *testing.T) {
	s := open(t, t.TempDir())
	for _, broken := range []func(*Batch){
		func(b *Batch) { b.BatchID = "" },
		func(b *Batch) { b.Files[0].FilePatchID = "" },
		func(b *Batch) { b.Files[0].Changes[1].ChangeID = "" },
	} {
		a := apply("key", did("x", text.Content{}, stands("x")))
		b := batchOf("a", 1)
		broken(&b)
		a.Batches = []Batch{b}
		if err := s.Record(t.Context(), a); err == nil {
			t.Error("recorded")
		}
	}
}

func TestDamagedBatch(t *testing.T) {
	s := open(t, t.TempDir())
	a := apply("key", did("x", text.Content{}, stands("x")))
	a.Batches = []Batch{batchOf("a", 2)}
	must(t, s.Record(t.Context(), a))
	_, err := s.db.Exec("UPDATE batch SET data = substr(data, 1, length(data) / 2)")
	must(t, err)
	if _, _, err := s.Batch(t.Context(), a.Batches[0].BatchID); !errors.Is(err, errDamaged) {
		t.Errorf("%v", err)
	}
}

func TestSnippets(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir)
	is := func(docPath, sha string, start, end int, ok bool) {
		t.Helper()
		gotStart, gotEnd, gotOK, err := s.Snippet(ctx, docPath, sha)
		must(t, err)
		if gotStart != start || gotEnd != end || gotOK != ok {
			t.Errorf("%s %s: %d %d %v", docPath, sha, gotStart, gotEnd, gotOK)
		}
	}
	must(t, s.RememberSnippet(ctx, []Snippet{{"s1", "p/a", 1, 2}, {"s1", "p/b", 3, 4}, {"s2", "p/a", 5, 6}}))
	must(t, s.RememberSnippet(ctx, []Snippet{{"s1", "p/a", 7, 8}}))
	must(t, s.RememberSnippet(ctx, nil))
	is("p/a", "s1", 7, 8, true)
	is("p/b", "s1", 3, 4, true)
	is("p/a", "s2", 5, 6, true)
	is("p/b", "s2", 0, 0, false)
	many := make([]Snippet, keptSnippets-1)
	for i := range many {
		many[i] = Snippet{fmt.Sprint("many", i), "p/c", 1, 1}
	}
	must(t, s.RememberSnippet(ctx, many))
	is("p/a", "s2", 0, 0, false)
	is("p/a", "s1", 7, 8, true) // a search returned the same lines again
	is("p/c", "many0", 1, 1, true)
}

func TestVersion(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	first := apply("1", did("a", stands("one"), stands("two")), did("b", text.Content{}, stands("other")))
	second := apply("2", did("a", stands("two"), stands("three")))
	must(t, s.Record(ctx, first))
	must(t, s.Record(ctx, second))
	for _, tt := range []struct {
		root, path, content string
		apply               string
		before              bool
	}{
		{root(), "a", "one", first.ID, true},
		{root(), "a", "two", second.ID, true},
		{root(), "a", "three", second.ID, false},
		{root(), "b", "other", first.ID, false},
		{root(), "b", "one", "", false},
		{root(), "a", "four", "", false},
		{root() + "2", "a", "one", "", false},
	} {
		apply, before, err := s.Version(ctx, tt.root, tt.path, fmt.Sprintf("%x", sum(tt.content)))
		if err != nil || apply != tt.apply || before != tt.before {
			t.Errorf("%+v: %s, %v, %v", tt, apply, before, err)
		}
	}
}
