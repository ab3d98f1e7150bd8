package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// drawDistinct draws a file whose lines all differ by a number, and a change of some of them.
func drawDistinct(t *rapid.T) drawing {
	var lines []string
	for i := range rapid.IntRange(1, 20).Draw(t, "lines") {
		lines = append(lines, fmt.Sprintf("%stotal = count(items, %d)\n", strings.Repeat("  ", rapid.IntRange(0, 2).Draw(t, "depth")), i))
	}
	now := slices.Clone(lines)
	for i := range rapid.IntRange(1, 3).Draw(t, "edits") {
		from := rapid.IntRange(0, len(now)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(now), from+3)).Draw(t, "to")
		var added []string
		for k := range rapid.IntRange(0, 3).Draw(t, "added") {
			added = append(added, fmt.Sprintf("  total = count(orders, %d)\n", 10*i+k))
		}
		now = slices.Replace(now, from, to, added...)
	}
	was := text.Content{Exists: true, Data: strings.Join(lines, ""), Mode: 0o644}
	f := plan.File{Path: "a.txt", Operation: plan.Modify, State: plan.Change, Before: was, After: was}
	f.After.Data = strings.Join(now, "")
	d := drawing{tree: fstest.MapFS{f.Path: &fstest.MapFile{Data: []byte(was.Data), Mode: was.Mode}}}
	if f.Before != f.After {
		d.files = append(d.files, f)
	}
	return d
}

// The document of a change applies to the files before the change, in every format and without a history. If it is
// applied again to the files after the change, it counts as done, is refused, or asks. It counts as done in many cases,
// but a deletion leaves no trace in a file.
func TestAppliedIsDone(t *testing.T) {
	done, all := map[Format]int{}, map[Format]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := drawDistinct(t)
		now := after(d.tree, d.files)
		for _, to := range known() {
			doc, err := Document(context.Background(), to, d.files, where(d.tree), folder)
			var cannot *CannotError
			if errors.As(err, &cannot) || doc == "" {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", to, err)
			}
			r, err := check.Check(context.Background(), []check.Document{{Name: "-", Text: doc, Format: string(to)}}, where(now))
			if err != nil {
				t.Fatalf("%s: %v", to, err)
			}
			all[to]++
			switch got := listing(after(now, r.Plan.Files)); {
			case r.Applicable() && got == listing(now):
				done[to]++
			case r.Applicable() && len(r.Doubts()) == 0:
				t.Fatalf("%s: applied again,\n%s\ngives\n%s\nnot\n%s", to, doc, got, listing(now))
			}
			if got := listing(apply(t, d.tree, doc, to)); got != listing(now) {
				t.Fatalf("%s: taken back and applied again,\n%s\ngives\n%s\nnot\n%s", to, doc, got, listing(now))
			}
		}
	})
	for to, n := range all {
		if 5*done[to] < n {
			t.Errorf("of %d changes that were made, only %d are done as %s", n, done[to], to)
		}
	}
}
