package findreplace

import (
	"context"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// A trial is a replacement as a model may write it, with the correct result.
type trial struct {
	src, find, replace string
	limit              Limit
	truth              string // the correct result
	step               string // one level of the indentation of src
}

// newTrial takes some lines of a program and draws a change of them.
func newTrial(r *rand.Rand) trial {
	for {
		m := program(r, 60+r.IntN(100))
		at, n := r.IntN(len(m.lines)-12), 1+r.IntN(1+r.IntN(12))
		region := m.lines[at : at+n]
		if strings.TrimSpace(region[0]) == "" || strings.TrimSpace(region[n-1]) == "" {
			continue
		}
		t := trial{src: strings.Join(m.lines, "\n") + "\n", step: m.step}
		t.find, t.replace = strings.Join(region, "\n"), strings.Join(m.change(region), "\n")
		if r.IntN(2) == 0 {
			t.find, t.replace = t.find+"\n", t.replace+"\n"
		}
		start := len(strings.Join(m.lines[:at], "\n"))
		if at > 0 {
			start++
		}
		if t.find != t.replace {
			t.truth = t.src[:start] + t.replace + t.src[start+len(t.find):]
			return t
		}
	}
}

// uniqueTrial returns a trial whose find occurs once.
func uniqueTrial(r *rand.Rand) trial {
	for {
		if t := newTrial(r); strings.Count(t.src, t.find) == 1 && !strings.Contains(t.src, t.replace) {
			return t
		}
	}
}

func eachLine(s string, f func(line string) string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = f(line)
		}
	}
	return strings.Join(lines, "\n")
}

// least returns the shortest indentation in a text.
func least(s string) int {
	least := len(s)
	eachLine(s, func(line string) string { least = min(least, len(text.Indentation(line))); return line })
	return least
}

// shiftBoth moves all lines to the left or right, as far as possible.
func shiftBoth(r *rand.Rand, t *trial) {
	room := min(least(t.find), least(t.replace))
	by := []int{-room, -room, -room, -4, -2, -1, 1, 2, 4, 8}[r.IntN(10)]
	if by = max(by, -room); by == 0 {
		by = 4
	}
	blank := " "
	if t.step == "\t" {
		blank = "\t"
		by = min(by, 3)
	}
	move := func(line string) string {
		if by < 0 {
			return line[-by:]
		}
		return strings.Repeat(blank, by) + line
	}
	t.find, t.replace = eachLine(t.find, move), eachLine(t.replace, move)
}

// retab writes the indentation with the other kind of white space.
func retab(_ *rand.Rand, t *trial) {
	move := func(line string) string {
		body := strings.TrimLeft(line, " \t")
		indentation := line[:len(line)-len(body)]
		if t.step == "\t" {
			return strings.ReplaceAll(indentation, "\t", "    ") + body
		}
		return strings.ReplaceAll(indentation, t.step, "\t") + body
	}
	t.find, t.replace = eachLine(t.find, move), eachLine(t.replace, move)
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

func someBlanks(r *rand.Rand) func(string) string {
	return func(line string) string { return line + strings.Repeat(" ", r.IntN(3)*r.IntN(3)) }
}

// A class is a kind of mistake that models make.
type class struct {
	name    string
	make    func(r *rand.Rand) trial
	certain int // the least percentage of trials that --fix corrects
	offered int // the least percentage of trials for which some fix is correct
}

func degraded(degrade func(r *rand.Rand, t *trial)) func(r *rand.Rand) trial {
	return func(r *rand.Rand) trial {
		for {
			t := uniqueTrial(r)
			degrade(r, &t)
			if !strings.Contains(t.src, t.find) && strings.TrimSpace(t.find) != "" && strings.TrimSpace(t.replace) != "" {
				return t
			}
		}
	}
}

var classes = []class{
	{"exact", uniqueTrial, 100, 0},
	{"done already", func(r *rand.Rand) trial {
		t := uniqueTrial(r)
		t.src = t.truth
		return t
	}, 0, 0},
	{"nothing alike", func(r *rand.Rand) trial {
		t := uniqueTrial(r)
		for strings.Contains(squeezed(t.src), squeezed(t.find)) {
			t.src = strings.Join(program(r, 100).lines, "\n")
		}
		t.truth = t.src
		return t
	}, 100, 0},
	{"indentation shifted", degraded(shiftBoth), 80, 90},
	{"indentation of the other kind", degraded(retab), 60, 85},

	{"only the find shifted", degraded(func(r *rand.Rand, t *trial) {
		replace := t.replace
		shiftBoth(r, t)
		t.replace = replace
	}), 0, 0},
	{"shifted and done", degraded(func(r *rand.Rand, t *trial) {
		shiftBoth(r, t)
		t.src = t.truth
	}), 0, 0},
	{"blanks at line ends", degraded(func(r *rand.Rand, t *trial) {
		find := strings.Split(t.find, "\n")
		for i, line := range find {
			if blanks := someBlanks(r)(line); line != "" && blanks != line {
				find[i] = blanks
				if r.IntN(2) == 0 {
					t.replace = strings.Replace("\n"+t.replace+"\n", "\n"+line+"\n", "\n"+blanks+"\n", 1)
					t.replace = t.replace[1 : len(t.replace)-1]
				}
			}
		}
		t.find = strings.Join(find, "\n")
	}), 70, 85},
	{"blanks at the file's line ends", degraded(func(r *rand.Rand, t *trial) {
		at := strings.Index(t.src, t.find)
		end := at + len(t.find)
		before, after := t.src[:at], t.src[end:]
		lines := strings.Split(t.find, "\n")
		spaced := append([]string(nil), lines...)
		for i := range lines[:len(lines)-1] {
			spaced[i] = someBlanks(r)(lines[i])
		}
		replace := strings.Split(t.replace, "\n")
		i, shift := 0, 0
		for _, run := range append(diff.RunsOf(lines, replace), diff.Run{OldStart: len(lines)}) {
			for ; i < run.OldStart; i++ {
				replace[i+shift] = spaced[i]
			}
			i, shift = run.OldEnd, run.NewEnd-run.OldEnd
		}
		t.src = before + strings.Join(spaced, "\n") + after
		t.truth = before + strings.Join(replace, "\n") + after
	}), 70, 85},
	{"CRLF", func(r *rand.Rand) trial {
		t := uniqueTrial(r)
		t.src, t.truth = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF)
		return t
	}, 100, 0},
	{"a word changed", degraded(func(r *rand.Rand, t *trial) {
		lines := strings.Split(t.find, "\n")
		i := r.IntN(len(lines))
		lines[i] = strings.Replace(lines[i], "(", "_old(", 1)
		t.find = strings.Join(lines, "\n")
	}), 0, 80},
	{"a word changed and shifted", degraded(func(r *rand.Rand, t *trial) {
		shiftBoth(r, t)
		t.find = strings.Replace(t.find, "e", "ee", 1)
	}), 0, 60},
	{"a line too many at the end", degraded(func(r *rand.Rand, t *trial) {
		t.find = strings.TrimSuffix(t.find, "\n") + "\n" + t.step + "no_such_line(here)"
		t.replace = strings.TrimSuffix(t.replace, "\n") + "\n" + t.step + "no_such_line(here)"
	}), 0, 70},
	{"a line too many at the start", degraded(func(r *rand.Rand, t *trial) {
		t.find = t.step + "no_such_line(here)\n" + t.find
		t.replace = t.step + "no_such_line(here)\n" + t.replace
	}), 0, 70},
	{"a line left out", degraded(func(r *rand.Rand, t *trial) {
		lines := strings.Split(t.find, "\n")
		if len(lines) < 5 {
			return
		}
		i := 1 + r.IntN(len(lines)-3)
		if strings.Contains(t.replace, "\n"+lines[i]+"\n") {
			t.replace = strings.Replace(t.replace, "\n"+lines[i]+"\n", "\n", 1)
			t.find = strings.Join(append(lines[:i:i], lines[i+1:]...), "\n")
		}
	}), 0, 60},
	{"blank lines", degraded(func(r *rand.Rand, t *trial) {
		t.find, t.replace = strings.ReplaceAll(t.find, "\n\n", "\n"), strings.ReplaceAll(t.replace, "\n\n", "\n")
	}), 0, 60},
	{"quotes", degraded(func(r *rand.Rand, t *trial) {
		curl := strings.NewReplacer(`"`, "”", "'", "’", " - ", " – ")
		t.find, t.replace = curl.Replace(t.find), curl.Replace(t.replace)
	}), 0, 40},
	{"HTML entities", degraded(func(r *rand.Rand, t *trial) {
		t.find, t.replace = html.EscapeString(t.find), html.EscapeString(t.replace)
	}), 60, 0},
	{"escapes too many", degraded(func(r *rand.Rand, t *trial) {
		escape := strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, `\`, `\\`)
		t.find, t.replace = escape.Replace(t.find), escape.Replace(t.replace)
	}), 0, 90},
	{"escapes too few", degraded(func(r *rand.Rand, t *trial) {
		t.find, t.replace = strings.ReplaceAll(t.find, `\n`, "\n"), strings.ReplaceAll(t.replace, `\n`, "\n")
	}), 0, 0},
	{"several places", func(r *rand.Rand) trial {
		for {
			if t := newTrial(r); strings.Count(t.src, t.find) > 1 && strings.Count(t.src, t.find) < 10 && !strings.Contains(t.replace, t.find) && strings.TrimSpace(t.replace) != "" {
				return t
			}
		}
	}, -1, 95},
	{"done, and a decoy elsewhere", degraded(func(r *rand.Rand, t *trial) {
		decoy := t.find
		shiftBoth(r, t)
		if strings.Contains(decoy, t.find) {
			t.find = decoy // a part of the decoy matches exactly
			return
		}
		t.truth += "\n" + eachLine(decoy, func(line string) string { return line }) + "\n"
		t.src = t.truth
	}), 0, 0},
}

// For every kind of mistake, --fix gives the correct result or leaves the file unchanged.
func TestNearMisses(t *testing.T) {
	for i, c := range classes {
		t.Run(c.name, func(t *testing.T) {
			n, certain, unchanged, asked, offered := trials.Rounds(t, 60), 0, 0, 0, 0
			for round := range n {
				tr := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round))))
				got, fixes := tr.repair(t)
				switch {
				case got == tr.truth:
					certain++
				case got == tr.src:
					unchanged++
				case c.certain >= 0:
					t.Fatalf("round %d: wrong\n--- file\n%s\n--- find\n%s\n--- replace\n%s\n--- got\n%s\n--- want\n%s", round, tr.src, tr.find, tr.replace, got, tr.truth)
				}
				if round%4 == 0 {
					asked++
					if got == tr.truth || tr.anyGives(fixes()) {
						offered++
					}
				}
			}
			t.Logf("%d rounds: %d %% right with --fix, %d %% unchanged; %d %% right by some fix", n, 100*certain/n, 100*unchanged/n, 100*offered/asked)
			if 100*certain < c.certain*n || 100*offered < c.offered*asked {
				t.Errorf("want %d %% right with --fix, and %d %% by some fix", c.certain, c.offered)
			}
		})
	}
}

// once makes the replacement in its current form.
func (tr trial) once(t testing.TB) (string, intent.Outcome) {
	out := Replacement{Find: tr.find, Replace: tr.replace, Limit: tr.limit,
		FindAt:    intent.Literal{Span: text.Span{End: len(tr.find)}},
		ReplaceAt: intent.Literal{Span: text.Span{Start: len(tr.find) + 1, End: len(tr.find) + 1 + len(tr.replace)}},
	}.Resolve(intent.Target{Text: place.NewText(tr.src)})
	after, err := text.Apply(tr.src, out.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return after, out
}

// fixed returns the trial after a fix of its block.
func (tr trial) fixed(t testing.TB, fix diag.Fix) trial {
	block, err := text.Apply(tr.find+"\x00"+tr.replace, fix.Edits)
	if err != nil {
		t.Fatal(err)
	}
	tr.find, tr.replace, _ = strings.Cut(block, "\x00")
	return tr
}

// repair makes all preferred fixes, then the replacement. fixes returns the other fixes that are
// offered.
func (tr trial) repair(t testing.TB) (after string, fixes func() []diag.Fix) {
	for range 4 {
		after, out := tr.once(t)
		fix := preferred(out.Problems)
		if fix == nil {
			return after, func() []diag.Fix { return all(out.Problems) }
		}
		fixed := tr.fixed(t, *fix)
		if was, kept := (place.Change{Old: tr.find, New: tr.replace}).WithKept(place.NewText(tr.src)); kept && was.Old == fixed.find && was.New == fixed.replace {
			// Only lines that stay are written as in the file.
		} else if !isOnly(tr.find, fixed.find) || !isOnly(tr.replace, fixed.replace) {
			t.Fatalf("more than white space and artifacts is changed unasked: %q, %q becomes %q, %q", tr.find, tr.replace, fixed.find, fixed.replace)
		}
		tr = fixed
	}
	t.Fatalf("repairs without end: %q", tr.find)
	return "", nil
}

// isOnly reports whether two texts differ only in white space, or by an artifact that can be
// undone reliably.
func isOnly(from, to string) bool {
	return squeezed(from) == squeezed(to) || slices.ContainsFunc(artifact.Sure(), func(a *artifact.Artifact) bool {
		undone, ok := a.Undo(from)
		return ok && undone == to
	})
}

func preferred(problems []diag.Diagnostic) *diag.Fix {
	for _, d := range problems {
		for _, fix := range d.Fixes {
			if fix.Preferred {
				return &fix
			}
		}
	}
	return nil
}

func all(problems []diag.Diagnostic) (fixes []diag.Fix) {
	for _, d := range problems {
		fixes = append(fixes, d.AllFixes(context.Background())...)
	}
	return fixes
}

// anyGives reports whether any of the fixes gives the correct result.
func (tr trial) anyGives(fixes []diag.Fix) bool {
	for _, fix := range fixes {
		fixed := tr.fixed(nil, fix)
		if got, out := fixed.once(nil); got == tr.truth && len(out.Edits) > 0 {
			return true
		}
	}
	return false
}
