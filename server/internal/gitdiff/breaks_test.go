package gitdiff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// breaks are ways in which models break the header of a file's patch, or the text around it. Each
// function gets the patch of one file.
var breaks = map[string]func(rng *rand.Rand, patch string) string{
	"new file mode lost":         cutLine(`new file mode .*`),
	"deleted file mode lost":     cutLine(`deleted file mode .*`),
	"old mode lost":              cutLine(`old mode .*`),
	"rename to lost":             cutLine(`rename to .*`),
	"rename from lost":           cutLine(`rename from .*`),
	"--- lost":                   cutLine(`--- .*`),
	"+++ lost":                   cutLine(`\+\+\+ .*`),
	"index lost":                 cutLine(`index .*`),
	"diff --git lost":            cutLine(`diff --git .*`),
	"--- a/ lost":                inHeader(swap(`(?m)^--- a/(.*)$`, "--- $1")),
	"+++ b/ lost":                inHeader(swap(`(?m)^\+\+\+ b/(.*)$`, "+++ $1")),
	"prefixes doubled":           inHeader(swap(`(?m)^(---|\+\+\+) ([ab]/)(.*)$`, "$1 $2$2$3")),
	"prefixes alike":             inHeader(swap(`(?m)^\+\+\+ b/(.*)$`, "+++ a/$1")),
	"prefix in rename":           inHeader(swap(`(?m)^rename from (.*)\nrename to (.*)$`, "rename from a/$1\nrename to b/$2")),
	"short mode":                 inHeader(swap(`(?m)^(new file|deleted file) mode 100(.*)$`, "$1 mode $2")),
	"time":                       inHeader(swap(`(?m)^(---|\+\+\+) ([ab]/[^\t\n]*)$`, "$1 $2 2020-01-01 10:00:00")),
	"blank line in header":       inHeader(swap(`(?m)^(\+\+\+ .*)$`, "$1\n")),
	"hunk header without @@":     swap(`(?m)^@@ (-\S+ \+\S+) @@.*$`, "@@ $1"),
	"hunk header run together":   swap(`(?m)^@@ (-\S+ \+\S+) @@.*$`, "@@$1@@"),
	"placeholder":                swap(`(?m)^@@ -\S+ \+\S+ @@.*$`, "@@ ... @@"),
	"names joined":               inHeader(swap(`(?m)^(--- .*)\n(\+\+\+ .*)$`, "$1 $2")),
	"line in hunk header":        swap(`(?m)^(@@ -\S+ \+\S+ @@).*\n(-(\S|\t|  ))`, "$1 $2"),
	"line in placeholder":        swap(`(?m)^@@ -\S+ \+\S+ @@.*\n(-(\S|\t|  ))`, "@@ ... @@ $1"),
	"hunk header lost":           swap(`(?m)^@@ -\S+ \+\S+ @@.*\n`, ""),
	"counts":                     swap(`(?m)^@@ -(\d+)\S* \+(\d+)\S* @@.*$`, "@@ -$1,77 +$2,77 @@"),
	"spaces lost":                swap(`(?m)^ $`, ""),
	"pluses of empty lines lost": swap(`(?m)^\+$`, ""),
	"indented":                   swap(`(?m)^(.)`, "    $1"),
	"byte order mark":            func(_ *rand.Rand, p string) string { return bom + p },
	"prose below":                func(_ *rand.Rand, p string) string { return p + "\nThat is the change:\n\n1. done\n" },
	"list below":                 func(_ *rand.Rand, p string) string { return p + "\nNotes:\n\n- one\n+ two\n" },
	"fence":                      func(_ *rand.Rand, p string) string { return "```diff\n" + p + "```\n" },
	"context without blank": func(rng *rand.Rand, p string) string {
		lines := strings.SplitAfter(p, "\n")
		for range 20 {
			if i := rng.IntN(len(lines)); len(lines[i]) > 2 && lines[i][0] == ' ' && !strings.ContainsAny(lines[i][1:2], "+-\\\\@d\n") {
				lines[i] = lines[i][1:]
				break
			}
		}
		return strings.Join(lines, "")
	},
	"a header's line lost": inHeader(func(rng *rand.Rand, p string) string {
		lines := strings.SplitAfter(p, "\n")
		i := rng.IntN(len(lines))
		return strings.Join(slices.Delete(lines, i, i+1), "")
	}),
}

func cutLine(pattern string) func(*rand.Rand, string) string {
	return inHeader(swap(`(?m)^`+pattern+`\n`, ""))
}

// inHeader returns a function that breaks only the part above the first hunk.
func inHeader(broken func(*rand.Rand, string) string) func(*rand.Rand, string) string {
	return func(rng *rand.Rand, p string) string {
		end := max(strings.Index(p, "\n@@ -")+1, 0)
		if end == 0 {
			end = len(p)
		}
		return broken(rng, p[:end]) + p[end:]
	}
}

// modeless returns a tree without modes. If the line with a mode is missing, the patch does not
// determine the mode.
func modeless(t tree) tree {
	out := tree{}
	for name, f := range t {
		out[name] = file{data: f.data}
	}
	return out
}

func swap(pattern, by string) func(*rand.Rand, string) string {
	re := regexp.MustCompile(pattern)
	return func(_ *rand.Rand, p string) string { return re.ReplaceAllString(p, by) }
}

// If a broken patch is repaired only by certain fixes, it gives the intended result or is refused.
func TestBreaks(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	mustGit(t, dir, "init", "-q")
	mended, refused := map[string]int{}, map[string]int{}
	for round := range trials.Rounds(t, 40) {
		rng := rand.New(rand.NewPCG(uint64(round), 3))
		before := drawTree(rng)
		after := before.mutate(rng)
		patch := mustGit(t, dir, "diff", "-M", "--binary", commitTree(t, dir, before), commitTree(t, dir, after))
		for _, one := range strings.Split(strings.ReplaceAll("\n"+patch, "\ndiff --git ", "\x00diff --git "), "\x00")[1:] {
			one = strings.TrimSuffix(one, "\n") + "\n"
			want, err := before.apply(Parse(one, nil))
			if err != nil {
				continue // the name becomes free in another section
			}
			for name, broken := range breaks {
				bad := broken(rng, one)
				if bad == one {
					continue
				}
				got, ok := repaired(t, before, bad)
				want := want
				if strings.HasSuffix(name, " lost") {
					got, want = modeless(got), modeless(want)
				}
				switch {
				case !ok:
					refused[name]++
				case got.String() != want.String():
					t.Errorf("%s: got\n%swant\n%s%s", name, got, want, bad)
				default:
					mended[name]++
				}
			}
		}
	}
	for name := range breaks {
		if mended[name]+refused[name] == 0 {
			t.Errorf("%s: never tried", name)
		}
		t.Logf("%-26s %3d mended, %3d refused", name, mended[name], refused[name])
	}
}

// repaired applies all certain fixes to a patch, and then the patch to a tree.
func repaired(t *testing.T, before tree, patch string) (tree, bool) {
	t.Helper()
	for range 100 {
		p := Parse(patch, nil)
		p.Diagnostics = append(p.Diagnostics, before.problems(p)...)
		fixed := fixOne(t, patch, p)
		if fixed != patch {
			patch = fixed
			continue
		}
		if diag.HasErrors(p.Diagnostics) || diag.Worst(p.Diagnostics) == diag.Warning {
			return nil, false
		}
		got, err := before.apply(p)
		return got, err == nil
	}
	t.Errorf("certain fixes do not end: %s", patch)
	return nil, false
}

// problems returns the problems of a patch's steps with the files of the tree.
func (t tree) problems(p Patch) (ds []diag.Diagnostic) {
	for _, c := range p.Set.Changes {
		source, ok := t[c.Path]
		if _, taken := t[c.Path]; taken && c.Kind == intent.Create && t[c.Path].data != c.Content {
			return append(ds, diag.Diagnostic{Severity: diag.Error, Message: "exists"})
		}
		if !ok {
			continue
		}
		for _, s := range c.Steps {
			out := s.Resolve(intent.Target{Text: place.NewText(source.data)})
			ds = append(ds, out.Problems...)
			if fmt.Sprint(out.Problems) == "[]" && len(out.Edits) == 0 && !out.Done {
				ds = append(ds, diag.Diagnostic{Severity: diag.Error, Message: "nothing said"})
			}
		}
	}
	return ds
}
