package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An adapter adapts the added lines of a hunk to the place of the hunk.
type adapter struct {
	w       *work
	has     []string // the lines of the file that match the old lines of the hunk
	level   locate.Level
	certain bool
	why     string

	endings bool // the hunk's line endings differ from the file's
	shift   locate.Shift
	shifts  bool // the hunk's indentation differs from the file's by shift
	inner   bool // tabs inside lines became spaces, or spaces became tabs
}

// eachAsked is the cost of a look at another hunk of the file, in units.
const eachAsked = 16

func (r *run) adapter(w *work, at int, l locate.Level) *adapter {
	a := &adapter{w: w, level: l, certain: true}
	for i := range w.before.count() {
		a.has = append(a.has, r.src.Line(at+i))
	}
	if l == locate.Exact {
		return a
	}
	a.compareEndings()
	a.certain = !differInEmpty(w.Lines, '+', func(k int) string { return a.has[k] })
	a.why = a.difference()
	if l >= locate.Spacing {
		a.compareSpace(written(w), r.around(at))
		if !a.shift.IsZero() && (!r.src.Meter().Pay(eachAsked*len(r.all)) || slices.ContainsFunc(r.all, (*work).hidesShift)) {
			a.certain = false
		}
	}
	if l == locate.LookAlike { // the right characters for added lines are unknown
		a.certain, a.why = false, artifact.LookAlike.Differs
	}
	return a
}

// hidesShift reports whether a hunk adds lines but has no old line that would show its
// indentation. If another hunk of the file is shifted, this one is shifted, too, and git would
// not refuse it.
func (w *work) hidesShift() bool { return locate.IsBlank(w.before.text) && w.adds() }

// compareEndings compares the line endings of the hunk and the file, except on the last line of
// the file.
func (a *adapter) compareEndings() {
	for i, want := range a.w.before.lines {
		have := endingOf(a.has[i])
		if e := endingOf(want); e != "" && have != "" && e != have {
			a.endings = true
		}
	}
}

// differInEmpty reports whether the lines of one side of a hunk differ from lines of the file
// only in the endings of empty lines. The side is the one without lines of the op without. In a
// patch with both kinds of endings, such a line may be an added one that lost its plus.
func differInEmpty(lines []Line, without byte, there func(k int) string) bool {
	k, differs := 0, false
	for _, l := range lines {
		if l.Op == without {
			continue
		}
		if has := there(k); has != l.Text {
			if !l.At.Empty() || bodyOf(has) != "" {
				return false
			}
			differs = true
		}
		k++
	}
	return differs
}

// difference names the difference in a few words, apart from indentation.
func (a *adapter) difference() string {
	for i, want := range a.w.before.lines {
		have := a.has[i]
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

// compareSpace computes the shift of the indentation, and checks whether lines differ in white
// space after the indentation.
func (a *adapter) compareSpace(written, around string) {
	want, has := make([]string, len(a.has)), make([]string, len(a.has))
	for i := range a.has {
		want[i], has[i] = locate.TrailingSpace.Fold(a.w.before.lines[i]), locate.TrailingSpace.Fold(a.has[i])
		a.compareInner(want[i], has[i])
	}
	a.shift, a.shifts = locate.ShiftOf(want, has, written, around)
	switch {
	case !a.shifts && a.keepsChanges(want, has):
		a.shifts, a.why = true, "only tabs and spaces in context differ"
	case !a.shifts:
		a.certain = false
	case a.shift.IsZero():
	case a.shift.KeepsDepth():
		a.why = artifact.Tabs.Differs
	default:
		a.why = artifact.Indentation.Differs
		a.certain = a.certain && !a.inner && !a.shift.Converts() && a.isShifted()
	}
}

// isShifted reports whether the hunk is shifted as a whole. If it is one column too far to the
// left, context lines may only have lost their leading space, unless a removed line disproves
// that.
func (a *adapter) isShifted() bool {
	if a.shift.IsSpace() {
		return slices.ContainsFunc(a.w.Lines, func(l Line) bool { return l.Op == '-' && !locate.IsBlank(l.Text) })
	}
	return true
}

// keepsChanges reports whether removed lines equal those of the file, although context lines have
// tabs for the file's spaces or spaces for its tabs. If so, added lines are right as written.
func (a *adapter) keepsChanges(want, has []string) bool {
	k, removes := 0, false
	for _, l := range a.w.Lines {
		if l.Op == '+' {
			continue
		}
		x, y := locate.Indentation(want[k]), locate.Indentation(has[k])
		switch {
		case l.Op == '-' && want[k] != has[k], x != y && strings.Contains(x, "\t") == strings.Contains(y, "\t"):
			return false
		case l.Op == '-' && !locate.IsBlank(want[k]):
			removes = true
		}
		k++
	}
	return removes
}

// compareInner compares the white space after the indentation. Copying a text may turn tabs into
// spaces, or spaces into tabs. It does not change the number of spaces.
func (a *adapter) compareInner(want, has string) {
	want, has = strings.TrimLeft(want, spaces), strings.TrimLeft(has, spaces)
	if want == has {
		return
	}
	a.inner = true
	for want != "" && has != "" {
		i, j := strings.IndexAny(want, spaces), strings.IndexAny(has, spaces)
		if i < 0 || j < 0 {
			return
		}
		want, has = want[i:], has[j:]
		x, y := locate.Indentation(want), locate.Indentation(has)
		if x != y && strings.Contains(x, "\t") == strings.Contains(y, "\t") {
			a.certain = false
		}
		want, has = want[len(x):], has[len(y):]
	}
}

// added returns an added line in the form for its place, which is after the first k old lines.
func (a *adapter) added(line string, k int) string {
	if a.level == locate.Exact {
		return line
	}
	body, ending := bodyOf(line), endingOf(line)
	if a.endings && ending != "" {
		ending = a.ending(k)
	}
	if a.level >= locate.Spacing {
		body = a.indented(body)
	}
	return body + ending
}

// ending returns the line ending for a line after the first k old lines: that of the nearest line
// above with an ending, or else that of the nearest line below with one.
func (a *adapter) ending(k int) string {
	for i := min(k, len(a.has)) - 1; i >= 0; i-- {
		if e := endingOf(a.has[i]); e != "" {
			return e
		}
	}
	for i := k; i < len(a.has); i++ {
		if e := endingOf(a.has[i]); e != "" {
			return e
		}
	}
	return "\n"
}

func (a *adapter) indented(body string) string {
	if locate.IsBlank(body) {
		return body
	}
	rest := strings.TrimLeft(body, spaces)
	if a.inner && (strings.Contains(rest, "\t") || strings.Contains(rest, "  ")) {
		a.certain = false // the added line may have lost its own tabs, too
	}
	if !a.shifts || a.shift.IsZero() {
		return body
	}
	if shifted, ok := a.shift.Line(body); ok {
		return shifted
	}
	if !a.shift.KeepsDepth() || !a.asThere(locate.Indentation(body)) {
		a.certain = false
	}
	return body
}

// asThere reports whether a line of the file near the place has the indentation.
func (a *adapter) asThere(indentation string) bool {
	return slices.ContainsFunc(a.has, func(line string) bool { return locate.Indentation(line) == indentation })
}

// telling reports whether the old lines have enough text to be recognized even with slight
// differences from the file.
func (a *adapter) telling() bool { return text.Passage.Says(a.w.before.text) }

// window is the number of lines on each side of a place that show its indentation.
const window = 200

// around returns the text around a line of the source.
func (r *run) around(at int) string {
	from, to := max(0, at-window), min(r.src.Count(), at+window)
	return r.src.Span(from, to-from).In(r.src.Text())
}

// written returns the text of all lines of a hunk.
func written(w *work) string {
	var b strings.Builder
	for _, l := range w.Lines {
		b.WriteString(l.Text)
	}
	return b.String()
}
