package history

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

func TestLastInForce(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	first, second, revert := apply("k", did("a", stands("0"), stands("1"))), apply("l", did("a", stands("1"), stands("2"))), apply("", did("a", stands("2"), stands("1")))
	second.Time = first.Time.AddDate(-1, 0, 0) // a clock that was set back
	elsewhere := apply("m", did("a", stands("0"), stands("1")))
	elsewhere.Root = filepath.Join(first.Root, "elsewhere")
	revert.Undoes = second.ID
	last := func(want string) {
		t.Helper()
		if id, err := s.LastInForce(ctx, first.Root); id != want || (want == "") != errors.Is(err, ErrNotFound) {
			t.Errorf("the last is %q, %v; want %q", id, err, want)
		}
	}
	last("")
	must(t, s.Record(ctx, first))
	must(t, s.Record(ctx, second))
	must(t, s.Record(ctx, elsewhere))
	last(second.ID)
	must(t, s.Record(ctx, revert))
	last(first.ID)
	must(t, s.MarkReverted(ctx, first.ID))
	last("")
}

func TestLastOf(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	first, second, third := apply("k", did("a", stands("0"), stands("1"))), apply("k", did("a", stands("1"), stands("2"))), apply("l", did("b", stands("0"), stands("1")))
	elsewhere := apply("k", did("a", stands("0"), stands("1")))
	elsewhere.Root = filepath.Join(first.Root, "elsewhere")
	for _, a := range []Apply{first, second, third, elsewhere} {
		must(t, s.Record(ctx, a))
	}
	last := func(keys []string, want ...string) {
		t.Helper()
		applies, err := s.LastOf(ctx, first.Root, keys)
		must(t, err)
		var got []string
		for _, a := range applies {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %v it is %v, want %v", keys, got, want)
		}
	}
	last(nil)
	last([]string{"m"})
	last([]string{"k"}, second.ID)
	last([]string{"k", "k", "l"}, third.ID, second.ID)
	must(t, s.MarkReverted(ctx, second.ID))
	last([]string{"k"}, first.ID)
}
