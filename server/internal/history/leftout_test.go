package history

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The history remembers, for each root, which parts of a block are left out, until the person includes
// them again. If there are too many blocks, it keeps the latest.
func TestLeftOut(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := Open(dir)
	must(t, err)
	must(t, s.LeaveOut(ctx, "/w", "a", LeftOut{Parts: []int{1, 3}}))
	must(t, s.LeaveOut(ctx, "/w", "b", LeftOut{Missing: []int{0}}))
	must(t, s.LeaveOut(ctx, "/other", "a", LeftOut{Parts: []int{2}}))
	must(t, s.LeaveOut(ctx, "/w", "b", LeftOut{}))
	must(t, s.Close())
	s, err = Open(dir)
	must(t, err)
	defer s.Close()
	got, err := s.LeftOut(ctx, "/w/")
	must(t, err)
	if d := cmp.Diff(map[string]LeftOut{"a": {Parts: []int{1, 3}}}, got); d != "" {
		t.Error(d)
	}
	for n := range keptLeftOut {
		must(t, s.LeaveOut(ctx, "/more", fmt.Sprint(n), LeftOut{Parts: []int{0}}))
	}
	got, err = s.LeftOut(ctx, "/w")
	must(t, err)
	if len(got) != 0 {
		t.Errorf("the oldest stay: %v", got)
	}
}
