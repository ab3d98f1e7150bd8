package hunk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// git applies a body to src with `git apply`.
func git(t *testing.T, dir, src, body string) (string, bool) {
	t.Helper()
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"apply", "--whitespace=nowarn"}
	if !strings.Contains(body, "\n ") {
		args = append(args, "--unidiff-zero")
	}
	cmd := exec.Command("git", append(args, "-")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	cmd.Stdin = strings.NewReader("diff --git a/f b/f\n--- a/f\n+++ b/f\n" + body)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return src, false
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(got), true
}

// perturbed returns a file with changes that were made after the patch.
func perturbed(r *rand.Rand, lines []string) []string {
	out := slices.Clone(lines)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(out) + 1)
		n := min(1+r.IntN(8), len(out)-at)
		switch r.IntN(6) {
		case 0:
			out = slices.Insert(out, at, "something = else")
		case 1:
			out = slices.Insert(out, 0, "# a", "# b")
		case 2: // repeat lines elsewhere
			out = slices.Insert(out, r.IntN(len(out)+1), slices.Clone(out[at:at+n])...)
		case 3:
			out = slices.Insert(out, at, slices.Clone(out[at:at+n])...)
		case 4:
			if len(out) > n+1 {
				out = slices.Delete(out, at, at+n)
			}
		case 5:
			out = append(out, "the end")
		}
	}
	return out
}

// shuffled returns the hunks in another order.
func shuffled(r *rand.Rand, body string) string {
	hunks := parse(body)
	r.Shuffle(len(hunks), func(i, j int) { hunks[i], hunks[j] = hunks[j], hunks[i] })
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString(h.At.In(body))
	}
	return b.String()
}

// If the engine applies a patch, the result equals git's. If it refuses a patch that git applies, git only guesses the
// place, or the patch has an obvious mistake.
func TestAsGitApplies(t *testing.T) {
	needs.Program(t, "git")
	dir := t.TempDir()
	n, applied, refused := trials.Rounds(t, 150), 0, map[string]int{}
	for round := range n {
		r := rand.New(rand.NewPCG(11, uint64(round)))
		lines := program(r, 6+r.IntN(50))
		before, after := joined(lines), joined(changed(r, lines, 1+r.IntN(4)))
		before, after = cutEnd(r, before), cutEnd(r, after)
		context := []int{0, 1, 2, 3, 3, 3}[r.IntN(6)]
		body := patchOf(before, after, context)
		if r.IntN(8) == 0 {
			body = shuffled(r, body)
		}
		src := before
		if r.IntN(8) > 0 {
			src = cutEnd(r, joined(perturbed(r, lines)))
		}
		if body == "" {
			continue
		}
		want, accepted := git(t, dir, src, body)
		got, out := applyTo(t, src, body, Options{})
		refuses := diag.HasErrors(out.Problems)
		why := fmt.Sprintf("round %d: git %v, %s %v\n--- file\n%s--- patch\n%s--- got\n%s--- want\n%s", round, accepted, codes(out.Problems), out.Problems, src, body, got, want)
		switch {
		case accepted && refuses:
			refused[errors(out.Problems)]++
			if !slices.ContainsFunc(out.Problems, func(d diag.Diagnostic) bool { return d.Code == diag.HunkAmbiguous || saferThanGit(d) }) {
				t.Fatal(why)
			}
		case accepted && got != want:
			t.Fatal(why)
		case accepted:
			applied++
		case !refuses && !strings.Contains(codes(out.Problems), string(diag.AlreadyApplied)):
			t.Fatal(why)
		}
	}
	if applied < n/3 {
		t.Errorf("of %d patches only %d were applied as git does; of what git applies, refused: %v", n, applied, refused)
	}
}

// saferThanGit reports whether the engine refuses a hunk that git applies although this cannot be meant: git joins two
// lines at a marker for a missing newline, or reads a number after the end of the file as the end. A single hunk
// without context that names line 1 may have to begin the file; --unidiff-zero lets git place it elsewhere.
func saferThanGit(d diag.Diagnostic) bool {
	return d.Code == diag.HunkNewline || d.Code == diag.HunkDiffers && strings.HasSuffix(d.Message, `\n"`) ||
		d.Code == diag.HunkNotFound && strings.Contains(d.Message, "the hunk adds lines after line") ||
		d.Code == diag.HunkNeedsContext && strings.Contains(d.Message, "at the top of the file")
}

func errors(ds []diag.Diagnostic) string {
	return codes(slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Severity != diag.Error }))
}

func cutEnd(r *rand.Rand, s string) string {
	if r.IntN(5) == 0 {
		return strings.TrimSuffix(s, "\n")
	}
	return s
}
