package diff

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/tools/needs"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs, want string
		conflicts                      []Conflict
	}{
		{"nothing", "a\n", "a\n", "a\n", "a\n", nil},
		{"ours alone", "a\nb\n", "a\nB\n", "a\nb\n", "a\nB\n", nil},
		{"theirs alone", "a\nb\n", "a\nb\n", "b\n", "b\n", nil},
		{"far apart", "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n", nil},
		{"a line between", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", nil},
		{"both the same", "a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n", "a\nX\nc\n", nil},
		{"all gone on both sides", "a\n", "", "", "", nil},
		{"line endings are kept", "a\r\nb\nc\n", "a\r\nb\nC\n", "A\r\nb\nc\n", "A\r\nb\nC\n", nil},
		{"the last line has no end", "a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n", nil},
		{"the same line", "a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n", "", []Conflict{{LineRange{1, 2}, LineRange{1, 2}, LineRange{1, 2}}}},
		{"they touch", "a\nb\n", "A\nb\n", "a\nB\n", "", []Conflict{{LineRange{0, 2}, LineRange{0, 2}, LineRange{0, 2}}}},
		{"two insertions at a place", "a\nb\n", "a\nx\nb\n", "a\ny\nz\nb\n", "", []Conflict{{LineRange{1, 1}, LineRange{1, 2}, LineRange{1, 3}}}},
		{"changed and deleted", "a\nb\nc\n", "a\nB\nc\n", "a\nc\n", "", []Conflict{{LineRange{1, 2}, LineRange{1, 2}, LineRange{1, 1}}}},
		{"an insertion that could be beside what went", "a\n\nb\n\nc\n", "a\n\nc\n", "a\n\nb\n\nx\n\nc\n", "", []Conflict{{LineRange{1, 4}, LineRange{1, 2}, LineRange{1, 6}}}},
		{"lines are those of each text", "a\nb\nc\nd\n", "0\n1\na\nb\nX\nd\n", "a\nb\nY\nd\n", "",
			[]Conflict{{LineRange{2, 3}, LineRange{4, 5}, LineRange{2, 3}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, conflicts := Merge(c.base, c.ours, c.theirs)
			if diff := cmp.Diff(c.conflicts, conflicts); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			if conflicts == nil && got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// mergeLines draws a text that repeats a few lines, so that they can be mistaken for each other.
func mergeLines(t *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\r\n", "e"}), 0, 14).Draw(t, name), "")
}

// edited returns base with a few lines replaced, inserted or removed.
func edited(t *rapid.T, base, name string) string {
	all := text.SplitLines(base)
	for range rapid.IntRange(0, 3).Draw(t, name+" edits") {
		at := rapid.IntRange(0, len(all)).Draw(t, name+" at")
		end := min(len(all), at+rapid.IntRange(0, 2).Draw(t, name+" lines"))
		with := rapid.SliceOfN(rapid.SampledFrom([]string{"x\n", "y\n", "a\n"}), 0, 2).Draw(t, name+" with")
		all = append(append(append([]string{}, all[:at]...), with...), all[end:]...)
	}
	return strings.Join(all, "")
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := mergeLines(t, "base")
		ours, theirs := edited(t, base, "ours"), edited(t, base, "theirs")
		merged, conflicts := Merge(base, ours, theirs)
		mirrored, back := Merge(base, theirs, ours)
		if len(conflicts) != len(back) || len(conflicts) == 0 && merged != mirrored {
			t.Fatalf("the sides do not count alike: %q %v, %q %v", merged, conflicts, mirrored, back)
		}
		if got, c := Merge(base, base, theirs); c != nil || got != theirs {
			t.Fatalf("theirs alone gives %q %v", got, c)
		}
		if got, c := Merge(base, ours, ours); c != nil || got != ours {
			t.Fatalf("both alike give %q %v", got, c)
		}
		for _, c := range conflicts {
			checkPlaces(t, c, base, ours, theirs)
		}
	})
}

// checkPlaces fails the test unless both sides of a conflict differ from base and from each
// other.
func checkPlaces(t *rapid.T, c Conflict, base, ours, theirs string) {
	b, o, th := in(base, c.Base), in(ours, c.Ours), in(theirs, c.Theirs)
	if o == th || o == b || th == b {
		t.Fatalf("%+v is no conflict: base %q, ours %q, theirs %q", c, b, o, th)
	}
}

func in(s string, l LineRange) string {
	return strings.Join(text.SplitLines(s)[l.Start:l.End], "")
}

// If git merges texts without a conflict, Three gives the same result or a conflict, because
// repeated lines can be matched in several ways. If git reports a conflict, Three does, too,
// except in a very few texts in which nearly all lines repeat.
func TestGitMergesTheSame(t *testing.T) {
	needs.Program(t, "git")
	for name, texts := range map[string]func(*rapid.T) string{"distinct lines": distinct, "lines that repeat": repeating} {
		t.Run(name, func(t *testing.T) { gitMergesTheSame(t, texts, name != "distinct lines") })
	}
}

func gitMergesTheSame(t *testing.T, texts func(*rapid.T) string, repeat bool) {
	dir := t.TempDir()
	both, gitOnly, hereOnly := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		base := texts(t)
		ours, theirs := edited(t, base, "ours"), edited(t, base, "theirs")
		want, clean := gitMerge(t, dir, base, ours, theirs)
		got, conflicts := Merge(base, ours, theirs)
		switch {
		case clean && conflicts == nil:
			both++
			if got != want {
				t.Fatalf("base %q, ours %q, theirs %q: got %q, git has %q", base, ours, theirs, got, want)
			}
		case clean:
			gitOnly++
		case conflicts == nil && !repeat:
			t.Fatalf("base %q, ours %q, theirs %q: got %q, git has a conflict", base, ours, theirs, got)
		case conflicts == nil:
			hereOnly++
		}
	})
	if both < 25 || gitOnly > both/2 || hereOnly > 1+both/1000 {
		t.Errorf("clean in both: %d, in git alone: %d, here alone: %d", both, gitOnly, hereOnly)
	}
}

// repeating draws a text in which most lines occur several times.
func repeating(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\n", "e\n", "f\n", "g\n", "h\n"}), 10, 24).Draw(t, "lines"), "")
}

// distinct draws a text whose lines all differ.
func distinct(t *rapid.T) string {
	var b strings.Builder
	for i := range rapid.IntRange(0, 10).Draw(t, "lines") {
		b.WriteString(string(rune('A'+i)) + "\n")
	}
	return b.String()
}

func gitMerge(t *rapid.T, dir, base, ours, theirs string) (merged string, clean bool) {
	for name, content := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "merge-file", "-p", "--diff3", "ours", "base", "theirs")
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 127) {
		t.Fatal(err)
	}
	return string(out), err == nil
}

// BenchmarkMerge merges a thousand changes on each side of a large text.
func BenchmarkMerge(b *testing.B) {
	base := make([]string, 100_000)
	for i := range base {
		base[i] = "line " + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + "\n"
	}
	ours, theirs := append([]string{}, base...), append([]string{}, base...)
	for i := range 1000 {
		ours[i*100], theirs[i*100+50] = "ours\n", "theirs\n"
	}
	x, y, z := strings.Join(base, ""), strings.Join(ours, ""), strings.Join(theirs, "")
	for b.Loop() {
		if _, conflicts := Merge(x, y, z); conflicts != nil {
			b.Fatal(conflicts)
		}
	}
}
