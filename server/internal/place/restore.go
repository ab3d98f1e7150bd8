package place

import (
	"slices"
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Restored change is a change as it was before an artifact altered its texts.
type Restored struct {
	Change
	By *artifact.Artifact // the artifact that was undone first
	// Sure reports whether a fix may write the change without a question. That requires artifacts
	// that can be undone reliably, an old passage that says enough, and a new passage of which every
	// part could be restored.
	Sure bool
}

// eachUndone is the cost of undoing artifacts in a byte, in units.
const eachUndone = 16

// Restore undoes one or two of the given artifacts in a change whose old passage the file does not have. It
// returns the first result for which finds returns true. finds looks for the passage by the law of a format.
func Restore(m *meter.Meter, c Change, artifacts []*artifact.Artifact, finds func(Restored) bool) (Restored, bool) {
	once := undoEach(m, Restored{Change: c, Sure: true}, artifacts)
	for _, r := range once {
		if finds(r) {
			return r, true
		}
	}
	for _, r := range once {
		if r.By.Adds {
			continue // another artifact would only remove what undoing this one adds
		}
		for _, twice := range undoEach(m, r, artifacts) {
			if twice.Old != c.Old && finds(twice) {
				return twice, true
			}
		}
	}
	return Restored{}, false
}

// undoEach returns, for each artifact that the old passage shows, the change without that
// artifact.
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
		if !ok || locate.IsBlank(old) {
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

// undoLike undoes an artifact in a new passage if the old passage shows it. A line that both
// passages have is written as in the restored old passage. It returns false if a line still shows
// the artifact.
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
