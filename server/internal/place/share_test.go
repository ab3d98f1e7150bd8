package place

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Comparing a text with an edited version of it gives the same results as comparing the bytes of the two.
func TestSharedText(t *testing.T) {
	var all strings.Builder
	for i := range 3 * segmentSize * chunkSize / 16 {
		fmt.Fprintf(&all, "line %x is %x\n", i, i*i)
	}
	large := map[text.EOL]string{}
	for _, eol := range []text.EOL{text.LF, text.CRLF, text.CR} {
		large[eol] = text.WithEOL(all.String(), eol)
	}
	shared := 0
	rapid.Check(t, func(t *rapid.T) {
		s := large[rapid.SampledFrom([]text.EOL{text.LF, text.CRLF, text.CR}).Draw(t, "ending")]
		if rapid.Bool().Draw(t, "small") {
			s = s[:rapid.IntRange(0, 3*chunkSize).Draw(t, "size")]
		}
		was := NewText(s)
		if rapid.Bool().Draw(t, "searched") {
			was.Contains("z")
		}
		now := was
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			at := rapid.IntRange(0, now.Len()).Draw(t, "at")
			end := min(now.Len(), at+rapid.IntRange(0, 40).Draw(t, "length"))
			edit := text.Edit{Span: text.Span{Start: at, End: end}, New: rapid.SampledFrom([]string{"", "\n", "\r", "new\r\n", now.String()[at:end]}).Draw(t, "new")}
			var err error
			if now, err = now.Apply([]text.Edit{edit}); err != nil {
				t.Fatal(err)
			}
		}
		after := now.String()
		if at := rapid.IntRange(0, len(after)).Draw(t, "byte"); at < len(after) && now.ByteAt(at) != after[at] {
			t.Fatalf("byte %d is %q, want %q", at, now.ByteAt(at), after[at])
		}
		if now.Bare().String() != after {
			t.Fatal("a bare text is another one")
		}
		if was.Equal(now) != (s == after) || now.Bare().Equal(was) != (s == after) {
			t.Fatalf("equal is %v, want %v", was.Equal(now), s == after)
		}
		all := was.Differences(now)
		checkDifferences(t, all, text.SplitLines(s), text.SplitLines(after))
		if size := 0; len(s) > 20*chunkSize {
			for _, d := range all {
				size += len(d.Old)
			}
			if size < len(s)/2 {
				shared++
			}
		}
	})
	if shared < 10 {
		t.Errorf("%d texts shared the most of another: the test says little", shared)
	}
}

// If a line is removed at the end and an equal one is added at the top, the text is the
// same, although the shared parts are at other offsets.
func TestEqualTextsThatShareElsewhere(t *testing.T) {
	const line = "same\n"
	was := NewText(strings.Repeat(line, segmentSize*chunkSize))
	was.Cut()
	for first, want := range map[string]bool{line: true, "Same\n": false} {
		now, err := was.Apply([]text.Edit{{New: first}, {Span: text.Span{Start: was.Len() - len(line), End: was.Len()}}})
		if err != nil {
			t.Fatal(err)
		}
		if was.Equal(now) != want {
			t.Errorf("%q: equal is %v", first, !want)
		}
	}
}

// checkDifferences replaces the differing lines of a text with those of the other text, and compares the result with the
// other text.
func checkDifferences(t *rapid.T, all []Difference, before, after []string) {
	var got []string
	at := 0
	for _, d := range all {
		old, new := text.SplitLines(d.Old), text.SplitLines(d.New)
		got = append(got, before[at:d.OldLine]...)
		if len(got) != d.NewLine || !slices.Equal(before[d.OldLine:d.OldLine+len(old)], old) {
			t.Fatalf("lines %d and %d are not the difference's", d.OldLine, d.NewLine)
		}
		got, at = append(got, new...), d.OldLine+len(old)
	}
	if got = append(got, before[at:]...); !slices.Equal(got, after) {
		t.Fatalf("%d differences do not make one text of the other", len(all))
	}
}
