package hunk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A trial is a patch whose true result is known, and how a model wrote it.
type trial struct {
	src, body string
	truth     string
	opt       Options
	unknown   bool // endings
}

func newTrial(r *rand.Rand, edit func(r *rand.Rand, lines []string) []string) trial {
	for {
		lines := program(r, 30+r.IntN(100))
		for range r.IntN(3) { // parts of it stand twice
			at, n := r.IntN(len(lines)-20), 5+r.IntN(15)
			lines = slices.Insert(lines, r.IntN(len(lines)), slices.Clone(lines[at:at+n])...)
		}
		if edit != nil {
			lines = edit(r, lines)
		}
		t := trial{src: joined(lines), truth: joined(changed(r, lines, 1+r.IntN(4)))}
		if t.body = patchOf(t.src, t.truth, 3); t.body != "" {
			return t
		}
	}
}

// eachLine changes the lines of hunks, markers and headers left out.
func eachLine(body string, f func(op byte, line string) string) string {
	lines := gitLines(body)
	for i, line := range lines {
		if strings.ContainsRune(" +-", rune(line[0])) {
			lines[i] = f(line[0], line)
		}
	}
	return strings.Join(lines, "")
}

// eachHeader changes the headers of hunks.
func eachHeader(body string, f func(h Hunk) string) string {
	var edits []text.Edit
	for _, h := range parse(body) {
		edits = append(edits, text.Edit{Span: h.Header, New: f(h)})
	}
	out, err := text.Apply(body, edits)
	if err != nil {
		panic(err)
	}
	return out
}

// A class is a way in which models miss.
type class struct {
	name    string
	make    func(r *rand.Rand) trial
	certain int // per cent that --fix makes right, at least
	offered int // per cent that some fixes make right, at least
}

// broken is a trial whose patch was broken.
func broken(f func(r *rand.Rand, t *trial)) func(r *rand.Rand) trial {
	return brokenIn(nil, f)
}

func brokenIn(edit func(r *rand.Rand, lines []string) []string, f func(r *rand.Rand, t *trial)) func(r *rand.Rand) trial {
	return func(r *rand.Rand) trial {
		t := newTrial(r, edit)
		f(r, &t)
		return t
	}
}

func tabbed(_ *rand.Rand, lines []string) []string {
	for i, line := range lines {
		line = strings.ReplaceAll(line, "    ", "\t")
		lines[i] = strings.ReplaceAll(line, "  ", "\t")
	}
	return lines
}

func spaced(_ *rand.Rand, lines []string) []string {
	for i, line := range tabbed(nil, lines) {
		lines[i] = strings.ReplaceAll(line, "\t", "    ")
	}
	return lines
}

func untidy(r *rand.Rand, lines []string) []string {
	for i := range lines {
		lines[i] += []string{"", "", "", " ", "\t", "  "}[r.IntN(6)]
	}
	return lines
}

func uncounted(_ *rand.Rand, t *trial) {
	t.body = eachHeader(t.body, func(h Hunk) string {
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.Old.Start, h.Old.Count+2, h.New.Start, h.New.Count+1)
	})
}

func misnumbered(r *rand.Rand, t *trial) {
	t.body = eachHeader(t.body, func(h Hunk) string {
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@", 300+r.IntN(200), h.Old.Count, 300+r.IntN(200), h.New.Count)
	})
}

func unnumbered(r *rand.Rand, t *trial) {
	t.body = eachHeader(t.body, func(Hunk) string { return []string{"@@", "@@ ... @@", "@@ @@"}[r.IntN(3)] })
}

func trimmedBody(_ *rand.Rand, t *trial) {
	t.body = eachLine(t.body, func(op byte, line string) string {
		if op == '+' {
			return line
		}
		return string(op) + strings.TrimRight(line[1:], " \t\n") + "\n"
	})
}

func cutTrailing(_ *rand.Rand, t *trial) { t.body = without(t.body, false) }
func cutLeading(_ *rand.Rand, t *trial)  { t.body = without(t.body, true) }

// without is hunks without the context before or behind their changes.
func without(body string, leading bool) string {
	var b strings.Builder
	for _, h := range parse(body) {
		before, after := edges(h.Lines)
		lines := h.Lines[:len(h.Lines)-after]
		old, now := h.Old, h.New
		if leading {
			lines = h.Lines[before:]
			old.Start, now.Start = old.Start+before, now.Start+before
		}
		x, y := sides(lines)
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", numbers(old.Start-1, x.count()), numbers(now.Start-1, y.count()))
		for _, l := range lines {
			writeDiffLine(&b, string(l.Op), l.Text)
		}
	}
	return b.String()
}

// unended is a file without a newline at its end, with a change there or not.
func unended(r *rand.Rand) trial {
	for {
		lines := program(r, 30+r.IntN(40))
		lines[len(lines)-1] = "the last one"
		after := changed(r, lines, 1+r.IntN(2))
		if at := len(after) - 1 - r.IntN(3); at > 0 {
			after[at] = "changed here"
		}
		t := trial{src: strings.TrimSuffix(joined(lines), "\n"), truth: cutEnd(r, joined(after))}
		if r.IntN(3) > 0 {
			t.truth = strings.TrimSuffix(t.truth, "\n")
		}
		if t.body = patchOf(t.src, t.truth, 3); strings.Contains(t.body, noNewline) && !strings.HasSuffix(t.truth, "\n\n") {
			return t
		}
	}
}

// v4a writes the hunks in the shape of `*** Update File`.
func v4a(r *rand.Rand, t *trial) {
	unnumbered(r, t)
	const head = "*** Update File: f\n"
	t.body = head + t.body
	t.opt.Foreign = &Foreign{Name: "`*** Update File`", At: text.Span{End: len(head)}, Head: "--- a/f\n+++ b/f\n"}
}

// sectioned names the line above each hunk that is indented least.
func sectioned(_ *rand.Rand, t *trial) {
	lines := strings.Split(t.src, "\n")
	t.body = eachHeader(t.body, func(h Hunk) string {
		for i := min(h.Old.Start+2, len(lines)-1); i >= 0; i-- {
			if strings.HasPrefix(lines[i], "def ") {
				return "@@ " + lines[i]
			}
		}
		return "@@"
	})
}

var classes = []class{
	{"exact", broken(func(*rand.Rand, *trial) {}), 100, 0},
	{"counts", broken(uncounted), 100, 0},
	{"numbers", broken(misnumbered), 70, 90},
	{"placeholders", broken(unnumbered), 70, 90},
	{"the function for numbers", broken(sectioned), 70, 90},
	{"blanks at line ends lost", brokenIn(untidy, trimmedBody), 70, 80},
	{"blanks at line ends added", broken(func(r *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == '+' || r.IntN(3) > 0 {
				return line
			}
			return bodyOf(line) + "  \n"
		})
	}), 70, 80},
	{"LF for CRLF", broken(func(_ *rand.Rand, t *trial) {
		t.src, t.truth = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF)
	}), 85, 90},
	{"CRLF for LF", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(_ byte, line string) string { return bodyOf(line) + "\r\n" })
	}), 85, 90},
	{"endings unknown", broken(func(_ *rand.Rand, t *trial) {
		t.src, t.truth, t.unknown = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF), true
	}), 100, 0},
	{"tabs to blanks", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(_ byte, line string) string { return strings.ReplaceAll(line, "\t", "    ") })
	}), 60, 75},
	{"tabs to blanks but for added lines", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == '+' {
				return line
			}
			return strings.ReplaceAll(line, "\t", "    ")
		})
	}), 50, 75},
	{"blanks to tabs", brokenIn(spaced, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(_ byte, line string) string { return line[:1] + strings.ReplaceAll(line[1:], "    ", "\t") })
	}), 60, 75},
	{"marker lost", func(r *rand.Rand) trial {
		t := unended(r)
		t.body = strings.ReplaceAll(t.body, noNewline+"\n", "")
		return t
	}, 20, 90},
	{"marker too many", func(r *rand.Rand) trial {
		t := unended(r)
		t.src += "\n"
		t.truth = strings.TrimSuffix(t.truth, "\n") + "\n"
		return t
	}, 20, 80},
	{"mark lost", func(r *rand.Rand) trial {
		lines := program(r, 20)
		after := changed(r, lines, 1)
		after[r.IntN(3)] = "changed"
		body := patchOf(joined(lines), joined(after), 3)
		return trial{src: mark + joined(lines), truth: mark + joined(after), body: body}
	}, 60, 60},
	{"out of order", broken(func(r *rand.Rand, t *trial) { t.body = shuffled(r, t.body) }), 70, 0},
	{"no context behind", broken(cutTrailing), 70, 80},
	{"no context before", broken(cutLeading), 70, 80},
	{"indentation shifted", broken(func(r *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if strings.TrimSpace(line[1:]) == "" {
				return line
			}
			return string(op) + "  " + line[1:]
		})
	}), 50, 60},
	{"a word changed", broken(func(r *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == '+' || r.IntN(8) > 0 {
				return line
			}
			return strings.Replace(line, "e", "ee", 1)
		})
	}), 0, 50},
	{"V4A", broken(v4a), 70, 70},
	{"counts, numbers and blanks", brokenIn(untidy, func(r *rand.Rand, t *trial) {
		uncounted(r, t)
		misnumbered(r, t)
		trimmedBody(r, t)
	}), 60, 80},
	{"placeholders, no context behind, CRLF", broken(func(r *rand.Rand, t *trial) {
		cutTrailing(r, t)
		unnumbered(r, t)
		t.src, t.truth = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF)
	}), 50, 60},
	{"moved, and blanks at line ends lost", brokenIn(untidy, func(r *rand.Rand, t *trial) {
		trimmedBody(r, t)
		top := strings.Repeat("# more\n", 1+r.IntN(9))
		t.src, t.truth = top+t.src, top+t.truth
	}), 60, 80},
	{"one hunk done", broken(func(r *rand.Rand, t *trial) {
		for _, h := range parse(t.body) {
			if r.IntN(2) == 0 {
				t.src, _ = text.Apply(t.src, []text.Edit{editOf(t.src, h)})
				break
			}
		}
	}), 70, 0},
	{"placeholders, the same elsewhere indented", brokenIn(func(r *rand.Rand, lines []string) []string {
		at := r.IntN(len(lines) - 15)
		for _, line := range lines[at : at+15] {
			lines = append(lines, "    "+line)
		}
		return lines
	}, unnumbered), 70, 90},
	{"indentation shifted, tabs", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if strings.TrimSpace(line[1:]) == "" {
				return line
			}
			return string(op) + "\t" + line[1:]
		})
	}), 50, 60},
	{"indentation of context shifted", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op != ' ' || strings.TrimSpace(line) == "" {
				return line
			}
			return " " + line
		})
	}), 0, 0},
	{"spaces of context lost", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == ' ' {
				return line[1:]
			}
			return line
		})
	}), 50, 60},
	{"spaces of context lost, signs in the file", brokenIn(func(r *rand.Rand, lines []string) []string {
		for i := range lines {
			if r.IntN(4) == 0 {
				lines[i] = []string{"+", "-"}[r.IntN(2)] + lines[i]
			}
		}
		return lines
	}, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == ' ' {
				return line[1:]
			}
			return line
		})
	}), 0, 0},
	{"spaces of context before text lost", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == ' ' && len(line) > 2 && line[1] != ' ' {
				return line[1:]
			}
			return line
		})
	}), 60, 60},
	{"tabs to blanks in context", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op != ' ' {
				return line
			}
			return strings.ReplaceAll(line, "\t", "    ")
		})
	}), 30, 60},
}

// However a model misses: with --fix, the text becomes what was meant, or the
// patch is refused.
func TestNearMisses(t *testing.T) {
	for i, c := range classes {
		t.Run(c.name, func(t *testing.T) {
			n, right, offered := rounds(60), 0, 0
			for round := range n {
				tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round))))
				got, refused := tr.repair(t, fmt.Sprint("round ", round))
				if !refused && got == tr.truth {
					right++
					offered++
				} else if tr.offers(t) {
					offered++
				}
			}
			t.Logf("%d rounds: %d %% right with --fix, %d %% by some fixes", n, 100*right/n, 100*offered/n)
			if 100*right < c.certain*n || 100*offered < c.offered*n {
				t.Errorf("want %d %% right with --fix, %d %% by some fixes", c.certain, c.offered)
			}
		})
	}
}

func (tr trial) target() intent.Target {
	return intent.Target{Text: locate.NewText(tr.src), EndingsUnknown: tr.unknown}
}

// repair makes every certain fix, then applies.
func (tr trial) repair(t *testing.T, name string) (got string, refused bool) {
	repaired := tr.fixedBody(t)
	got, out := applyTarget(t, tr.target(), repaired.body, repaired.opt)
	refused = diag.HasErrors(out.Problems)
	asks := strings.Contains(codes(out.Problems), string(diag.HunkStandsAlready))
	if !refused && !asks && got != tr.truth {
		t.Fatalf("%s: wrong %v\n--- file\n%s\n--- patch\n%s\n--- repaired\n%s\n--- got\n%s\n--- want\n%s", name, out.Problems, tr.src, tr.body, repaired.body, got, tr.truth)
	}
	return got, refused
}

// fixedBody is the trial with all certain fixes made. A section that was rewritten
// is git's from then on.
func (tr trial) fixedBody(t *testing.T) trial {
	for range 6 {
		out := Patch{parse(tr.body), tr.opt}.Resolve(tr.target())
		edits := certain(out.Problems)
		if len(edits) == 0 {
			return tr
		}
		tr = tr.with(t, edits)
	}
	t.Fatalf("fixes without end:\n%s", tr.body)
	return tr
}

func (tr trial) with(t *testing.T, edits []text.Edit) trial {
	next, err := text.Apply(tr.body, edits)
	if err != nil {
		t.Fatalf("fixes get in each other's way: %v\n%s", err, tr.body)
	}
	tr.body = next
	if strings.HasPrefix(next, "---") {
		tr.opt.Foreign = nil
	}
	return tr
}

// offers reports whether the first fix of each problem, or the one that is right
// where there is only one problem, makes the text what was meant.
func (tr trial) offers(t *testing.T) bool {
	tr = tr.fixedBody(t)
	for range 8 {
		out := Patch{parse(tr.body), tr.opt}.Resolve(tr.target())
		if !diag.HasErrors(out.Problems) {
			got, err := text.Apply(tr.src, out.Edits)
			return err == nil && got == tr.truth
		}
		next, ok := tr.choose(t, out.Problems)
		if !ok {
			return false
		}
		tr = next
	}
	return false
}

// choose makes the fix of the first error that brings the text closest to what is
// meant.
func (tr trial) choose(t *testing.T, ds []diag.Diagnostic) (best trial, ok bool) {
	for _, d := range ds {
		if d.Severity != diag.Error {
			continue
		}
		most := -1
		for _, f := range d.AllFixes(context.Background()) {
			next := tr.with(t, f.Edits)
			got, _ := applyTarget(t, next.target(), next.body, next.opt)
			if n := alike(got, tr.truth); n > most {
				best, ok, most = next, true, n
			}
		}
		if ok {
			return best, true
		}
	}
	return tr, false
}

// alike is how many lines two texts begin and end with in common.
func alike(a, b string) int {
	x, y := gitLines(a+"\n"), gitLines(b+"\n")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	m := 0
	for m < min(len(x), len(y))-n && x[len(x)-1-m] == y[len(y)-1-m] {
		m++
	}
	return n + m
}

// Each certain fix is right on its own too.
func TestFixesAlone(t *testing.T) {
	tried := 0
	for i, c := range classes {
		for round := range rounds(20) {
			tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round))))
			out := Patch{parse(tr.body), tr.opt}.Resolve(tr.target())
			for _, d := range out.Problems {
				if edits := certain([]diag.Diagnostic{d}); len(edits) > 0 {
					tried++
					tr.with(t, edits).repair(t, fmt.Sprintf("%s, round %d, one fix", c.name, round))
				}
			}
		}
	}
	if tried < len(classes)*rounds(20)/4 {
		t.Errorf("only %d certain fixes were tried", tried)
	}
}

// What certain fixes write, git takes, with the same result.
func TestGitTakesWhatFixesWrite(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n, asked := min(rounds(8), 200), 0
	for i, c := range classes {
		for round := range n {
			tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round)))).fixedBody(t)
			got, out := applyTarget(t, tr.target(), tr.body, tr.opt)
			if tr.unknown || diag.HasErrors(out.Problems) || strings.Contains(codes(out.Problems), string(diag.AlreadyApplied)) {
				continue
			}
			asked++
			want, ok := git(t, dir, tr.src, strings.TrimPrefix(tr.body, "--- a/f\n+++ b/f\n"))
			if !ok || got != want {
				t.Fatalf("%s, round %d: git %v\n--- file\n%s--- patch\n%s--- got\n%s--- want\n%s", c.name, round, ok, tr.src, tr.body, got, want)
			}
		}
	}
	if asked < n*len(classes)/4 {
		t.Errorf("of %d patches git was asked about %d", n*len(classes), asked)
	}
}
