package hunk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// patchOf returns the hunks, in git's form, that turn one text into another.
func patchOf(before, after string, context int) string {
	var b strings.Builder
	for _, h := range linediff.Hunks(gitLines(before), gitLines(after), linediff.Context(context)) {
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", diff.HunkRange(h.PosX, h.EndX), diff.HunkRange(h.PosY, h.EndY))
		for _, e := range h.Edits {
			switch e.Op {
			case linediff.Match:
				writeDiffLine(&b, " ", e.X)
			case linediff.Delete:
				writeDiffLine(&b, "-", e.X)
			case linediff.Insert:
				writeDiffLine(&b, "+", e.Y)
			}
		}
	}
	return b.String()
}

func writeDiffLine(b *strings.Builder, op, line string) {
	b.WriteString(op + line)
	if !strings.HasSuffix(line, "\n") {
		b.WriteString("\n" + noNewline + "\n")
	}
}

func gitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}

// parse reads hunks, each of which begins with a line of @@. It ignores the counts.
func parse(body string) []Hunk {
	var hunks []Hunk
	at := 0
	for _, line := range gitLines(body) {
		start := at
		at += len(line)
		span := text.Span{Start: start, End: start + len(bodyOf(line))}
		if strings.HasPrefix(line, "@@") {
			hunks = append(hunks, header(line, span))
		}
		if len(hunks) == 0 {
			continue
		}
		h := &hunks[len(hunks)-1]
		h.At.End = at
		switch {
		case len(hunks) > 0 && !strings.ContainsRune(" +-\\@\n\r", rune(line[0])):
			h.Lines = append(h.Lines, Line{Op: ' ', Text: line, At: span, Bare: true})
		case span.Empty():
			h.Lines = append(h.Lines, Line{Op: ' ', Text: line, At: span})
		case strings.ContainsRune(" +-", rune(line[0])):
			h.Lines = append(h.Lines, Line{Op: line[0], Text: line[1:], At: span})
		case line[0] == '\\' && len(h.Lines) > 0:
			last := &h.Lines[len(h.Lines)-1]
			last.Text = strings.TrimSuffix(last.Text, "\n")
		}
	}
	return hunks
}

func header(line string, span text.Span) Hunk {
	h := Hunk{At: text.Span{Start: span.Start, End: span.End}, Header: span}
	parts := strings.Fields(line)
	if len(parts) > 3 && parts[1][0] == '-' && parts[2][0] == '+' && parts[3] == "@@" {
		h.Numbered, h.Old, h.New = true, rangeOf(parts[1][1:]), rangeOf(parts[2][1:])
		h.Section = strings.Join(parts[4:], " ")
		return h
	}
	h.Section = strings.Trim(strings.Trim(bodyOf(line), "@ "), " .")
	return h
}

func rangeOf(s string) Range {
	start, count, more := strings.Cut(s, ",")
	r := Range{Count: 1}
	r.Start, _ = strconv.Atoi(start)
	if more {
		r.Count, _ = strconv.Atoi(count)
	}
	return r
}

// A tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

func applyTo(t tester, src, body string, opt Options) (string, intent.Outcome) {
	t.Helper()
	return applyTarget(t, intent.Target{Text: place.NewText(src)}, body, opt)
}

func applyTarget(t tester, target intent.Target, body string, opt Options) (string, intent.Outcome) {
	t.Helper()
	out := Patch{parse(body), opt}.Resolve(target)
	after, err := text.Apply(target.Text.String(), out.Edits)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return after, out
}

// fixed returns body after all fixes that are certain. They are made until none is left.
func fixed(t tester, target intent.Target, body string, opt Options) string {
	t.Helper()
	for range 5 {
		out := Patch{parse(body), opt}.Resolve(target)
		edits := certain(out.Problems)
		if len(edits) == 0 {
			return body
		}
		next, err := text.Apply(body, edits)
		if err != nil {
			t.Fatalf("fixes get in each other's way: %v\n%s", err, body)
		}
		body = next
	}
	t.Fatalf("fixes without end:\n%s", body)
	return ""
}

// certain returns the edits of all certain fixes that do not overlap, selected as the engine
// does.
func certain(ds []diag.Diagnostic) (edits []text.Edit) {
	for _, d := range ds {
		for _, f := range d.Fixes {
			if !f.Preferred {
				continue
			}
			more := append(slices.Clone(edits), f.Edits...)
			if _, err := text.Sorted(blank, more); err == nil {
				edits = more
			}
			break
		}
	}
	return edits
}

var blank = strings.Repeat(" ", 1<<20)

func codes(ds []diag.Diagnostic) string {
	var out []string
	for _, d := range ds {
		out = append(out, string(d.Code))
	}
	return strings.Join(slices.Compact(out), " ")
}

// program returns about n lines that resemble a program. They have few names and repeated idioms.
func program(r *rand.Rand, n int) []string {
	step := []string{"    ", "  ", "\t"}[r.IntN(3)]
	words := []string{"user", "order", "cart", "item", "config", "session"}
	words, most := words[:2+r.IntN(5)], 3+r.IntN(40)
	word := func() string { return words[r.IntN(len(words))] }
	var lines []string
	for len(lines) < n {
		lines = append(lines, fmt.Sprintf("def %s_%s(%s):", word(), word(), word()))
		depth := 1
		for range 2 + r.IntN(8) {
			indentation := strings.Repeat(step, depth)
			switch r.IntN(7) {
			case 0:
				lines = append(lines, fmt.Sprintf("%sif %s.ready:", indentation, word()))
				depth++
			case 1:
				lines = append(lines, indentation+"return "+word())
				depth = max(1, depth-1)
			case 2:
				lines = append(lines, "")
			default:
				lines = append(lines, fmt.Sprintf("%s%s = %s(%s, %d)", indentation, word(), word(), word(), r.IntN(most)))
			}
		}
		lines = append(lines, "")
	}
	return lines
}

// changed makes a few changes to lines.
func changed(r *rand.Rand, lines []string, n int) []string {
	out := slices.Clone(lines)
	for range n {
		at := r.IntN(len(out))
		indentation := out[at][:len(out[at])-len(strings.TrimLeft(out[at], " \t"))]
		line := fmt.Sprintf("%snew_%d = made(%d)", indentation, r.IntN(1000), r.IntN(1000))
		switch r.IntN(4) {
		case 0:
			out = slices.Insert(out, at, line)
		case 1:
			out = slices.Insert(out, at, line, indentation+"again()")
		case 2:
			if len(out) > 5 {
				out = slices.Delete(out, at, min(at+1+r.IntN(2), len(out)))
			}
		default:
			out[at] = line
		}
	}
	return out
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
