package findreplace

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func apply(t interface{ Fatalf(string, ...any) }, src, find, replace string, limit Limit) (string, intent.Outcome) {
	out := Replacement{Find: find, Replace: replace, Limit: limit, FindAt: intent.Literal{Span: text.Span{Start: 3, End: 9}}}.Resolve(intent.Target{Text: place.NewText(src)})
	after, err := text.Apply(src, out.Edits)
	if err != nil {
		t.Fatalf("%q: %q -> %q: %v", src, find, replace, err)
	}
	for _, p := range out.Problems {
		if p.Span != (text.Span{Start: 3, End: 9}) {
			t.Fatalf("problem at %v, want the find", p.Span)
		}
	}
	if len(out.Edits) == 0 && len(out.Problems) == 0 {
		t.Fatalf("%q: %q -> %q: nothing is done, and nothing is said", src, find, replace)
	}
	if len(out.Edits) > 0 && out.Done {
		t.Fatalf("%q: %q -> %q: done, and edits", src, find, replace)
	}
	return after, out
}

func TestReplace(t *testing.T) {
	tests := []struct {
		name, src, find, replace string
		limit                    Limit
		want                     string
		code                     diag.Code // code of the only problem
		message                  string    // a part of the problem's message
	}{
		{"once", "a b c", "b", "x", Once, "a x c", "", ""},
		{"the first of several", "a\nb\na\na", "a", "x", Once, "x\nb\na\na", diag.FindAmbiguous, "3 times in the file, on lines 1, 3, 4;"},
		{"left out before", "a\n# ...\nc\n", "a\n# ...\nc\n", "a\n# ...\n", Once, "a\n# ...\n", "", ""},
		{"as many lines", "a\nb\n", "a\nb\n", "a\n# ...\n", Once, "a\n# ...\n", "", ""},
		{"several on one line", "a b a\n", "a", "x", Once, "x b a\n", diag.FindAmbiguous, "2 times in the file, on line 1;"},
		{"some on one line", "a a\nb\na\n", "a", "x", Once, "x a\nb\na\n", diag.FindAmbiguous, "3 times in the file, on lines 1, 3;"},
		{"many lines are cut", strings.Repeat("a\n", 12), "a", "x", Once, "x\n" + strings.Repeat("a\n", 11), diag.FindAmbiguous, "12 times in the file, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …;"},
		{"all", "a\nb\na a", "a", "xy", All, "xy\nb\nxy xy", "", ""},
		{"all, without overlap", "aaaaa", "aa", "b", All, "bba", diag.FindInsideWord, "2 of 2"},
		{"only", "a b c", "b", "x", Only, "a x c", "", ""},
		{"only, but there are two", "b a b", "b", "x", Only, "b a b", diag.FindAmbiguous, "but must occur exactly once"},
		{"only, two in one result", "ab ab", "ab", "ab ab", Only, "ab ab", diag.AlreadyApplied, ""},
		{"only, done beside a plain one", "ab a", "a", "ab", Only, "ab a", diag.FindAmbiguous, "2 times"},
		{"only, and another laps over it", "a\na\na", "a\na", "x", Only, "a\na\na", diag.FindAmbiguous, "2 times"},
		{"no regular expression", "a.c abc", "a.c", "$1\\n$&", All, "$1\\n$& abc", "", ""},
		{"not there", "abc", "x", "y", Once, "abc", diag.FindNotFound, `"x"`},
		{"case counts", "ABC", "abc", "y", Once, "ABC", diag.FindNotFound, ""},
		{"deletion", "a b c", " b", "", Once, "a c", "", ""},
		{"deletion of what is gone", "a c", " b", "", Once, "a c", diag.FindNotFound, ""},

		{"gone, a whole line is there", "x\nnew = 2\n", "new = 1", "new = 2", Once, "x\nnew = 2\n", diag.AlreadyApplied, "line 2 "},
		{"gone, a part of a line is there", "x\nnew = 22\n", "new = 1", "new = 2", Once, "x\nnew = 22\n", diag.FindNotFound, ""},
		{"gone, a part of a line, then a whole one", "new = 22\nnew = 2\n", "new = 1", "new = 2", Once, "new = 22\nnew = 2\n", diag.FindNotFound, ""},
		{"gone, an indented line is there", "x\n  new = 2\n", "new = 1", "new = 2", Once, "x\n  new = 2\n", diag.AlreadyApplied, "line 2 "},
		{"gone, enough characters are there", "f(new_argument)\n", "old_argument", "new_argument", Once, "f(new_argument)\n", diag.AlreadyApplied, "line 1 "},
		{"gone, others are there", "f(new_argument)\n", "old", "new_argument", Once, "f(new_argument)\n", diag.FindNotFound, ""},
		{"gone, they are there twice", "f(new_argument, new_argument)\n", "old_argument", "new_argument", Once, "f(new_argument, new_argument)\n", diag.FindNotFound, ""},
		{"gone, too few characters are there", "f(new_argumen)\n", "old_argumen", "new_argumen", Once, "f(new_argumen)\n", diag.FindNotFound, ""},
		{"gone, spaces are there", "a\n            \nb", "old", "            ", Once, "a\n            \nb", diag.FindNotFound, ""},
		{"gone, two halves of lines are there", "1 a\nc 2", "old", "a\nc", Once, "1 a\nc 2", diag.FindNotFound, ""},

		{"find inside of its replace", "foo(); bar()\nx", "foo()", "foo(); bar()", Once, "foo(); bar()\nx", diag.AlreadyApplied, "line 1 "},
		{"once, done before a plain one", "ab a", "a", "ab", Once, "ab ab", diag.FindAmbiguous, "the change may already have been made"},
		{"once, plain before a done one", "a ab", "a", "ab", Once, "ab ab", diag.FindAmbiguous, ""},
		{"all, some done", "a ab a", "a", "ab", All, "ab ab ab", "", ""},
		{"all done", "ab\nab", "a", "ab", All, "ab\nab", diag.AlreadyApplied, "line 1 "},
		{"equal to its replace", "x a", "a", "a", Once, "x a", diag.AlreadyApplied, ""},
		{"equal but for endings", "a\r\nb", "a\nb", "a\r\nb", Once, "a\r\nb", diag.AlreadyApplied, ""},

		{"LF finds CRLF", "a\r\nb\r\nc\r\n", "a\nb", "x\ny", Once, "x\r\ny\r\nc\r\n", "", ""},
		{"CRLF finds LF", "a\nb\nc\n", "a\r\nb\r\n", "x\r\n", Once, "x\nc\n", "", ""},
		{"LF finds CR", "a\rb\rc", "a\nb", "x\ny\nz", Once, "x\ry\rz\rc", "", ""},
		{"LF is all of CRLF", "a\r\nb", "a\n", "x", Once, "xb", "", ""},
		{"find begins with a line ending", "a\r\nb", "\nb", "-", Once, "a-", "", ""},
		{"CR is no half of CRLF", "a\r\nb", "a\r", "x", Once, "xb", "", ""},
		{"new lines in a CRLF file", "a\r\nb\r\n", "a", "a\nx\n", Once, "a\r\nx\r\n\r\nb\r\n", "", ""},
		{"new lines in a file of one line", "ab", "a", "x\r\ny\n", Once, "x\r\ny\r\nb", diag.FindInsideWord, `"ab" becomes "b"`},
		{"new lines of two kinds in a file of one line", "aa", "a", "\n\r", All, "\n\n\n\n", diag.FindInsideWord, ""},
		{"each kept line keeps its ending", "1\r\n2\n3\r\n4\n5\r\n", "1\n2\n3\n4\n", "1\n2\nx\n3\n4\n", Once, "1\r\n2\nx\r\n3\r\n4\n5\r\n", "", ""},
		{"changed lines keep their endings", "1\r\n2\n3\r\n", "1\n2\n3\n", "a\nb\nc\n", Once, "a\r\nb\nc\r\n", "", ""},
		{"line after line is removed", "1\r\n2\n3\r\n4\r\n", "2\n3\n4\n", "2\n4\n", Once, "1\r\n2\n4\r\n", "", ""},
		{"other line ends are none", "a\u2028b\n", "a\nb", "x", Once, "a\u2028b\n", diag.FindNotFound, ""},
	}
	for _, tt := range tests {
		got, out := apply(t, tt.src, tt.find, tt.replace, tt.limit)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		code, message := diag.Code(""), ""
		if len(out.Problems) > 0 {
			code, message = out.Problems[0].Code, out.Problems[0].Message
		}
		if code != tt.code || !strings.Contains(message, tt.message) || len(out.Problems) > 1 {
			t.Errorf("%s: %v, want %s with %q", tt.name, out.Problems, tt.code, tt.message)
		}
		if out.Done != (code == diag.AlreadyApplied) {
			t.Errorf("%s: done is %v at %s", tt.name, out.Done, code)
		}
	}
}

// The edits contain only what differs, and split neither a character nor a CRLF.
func TestEditsAreMinimal(t *testing.T) {
	tests := []struct {
		src, find, replace string
		want               []text.Edit
	}{
		{"f(a, b)", "f(a, b)", "f(a, c)", []text.Edit{{Span: text.Span{Start: 5, End: 6}, New: "c"}}},
		{"a\r\nb\r\n", "a\nb", "a\nc", []text.Edit{{Span: text.Span{Start: 3, End: 4}, New: "c"}}},
		{"xéy", "é", "è", []text.Edit{{Span: text.Span{Start: 1, End: 3}, New: "è"}}}, // the bytes are C3 A9 and C3 A8
		{"a\nb\nc\n", "a\nb\nc\n", "x\nb\ny\n", []text.Edit{{Span: text.Span{Start: 0, End: 1}, New: "x"}, {Span: text.Span{Start: 4, End: 5}, New: "y"}}},
		{"a\r\nc\r\n", "a\nc", "a\nb\nc", []text.Edit{{Span: text.Span{Start: 3, End: 3}, New: "b\r\n"}}},
	}
	for _, tt := range tests {
		_, out := apply(t, tt.src, tt.find, tt.replace, Once)
		if len(out.Edits) != len(tt.want) {
			t.Errorf("%q: %v, want %v", tt.src, out.Edits, tt.want)
			continue
		}
		for i := range tt.want {
			if out.Edits[i] != tt.want[i] {
				t.Errorf("%q: %v, want %v", tt.src, out.Edits[i], tt.want[i])
			}
		}
	}
}

// drawText draws a text of few different letters, so that such texts often contain each other.
func drawText(t *rapid.T, label string, shortest, longest int, letters ...string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), shortest, longest).Draw(t, label), "")
}

// On LF texts, a replacement that does not contain its find agrees with package strings.
func TestReplaceIsStringsReplace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := []string{"a", "b", "ab", "\n", " ", "é", "è", "😀"}
		src := drawText(t, "src", 0, 30, letters...)
		find := drawText(t, "find", 1, 4, letters...)
		replace := drawText(t, "replace", 0, 6, letters...)
		if strings.Contains(replace, find) {
			return
		}
		if got, _ := apply(t, src, find, replace, Once); got != strings.Replace(src, find, replace, 1) {
			t.Fatalf("once: %q, want %q", got, strings.Replace(src, find, replace, 1))
		}
		if got, _ := apply(t, src, find, replace, All); got != strings.ReplaceAll(src, find, replace) {
			t.Fatalf("all: %q, want %q", got, strings.ReplaceAll(src, find, replace))
		}
	})
}

// If a replacement contains its find, a second application changes nothing, or asks. In periodic
// texts, occurrences overlap in every way.
func TestReplaceTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := []string{"a", "b", "a", "\n"}
		src := drawText(t, "src", 0, 40, letters...)
		find := drawText(t, "find", 1, 4, letters...)
		replace := drawText(t, "before", 0, 3, letters...) + find + drawText(t, "after", 0, 3, letters...)
		for _, limit := range []Limit{Once, All} {
			once, _ := apply(t, src, find, replace, limit)
			twice, out := apply(t, once, find, replace, limit)
			if asks := len(out.Problems) == 1 && out.Problems[0].Asks(); asks && limit == Once {
				continue
			}
			if limit == Once && text.IsBlank((place.Change{Old: find, New: replace}).Padding()) && replace != find {
				continue // blank lines are no sign that the replacement was made
			}
			if twice != once {
				t.Fatalf("limit %d: %q -> %q, then %q", limit, src, once, twice)
			}
			if !out.Done && strings.Contains(src, find) {
				t.Fatalf("limit %d: %q -> %q is not done: %v", limit, src, once, out.Problems)
			}
		}
	})
}

// With mixed line endings, the resulting lines equal those for the text with LF endings. Outside
// of the matches, every byte stays.
func TestReplaceKeepsEndings(t *testing.T) {
	for _, endings := range [][]string{{"\n", "\r\n"}, {"\r"}} {
		rapid.Check(t, func(t *rapid.T) {
			letters := append([]string{"a", "b", "ü"}, endings...)
			src := drawText(t, "src", 0, 40, letters...)
			find := drawText(t, "find", 1, 5, append(letters, "\n", "\r\n")...)
			replace := drawText(t, "replace", 0, 8, append(letters, "\n", "\r\n")...)
			limit := rapid.SampledFrom([]Limit{Once, All}).Draw(t, "limit")
			checkEndings(t, src, find, replace, limit)
		})
	}
}

func checkEndings(t interface{ Fatalf(string, ...any) }, src, find, replace string, limit Limit) {
	lf := func(s string) string { return text.WithEOL(s, text.LF) }
	got, out := apply(t, src, find, replace, limit)
	if want, _ := apply(t, lf(src), lf(find), lf(replace), limit); lf(got) != want {
		t.Fatalf("%q: %q -> %q gives %q, with LF %q", src, find, replace, got, want)
	}
	eol := text.DominantEOL(src)
	for _, e := range out.Edits {
		if splits(src, e.Span.Start) || splits(src, e.Span.End) {
			t.Fatalf("%q: the edit %v splits a character or a line ending", src, e)
		}
		if eol != text.None && e.Span.Empty() && text.WithEOL(e.New, eol) != e.New {
			t.Fatalf("%q: %q is inserted, with another ending than the dominant %q", src, e.New, eol)
		}
	}
}

func splits(s string, at int) bool {
	return at > 0 && at < len(s) && (s[at-1:at+1] == "\r\n" || !utf8.RuneStart(s[at]))
}

// These texts have ten thousand matches, or places that almost match. Quadratic work would not
// finish.
func TestLargeTargets(t *testing.T) {
	const n = 1 << 20
	period := strings.Repeat("a", n)
	tests := []struct{ src, find, replace string }{
		{strings.Repeat("some line of text\r\n", 200_000), "line\n", "other\n"},
		{strings.Repeat("x\r\nline\r\n", 10_000), "x\nline", "x\nnew\nline"},
		{period, strings.Repeat("a", 1000), strings.Repeat("a", 2000)},
		{period, strings.Repeat("a", n/2) + "b", "c"},
		{period + "b", strings.Repeat("a", n/2), strings.Repeat("a", n/2) + "b"},
		{strings.Repeat("ab", n/2), "ab", strings.Repeat("ab", n/4)},
		{strings.Repeat("ab", n/2), "x", "ba"},
	}
	for _, tt := range tests {
		apply(t, tt.src, tt.find, tt.replace, All)
		apply(t, tt.src, tt.find, tt.replace, Once)
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb\nc", "a\nb", "x\ny", true)
	f.Add("foo(); bar()", "foo()", "foo(); bar()", false)
	f.Add("aaaa", "aa", "aaa", true)
	f.Add("é\rè", "é", "è", false)
	f.Fuzz(func(t *testing.T, src, find, replace string, all bool) {
		limit := Once
		if all {
			limit = All
		}
		if find == "" || !utf8.ValidString(src+find+replace) {
			return
		}
		once, out := apply(t, src, find, replace, limit)
		lf := func(s string) string { return text.WithEOL(s, text.LF) }
		if strings.Contains(lf(replace), lf(find)) && !strings.Contains(src+replace, "\r") {
			if twice, _ := apply(t, once, find, replace, limit); twice != once {
				t.Fatalf("%q -> %q, then %q", src, once, twice)
			}
			return
		}
		if out.Done || strings.Contains(src+replace+find, "\r") {
			return
		}
		n := 1
		if all {
			n = -1
		}
		if want := strings.Replace(src, find, replace, n); once != want {
			t.Fatalf("%q, want %q", once, want)
		}
	})
}

func BenchmarkReplace(b *testing.B) {
	src := strings.Repeat("some line of text\r\n", 50<<20/19)
	step := Replacement{Find: "line of text that is not there\nsome", Replace: "x"}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		step.Resolve(intent.Target{Text: place.NewText(src)})
	}
}
