package diff

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

var lines = rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
	"a", "b\n", "b\r\n", "\n", "\r", "\r\n", "é€\n", "😀\r\n", "call(x)\n", "call(y)\n", "\u2028",
}), 0, 12), func(parts []string) string { return strings.Join(parts, "") })

func TestEditsGiveAfter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := lines.Draw(t, "before"), lines.Draw(t, "after")
		edits := Edits(before, after)
		got, err := text.Apply(before, edits)
		if err != nil || got != after {
			t.Fatalf("%q -> %q, want %q (%v)", before, got, after, err)
		}
		index := text.NewLines(before)
		for _, e := range edits {
			for _, at := range []int{e.Span.Start, e.Span.End} {
				if back := index.Offset(index.Position(at)); back != at {
					t.Fatalf("edit %v of %q has no position at %d", e, before, at)
				}
			}
		}
	})
}

func TestEditsAreMinimal(t *testing.T) {
	before := "one\ntwo\nthree\nfour\n"
	edits := Edits(before, "one\ntwo!\nthree\nFour\n")
	want := []text.Edit{
		{Span: text.Span{Start: 7, End: 7}, New: "!"},
		{Span: text.Span{Start: 14, End: 15}, New: "F"},
	}
	if fmt.Sprint(edits) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", edits, want)
	}
}

func TestStat(t *testing.T) {
	for _, c := range []struct {
		before, after  string
		added, removed int
	}{
		{"", "a\nb\n", 2, 0}, {"a\nb\n", "", 0, 2}, {"a\n", "a", 1, 1}, {"a\nb\nc\n", "a\nx\nc\n", 1, 1},
		{"a\n", "a\n", 0, 0}, {"", "a", 1, 0}, {"a\nb", "a\nb\nc", 2, 1},
	} {
		if added, removed := Stat(c.before, c.after); added != c.added || removed != c.removed {
			t.Errorf("Stat(%q, %q) = +%d -%d, want +%d -%d", c.before, c.after, added, removed, c.added, c.removed)
		}
	}
}

// The counts are those of a longest common subsequence, in whatever way Stat finds them.
func TestStatIsFewest(t *testing.T) {
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		before, after := lines.Draw(t, "before"), lines.Draw(t, "after")
		if rapid.Bool().Draw(t, "long") {
			around := strings.Repeat("abc\nd\n", 100)
			before, after = around+"\n"+before+"\n"+around, around+"\n"+after+"\n"+around
		}
		old, new := text.SplitLines(before), text.SplitLines(after)
		same := common(old, new)
		added, removed, ok := fewest(before, after)
		if ok {
			quick++
		} else {
			added, removed = Stat(before, after)
		}
		if added != len(new)-same || removed != len(old)-same {
			t.Fatalf("Stat(%q, %q) = +%d -%d, want +%d -%d", before, after, added, removed, len(new)-same, len(old)-same)
		}
	})
	if quick == 0 {
		t.Error("none was told without a diff")
	}
}

// common returns the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		corner := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			corner = above
		}
	}
	return row[len(b)]
}

func TestNearGivesAfter(t *testing.T) {
	near := 0
	rapid.Check(t, func(t *rapid.T) {
		before, after := lines.Draw(t, "before"), lines.Draw(t, "after")
		edits, ok := Near(before, after)
		if !ok {
			return
		}
		near++
		if got, err := text.Apply(before, edits); got != after || err != nil {
			t.Fatalf("%q with %v is %q, %v, want %q", before, edits, got, err, after)
		}
	})
	if near < 10 {
		t.Errorf("%d changes are near", near)
	}
}

// If a line moved, it is both removed and added, so only a diff gives the counts.
func TestStatOfWhatMoved(t *testing.T) {
	for _, c := range []struct {
		before, after  string
		added, removed int
	}{
		{"a\nb\nc\n", "b\nc\na\n", 1, 1},
		{"}\na\nb\n", "x\n}\ny\nb\n", 2, 1},
		{"a\n}\nb\n}\n", "x\n}\ny\n}\n", 2, 2},
		{"a\nb\n", "c\n", 1, 2},
		{"a\r\nb", "a\nb", 1, 1},
	} {
		if added, removed := Stat(c.before, c.after); added != c.added || removed != c.removed {
			t.Errorf("Stat(%q, %q) = +%d -%d, want +%d -%d", c.before, c.after, added, removed, c.added, c.removed)
		}
	}
}

func TestKeepEndings(t *testing.T) {
	for _, c := range []struct{ before, content, want string }{
		{"a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n"},
		{"a\r\nb\nc\r\n", "a\nb\nc\nd\n", "a\r\nb\nc\r\nd\r\n"},
		{"a\nb\r\nc\n", "b\nc", "b\r\nc"},
		{"a\r\nb\r\n", "a\nb", "a\r\nb"},
		{"a", "a\nb\r\n", "a\nb\r\n"},
		{"", "a\r\n", "a\r\n"},
		{"a\nb", "a\nb\n", "a\nb\n"},
	} {
		if got := KeepEndings(c.before, c.content); got != c.want {
			t.Errorf("KeepEndings(%q, %q) = %q, want %q", c.before, c.content, got, c.want)
		}
	}
}

// The patch is right if git applies it and gives the text after the change.
func TestUnifiedIsWhatGitApplies(t *testing.T) {
	needs.Program(t, "git")
	dir := t.TempDir()
	names := rapid.SampledFrom([]string{"a.txt", "two words.txt", "dir/ü.txt", "tab\there", `quote"\.txt`})
	contents := rapid.OneOf(lines, rapid.Map(lines, func(s string) string { return s + "\x00\x01binary" + s }))
	rapid.Check(t, func(t *rapid.T) {
		path := names.Draw(t, "path")
		before := Side{path, text.Content{Exists: rapid.Bool().Draw(t, "was"), Data: contents.Draw(t, "before"), Mode: drawMode(t)}}
		after := Side{path, text.Content{Exists: !before.Exists || rapid.Bool().Draw(t, "is"), Data: contents.Draw(t, "after"), Mode: drawMode(t)}}
		absentIsEmpty(&before)
		absentIsEmpty(&after)
		file := filepath.Join(dir, filepath.FromSlash(path))
		put(t, file, before)
		patch := Unified(before, after)
		if patch == "" {
			return
		}
		cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
		}
		check(t, file, after, patch)
	})
}

func drawMode(t *rapid.T) os.FileMode {
	return rapid.SampledFrom([]os.FileMode{0o644, 0o755}).Draw(t, "mode")
}

func absentIsEmpty(s *Side) {
	if !s.Exists {
		s.Data, s.Mode = "", 0
	}
}

func put(t *rapid.T, file string, s Side) {
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if !s.Exists {
		return
	}
	if err := os.WriteFile(file, []byte(s.Data), s.Mode); err != nil {
		t.Fatal(err)
	}
}

func check(t *rapid.T, file string, want Side, patch string) {
	got, err := os.ReadFile(file)
	if os.IsNotExist(err) && !want.Exists {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if !want.Exists || string(got) != want.Data || info.Mode()&0o100 != want.Mode&0o100 {
		t.Fatalf("git wrote %q %v, want %q %v by\n%s", got, info.Mode(), want.Data, want.Mode, patch)
	}
}
