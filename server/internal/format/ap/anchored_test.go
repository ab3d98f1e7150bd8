package ap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// If functions share lines, only their headers tell the places apart. A patch changes the lines
// in the right function. The second time it counts as done, although the same lines also occur
// further down.
func TestAnchored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before, after, mods []string
		words := rapid.SampledFrom([]string{"x = 1", "return x", "y()", "if z:", "", "}"})
		for f := range rapid.IntRange(1, 6).Draw(t, "functions") {
			body := rapid.SliceOfN(words, 1, 6).Draw(t, "body")
			header := fmt.Sprintf("def f%d():", f)
			lines := []string{header}
			for _, line := range body {
				lines = append(lines, strings.TrimRight("    "+line, " "))
			}
			edited, mod := drawAnchored(t, header, lines, f)
			before, after, mods = append(before, lines...), append(after, edited...), append(mods, mod)
		}
		checkAnchored(t, join(before, "\n", true), join(after, "\n", true), strings.Join(mods, ""))
	})
}

// drawAnchored draws a modification of a function, or none.
func drawAnchored(t *rapid.T, header string, lines []string, f int) (edited []string, mod string) {
	at := rapid.IntRange(1, len(lines)-1).Draw(t, "at")
	snippet := strings.TrimSpace(lines[at])
	first := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == snippet })
	if snippet == "" || first != at || rapid.Bool().Draw(t, "left alone") {
		return lines, ""
	}
	content := []string{fmt.Sprintf("    new%d()", f)}
	if rapid.Bool().Draw(t, "holds its snippet") {
		content = append(content, lines[at])
	}
	action := rapid.SampledFrom([]string{kwReplace, kwInsertAfter, kwInsertBefore}).Draw(t, "action")
	mod = fmt.Sprintf("@ %s\n@ anchor\n%s\n@ snippet\n%s\n@ content\n%s\n", action, header, snippet, strings.Join(content, "\n"))
	switch action {
	case kwReplace:
		return slices.Concat(lines[:at], content, lines[at+1:]), mod
	case kwInsertAfter:
		return slices.Concat(lines[:at+1], content, lines[at+1:]), mod
	}
	return slices.Concat(lines[:at], content, lines[at:]), mod
}

func checkAnchored(t *rapid.T, before, want, mods string) {
	if mods == "" {
		return
	}
	body := strings.ReplaceAll("@ AP 3.1\n@ FILE\nf.txt\n"+mods, "@", "a1b2c3d4")
	after, found := applyTo(t, body, before)
	if after != want || diag.HasErrors(found) {
		t.Fatalf("%s\nwith\n%s\nbecame\n%s\nwant\n%s\n%s", before, mods, after, want, messages(found))
	}
	again, found := applyTo(t, body, after)
	if again != after || diag.HasErrors(found) {
		t.Fatalf("%s\nwith\n%s\nbecame\n%s\nand the second time\n%s\n%s", before, mods, after, again, messages(found))
	}
}

// If a snippet to delete occurs several times, there is a fix for each place. It deletes the
// snippet at the place that its title names.
func TestPlacesAreOffered(t *testing.T) {
	offered := 0
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"x = 1", "return x", "if z:", "", "class C:"})
		var lines []string
		for f := range rapid.IntRange(2, 5).Draw(t, "functions") {
			lines = append(lines, fmt.Sprintf("def f%d():", f))
			for _, line := range rapid.SliceOfN(words, 1, 5).Draw(t, "body") {
				lines = append(lines, strings.TrimRight("    "+line, " "))
			}
		}
		before := join(lines, "\n", true)
		body := "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nf.txt\na1b2c3d4 DELETE\na1b2c3d4 snippet\nreturn x\n"
		_, found := applyTo(t, body, before)
		for _, d := range found {
			for _, fix := range d.Fixes {
				offered++
				checkDeletes(t, body, lines, fix)
			}
		}
	})
	if offered < 20 {
		t.Errorf("only %d fixes were offered: the test says little", offered)
	}
}

func checkDeletes(t *rapid.T, body string, lines []string, fix diag.Fix) {
	var line int
	if _, err := fmt.Sscanf(fix.Title, "Use line %d:", &line); err != nil {
		t.Fatalf("%q: %v", fix.Title, err)
	}
	fixed, err := text.Apply(body, fix.Edits)
	if err != nil {
		t.Fatal(err)
	}
	after, found := applyTo(t, fixed, join(lines, "\n", true))
	if want := join(slices.Delete(slices.Clone(lines), line-1, line), "\n", true); after != want || diag.HasErrors(found) {
		t.Fatalf("%s\nof %q became %q, want %q\n%s", fixed, lines, after, want, messages(found))
	}
}
