package lines

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// refusal returns the only problem of a patch with a hash. The patch must change nothing.
func refusal(t interface{ Fatalf(string, ...any) }, sum string, on intent.Target, changes ...object) diag.Diagnostic {
	body := batch(object{"docPath": "project/a.txt", "originalSha256": sum, "changes": changes})
	parsed := Format.Parse(format.Whole(body))
	if len(parsed.Diagnostics) > 0 {
		t.Fatalf("%v", parsed.Diagnostics)
	}
	out := parsed.Set.Changes[0].Steps[0].Resolve(on)
	if len(out.Problems) != 1 || len(out.Edits) > 0 || out.Done || out.Problems[0].Severity != diag.Error {
		t.Fatalf("%+v", out)
	}
	return out.Problems[0]
}

// A patch with the hash of some lines of a file is refused, and the message gives their numbers,
// even if the patch expects no lines of the file, and whatever its line endings are.
func TestSnippetIsNamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "lines")
		eol := rapid.SampledFrom([]text.EOL{text.LF, text.CRLF}).Draw(t, "eol")
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("%d %s", i, rapid.StringMatching(`[a-cé]{0,3}`).Draw(t, "line"))
		}
		file := strings.Join(lines, string(eol)) + rapid.SampledFrom([]string{"", string(eol)}).Draw(t, "end")
		first := rapid.IntRange(1, n).Draw(t, "first")
		last := rapid.IntRange(first, n).Draw(t, "last")
		if first == 1 && last == n {
			return
		}
		handed := rapid.SampledFrom([]text.EOL{text.LF, eol}).Draw(t, "handed out with")
		snippet := strings.Join(lines[first-1:last], string(handed)) + rapid.SampledFrom([]string{"", string(handed)}).Draw(t, "snippet's end")
		c := insert(first, "new")
		if rapid.Bool().Draw(t, "expects") {
			at := rapid.IntRange(first, last).Draw(t, "at")
			c = replace(at, lines[at-1:at], "new")
		}
		d := refusal(t, text.SumHex(snippet), target(file), c)
		if d.Code != diag.SnippetSHA && first > 1 && last < n || !strings.Contains(d.Message, "the hash of "+part{first: first, last: last}.String()) {
			t.Fatalf("%d to %d: %s: %s", first, last, d.Code, d.Message)
		}
	})
}

// If the patch may be for an older version of the file, the message does not call its text a
// snippet.
func TestWhatTheHashIsOf(t *testing.T) {
	const file = "a\nb\nc\nd\ne\n"
	for _, tt := range []struct {
		name, of string
		change   object
		code     diag.Code
		says     string
	}{
		{"the middle", "b\nc\n", insert(0, "x"), diag.SnippetSHA, "the hash of lines 2 to 3, not of the whole file; read the file"},
		{"a line", "c", insert(0, "x"), diag.SnippetSHA, "the hash of line 3, not of the whole file;"},
		{"the beginning", "a\nb\n", insert(0, "x"), diag.SHA256Mismatch, "lines 1 to 2, not of the whole file: lines were added since, or only a snippet was read"},
		{"the end", "d\ne\n", insert(0, "x"), diag.SHA256Mismatch, "lines 4 to 5, not of the whole file: lines were added"},
		{"no final ending", "a\nb\nc\nd\ne", insert(0, "x"), diag.SHA256Mismatch, "not the hash of the present text of the file"},
		{"other text", "x\n", insert(0, "x"), diag.SHA256Mismatch, "not the hash of the present text of the file"},
		{"nothing", "", insert(0, "x"), diag.SHA256Mismatch, "of an empty text"},
		{"expected lines that are nowhere", "x\ny", replace(7, []string{"x", "y"}, "z"), diag.SnippetSHA, "lines 7 to 8, not of the whole file;"},
		{"expected lines that may have been all", "x\ny", replace(1, []string{"x", "y"}, "z"), diag.SHA256Mismatch, "lines 1 to 2, not of the whole file: lines were added"},
		{"all lines expected", "a\nb\nc\nd\ne", remove(1, "a", "b", "c", "d", "e"), diag.SHA256Mismatch, "not the hash of the present text of the file"},
	} {
		d := refusal(t, text.SumHex(tt.of), target(file), tt.change)
		if d.Code != tt.code || !strings.Contains(d.Message, tt.says) {
			t.Errorf("%s: %s: %s", tt.name, d.Code, d.Message)
		}
	}
}

// In a large file, a snippet around known lines may be long. The fix is offered, but it is never
// certain.
func TestSnippetOfLargeFile(t *testing.T) {
	file := large(20_000)
	lines := strings.SplitAfter(file, "\n")
	snippet := strings.Join(lines[9_000:9_120], "")
	d := refusal(t, text.SumHex(snippet), target(file), insert(3, "x"), replace(51, []string{"line 9050"}, "y"))
	if d.Code != diag.SnippetSHA || !strings.Contains(d.Message, "lines 9001 to 9120") {
		t.Errorf("%s: %s", d.Code, d.Message)
	}
	d = refusal(t, text.SumHex(snippet), target(file), replace(51, []string{"line 9050"}, "y"))
	fixes := d.AllFixes(t.Context())
	if len(fixes) != 1 || fixes[0].Preferred {
		t.Errorf("%+v", fixes)
	}
}

func large(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// The time for a hash of an unknown text is limited, however large the file is.
func BenchmarkSearchInVain(b *testing.B) {
	for _, lines := range []int{100, 500, 5_000, 50_000} {
		file := large(lines)
		for name, o := range map[string]op{
			"insertion": {first: 1},
			"around":    {first: 1, last: 1, expected: []string{fmt.Sprintf("line %d", lines/2)}},
		} {
			p := Patch{sum: text.SumHex("x"), ops: []op{o}, files: 1}
			b.Run(fmt.Sprintf("%s/%d", name, lines), func(b *testing.B) {
				f := fileOf(file, nil)
				for b.Loop() {
					if _, _, ok := p.search(f); ok {
						b.Fatal("found")
					}
				}
			})
		}
	}
}
