package ap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const twoMods = `# Summary: x

a1b2c3d4 AP 3.1

a1b2c3d4 FILE
src/a.txt

a1b2c3d4 REPLACE
a1b2c3d4 snippet
b
a1b2c3d4 content

  B

a1b2c3d4 DELETE
a1b2c3d4 snippet
c
`

// The span of a value leaves out the blank lines around it. The span of a modification covers all
// of it.
func TestSpans(t *testing.T) {
	parsed := Parse(twoMods)
	if len(parsed.Diagnostics) > 0 || len(parsed.Set.Changes) != 1 || parsed.Entries != 1 || parsed.Readable != 1 {
		t.Fatalf("%+v", parsed)
	}
	c := parsed.Set.Changes[0]
	if got := c.PathAt.Span.In(twoMods); got != "src/a.txt" || c.Path != got || c.Kind != intent.Edit {
		t.Errorf("the path is %q at %q", c.Path, got)
	}
	var parts []string
	for _, part := range c.Steps[0].Parts() {
		parts = append(parts, part.In(twoMods))
	}
	want := []string{"a1b2c3d4 REPLACE\na1b2c3d4 snippet\nb\na1b2c3d4 content\n\n  B", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nc"}
	if !slices.Equal(parts, want) {
		t.Errorf("parts are %q", parts)
	}
	if got := c.At.In(twoMods); !strings.HasPrefix(got, "a1b2c3d4 FILE") || !strings.HasSuffix(got, "snippet\nc") {
		t.Errorf("the change is at %q", got)
	}
}

// The span of a diagnostic covers the text that it is about.
func TestDiagnosticSpans(t *testing.T) {
	for body, want := range map[string]string{
		"a1b2c3d4 AP 9.9\na1b2c3d4 FILE\na\na1b2c3d4 DELETE\n":                                                                 "ap-version:9.9",
		"a1b2c3d4 AP 3.1\na1b2c3d4 file\na\na1b2c3d4 DELETE\n":                                                                 "ap-keyword:file",
		"a1b2c3d4 AP 3.1\na1b2c3d4FILE\na\na1b2c3d4 DELETE\n":                                                                  "ap-keyword:FILE",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE a\na1b2c3d4 DELETE\n":                                                                  "ap-inline-value:a",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\nb\na1b2c3d4 DELETE\n":                                                              "ap-stray-text:b",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 DELETE now\n":                                                             "ap-argument:now",
		"XYZ AP 3.1\nXYZ FILE\na\nXYZ DELETE\n":                                                                                "ap-bad-id:XYZ",
		"hello\na1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 DELETE\n":                                                          "ap-text-before-header:hello",
		"a1b2c3d4 AP 3.1\r\na1b2c3d4 FILE\r\na\r\na1b2c3d4 REPLACE\r\na1b2c3d4 anchor\r\nx\r\na1b2c3d4 content\r\ny\r\n":       "ap-anchor-only:anchor",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 REPLACE\na1b2c3d4 snippet\nx\na1b2c3d4 snippet\ny\na1b2c3d4 content\nz\n": "ap-duplicate-directive:a1b2c3d4 snippet",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 REPLACE\na1b2c3d4 snippet\nx\na1b2c3d4 content\ny\na1b2c3d4 RENAME\nb\n":  "ap-mixed-actions:a1b2c3d4 RENAME",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 DELETE\na1b2c3d4 snippet\nx\na1b2c3d4 include_trailing_blank_lines\n":     "ap-argument:a1b2c3d4 include_trailing_blank_lines",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 INSERT AFTER\na1b2c3d4 snippet\nx\na1b2c3d4 content\ny\n":                 "ap-keyword:INSERT AFTER",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na.py\na1b2c3d4 REPLACE\na1b2c3d4 snippet\nx\na1b2c3d4 content\n```\ny\n```\n":         "ap-fence:```",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 REPLACE\nb2c3d4e5 snippet\nx\na1b2c3d4 content\ny\n":                      "ap-id-drift:b2c3d4e5 snippet",
		"a1b2c3d4 AP 3.1\na1b2c3d4 FILE\na\na1b2c3d4 DELETE\na1b2c3d4 snippet\nx\na1b2c3d4 END\n":                              "ap-needs-3-2:END",
	} {
		var got []string
		for _, d := range Parse(body).Diagnostics {
			got = append(got, fmt.Sprintf("%s:%s", d.Code, d.Span.In(body)))
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q gives %q, want %q", body, got, want)
		}
	}
}

func TestClaims(t *testing.T) {
	for body, want := range map[string][2]bool{
		twoMods:                                {true, true},
		"a1b2c3d4 AP 3.1\n":                    {true, true},
		"\ufeff# x\r\n\r\na1b2c3d4 AP 3.2\r\n": {true, true},
		"a1b2c3d4 FILE\na.txt\n":               {true, false},
		"fix_bug AP 3.1\n":                     {true, false},
		"text\na1b2c3d4 AP 3.1\n":              {true, false},
		"an ap is a patch\n":                   {false, false},
		"":                                     {false, false},
	} {
		if got := [2]bool{claims(body), unmistakable(body)}; got != want {
			t.Errorf("%q is claimed, and unmistakable: %v, want %v", body, got, want)
		}
	}
}

// If a part is skipped, the others are made without it.
func TestSkipped(t *testing.T) {
	step := Parse(twoMods).Set.Changes[0].Steps[0]
	out := step.Resolve(intent.Target{Text: place.NewText("a\nb\nc\nd\n"), Skipped: intent.Skipped{step.Parts()[0]: true}})
	if after, err := text.Apply("a\nb\nc\nd\n", out.Edits); err != nil || after != "a\nb\nd\n" || len(out.Problems) > 0 {
		t.Errorf("got %q, %v, %v", after, err, out.Problems)
	}
	out = step.Resolve(intent.Target{Text: place.NewText("b\nx\n"), Skipped: intent.Skipped{step.Parts()[0]: true}})
	if len(out.Edits) > 0 || !out.Done {
		t.Errorf("a part that is left out counts: %+v", out)
	}
}

// Places refer to the target before the step, whether they are done or not.
func TestPlaces(t *testing.T) {
	step := Parse(twoMods).Set.Changes[0].Steps[0]
	for src, want := range map[string]string{
		"a\r\nb\r\nc\r\n": `false:"b" false:"c"`,
		"a\n  B\nc\nd":    `true:"  B" false:"c"`,
		"a\n  B\nd\n":     `true:"  B" true:""`,
	} {
		var got []string
		out := step.Resolve(intent.Target{Text: place.NewText(src)})
		for i, p := range out.Places {
			got = append(got, fmt.Sprintf("%v:%q", p.Done, p.Target.In(src)))
			if p.At != step.Parts()[i] {
				t.Errorf("place %d is that of %v", i, p.At)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("in %q: %s, want %s", src, s, want)
		}
	}
}

// A certain fix removes the problem, and the patch keeps its meaning.
func TestFixes(t *testing.T) {
	for _, body := range []string{
		strings.ReplaceAll(twoMods, "a1b2c3d4", "A1B2C3D4"),
		strings.ReplaceAll(twoMods, "a1b2c3d4", "my_patch"),
		strings.ReplaceAll(twoMods, "a1b2c3d4", "a1b2"),
		strings.Replace(twoMods, "a1b2c3d4 AP 3.1\n", "", 1),
		strings.Replace(twoMods, "a1b2c3d4 AP 3.1\n", "99999999 AP 3.1\n", 1),
		strings.Replace(twoMods, "a1b2c3d4 snippet", "a1b2c3d5 snippet", 1),
		strings.Replace(twoMods, "a1b2c3d4 content", "a1b2c3d5 content", 1),
		strings.Replace(twoMods, "a1b2c3d4 DELETE", "a1b2c3d5 DELETE", 1),
		strings.Replace(twoMods, "FILE\n", "FILE ", 1),
		strings.Replace(twoMods, "snippet\n", "snippet: ", 1),
		strings.Replace(twoMods, "snippet\n", "SNIPPET:\n", 1),
		strings.Replace(twoMods, "# Summary", "Summary", 1),
		"```ap\n" + twoMods + "```\n",
		twoMods + "a1b2c3d4 END\n",
		strings.ReplaceAll(twoMods, "\n", "\r\n"),
	} {
		fixed := fix(t, body)
		after, found := apply(t, fixed, map[string]string{"src/a.txt": "a\nb\nc\n"})
		if after["src/a.txt"] != "a\n  B\n" {
			t.Errorf("%s\nwas mended to\n%s\nwhich gives %q\n%s", body, fixed, after["src/a.txt"], messages(found))
		}
	}
}

// fix makes all fixes that are certain until none is left.
func fix(t *testing.T, body string) string {
	t.Helper()
	for range 10 {
		parsed := Parse(body)
		if !diag.HasErrors(parsed.Diagnostics) {
			return body
		}
		for _, d := range parsed.Diagnostics {
			if len(d.Fixes) > 0 && d.Fixes[0].Preferred {
				mended, err := text.Apply(body, d.Fixes[0].Edits)
				if err != nil {
					t.Fatalf("%s of %s: %v", d.Fixes[0].Title, d.Code, err)
				}
				body = mended
				break
			}
		}
	}
	return body
}
