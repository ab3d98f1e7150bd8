package locate

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// What a text says of another one that edits made of it is what their bytes say.
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
		d := was.Differing(now)
		checkDifference(t, d, s, after)
		if len(s) > 20*chunkSize && len(d.Old) < len(s)/2 {
			shared++
		}
	})
	if shared < 10 {
		t.Errorf("%d texts shared the most of another: the test says little", shared)
	}
}

func checkDifference(t *rapid.T, d Difference, before, after string) {
	head := strings.Join(text.SplitLines(before)[:d.Line], "")
	rest, ok := strings.CutPrefix(before, head+d.Old)
	if !ok || after != head+d.New+rest {
		t.Fatalf("%d bytes for %d after line %d are not the difference", len(d.Old), len(d.New), d.Line)
	}
	if lines := len(text.SplitLines(before)); lines != d.Line+len(text.SplitLines(d.Old))+len(text.SplitLines(rest)) {
		t.Fatal("a line is cut")
	}
}
