package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// recoverIn plans replacements for a.txt, given its current and its earlier contents.
func recoverIn(t *testing.T, present string, earlier []string, pairs ...string) Plan {
	t.Helper()
	var steps []intent.Step
	for i := 0; i < len(pairs); i += 2 {
		steps = append(steps, findreplace.Replacement{Find: pairs[i], Replace: pairs[i+1], Limit: findreplace.Once})
	}
	return recoverSteps(t, present, earlier, steps)
}

func recoverSteps(t *testing.T, present string, earlier []string, steps []intent.Step) Plan {
	t.Helper()
	change := intent.Change{Kind: intent.Edit, Path: "a.txt", At: text.Span{Start: 0, End: 1}, Steps: steps}
	of := func(context.Context, string) ([]Earlier, error) {
		var all []Earlier
		for i, s := range earlier {
			all = append(all, Earlier{Data: s, Name: fmt.Sprintf("version %d", i)})
		}
		return all, nil
	}
	p, err := Build(t.Context(), fstest.MapFS{"a.txt": {Data: []byte(present), Mode: 0o644}}, []intent.Set{{Changes: []intent.Change{change}}}, Options{Earlier: of})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func codesOf(p Plan) (codes []diag.Code) {
	for _, d := range p.Blocks[0].Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

func TestRecover(t *testing.T) {
	const old = "def first():\n    return load(1)\n\n\ndef second():\n    return load(2)\n"
	const now = "import os\n\ndef first(path):\n    return load(1)\n\n\ndef second():\n    return load(2)\n"
	find := "def second():\n    return load(2)\n"
	t.Run("merged", func(t *testing.T) {
		p := recoverIn(t, now, []string{"nothing\n", old}, "def first():\n    return load(1)\n\n\n"+find, "def first():\n    return load(1)\n\n\n"+strings.Replace(find, "2)\n", "3)\n", 1))
		want := strings.Replace(now, "load(2)", "load(3)", 1)
		if len(p.Files) != 1 || p.Files[0].Before.Data != now || p.Files[0].After.Data != want || !slices.Equal(codesOf(p), []diag.Code{diag.BaseRecovered}) {
			t.Errorf("got %+v", p)
		}
		if !strings.Contains(p.Blocks[0].Diagnostics[0].Message, "version 1") {
			t.Error(p.Blocks[0].Diagnostics[0].Message)
		}
	})
	t.Run("conflict", func(t *testing.T) {
		p := recoverIn(t, now, []string{old}, "def first():\n    return load(1)\n", "def first(a):\n    return load(1)\n")
		if len(p.Files) != 0 || !slices.Contains(codesOf(p), diag.BaseConflict) {
			t.Errorf("got %+v", p)
		}
	})
	t.Run("scattered over two versions", func(t *testing.T) {
		p := recoverIn(t, "nothing at all\n", []string{"first version\n", "second version\n"}, "first version\n", "x", "second version\n", "y")
		if len(p.Files) != 0 || slices.Contains(codesOf(p), diag.BaseRecovered) {
			t.Errorf("got %+v", p)
		}
	})
	t.Run("twice in the earlier text", func(t *testing.T) {
		p := recoverIn(t, "nothing at all\n", []string{"value = load()\nand\nvalue = load()\n"}, "value = load()\n", "x\n")
		if len(p.Files) != 0 || slices.Contains(codesOf(p), diag.BaseRecovered) {
			t.Errorf("got %+v", p)
		}
	})
	t.Run("already merged", func(t *testing.T) {
		done := strings.Replace(now, "load(2)", "load(3)", 1)
		p := recoverIn(t, done, []string{old}, "def first():\n    return load(1)\n\n\n"+find, "def first():\n    return load(1)\n\n\n"+strings.Replace(find, "2)\n", "3)\n", 1))
		if len(p.Files) != 0 || diag.HasErrors(p.Blocks[0].Diagnostics) {
			t.Errorf("got %+v", p)
		}
	})
	t.Run("line endings of the file", func(t *testing.T) {
		crlf := strings.ReplaceAll(now, "\n", "\r\n")
		p := recoverIn(t, crlf, []string{old}, "def first():\n    return load(1)\n\n\n"+find, "def first():\n    return load(1)\n\n\n"+strings.Replace(find, "2)\n", "3)\n", 1))
		if len(p.Files) != 1 || p.Files[0].After.Data != strings.Replace(crlf, "load(2)", "load(3)", 1) {
			t.Errorf("got %+v", p)
		}
	})
}

// Whatever the three texts, the result equals git's merge, or nothing is changed.
func TestRecoverAsGitMerges(t *testing.T) {
	needs.Program(t, "git")
	merged := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		was := make([]string, 12+r.IntN(20))
		for i := range was {
			was[i] = fmt.Sprintf("line number %d of %d\n", i, r.IntN(4))
		}
		now := altered(r, was, 1+r.IntN(4))
		at := r.IntN(len(was) - 3)
		find := strings.Join(was[at:at+3], "")
		replace := strings.Join(altered(r, was[at:at+3], 1), "")
		present := strings.Join(now, "")
		if strings.Contains(present, find) || find == replace || replace == "" {
			continue
		}
		p, step := recoverIn(t, present, []string{strings.Join(was, "")}, find, replace), "find"
		if seed%2 == 1 {
			step = "hunk"
			p = recoverSteps(t, present, []string{strings.Join(was, "")}, []intent.Step{unnumbered(find, replace)})
		}
		want, clean := gitMerge(t, present, strings.Join(was, ""), strings.Replace(strings.Join(was, ""), find, replace, 1))
		switch {
		case len(p.Files) == 0:
		case !clean || p.Files[0].After.Data != want:
			t.Errorf("seed %d: git merges to\n%s\ngot\n%s", seed, want, p.Files[0].After.Data)
		default:
			merged[step]++
		}
	}
	if merged["find"] < 10 || merged["hunk"] < 10 {
		t.Errorf("only so many were merged: %v", merged)
	}
}

// unnumbered returns a hunk without line numbers.
func unnumbered(old, replaced string) hunk.Patch {
	var h hunk.Hunk
	for i, side := range []string{old, replaced} {
		for _, line := range text.SplitLines(side) {
			h.Lines = append(h.Lines, hunk.Line{Op: "-+"[i], Text: line, At: text.Span{Start: len(h.Lines), End: len(h.Lines)}})
		}
	}
	h.At.End = len(h.Lines)
	return hunk.Patch{Hunks: []hunk.Hunk{h}}
}

// altered changes, removes and adds lines.
func altered(r *rand.Rand, lines []string, n int) []string {
	lines = slices.Clone(lines)
	for range n {
		i := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines[i] = fmt.Sprintf("changed %d\n", r.IntN(100))
		case 1:
			lines = slices.Insert(lines, i, fmt.Sprintf("added %d\n", r.IntN(100)))
		default:
			if len(lines) > 1 {
				lines = slices.Delete(lines, i, i+1)
			}
		}
	}
	return lines
}

func gitMerge(t *testing.T, ours, base, theirs string) (merged string, clean bool) {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for i, s := range []string{ours, base, theirs} {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	out, err := exec.Command("git", append([]string{"merge-file", "-p"}, names...)...).Output()
	return string(out), err == nil
}
