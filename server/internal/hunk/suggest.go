package hunk

import (
	"context"
	"fmt"
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// maxSuggested is the largest number of places that are suggested for a missing hunk.
const maxSuggested = 3

// suggest finds text in the file that is similar to the old lines of the hunk.
func (r *run) suggest(w *work) func(context.Context) []diag.Fix {
	return func(ctx context.Context) []diag.Fix {
		if fix, ok := r.restored(w); ok {
			return []diag.Fix{fix}
		}
		view := withLF(r.src.Lines)
		want := strings.ReplaceAll(w.before.text, "\r\n", "\n")
		var fixes []diag.Fix
		for _, p := range locate.Fold(view.Text(), view.Meter()).Closest(ctx, want, maxSuggested) {
			from, to := view.At(p.Span.Start), view.At(max(p.Span.End-1, p.Span.Start))
			if f, ok := r.fitLoosely(w, from, to+1-from); ok {
				fixes = append(fixes, r.fix(w, f, fmt.Sprintf("Write the hunk for line %d (%.0f %% alike)", from+1, 100*p.Likeness)))
			}
		}
		return fixes
	}
}

// fitLoosely rewrites a hunk for lines of the source that are similar to its old lines.
func (r *run) fitLoosely(w *work, at, n int) (fitted, bool) {
	if !r.image.free(at, n) {
		return fitted{}, false
	}
	has := make([]string, n)
	for i := range has {
		has[i] = r.src.Line(at + i)
	}
	f := fitted{at: at, changed: true, open: -1, lines: mergeLoosely(w, has, r.around(at))}
	r.fitEnd(w, &f)
	r.extend(&f)
	return f, r.gitTakes(f)
}

// mergeLoosely returns the lines of a hunk in which has replaces the old lines. A line of has
// without a counterpart in the hunk becomes context.
func mergeLoosely(w *work, has []string, around string) []Line {
	pairs := pairLoosely(w.before.lines, has)
	shift := looseShift(w, has, pairs, around)
	var out []Line
	k, next := 0, 0 // k counts the hunk's old lines, and next the lines of has
	for _, line := range w.Lines {
		if line.Op == '+' {
			if shifted, ok := shift.Line(bodyOf(line.Text)); ok {
				line.Text = shifted + endingOf(line.Text)
			}
			if end := likeEnding(has); end != "" && endingOf(line.Text) != "" {
				line.Text = bodyOf(line.Text) + end
			}
			out = append(out, line)
			continue
		}
		if at := pairs[k]; at >= 0 {
			for ; next < at; next++ {
				out = append(out, Line{Op: ' ', Text: has[next]})
			}
			out = append(out, Line{Op: line.Op, Text: has[at]})
			next++
		}
		k++
	}
	for ; next < len(has); next++ {
		out = append(out, Line{Op: ' ', Text: has[next]})
	}
	return out
}

func likeEnding(has []string) string {
	if len(has) == 0 {
		return ""
	}
	return endingOf(has[0])
}

// looseShift returns the shift of the indentation that all pairs show, or the zero shift if they
// disagree.
func looseShift(w *work, has []string, pairs []int, around string) locate.Shift {
	var want, there []string
	for i, at := range pairs {
		if at >= 0 && locate.Spacing.Fold(w.before.lines[i]) == locate.Spacing.Fold(has[at]) {
			want, there = append(want, locate.TrailingSpace.Fold(w.before.lines[i])), append(there, locate.TrailingSpace.Fold(has[at]))
		}
	}
	shift, _ := locate.ShiftOf(want, there, written(w), around)
	return shift
}

// pairLoosely returns, for each line of want, the index of the corresponding line of has, or -1.
// Lines that are equal apart from white space correspond. Of the differing lines between them,
// the first ones of both correspond, as long as both have any.
func pairLoosely(want, has []string) []int {
	pairs := make([]int, len(want))
	i, j := 0, 0         // the number of lines of both texts that are done
	openI, openJ := 0, 0 // where the current run of differing lines begins
	pairUp := func() {   // pairs the lines of the run one by one
		for n := range i - openI {
			pairs[openI+n] = -1
			if n < j-openJ {
				pairs[openI+n] = openJ + n
			}
		}
	}
	for _, e := range diff.Lines(squeezedLines(want), squeezedLines(has)) {
		switch e.Op {
		case linediff.Match:
			pairUp()
			pairs[i] = j
			i, j = i+1, j+1
			openI, openJ = i, j
		case linediff.Delete:
			i++
		case linediff.Insert:
			j++
		}
	}
	pairUp()
	return pairs
}

func squeezedLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = locate.Spacing.Fold(line)
	}
	return out
}
