package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// small is an alphabet from which random texts often combine the difficult cases: every
// line ending, characters of one to four bytes, and neighbors that could be confused.
var small = rapid.StringOf(rapid.SampledFrom([]rune("ab\r\n é€😀\u2028\v\f\u0085")))

func TestLinesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := small.Draw(t, "src")
		lines := NewLines(src)
		for offset := range src {
			if offset > 0 && src[offset-1] == '\r' && src[offset] == '\n' {
				continue // no position lies between CR and LF
			}
			if got := lines.Offset(lines.Position(offset)); got != offset {
				t.Fatalf("offset %d of %q came back as %d by %v", offset, src, got, lines.Position(offset))
			}
		}
	})
}

func TestPositionCountsUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := small.Draw(t, "src")
		lines := NewLines(src)
		for offset := range src + "." {
			p := lines.Position(offset)
			span := lines.Line(p.Line)
			want := len(utf16.Encode([]rune(src[span.Start:min(offset, span.End)])))
			if p.Character != want {
				t.Fatalf("offset %d of %q is character %d, want %d", offset, src, p.Character, want)
			}
		}
	})
}

func TestOffsetOutside(t *testing.T) {
	lines := NewLines("ab\r\nc")
	for _, c := range []struct {
		at   Position
		want int
	}{{Position{0, 99}, 2}, {Position{1, 99}, 5}, {Position{9, 0}, 5}, {Position{-1, 3}, 0}} {
		if got := lines.Offset(c.at); got != c.want {
			t.Errorf("%v is offset %d, want %d", c.at, got, c.want)
		}
	}
}

func TestSplitLinesJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := small.Draw(t, "src")
		lines := SplitLines(src)
		if got := strings.Join(lines, ""); got != src {
			t.Fatalf("%q became %q", src, got)
		}
		for _, line := range lines {
			if body := TrimEOL(line); strings.ContainsAny(body, "\r\n") {
				t.Fatalf("line %q holds a line ending", line)
			}
		}
	})
}

func TestWithEOL(t *testing.T) {
	for _, c := range []struct {
		in   string
		eol  EOL
		want string
	}{
		{"a\r\nb\nc\rd", LF, "a\nb\nc\nd"},
		{"a\r\nb\nc\rd\r\n", CRLF, "a\r\nb\r\nc\r\nd\r\n"},
		{"a\nb", None, "a\nb"},
		{"\n\r\n\r", CR, "\r\r\r"},
	} {
		if got := WithEOL(c.in, c.eol); got != c.want {
			t.Errorf("WithEOL(%q, %q) = %q, want %q", c.in, c.eol, got, c.want)
		}
	}
}

func TestDominantEOL(t *testing.T) {
	for in, want := range map[string]EOL{
		"": None, "a": None, "a\n": LF, "a\r\nb\n": CRLF, "a\nb\r\n": LF, "a\nb\r\nc\r\n": CRLF, "a\rb": CR, "a\u2028b": None,
	} {
		if got := DominantEOL(in); got != want {
			t.Errorf("DominantEOL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDecodeKeepsBytes(t *testing.T) {
	for _, enc := range []Encoding{UTF8, UTF8BOM, UTF16LE, UTF16BE} {
		rapid.Check(t, func(t *rapid.T) {
			src := small.Draw(t, "src")
			got, found, err := Decode(enc.Encode(src))
			if err != nil || got != src || found != enc {
				t.Fatalf("%q as %d came back as %q, %d, %v", src, enc, got, found, err)
			}
		})
	}
}

func TestMayFill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := small.Draw(t, "text")
		for _, eol := range []EOL{None, LF, CRLF, CR} {
			for e := range marks {
				if size := len(Encoding(e).Encode(WithEOL(s, eol))); !MayFill(s, int64(size)) {
					t.Errorf("%q cannot fill %d bytes", s, size)
				}
			}
		}
	})
	for _, size := range []int64{2, 4, 5, 7, 9} {
		if MayFill("abc", size) {
			t.Errorf("abc fills %d bytes", size)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, data := range []string{
		"\xff", "a\xc3", "a\x00b", "\xef\xbb\xbf\xff", // invalid UTF-8, NUL
		"\xff\xfea",                     // half a unit
		"\xff\xfe\x00\xd8",              // a lone surrogate
		"\xff\xfe\x00\x00a\x00\x00\x00", // UTF-32
		"a\x00b\x00",                    // UTF-16 without BOM
	} {
		if s, _, err := Decode(data); err == nil {
			t.Errorf("Decode(%q) = %q, want a refusal", data, s)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("a\r\n")
	f.Add("\xff\xfea\x00")
	f.Add("\xfe\xff\xd8\x00")
	f.Fuzz(func(t *testing.T, data string) {
		s, enc, err := Decode(data)
		if err != nil {
			return
		}
		if !utf8.ValidString(s) || enc.Encode(s) != data {
			t.Fatalf("%q does not survive: %q", data, enc.Encode(s))
		}
	})
}

// Apply gives the same text as making the edits one by one, from the last to the first.
func TestApplyMakesEachEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := small.Draw(t, "src")
		edits := drawEdits(t, src)
		after, err := Apply(src, edits)
		if err != nil {
			t.Fatal(err)
		}
		sorted, err := Sorted(src, edits)
		if err != nil {
			t.Fatal(err)
		}
		want := src
		for _, e := range slices.Backward(sorted) {
			want = want[:e.Span.Start] + e.New + want[e.Span.End:]
		}
		if after != want {
			t.Fatalf("%q -> %q, want %q", src, after, want)
		}
	})
}

func drawEdits(t *rapid.T, src string) []Edit {
	var edits []Edit
	for at := 0; at <= len(src) && len(edits) < 5; {
		start := rapid.IntRange(at, len(src)).Draw(t, "start")
		end := rapid.IntRange(start, len(src)).Draw(t, "end")
		edits = append(edits, Edit{Span{start, end}, small.Draw(t, "new")})
		at = end + 1
	}
	return edits
}

func TestApplyRefusesOverlap(t *testing.T) {
	for _, edits := range [][]Edit{
		{{Span{0, 2}, ""}, {Span{1, 3}, ""}},
		{{Span{2, 9}, ""}},
		{{Span{-1, 1}, ""}},
		{{Span{2, 1}, ""}},
	} {
		if got, err := Apply("abc", edits); err == nil {
			t.Errorf("Apply(abc, %v) = %q, want an error", edits, got)
		}
	}
}

// Stored units do not change a position in a long line, but computing the position then takes only a part of the line.
func TestPositionsInLongLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "\u00e9", "\u20ac", "\U0001f600", "\n", "\r\n", "\xe2", "\x80"})
		var src string
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			src += strings.Repeat(strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "parts"), ""), rapid.IntRange(1, 3000).Draw(t, "times"))
		}
		l := NewLines(src)
		plain := *l
		plain.marks = nil
		for range 20 {
			offset := rapid.IntRange(0, len(src)).Draw(t, "offset")
			p := plain.Position(offset)
			if got := l.Position(offset); utf8.ValidString(src) && got != p {
				t.Fatalf("offset %d: %v, want %v", offset, got, p)
			}
			p.Character += rapid.IntRange(-2, 2000).Draw(t, "more")
			if got, want := l.Offset(p), plain.Offset(p); got != want {
				t.Fatalf("%v: %d, want %d", p, got, want)
			}
		}
	})
	l := NewLines(strings.Repeat("x", 2<<20))
	for i := range 100_000 {
		if p := l.Position(i * 20); p.Character != i*20 {
			t.Fatal(p)
		}
	}
}

func TestWordsOfNames(t *testing.T) {
	got := WordsOfNames("Der `maxSize` von MAX_TRIES is größer als 15, sha256Sum")
	want := []string{"size", "tries", "größer", "15", "256"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
