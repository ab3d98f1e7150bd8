package place

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every search finds the same places as a naive comparison, at every level and for both kinds of [Cut].
func TestLinesFind(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", " a", "\ta", "a ", "a  b", "a b", "“a”", `"a"`, "", " "})
		ending := rapid.SampledFrom([]string{"\n", "\r\n", "\r"})
		var b strings.Builder
		for range rapid.IntRange(0, 30).Draw(t, "lines") {
			b.WriteString(line.Draw(t, "line") + ending.Draw(t, "ending"))
		}
		b.WriteString(line.Draw(t, "last"))
		l := NewLines(b.String(), rapid.SampledFrom([]Cut{AfterEOL, AfterLF}).Draw(t, "cut"), nil)
		level := Level(rapid.IntRange(0, levels-1).Draw(t, "level"))
		var want []string
		if from := rapid.IntRange(0, 2*l.Count()).Draw(t, "from"); from < l.Count() {
			for i := from; i < min(from+2, l.Count()); i++ {
				want = append(want, l.Line(i))
			}
		} else {
			want = append(want, line.Draw(t, "line")+ending.Draw(t, "ending"))
		}
		var naive, got []int
		for at := range l.Count() {
			if l.Has(at, want, level) {
				naive = append(naive, at)
			}
		}
		if !l.Find(want, level, func(at int) bool { got = append(got, at); return true }) {
			t.Fatal("a meter is spent")
		}
		if !slices.Equal(got, naive) {
			t.Fatalf("%q at level %d in %q: %v, want %v", want, level, l.Text(), got, naive)
		}
		found += len(got)
		whole := ""
		for i := range l.Count() {
			whole += l.Line(i)
			if at := l.At(l.Start(i)); at != i {
				t.Fatalf("line %d begins in line %d", i, at)
			}
		}
		if whole != l.Text() {
			t.Fatalf("lines are %q, of %q", whole, l.Text())
		}
	})
	if found < 50 {
		t.Errorf("only %d places were found: the test says little", found)
	}
}

// A level ignores every difference that the levels before it ignore.
func TestLevelsWiden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching("[ab \t“”\"’'\u00a0–-]{0,6}(\r\n|\n|\r|)"), 2, 2).Draw(t, "lines")
		for level := Exact; level < levels-1; level++ {
			if level.Same(lines[:1], lines[1:]) && !(level+1).Same(lines[:1], lines[1:]) {
				t.Fatalf("%q are the same at level %d, and not at the next", lines, level)
			}
		}
	})
}

func BenchmarkLines(b *testing.B) {
	var different strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&different, "    value%d := compute(1, 2)\n", i)
	}
	for name, src := range map[string]string{"alike": strings.Repeat("    value := compute(1, 2)\n}\n", 100_000), "different": different.String()} {
		b.Run(name+"/cut", func(b *testing.B) {
			for b.Loop() {
				NewLines(src, AfterEOL, nil)
			}
		})
		l := NewLines(src, AfterEOL, nil)
		for level, rule := range []string{"exact", "ending", "trailing", "indented", "spacing", "look-alike"} {
			b.Run(name+"/"+rule, func(b *testing.B) {
				for b.Loop() {
					l.IndexBy(Level(level).Fold)
				}
			})
		}
	}
}
