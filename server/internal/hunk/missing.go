package hunk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (w *work) passage() place.Passage {
	lf := func(s side) string { return text.WithEOL(s.text, text.LF) }
	return place.Passage{Change: place.Change{Old: lf(w.before), New: lf(w.after)}, Law: place.WholeLines, Marked: true, OldName: "the hunk", NewName: "the added text"}
}

func (r *run) notFound(w *work) diag.Diagnostic {
	n := w.before.count()
	taken, _ := r.find(w.before.lines, place.Exact, func(int) bool { return true })
	d := w.says(diag.Error, diag.HunkNotFound, "the file does not have the lines of this hunk")
	switch found, ok := w.passage().FirstDifference(r.t.Text); {
	case r.src.Count() == 0:
		d.Message = fmt.Sprintf("the file is empty, but the hunk expects %d lines", n)
		return d
	case r.isWhole() && n < r.src.Count() && r.src.Has(0, w.before.lines, place.Exact):
		d.Message = fmt.Sprintf("the hunk removes only the first %d of the file's %d lines; line %d is %s", n, r.src.Count(), n+1, shown(r.src.Line(n)))
	case len(taken) > 0:
		d.Message = fmt.Sprintf("line %d is already part of another hunk for this file; join the two hunks", taken[0]+1)
	case ok:
		d.Span = w.oldLine(found.Index).At
		d.Message += fmt.Sprintf(": the hunk expects %s, but line %d, in the most similar place, is %s", shown(w.oldLine(found.Index).Text), found.Line, shown(found.There))
	default:
		i, k := r.firstDifference(w, max(w.Old.Start-1, 0))
		d.Span = w.Lines[i].At
		d.Message += fmt.Sprintf(": the hunk expects %s, but line %d is %s", shown(w.Lines[i].Text), k+1, shown(r.src.Line(k)))
	}
	switch {
	case r.isWhole():
	case w.restored != nil:
		d.Fixes = []diag.Fix{*w.restored}
	default:
		d.Suggest = r.suggest(w)
	}
	return d
}

func (w *work) oldLine(i int) Line {
	for _, l := range w.Lines {
		if l.Op != '+' {
			if i == 0 {
				return l
			}
			i--
		}
	}
	return w.Lines[len(w.Lines)-1]
}

// restore searches for a hunk whose old lines are not in the file. It undoes artifacts, and then searches for the
// restored lines and for their result.
func (r *run) restore(w *work) {
	f := w.passage().Judge(r.t.Text)
	if f.Was.By == nil {
		return
	}
	c := place.Rewriting{Change: f.Was.Change, At: f.At}
	if f.Verdict == place.Done {
		at, n := r.t.Text.LineAt(c.At.Start)-1, len(text.SplitLines(c.New))
		if r.image.free(at, n) {
			w.after = side{lines: make([]string, n)}
			r.setDone(w, at, place.Exact)
		}
		return
	}
	c.At = place.WholeLines.Find(r.t.Text, c.Old, 1)[0]
	if g, ok := r.rewritten(w, c); ok {
		bare := w.hasBare() && !(f.Was.By == &artifact.LineNumber && w.allBare())
		g.certain = !r.disproven && !bare && !r.mayLackEdge(w, g.at)
		fix := r.fix(w, g, f.Was.By.Fix)
		w.restored = &fix
	}
}

// allBare reports whether every context line with words lacks its leading space.
func (w *work) allBare() bool {
	return !slices.ContainsFunc(w.Lines, func(l Line) bool { return l.Op == ' ' && !l.Bare && text.HasWord(l.Text) })
}

// suggest returns a function that returns fixes for the texts of the file that a hunk may mean.
func (r *run) suggest(w *work) func(context.Context) []diag.Fix {
	return func(ctx context.Context) (fixes []diag.Fix) {
		for _, c := range w.passage().Suggest(ctx, r.t.Text) {
			if f, ok := r.rewritten(w, c); ok {
				fixes = append(fixes, r.fix(w, f, fmt.Sprintf("Rewrite the hunk for line %d (%s)", f.at+1, c.Why)))
			}
		}
		return fixes
	}
}

func (r *run) rewritten(w *work, c place.Rewriting) (fitted, bool) {
	f := fitted{at: r.t.Text.LineAt(c.At.Start) - 1, changed: true, open: -1}
	k := f.at
	for _, e := range diff.Lines(text.SplitLines(c.Old), text.SplitLines(c.New)) {
		line := Line{Op: diff.Signs[e.Op][0], Text: cmp.Or(e.X, e.Y)}
		if line.Op == '+' {
			line.Text = strings.TrimSuffix(line.Text, "\n") + r.usual()
		} else if k >= r.src.Count() || bodyOf(r.src.Line(k)) != strings.TrimSuffix(line.Text, "\n") {
			return fitted{}, false
		} else {
			line.Text, k = r.src.Line(k), k+1
		}
		f.lines = append(f.lines, line)
	}
	if !r.image.free(f.at, k-f.at) {
		return fitted{}, false
	}
	r.fitEnd(w, &f)
	r.extend(&f)
	return f, r.gitTakes(f)
}
