package place_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// drawUnlikeLines draws lines of the given length, no two of which are similar.
func drawUnlikeLines(t *rapid.T, size int) []string {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	lines := make([]string, 12)
	for i := range lines {
		line := make([]byte, size)
		for j := range line {
			line[j] = byte('a' + r.IntN(26))
		}
		lines[i] = string(line)
	}
	return lines
}

// changed replaces n letters of line, from at on, with letters that no line has.
func changed(line string, at, n int) string {
	return line[:at] + strings.Repeat("#", n) + line[at+n:]
}

// The rule for likeness forgives changed letters as long as more than 60 % of the letters are equal, or 75 % in one
// short line. It then returns the place with its likeness. With fewer equal letters, it finds nothing.
func TestLikenessRuleForgivesChanges(t *testing.T) {
	tried := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		kind, size, most := "in long lines", 40, 15 // 16 of 40 letters would be 40 %
		lines := 1
		if rapid.Bool().Draw(t, "short") {
			kind, size, most = "in a short line", 16, 4
		} else {
			lines = rapid.IntRange(1, 5).Draw(t, "lines")
		}
		all := drawUnlikeLines(t, size)
		from := rapid.IntRange(0, len(all)-lines).Draw(t, "from")
		n := most + rapid.SampledFrom([]int{-3, -1, 0, 2, 3}).Draw(t, "more than forgiven")
		var want []string
		for _, line := range all[from : from+lines] {
			want = append(want, changed(line, rapid.IntRange(0, size-n).Draw(t, "at"), n))
		}
		src, has := strings.Join(all, "\n")+"\n", strings.Join(all[from:from+lines], "\n")
		found := place.Fold(src, nil).Closest(context.Background(), strings.Join(want, "\n"), 4)
		if n > most {
			if len(found) > 0 {
				t.Fatalf("%d of %d letters differ in each line of %q: %+v, want nothing", n, size, want, found)
			}
			tried["too many "+kind]++
			return
		}
		start := strings.Index(src, has)
		if len(found) != 1 || found[0].Span != (text.Span{Start: start, End: start + len(has)}) || math.Abs(found[0].Likeness-1+float64(n)/float64(size)) > 1e-9 {
			t.Fatalf("%d of %d letters differ in each line of %q: %+v, want the place at %d", n, size, want, found, start)
		}
		tried["few "+kind]++
	})
	floor(t, tried, 1, "few in long lines", "few in a short line", "too many in long lines", "too many in a short line")
}

// The rule forgives missing or added lines, and counts them. A line with only half of its letters
// equal counts as another line.
func TestLikenessRuleForgivesLines(t *testing.T) {
	tried := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		all := drawUnlikeLines(t, 30)
		lines := rapid.IntRange(3, 6).Draw(t, "lines")
		from := rapid.IntRange(0, len(all)-lines).Draw(t, "from")
		present := all[from : from+lines]
		at := rapid.IntRange(1, lines-2).Draw(t, "inside")
		kind := rapid.SampledFrom([]string{"missing", "added", "another"}).Draw(t, "kind")
		var inside []string
		common, size, next := lines-1, 2*lines-1, at+1
		switch kind {
		case "added":
			n := rapid.IntRange(1, 12).Draw(t, "added")
			inside = slices.Repeat([]string{strings.Repeat("#", 30)}, n)
			common, size, next = lines, 2*lines+n, at
		case "another":
			inside, size = []string{changed(present[at], rapid.IntRange(0, 15).Draw(t, "at"), 15)}, 2*lines
		}
		want := strings.Join(slices.Concat(present[:at], inside, present[next:]), "\n")
		src, has, likeness := strings.Join(all, "\n")+"\n", strings.Join(present, "\n"), 2*float64(common)/float64(size)
		found := place.Fold(src, nil).Closest(context.Background(), want, 4)
		if 10*2*common < 6*size {
			if len(found) > 0 {
				t.Fatalf("%q in %q: %+v, want nothing, as it is %f alike", want, src, found, likeness)
			}
			tried["too many"]++
			return
		}
		if len(found) == 0 || found[0].Span.In(src) != has || math.Abs(found[0].Likeness-likeness) > 1e-9 {
			t.Fatalf("%q in %q: %+v, want %q, %f alike", want, src, found, has, likeness)
		}
		tried[kind]++
	})
	floor(t, tried, 1, "missing", "added", "another", "too many")
}

// The replacement gets the indentation of the place. A second offer keeps the place's other
// differences. No offer is certain.
func TestLikenessRuleReplacement(t *testing.T) {
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		all := drawUnlikeLines(t, 30)
		lines := rapid.IntRange(3, 6).Draw(t, "lines")
		from := rapid.IntRange(0, len(all)-lines).Draw(t, "from")
		written, file := rapid.SampledFrom([]string{"", "  "}).Draw(t, "written"), rapid.SampledFrom([]string{"  ", "      "}).Draw(t, "file")
		ending := rapid.SampledFrom([]string{"", "\n"}).Draw(t, "ending")
		is := rapid.IntRange(0, lines-1).Draw(t, "differs")
		becomes := (is + rapid.IntRange(1, lines-1).Draw(t, "becomes")) % lines
		text := func(indentation string, differs, replaced bool) string {
			out := ""
			for i, line := range all[from : from+lines] {
				if differs && i == is {
					line = changed(line, 10, 8)
				}
				if replaced && i == becomes {
					line = "fresh(value)"
				}
				out += indentation + line + "\n"
			}
			return strings.TrimSuffix(out, "\n") + ending
		}
		src := file + strings.Join(all, "\n"+file) + "\n"
		offers := offersFor(t, src, text(written, true, false), text(written, true, true))
		found, bare := text(file, false, false), strings.TrimPrefix
		if len(offers) != 2 || offers[0].certain || offers[1].certain || len(titled(offers, "% similar")) != 2 || len(titled(offers, ", keeping the other differences of the file")) != 1 {
			t.Fatalf("%+v, want two to choose by the rule", offers)
		}
		for i, want := range []string{text(file, true, true), text(file, false, true)} {
			if o := offers[i]; bare(o.find, file) != bare(found, file) || bare(o.replace, file) != bare(want, file) {
				t.Fatalf("offer %d has %q and %q, want %q and %q", i+1, o.find, o.replace, found, want)
			}
		}
		tried++
	})
	if tried < 50 {
		t.Errorf("only %d draws were tried: the test says little", tried)
	}
}
