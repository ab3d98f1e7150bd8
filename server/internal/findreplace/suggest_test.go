package findreplace

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// If a find is missing, every find that is offered instead is in the file, and every statement
// about the file is true.
func FuzzNear(f *testing.F) {
	f.Add("a\n    b = 1;\n    c = 2;\n", "b = 1;\n  c = 2;", "x", false)
	f.Add("\tif ready {\n\t\tstart(now, 1)\n\t}\n", "    if ready {\n        start(now, 1)\n    }\n", "    if ready {\n    }\n", true)
	f.Add("say(\"it's…\")  \r\nnext line here\r\n", "say(“it’s...”)\nnext line here", "say()", false)
	f.Add("a &lt; b && c_d_e_f_g\n\n\nx", "a < b && c_d_e_f_g\n\nx", "\n", false)
	f.Add("one two three four\nfive six seven\n", "one two three for\nfive six seven\neight", "1", false)
	f.Add("\n \n\t\n", " \n \n\t\t", "\t", true)
	f.Fuzz(func(t *testing.T, src, find, replace string, every bool) {
		if find == "" || !utf8.ValidString(src+find+replace) || strings.ContainsAny(src+find+replace, "\x00") {
			return
		}
		tr := trial{src: src, find: find, replace: replace}
		if every {
			tr.limit = All
		}
		tr.repair(t)
		_, out := tr.once(t)
		for _, d := range out.Problems {
			for _, fix := range d.AllFixes(context.Background()) {
				fixed := tr.fixed(t, fix)
				if !strings.Contains(text.WithEOL(src, text.LF), text.WithEOL(fixed.find, text.LF)) {
					t.Fatalf("%s: %q is not there either", fix.Title, fixed.find)
				}
				if strings.HasPrefix(fix.Title, "Use") || strings.HasPrefix(fix.Title, "Replace the one") {
					checkAlone(t, fixed, fix)
				}
			}
		}
	})
}

// checkAlone checks that the find is unique if the fix is for only one occurrence.
func checkAlone(t *testing.T, fixed trial, fix diag.Fix) {
	if fixed.limit == All {
		return
	}
	_, out := fixed.once(t)
	for _, d := range out.Problems {
		if d.Code == diag.FindAmbiguous || d.Code == diag.FindNotFound {
			t.Fatalf("%s: %q, then %s", fix.Title, fixed.find, d.Message)
		}
	}
}

// In these files, all places look alike. Quadratic work would not finish.
func TestLargeNearMisses(t *testing.T) {
	const n = 1 << 17
	lines := func(line string, n int) string { return strings.Repeat(line+"\n", n) }
	for _, tr := range []trial{
		{src: lines("    some_line(of, text)", n/16), find: lines("  some_line(of, text)", n/64), replace: "x"},
		{src: lines("some_line(of, text) ", n/16), find: lines("some_line(of, text)", n/64), replace: "x"},
		{src: lines("some_line(of, text)", n/16), find: lines("some_line(of, text!)", n/64), replace: "x"},
		{src: lines("some_line(of, text)", n/16), find: lines("some_line(of, text!)", 400), replace: "x"},
		{src: lines("some_line(of, text)", n/16), find: "some_line(of, text)", replace: "x"},
		{src: lines("some_line(of, text)", 5000), find: "some_line(of, text)", replace: "x"},
		{src: strings.Repeat("ab", n), find: strings.Repeat("ab", n/4) + "c", replace: "x"},
		{src: strings.Repeat("ab ", n), find: strings.Repeat("ab", n/4), replace: "x"},
		{src: lines("", n), find: " " + lines("", n/2) + "x", replace: "x"},
		{src: lines("", n) + "x", find: " " + lines("", n/2) + "  x", replace: "x"},
		{src: lines("some_line(of, text)", n/16), find: strings.ReplaceAll(lines("some_line(of, text)", 1000), "\n", `\n`), replace: lines("", n/4)},
	} {
		_, fixes := tr.repair(t)
		fixes()
	}
}

func TestSuggestEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, out := trial{src: "one two three four\n", find: "one two three for", replace: "x"}.once(t)
	if fixes := out.Problems[0].AllFixes(ctx); len(fixes) != 0 {
		t.Errorf("%v is found though nobody waits", fixes)
	}
}
