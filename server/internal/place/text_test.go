package place

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// After any edits, a text equals the result of [text.Apply], and every method gives the same
// result as a look at the whole text.
func TestTextIsItsString(t *testing.T) {
	found, crossing, sieved, joined := 0, 0, 0, 0
	var large strings.Builder // large enough for two segments, and for edits that keep the sieves
	for i := range segmentSize * 5 / 4 * chunkSize / 16 {
		fmt.Fprintf(&large, "line %x is %x\n", i, i*i)
	}
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "b", "ab", "\n", "\r\n", "\r", "abcdefgh\n", strings.Repeat("abc\n", chunkSize/4), strings.Repeat("xy", chunkSize/2) + "\n", strings.Repeat("line of text\r\n", chunkSize/8)})
		s := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), "")
		if eol := rapid.SampledFrom([]text.EOL{text.None, text.LF, text.CRLF}).Draw(t, "large"); eol != text.None {
			s += text.WithEOL(large.String(), eol)
		}
		now := NewText(s)
		for range rapid.SampledFrom([]int{0, 1, fewSearches + 1}).Draw(t, "searches") {
			now.Index("z", 0)
		}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			start := rapid.IntRange(0, len(s)).Draw(t, "start")
			if now.isCut.Load() && len(now.segments) > 1 && rapid.Bool().Draw(t, "at the end of a segment") {
				start = now.segments[0].raw - rapid.IntRange(0, 9).Draw(t, "before the end")
				joined++
			}
			end := rapid.IntRange(start, min(len(s), start+rapid.SampledFrom([]int{9, 3 * chunkSize}).Draw(t, "longest"))).Draw(t, "end")
			edits := []text.Edit{{Span: text.Span{Start: start, End: end}, New: piece.Draw(t, "new")}}
			if end < len(s) {
				edits = append(edits, text.Edit{Span: text.Span{Start: len(s), End: len(s)}, New: piece.Draw(t, "at the end")})
			}
			before := s
			var err error
			if s, err = text.Apply(s, edits); err != nil {
				t.Fatal(err)
			}
			earlier := now
			if now, err = now.Apply(edits); err != nil {
				t.Fatal(err)
			}
			if earlier.hasSieve() && now.isCut.Load() { // the edit did not discard the sieves
				sieved++
			}
			if earlier.String() != before {
				t.Fatal("a text changed")
			}
		}
		n, c := checkText(t, now, s)
		found, crossing = found+n, crossing+c
	})
	if found < 100 || crossing < 5 || sieved < 10 || joined < 10 {
		t.Errorf("%d places, %d over the end of a chunk, %d edits of a text with a sieve, %d at the end of a segment: the test says little", found, crossing, sieved, joined)
	}
}

func checkText(t *rapid.T, now *Text, s string) (found, crossing int) {
	lf := text.WithEOL(s, text.LF)
	if now.String() != s || now.Len() != len(s) || now.EOL() != text.DominantEOL(s) {
		t.Fatalf("%d bytes, want %d; ending %q, want %q", now.Len(), len(s), now.EOL(), text.DominantEOL(s))
	}
	checkSegments(t, now)
	size := 0
	chunks := chunksOf(now.cut())
	for i, c := range chunks {
		size += len(c.lf)
		if i < len(chunks)-1 && !EndsLine(c.raw, chunks[i+1].raw) || c.raw == "" {
			t.Fatalf("chunk %d of %d ends with %q", i, len(chunks), c.raw[max(0, len(c.raw)-9):])
		}
	}
	if size != len(lf) {
		t.Fatalf("chunks have %d bytes, want %d", size, len(lf))
	}
	for range 4 {
		start := rapid.IntRange(0, max(len(lf)-1, 0)).Draw(t, "from")
		if len(now.segments) > 1 && rapid.Bool().Draw(t, "at the end of a segment") {
			start = now.segments[0].lf - rapid.IntRange(1, 20).Draw(t, "before the end")
		}
		pattern := lf[start:min(len(lf), start+rapid.SampledFrom([]int{1, 3, 4, 9, 40, chunkSize, 3 * chunkSize}).Draw(t, "length"))]
		if pattern == "" || rapid.IntRange(0, 4).Draw(t, "other") == 0 {
			pattern = rapid.SampledFrom([]string{"b\na\n", "not there", "line 4 is 10\nline 4 is 10\n", "line 5 is no"}).Draw(t, "pattern")
		}
		var want []int
		for at := 0; ; {
			i := strings.Index(lf[at:], pattern)
			if i < 0 {
				break
			}
			want = append(want, at+i)
			at += i + len(pattern)
		}
		for range fewSearches + 1 { // enough searches to try the text without and with sieves
			if got := now.All(pattern, 1<<30); !slices.Equal(got, want) {
				t.Fatalf("%.40q is at %v, want %v", pattern, got, want)
			}
		}
		if now.Contains(pattern) != (len(want) > 0) {
			t.Fatalf("%.40q is said to be there otherwise than it is found", pattern)
		}
		found += len(want)
		for _, at := range want[:min(len(want), 3)] {
			span := text.Span{Start: at, End: at + len(pattern)}
			next := strings.Index(lf[at+1:], pattern)
			if next >= 0 {
				next += at + 1
			}
			if now.Index(pattern, at) != at || now.Index(pattern, at+1) != next {
				t.Fatalf("%.40q is not found at %d, or is not next at %d", pattern, at, next)
			}
			w := now.Window(span, rapid.SampledFrom([]int{0, 10, 3000}).Draw(t, "margin"))
			local := span.Shift(-w.At)
			_, raw := w.Raw().Span(local)
			if local.In(w.Text) != pattern || text.WithEOL(raw, text.LF) != pattern {
				t.Fatalf("a window has %.40q, want %.40q", local.In(w.Text), pattern)
			}
			if where, _ := w.Raw().Span(local); where.In(s) != raw {
				t.Fatalf("%v is %.40q, want %.40q", where, where.In(s), raw)
			}
			if line := 1 + strings.Count(lf[:at], "\n"); w.Line(local.Start) != line {
				t.Fatalf("line %d, want %d", w.Line(local.Start), line)
			}
			end := 0
			for _, c := range chunks {
				if end += len(c.lf); at < end && end < at+len(pattern) {
					crossing++
				}
			}
		}
	}
	return found, crossing
}

// checkSegments checks the counts and sieves of segments against their chunks.
func checkSegments(t *rapid.T, now *Text) {
	for i, g := range now.segments {
		var want segment
		want.count(g.chunks, 1)
		if g.raw != want.raw || g.lf != want.lf || g.endings != want.endings || len(g.slots) != len(g.chunks) || len(g.chunks) == 0 {
			t.Fatalf("segment %d does not know its %d chunks", i, len(g.chunks))
		}
	}
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("some line of text, as many have\n", 20_000)
	b.Run("misses", func(b *testing.B) {
		t := NewText(s)
		for b.Loop() {
			t.Index("line of text that no file has", 0)
		}
	})
	b.Run("strings.Index", func(b *testing.B) {
		for b.Loop() {
			strings.Index(s, "line of text that no file has")
		}
	})
	b.Run("edits", func(b *testing.B) {
		t := NewText(s)
		at := t.Index("line of text", 0)
		for b.Loop() {
			var err error
			if t, err = t.Apply([]text.Edit{{Span: text.Span{Start: at, End: at + 1}, New: "m"}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
