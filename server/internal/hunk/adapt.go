package hunk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachAsked is the cost of looking at another hunk of the patch, in units of the meter.
const eachAsked = 16

// adapted returns a hunk whose old lines are written as in the file. They must match at the place at level `l`.
func (r *run) adapted(w *work, at int, l place.Level) fitted {
	f := fitted{at: at, open: -1, certain: !r.disproven && w.elsewhere < 0 && !r.mayLackEdge(w, at)}
	has := make([]string, w.before.count())
	for i := range has {
		has[i] = r.src.Line(at + i)
	}
	if l > place.Exact {
		f.why = difference(w.before.lines, has)
		f.certain = f.certain && text.Passage.Says(w.before.text) && !differInEmpty(w.Lines, '+', func(k int) string { return has[k] })
	}
	after := w.after.lines
	if l >= place.Indented {
		after = r.indented(w, has, l, &f)
	}
	endings := differInEndings(w.before.lines, has)
	old, new := 0, 0
	for _, line := range w.Lines {
		if line.Op == '+' {
			if line.Text = after[new]; endings && endingOf(line.Text) != "" {
				line.Text = bodyOf(line.Text) + nearestEnding(has, old)
			}
		} else {
			line.Text = has[old]
			old++
		}
		if line.Op != '-' {
			new++
		}
		f.lines = append(f.lines, line)
	}
	if w.resigned {
		f.certain = f.certain && text.Passage.Says(w.before.text)
	}
	if w.respaced || w.hasBare() {
		f.certain = f.certain && text.Passage.Says(w.before.text) && r.spacesAreLost(w) && !r.mayBeContext(w)
	}
	return f
}

func (r *run) indented(w *work, has []string, l place.Level, f *fitted) []string {
	plain := func(lines []string) []string { return text.Each(lines, artifact.PlainSpaces) }
	// A web page changed all lines.
	if l == place.LookAlike && place.TrailingSpace.Same(plain(w.before.lines), has) {
		f.why = artifact.PageSpace.Differs
		return plain(w.after.lines)
	}
	old, found, kept := make([]string, len(has)), make([]string, len(has)), map[int]int{}
	certain := f.certain
	inner := false // whether lines differ in the white space inside them
	for i := range has {
		old[i], found[i] = place.TrailingSpace.Fold(w.before.lines[i]), place.TrailingSpace.Fold(has[i])
		if a, b := strings.TrimLeft(old[i], spaces), strings.TrimLeft(found[i], spaces); a != b {
			inner = true
			// Copying can turn tabs into spaces or spaces into tabs. No other difference is certain.
			f.certain = f.certain && strings.Contains(a, "\t") != strings.Contains(b, "\t")
		}
	}
	i, k := 0, 0
	var new []string
	for _, line := range w.Lines {
		if line.Op == ' ' {
			kept[i] = k
		}
		if line.Op != '-' {
			new = append(new, bodyOf(line.Text))
			i++
		}
		if line.Op != '+' {
			k++
		} else if rest := strings.TrimLeft(line.Text, spaces); inner && (strings.Contains(rest, "\t") || strings.Contains(rest, "  ")) {
			f.certain = false // an added line may have lost tabs, too
		}
	}
	a, ok := place.Adapt(old, found, new, kept, r.textAround(f.at))
	switch {
	// The added lines may have the same wrong characters as the removed ones, so a fix is certain only if the file has
	// every removed line exactly.
	case l == place.LookAlike:
		was, ok := w.passage().WithKept(r.t.Text)
		f.why, f.certain = artifact.LookAlike.Differs, certain && ok && was.Old == text.WithEOL(strings.Join(has, ""), text.LF)
	case !ok:
		f.certain, f.why = f.certain && w.keepsChanges(old, found), "only tabs and spaces in context lines differ"
	case !a.Shift.IsZero():
		f.why = a.Rule().Differs
		f.certain = f.certain && (a.Shift.KeepsDepth() || !inner && !a.Shift.Converts()) && (!a.Shift.IsSpace() || slices.ContainsFunc(w.Lines, removes)) &&
			r.src.Meter().Pay(eachAsked*len(r.all)) && !slices.ContainsFunc(r.all, (*work).hidesShift)
	}
	if !ok {
		return w.after.lines
	}
	for i, line := range a.Lines {
		a.Lines[i] = line + endingOf(w.after.lines[i])
	}
	return a.Lines
}

// keepsChanges reports whether the added lines of a hunk are right as written: the hunk removes a line, all removed
// lines are equal to lines of the file, and context lines differ only by tabs instead of spaces, or spaces instead
// of tabs.
func (w *work) keepsChanges(old, found []string) bool {
	k, keeps := 0, false
	for _, l := range w.Lines {
		if l.Op == '+' {
			continue
		}
		if old[k] != found[k] && (removes(l) || strings.Contains(old[k], "\t") == strings.Contains(found[k], "\t")) {
			return false
		}
		keeps = keeps || removes(l)
		k++
	}
	return keeps
}

// removes reports whether a line is removed and not blank. Only such a line can prove that the hunk is indented
// differently: a context line that is one column too far to the left may have lost only the leading space of a diff.
func removes(l Line) bool { return l.Op == '-' && !text.IsBlank(l.Text) }

// hidesShift reports whether a hunk adds lines but has no old line that would show a shift of its indentation. If
// another hunk of the file is shifted, this hunk is probably shifted, too, and git would not notice it.
func (w *work) hidesShift() bool { return text.IsBlank(w.before.text) && w.adds() }

// differInEndings reports whether lines have different endings. It ignores missing endings.
func differInEndings(want, has []string) bool {
	for i := range want {
		if a, b := endingOf(want[i]), endingOf(has[i]); a != "" && b != "" && a != b {
			return true
		}
	}
	return false
}

// nearestEnding returns the line ending for a new line below the first k lines: the ending of the nearest line above
// that has one, or else of the first line below that has one.
func nearestEnding(has []string, k int) string {
	for _, line := range slices.Backward(has[:k]) {
		if e := endingOf(line); e != "" {
			return e
		}
	}
	return cmp.Or(text.First(has[k:], endingOf), "\n")
}

// differInEmpty reports whether one side of a hunk differs from the file only in the line endings of empty lines. In
// a patch with both kinds of line endings, such an empty line may be an added line that lost its plus. `without`
// is the sign of the other side's lines.
func differInEmpty(lines []Line, without byte, found func(k int) string) bool {
	k, differs := 0, false
	for _, l := range lines {
		if l.Op == without {
			continue
		}
		if has := found(k); has != l.Text {
			if !l.At.Empty() || bodyOf(has) != "" {
				return false
			}
			differs = true
		}
		k++
	}
	return differs
}

// difference describes how lines of a hunk and of the file differ, apart from indentation.
func difference(want, has []string) string {
	for i, want := range want {
		have := has[i]
		switch {
		case strings.HasPrefix(have, mark) != strings.HasPrefix(want, mark):
			return "only the byte order mark differs"
		case strings.TrimRight(bodyOf(want), spaces) != strings.TrimRight(bodyOf(have), spaces):
			return artifact.Spacing.Differs
		case bodyOf(want) != bodyOf(have):
			return artifact.TrailingSpace.Differs
		case (endingOf(want) == "") != (endingOf(have) == ""):
			return "only the newline at the end differs"
		}
	}
	return artifact.LineEnding.Differs
}

// window is the number of lines above and below a place that show its indentation.
const window = 200

func (r *run) textAround(at int) string {
	from, to := max(0, at-window), min(r.src.Count(), at+window)
	return r.src.Span(from, to-from).In(r.src.Text())
}
