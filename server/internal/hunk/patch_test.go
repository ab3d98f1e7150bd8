package hunk

import (
	"context"
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// unbar returns s with a line feed for each |. Sources and patches of the table are written with
// |.
func unbar(s string) string { return strings.ReplaceAll(s, "|", "\n") }

func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		src, body string
		opt       Options
		applied   bool
		want      string // "" if nothing changes
		codes     string
		message   string // a part of one of the messages
		fixed     string // the result after all certain fixes; "" if there are none
	}{
		"in place":                  {src: "a|b|c|", body: "@@ -1,3 +1,3 @@| a|-b|+B| c|", want: "a|B|c|"},
		"moved":                     {src: "x|a|b|c|d|", body: "@@ -2,3 +2,3 @@| a|-b|+B| c|", want: "x|a|B|c|d|"},
		"moved, and told":           {src: "x|x|a|b|c|d|", body: "@@ -2,3 +2,3 @@| a|-b|+B| c|", want: "x|x|a|B|c|d|", codes: "hunk-moved", message: "applied at line 3, the only place", fixed: "x|x|a|B|c|d|"},
		"several places":            {src: "-|a|b|-|a|b|-|", body: "@@ -9,2 +9,2 @@|-a|+A| b|", codes: "hunk-ambiguous", message: "at lines 2 and 5; its header says line 9"},
		"the stated one of several": {src: "-|a|b|-|a|b|-|", body: "@@ -5,2 +5,2 @@|-a|+A| b|", want: "-|a|b|-|A|b|-|"},
		"not there":                 {src: "one|two|three|", body: "@@ -1,3 +1,3 @@| one|-toe|+2| three|", codes: "hunk-not-found", message: "expects `toe`, but line 2 is `two`"},
		"in an empty file":          {src: "", body: "@@ -1,2 +1,2 @@| one|-two|+2|", codes: "hunk-not-found", message: "the file is empty"},

		"line 1 not at the top":    {src: "x|a|b|c|", body: "@@ -1,3 +1,3 @@| a|-b|+B| c|", codes: "hunk-needs-context", message: "but the file has these lines at line 2", fixed: "x|a|B|c|"},
		"no context after":         {src: "a|b|c|d|", body: "@@ -2,2 +2,3 @@| b| c|+x|", codes: "hunk-needs-context", message: "begin at line 2, with more lines below", fixed: "a|b|c|x|d|"},
		"no context after, at end": {src: "a|b|c|", body: "@@ -2,2 +2,3 @@| b| c|+x|", want: "a|b|c|x|"},
		"not twice in a line":      {src: "a|b|", body: "@@ -1,2 +1,2 @@|-a|+b| b|@@ -1,2 +1,2 @@|-a|+c| b|", want: "b|b|", codes: "hunk-not-found", message: "line 1 is already part of another hunk"},

		"done":                      {src: "a|bbbbbbbbbbbb|c|", body: "@@ -1,3 +1,3 @@| a|-b|+bbbbbbbbbbbb| c|", codes: "already-applied"},
		"done, in part":             {src: "a|B|c|d|e|f|g|h|", body: "@@ -1,3 +1,3 @@| a|-b|+B| c|@@ -6,3 +6,3 @@| f|-g|+G| h|", want: "a|B|c|d|e|f|G|h|", codes: "already-applied"},
		"done elsewhere":            {src: "x|x|a = 11111111111|c|", body: "@@ -1,2 +1,2 @@|-a = 11111111110|+a = 11111111111| c|", codes: "already-applied", message: "starting at line 3"},
		"too little to be done":     {src: "x|x|A|c|", body: "@@ -1,2 +1,2 @@|-a|+A| c|", codes: "hunk-not-found"},
		"one of equal lines, again": {src: "x|a|a|a|a|y|", applied: true, body: "@@ -1,5 +1,4 @@| x|-a| a| a| a|", want: "x|a|a|a|y|", codes: "hunk-stands-already"},
		"one of equal lines":        {src: "x|a|a|a|a|y|", body: "@@ -1,5 +1,4 @@| x|-a| a| a| a|", want: "x|a|a|a|y|"},
		"done, says the history":    {src: "a|a|x|", applied: true, body: "@@ -1,2 +1,3 @@|+a| a| x|", codes: "already-applied"},
		"the same, unknown":         {src: "a|a|x|", body: "@@ -1,2 +1,3 @@|+a| a| x|", codes: "already-applied"},
		"done, and elsewhere not":   {src: "a|B|c|a|b|c|d|", body: "@@ -1,3 +1,3 @@| a|-b|+B| c|", codes: "hunk-needs-context", message: "the file has the result at line 1"},
		"done, and not at the end":  {src: "x|a|b|c|d|a|B|", body: "@@ -2,2 +2,2 @@| a|-b|+B|", codes: "hunk-needs-context"},
		"done, and git applies it":  {src: "x|a|B|c|a|b|c|d|", body: "@@ -2,3 +2,3 @@| a|-b|+B| c|", want: "x|a|B|c|a|B|c|d|", codes: "hunk-stands-already"},
		"nothing asked":             {src: "a|b|", body: "@@ -1,2 +1,2 @@| a| b|", codes: "git-hunk-empty"},

		"U0":                                {src: "a|b|c|", body: "@@ -2 +2 @@|-b|+B|", want: "a|B|c|"},
		"U0 deletion":                       {src: "a|b|c|", body: "@@ -2 +1,0 @@|-b|", want: "a|c|"},
		"U0 insertion":                      {src: "a|b|c|", body: "@@ -2,0 +3 @@|+x|", want: "a|b|x|c|", codes: "hunk-by-number", message: "after line 2, `b`"},
		"U0 insertion, proven":              {src: "a|b|c|", body: "@@ -2,0 +3 @@|+x|", opt: Options{OldBlob: blobOf("a|b|c|")[:7]}, want: "a|b|x|c|"},
		"U0 insertion, disproven":           {src: "a|b|c|d|", body: "@@ -2,0 +3 @@|+x|", opt: Options{OldBlob: blobOf("a|b|c|")[:7]}, want: "a|b|x|c|d|", codes: "hunk-by-number"},
		"U0 insertion, no place":            {src: "a|", body: "@@ -8,0 +9 @@|+x|", codes: "hunk-not-found", message: "the file has only 1 lines"},
		"into an empty file":                {src: "", body: "@@ -0,0 +1,2 @@|+x|+y|", want: "x|y|"},
		"insertion without numbers":         {src: "a|", body: "@@ ... @@|+x|", codes: "hunk-unnumbered", message: "neither line numbers nor context"},
		"insertion without context, beside": {src: "a|b|c|d|e|f|", body: "@@ -1,2 +1,2 @@|-a|+A| b|@@ -4,0 +5 @@|+x|", want: "A|b|c|d|e|f|", codes: "hunk-needs-context", message: "would append them to the file"},

		"counts":                      {src: "a|b|c|", body: "@@ -1,9 +1,7 @@| a|-b|+B| c|", codes: "hunk-counts", message: "counts 9 lines before and 7 after, but the hunk has 3 and 3", fixed: "a|B|c|"},
		"an edge lost":                {src: "a|b|c|d|", body: "@@ -1,3 +1,4 @@| a|+x|", codes: "hunk-counts"},
		"no numbers":                  {src: "x|a|b|c|", body: "@@ ... @@| a|-b|+B| c|", codes: "hunk-unnumbered", message: "only at line 2", fixed: "x|a|B|c|"},
		"no numbers, several":         {src: "a|b|c|a|b|c|", body: "@@| a|-b|+B| c|", codes: "hunk-ambiguous"},
		"no numbers, in a function":   {src: "f():|  a|  b|  c|g():|  a|  b|  c|", body: "@@ g():|   a|-  b|+  B|   c|", codes: "hunk-unnumbered", fixed: "f():|  a|  b|  c|g():|  a|  B|  c|"},
		"in the first function":       {src: "f():|  a|  b|  c|g():|  a|  b|  c|", body: "@@ f():|   a|-  b|+  B|   c|", codes: "hunk-unnumbered", fixed: "f():|  a|  B|  c|g():|  a|  b|  c|"},
		"no line between":             {src: "a|b|c|d|e|", body: "@@|-a|+A|@@|-b|+B|@@|-c|+C|", codes: "hunk-unnumbered", fixed: "A|B|C|d|e|"},
		"no line between, to the end": {src: "a|b|", body: "@@|-a|+A|@@|-b|+B|", codes: "hunk-unnumbered", fixed: "A|B|"},
		"no numbers, and done":        {src: "aaaaaaaaaaaa|xxxxxxxxxxxx|c|", body: "@@| aaaaaaaaaaaa|+xxxxxxxxxxxx|", codes: "already-applied"},

		"white space at line ends": {src: "first line|second   |c|", body: "@@ -1,3 +1,3 @@| first line|-second|+2| c|", codes: "hunk-differs", message: `expects "second\n", but line 2 of the file is "second   \n"`, fixed: "first line|2|c|"},
		"shift that another hunk hides": {src: "\tfirst line here|\tsecond line here|\tthird line here|||d|", codes: "hunk-differs", want: "\tfirst line here|\tsecond line here|\tthird line here||new line||d|",
			body: "@@ -1,3 +1,3 @@| first line here|-second line here|+2| third line here|@@ -4,2 +4,3 @@| |+new line| |"},
		"context read as removed": {src: "one line of text| two lines of text|three lines of text|end|-|one line of text|- two lines of text|three lines of text|end|", codes: "git-line-start",
			body: "@@ -6,4 +6,4 @@|one line of text|- two lines of text|-three lines of text|+3|end|"},
		"empty line, LF among CRLF": {src: "first line here\r|\r|\r|second line here\r|", codes: "hunk-differs", body: "@@ -1,4 +1,3 @@| first line here\r|-\r|| second line here\r|"},
		"CRLF":                      {src: "first line\r|second\r|c\r|", body: "@@ -1,3 +1,3 @@| first line|-second|+2| c|", codes: "hunk-differs", fixed: "first line\r|2\r|c\r|"},
		"tabs":                      {src: "first line:|\tsecond()|\tc|", body: "@@ -1,3 +1,3 @@| first line:|-    second()|+    2()|     c|", codes: "hunk-differs", fixed: "first line:|\t2()|\tc|"},
		"indentation":               {src: "  first line:|    second()|  c|", body: "@@ -1,3 +1,3 @@| first line:|-  second()|+  2()| c|", codes: "hunk-differs", message: "expects", fixed: "  first line:|    2()|  c|"},
		"mark":                      {src: mark + "first line|second|c|", body: "@@ -1,3 +1,3 @@| first line|-second|+2| c|", codes: "hunk-differs", fixed: mark + "first line|2|c|"},
		"mark on what changes":      {src: mark + "first line|second|c|", body: "@@ -1,3 +1,3 @@|-first line|+1| second| c|", codes: "hunk-differs", fixed: mark + "1|second|c|"},
		"marker lost":               {src: "first line|second|third", body: "@@ -1,3 +1,3 @@| first line|-second|+2| third|", codes: "hunk-differs", fixed: "first line|2|third"},
		"marker too many":           {src: "first line|second|third|", body: "@@ -1,3 +1,3 @@| first line|-second|+2| third|" + noNewline + "|", codes: "hunk-differs", fixed: "first line|2|third|"},
		"marker lost at change":     {src: "first line|second|third", body: "@@ -1,3 +1,3 @@| first line| second|-third|+3|", codes: "hunk-differs"},
		"marker inside":             {src: "first line|second|third|", body: "@@ -1,3 +1,3 @@| first line|" + noNewline + "|-second|+2| third|", codes: "hunk-newline", fixed: "first line|2|third|"},
		"what it is about":          {src: "first line|second|third|", body: "@@ -1,3 +1,3 @@| first line|-second  |+second| third|", codes: "already-applied"},

		"its newline is it": {src: "first line|second|third|", body: "@@ -1,3 +1,3 @@| first line| second|-third|+third|" + noNewline + "|-fourth|", codes: "hunk-not-found"},

		"the whole file":       {src: "a|b|", body: "@@ -1,2 +0,0 @@|-a|-b|", opt: Options{WholeFile: true}, want: "<nothing>"},
		"more than the hunk":   {src: "a|b|c|", body: "@@ -1,2 +0,0 @@|-a|-b|", opt: Options{WholeFile: true}, codes: "hunk-not-found"},
		"created over another": {src: "a|", body: "@@ -0,0 +1 @@|+b|", opt: Options{WholeFile: true}, codes: "hunk-not-found", message: "which already exists"},
		"created before":       {src: "b|", body: "@@ -0,0 +1 @@|+b|", opt: Options{WholeFile: true}, codes: "already-applied"},
	} {
		t.Run(name, func(t *testing.T) {
			target := intent.Target{Text: place.NewText(unbar(c.src)), Applied: c.applied}
			body := unbar(c.body)
			got, out := applyTarget(t, target, body, c.opt)
			want := target.Text.String()
			if c.want != "" {
				want = strings.TrimPrefix(unbar(c.want), "<nothing>")
			}
			if got != want || codes(out.Problems) != c.codes {
				t.Errorf("got %q, want %q; codes %q, want %q; %v", got, want, codes(out.Problems), c.codes, out.Problems)
			}
			if all := fmt.Sprint(out.Problems); !strings.Contains(all, c.message) {
				t.Errorf("%q is not in %s", c.message, all)
			}
			if (len(certain(out.Problems)) > 0) != (c.fixed != "") {
				t.Errorf("certain fixes: %v", out.Problems)
			}
			if c.fixed != "" {
				body = fixed(t, target, body, c.opt)
				if got, out := applyTarget(t, target, body, c.opt); got != unbar(c.fixed) || len(out.Problems) > 0 {
					t.Errorf("repaired: %q, want %q; %v\n%s", got, unbar(c.fixed), out.Problems, body)
				}
			}
		})
	}
}

func blobOf(s string) string {
	s = unbar(s)
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(s), s)))
}

// There is a fix for every place of an ambiguous hunk.
func TestChoosingAPlace(t *testing.T) {
	src, body := unbar("-|a|b|-|a|b|-|"), unbar("@@ ... @@|-a|+A| b|")
	_, out := applyTo(t, src, body, Options{})
	var got []string
	for _, f := range out.Problems[0].Fixes {
		chosen, err := text.Apply(body, f.Edits)
		if err != nil {
			t.Fatal(err)
		}
		after, out := applyTo(t, src, chosen, Options{})
		got = append(got, strings.ReplaceAll(after, "\n", "|")+codes(out.Problems))
	}
	if want := "-|A|b|-|a|b|- -|a|b|-|A|b|-"; strings.ReplaceAll(strings.Join(got, " "), "-| ", "- ") != want+"|" {
		t.Errorf("got %q", got)
	}
}

// For a hunk that is not found, the most similar place in the file is offered.
func TestSuggestions(t *testing.T) {
	src := "package a\n\nfunc start() {\n\tlisten(port, host)\n\tserve(all, forever)\n}\n\nfunc stop() {\n}\n"
	body := "@@ -1,4 +1,4 @@\n func start() {\n-\tlisten(port)\n+\tlisten(port, now)\n \tserve(all, forever)\n }\n"
	_, out := applyTo(t, src, body, Options{})
	fixes := out.Problems[0].AllFixes(context.Background())
	if len(fixes) == 0 || fixes[0].Preferred || !strings.Contains(fixes[0].Title, "line 3 (9") {
		t.Fatalf("%v", fixes)
	}
	body, err := text.Apply(body, fixes[0].Edits)
	if err != nil {
		t.Fatal(err)
	}
	got, out := applyTo(t, src, body, Options{})
	if want := strings.Replace(src, "port, host", "port, now", 1); got != want || len(out.Problems) > 0 {
		t.Errorf("%q, %v\n%s", got, out.Problems, body)
	}
}

// If the endings of a patch are unknown, a file with mixed endings keeps them.
func TestEndingsUnknown(t *testing.T) {
	target := intent.Target{Text: place.NewText("a\r\nb\nc\r\n"), EndingsUnknown: true}
	got, out := applyTarget(t, target, "@@ -1,3 +1,4 @@\r\n a\r\n-b\r\n+B\r\n+x\r\n c\r\n", Options{})
	if want := "a\r\nB\nx\nc\r\n"; got != want || len(out.Problems) > 0 {
		t.Errorf("%q, want %q; %v", got, want, out.Problems)
	}
}
