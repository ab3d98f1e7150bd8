package place

import (
	"context"
	"iter"
	"slices"
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Change replaces an old passage with a new passage.
type Change struct {
	Old, New   string
	Everywhere bool
	Known      bool // the history has an apply of the change to this file
}

// Limits of the proof that a change was made.
const (
	// the least share of the old text that the new text must keep, or the least similarity of the two
	resembles = 0.5
)

// Done returns the place of the result of a change whose old passage does not occur. To prove that the change was
// made, it puts the old passage back: the change must then apply exactly there. The new passage must also be long
// enough, occur once and have something in common with the old passage, and nothing else in the file may resemble
// the old passage as much.
func (l Law) Done(t *Text, c Change) (text.Span, bool) {
	if !c.Shows() || c.OnlyShortens() && !c.Known {
		return text.Span{}, false
	}
	at, old, ok := l.result(t, c)
	if !ok {
		return text.Span{}, false
	}
	stands := func(place text.Span) bool { return !at.Contains(place) }
	if slices.ContainsFunc(l.Near(t, c.Old), stands) || !l.replays(t, at, old, c.Everywhere) {
		return text.Span{}, false
	}
	return at, !hasRival(t, c, at)
}

// IsProved reports whether the result of a change proves that the change was made. The caller must have found
// exactly one place of the result, and no place of the old passage.
func IsProved(t *Text, c Change, at text.Span) bool {
	return c.Shows() && !hasRival(t, c, at)
}

// Shows reports whether the result of a change can show that the change was made. The new passage must be long
// enough, and must share a line with the old passage, keep much of it, or resemble it.
func (c Change) Shows() bool {
	return Says(c.New) && (len(sharedLines(c.Old, c.New)) > 0 || Kept(c.Old, c.New) >= resembles || Alike(c.Old, c.New) >= resembles)
}

// OnlyShortens reports whether a change only removes lines, some of them at the beginning or at the end of the old
// passage. The remaining lines prove nothing: if the old passage is misquoted, the file has them before the change,
// too. Indentation and blank lines make no difference.
func (c Change) OnlyShortens() bool {
	old, new := solidLines(c.Old), solidLines(c.New)
	n, m := len(old), len(new)
	if m == 0 || m >= n {
		return false
	}
	next := 0
	for _, line := range old {
		if next < m && line == new[next] {
			next++
		}
	}
	inside := old[0] == new[0] && old[n-1] == new[m-1] && !slices.Equal(old[:m], new) && !slices.Equal(old[n-m:], new)
	return next == m && !inside
}

// Padding returns the text that a change adds around the old passage, if it has no word, such as line breaks or
// brackets. A file can have such text around the old passage without the change. For any other change, Padding
// returns "".
func (c Change) Padding() string {
	head, tail, ok := strings.Cut(c.New, c.Old)
	if pad := head + tail; ok && strings.Contains(pad, "\n") && !text.HasWord(pad) {
		return pad
	}
	return ""
}

func solidLines(s string) []string {
	return text.Only(text.Each(strings.Split(s, "\n"), strings.TrimSpace), func(line string) bool { return line != "" })
}

// result returns the place of the new passage, and the old passage with the indentation of this place.
func (l Law) result(t *Text, c Change) (at text.Span, old string, ok bool) {
	if found := l.Find(t, c.New, 2); len(found) > 0 {
		at = found[0]
		return at, c.Old, (len(found) == 1 || c.Everywhere) && saysEnough(t, c.New, at)
	}
	if !text.Shift.Says(c.New) || text.WithoutSpace(c.Old) == text.WithoutSpace(c.New) {
		return text.Span{}, "", false
	}
	found := t.Indented(c.New)
	if len(found) != 1 {
		return text.Span{}, "", false
	}
	old, ok = reindented(t, c, found[0])
	return found[0], old, ok
}

// FirstOutside returns the first place of a passage outside a span, at any indentation. It skips places of a passage
// so short that a file may have it by accident.
func (l Law) FirstOutside(t *Text, passage string, except text.Span) (text.Span, bool) {
	const most = 50
	if !Says(passage) {
		return text.Span{}, false
	}
	for _, find := range []func() []text.Span{func() []text.Span { return l.Find(t, passage, most) }, func() []text.Span { return t.Indented(passage) }} {
		for _, at := range find() {
			if !except.Contains(at) && saysEnough(t, passage, at) {
				return at, true
			}
		}
	}
	return text.Span{}, false
}

// Says reports whether a text has a letter or a digit, and is too long to be in a file by accident (see [text.Line]).
func Says(s string) bool { return text.HasWord(s) && text.Line.Says(s) }

// saysEnough reports whether a passage is too long to be at a place by accident. A short passage must fill its
// lines.
func saysEnough(t *Text, passage string, at text.Span) bool {
	if text.Passage.Says(passage) {
		return true
	}
	head, tail := restOfLines(t, at)
	return Says(passage) && text.IsBlank(head+tail)
}

// reindented returns the old passage with the indentation that the new passage has in the file. It returns false if
// the new passage differs there by more than a uniform shift of the indentation.
func reindented(t *Text, c Change, at text.Span) (string, bool) {
	const around = 8 << 10 // in bytes
	w := t.Window(at, around)
	want, found := strings.Split(c.New, "\n"), strings.Split(at.Shift(-w.At).In(w.Text), "\n")
	if len(want) != len(found) {
		want = strings.Split(strings.TrimSuffix(c.New, "\n"), "\n") // the passage is at the end of the text
	}
	if len(want) != len(found) {
		return "", false
	}
	shift, ok := ShiftOf(want, found, c.Old+"\n"+c.New, w.Text)
	lines := strings.Split(c.Old, "\n")
	for i, line := range lines {
		if !ok {
			break
		}
		lines[i], ok = shift.Line(line)
	}
	return strings.Join(lines, "\n"), ok
}

func sharedLines(old, new string) []string {
	has := map[string]bool{}
	for line := range strings.SplitSeq(old, "\n") {
		if line = strings.TrimSpace(line); Says(line) {
			has[line] = true
		}
	}
	var shared []string
	for line := range strings.SplitSeq(new, "\n") {
		if line = strings.TrimSpace(line); has[line] {
			shared = append(shared, line)
		}
	}
	return shared
}

// replays reports whether the law would find the old passage exactly at a place if the passage were put back there.
func (l Law) replays(t *Text, at text.Span, old string, everywhere bool) bool {
	w := t.Window(at, 0)
	raw, has := w.Raw().Span(at.Shift(-w.At))
	// A place without a line ending is only a part of a line, or is at the end of a file without a final newline.
	if has != "" && strings.TrimRight(has, "\r\n") == has {
		if l == WholeLines {
			old = strings.TrimSuffix(old, "\n")
		}
	}
	before, err := t.Apply([]text.Edit{{Span: raw, New: old}})
	if err != nil || old == "" {
		return false
	}
	found := l.Find(before, old, 2)
	return len(found) > 0 && (everywhere || len(found) == 1 && found[0].Start == at.Start)
}

// hasRival reports whether other lines resemble the old passage at least as much as the new passage does, so that
// the change may be meant for them. If both passages share a line that occurs only once in the file, there is no
// rival.
func hasRival(t *Text, c Change, at text.Span) bool {
	shared := sharedLines(c.Old, c.New)
	for _, line := range shared[:min(len(shared), mostClosest)] {
		if text.Shared.Says(line) && len(t.All(line, 2)) == 1 {
			return false
		}
	}
	lf := t.LF()
	others := lf[:at.Start] + "\n" + lf[at.End:]
	return isIn(others, Fold(others, t.Meter()), c)
}

// Resembled reports whether lines of a file resemble a passage, which may be a wrong copy of them.
func Resembled(t *Text, passage string) bool {
	return isIn(t.LF(), t.Folded(), Change{Old: passage})
}

const mostClosest = 5

// isIn reports whether lines of s resemble the old passage at least as much as the new passage does.
func isIn(s string, folded *Folded, c Change) bool {
	return slices.ContainsFunc(folded.Closest(context.Background(), c.Old, mostClosest), func(p Place) bool {
		return resemblesAsMuch(c.Old, text.LinesAround(s, p.Span).In(s), c.New)
	})
}

func resemblesAsMuch(s, a, b string) bool {
	const least = 0.6
	ofA, ofB := Kept(s, a), Kept(s, b)
	both, bothB := min(ofA, Kept(a, s)), min(ofB, Kept(b, s))
	return both >= least && (ofA > ofB || ofA == ofB && both >= bothB)
}

// A Restored is a change without the traces of an artifact.
type Restored struct {
	Change
	By *artifact.Artifact // the artifact that was undone, or the first of two
	// Sure reports whether a fix may write the change without a question: the artifacts can be undone reliably, the
	// old passage is long enough, and every part of the new passage was restored.
	Sure bool
}

const eachUndone = 16

// Restored yields the change with one or two of the artifacts undone, in each possible way. The caller looks for the
// old passage of each result, and stops when it finds one.
func (c Change) Restored(m *meter.Meter, artifacts []*artifact.Artifact) iter.Seq[Restored] {
	return func(yield func(Restored) bool) {
		once := undoEach(m, Restored{Change: c, Sure: true}, artifacts)
		for _, r := range once {
			if !yield(r) {
				return
			}
		}
		for _, r := range once {
			if r.By.Adds {
				// This artifact puts characters back, and another one would only remove them again.
				continue
			}
			for _, twice := range undoEach(m, r, artifacts) {
				if twice.Old != c.Old && !yield(twice) {
					return
				}
			}
		}
	}
}

// undoEach returns, for each artifact in the old passage, the change without it.
func undoEach(m *meter.Meter, r Restored, artifacts []*artifact.Artifact) (out []Restored) {
	if !m.Pay(eachUndone * (len(r.Old) + len(r.New))) {
		return nil
	}
	has := artifact.CharactersOf(r.Old)
	for _, a := range artifacts {
		if a == r.By || !a.MayBeIn(has) {
			continue
		}
		old, ok := a.Undo(r.Old)
		if !ok || text.IsBlank(old) {
			continue
		}
		was := Restored{Change: r.Change, By: a, Sure: r.Sure && a.Sure}
		if r.By != nil {
			was.By = r.By
		}
		undone, all := undoLike(a, r.Old, old, r.New)
		was.Old, was.New, was.Sure = old, undone, was.Sure && all && text.Passage.Says(old)
		out = append(out, was)
	}
	return out
}

// undoLike undoes an artifact of the old passage in the new passage. Lines that both passages share are copied from
// `restored`, the old passage without the artifact. undoLike returns false if a line still shows the artifact.
func undoLike(a *artifact.Artifact, old, restored, new string) (string, bool) {
	if undone, ok := a.Undo(new); ok {
		return undone, true
	}
	before, was, now := strings.SplitAfter(old, "\n"), strings.SplitAfter(restored, "\n"), strings.SplitAfter(new, "\n")
	if len(before) != len(was) {
		return new, !showsInLine(a, now)
	}
	var b, added strings.Builder
	all, i := true, 0
	undoAdded := func() {
		undone, ok := a.Undo(added.String())
		if !ok {
			undone = added.String()
			all = all && !showsInLine(a, strings.SplitAfter(undone, "\n"))
		}
		b.WriteString(undone)
		added.Reset()
	}
	for _, e := range diff.Lines(before, now) {
		switch e.Op {
		case linediff.Match:
			undoAdded()
			b.WriteString(was[i])
			i++
		case linediff.Delete:
			i++
		case linediff.Insert:
			added.WriteString(e.Y)
		}
	}
	undoAdded()
	return b.String(), all
}

func showsInLine(a *artifact.Artifact, lines []string) bool {
	return !a.Ends && slices.ContainsFunc(lines, func(line string) bool { _, ok := a.Undo(line); return ok })
}
