package apply

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// hunks returns the hunks of an apply that are still in the files, and the other files.
func (s *site) hunks(t fataler, id string) ([]Hunk, []string) {
	t.Helper()
	a, err := s.history.Get(context.Background(), id)
	ok(t, err)
	hunks, others, err := Hunks(context.Background(), a, s.root.Tree(nil))
	ok(t, err)
	return hunks, others
}

// undo takes a hunk back. It returns false if that is refused.
func (s *site) undo(t fataler, id string, h Hunk) (record string, done bool) {
	t.Helper()
	a, err := s.history.Get(context.Background(), id)
	ok(t, err)
	part, err := Part(a, h.EntryPart)
	ok(t, err)
	p, err := RevertOf(context.Background(), part, s.writer(), s.root.Tree(nil), true, "test")
	ok(t, err)
	if p.Refused != "" {
		return "", false
	}
	p.Record.Part = true
	return s.make(t, p), true
}

func (s *site) listed(t fataler, id string) history.Apply {
	t.Helper()
	all, err := s.history.List(context.Background(), "", 0)
	ok(t, err)
	i := slices.IndexFunc(all, func(a history.Apply) bool { return a.ID == id })
	if i < 0 {
		t.Fatalf("%s is not listed", id)
	}
	return all[i]
}

// If a person takes back one hunk, the record stays in force, marked as partly reverted, until that revert is itself
// reverted. The remaining hunks can be reverted without a question about later edits.
func TestPartOfAnApply(t *testing.T) {
	s := newSite(t)
	before, after := has("0\n1\n2\n3\n4\n5\n6\n7\n"), has("0\none\n2\n3\nnew\n4\n5\n7\n")
	s.put(t, "a.txt", before)
	s.put(t, "gone.bin", has("\x00"))
	old := s.picture(t)["a.txt"]
	id := s.apply(t, nil,
		plan.File{Path: "a.txt", Operation: plan.Modify, State: plan.Change, Before: before, After: after},
		plan.File{Path: "gone.bin", Operation: plan.Modify, State: plan.Change, Before: has("\x00"), After: has("\x00\x00")})
	s.put(t, "a.txt", has("mine\n\n0\none\n2\n3\nnew\n4\n5\n7\n"))
	hunks, others := s.hunks(t, id)
	if len(hunks) != 3 || !slices.Equal(others, []string{"gone.bin"}) || hunks[1].At.Start != 6 || hunks[1].Was != "" || hunks[2].Was != "6\n" || hunks[2].At.Len() != 0 {
		t.Fatalf("%+v %q", hunks, others)
	}
	back, done := s.undo(t, id, hunks[1])
	if got := s.picture(t)["a.txt"]; !done || !strings.HasSuffix(got, " mine\n\n0\none\n2\n3\n4\n5\n7\n") {
		t.Fatalf("%v %q", done, got)
	}
	if a := s.listed(t, id); a.Reverted || !a.Partly {
		t.Fatalf("%+v", a)
	}
	s.revert(t, back)
	if a := s.listed(t, id); a.Reverted || a.Partly || s.listed(t, back).Reverted == false {
		t.Fatalf("%+v", a)
	}
	hunks, _ = s.hunks(t, id)
	s.undo(t, id, hunks[0])
	s.put(t, "a.txt", has("0\n1\n2\n3\nnew\n4\n5\n7\n"))
	if r := s.reversal(t, id); len(r.Conflicts) > 0 || len(r.Plan.Files) != 2 {
		t.Fatalf("%+v", r)
	}
	s.revert(t, id)
	if got := s.picture(t)["a.txt"]; got != old {
		t.Fatalf("%q", got)
	}
}

// A created file is taken back as one hunk, unless it may be the new name of a deleted file.
func TestPartThatIsAFile(t *testing.T) {
	s := newSite(t)
	made := plan.File{Path: "in/new.txt", Operation: plan.Create, State: plan.Change, After: has("1\n2\n")}
	id := s.apply(t, nil, made)
	hunks, _ := s.hunks(t, id)
	if len(hunks) != 1 || hunks[0].At.Len() != 2 {
		t.Fatalf("%+v", hunks)
	}
	if _, done := s.undo(t, id, hunks[0]); !done {
		t.Fatal("refused")
	}
	if diff := cmp.Diff(map[string]string{".": s.picture(t)["."]}, s.picture(t)); diff != "" {
		t.Fatal(diff)
	}
	s.put(t, "old.txt", has("1\n2\n"))
	id = s.apply(t, nil, made, plan.File{Path: "old.txt", Operation: plan.Remove, State: plan.Change, Before: has("1\n2\n")})
	if hunks, others := s.hunks(t, id); len(hunks) != 0 || !slices.Equal(others, []string{"in/new.txt", "old.txt"}) {
		t.Fatalf("%+v %q", hunks, others)
	}
}

// Taking back a listed hunk changes its place and nothing else, or is refused. If all hunks are taken back, the file is
// as before.
func TestPartsTakeBackOnlyThemselves(t *testing.T) {
	rounds, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\r\n", "e\n", "f\n", "g\n", "h\n", "i\n", "}\n", "\n"})
		lines := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "") })
		f := history.File{Path: "f", Before: has(lines.Draw(t, "before")), After: has(lines.Draw(t, "after"))}
		a := history.Apply{ID: "id", Files: []history.File{f}}
		now := edited(t, f.After.Data, line)
		for _, h := range hunksIn("f", f.Before.Data, f.After.Data, now) {
			rounds++
			part, err := Part(a, h.EntryPart)
			ok(t, err)
			c := newConflict("f", "")
			c.merge(part.Files[0], has(now))
			if !c.Mergeable {
				refused++
				continue
			}
			is := text.SplitLines(now)
			want := strings.Join(is[:h.At.Start], "") + h.Was + strings.Join(is[h.At.End:], "")
			if text.WithEOL(c.Merged.After.Data, text.LF) != text.WithEOL(want, text.LF) {
				t.Fatalf("%q -> %q, now %q, hunk %+v: %q, want %q", f.Before.Data, f.After.Data, now, h, c.Merged.After.Data, want)
			}
		}
	})
	if rounds < 40 || refused*3 > rounds {
		t.Fatalf("%d hunks, %d refused", rounds, refused)
	}
}

// edited returns a text with a few lines added or removed.
func edited(t *rapid.T, s string, line *rapid.Generator[string]) string {
	lines := text.SplitLines(s)
	for range rapid.IntRange(0, 2).Draw(t, "edits") {
		at := rapid.IntRange(0, len(lines)).Draw(t, "at")
		lines = slices.Insert(lines, at, line.Draw(t, "new"))
	}
	return strings.Join(lines, "")
}
