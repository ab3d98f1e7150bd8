package wholelines

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A meaning is the intended form of a passage that writes `...` for omitted lines.
type meaning struct {
	find, replace string
	done          *text.Span // the place of the result, if the text already has it
}

// outcome resolves a passage that has a meaning, after the exact search for the passage found nothing. `missing` is
// the outcome of that search.
func (m meaning) outcome(p passage, on intent.Target, missing intent.Outcome) intent.Outcome {
	if m.done != nil {
		return p.done(on.Text, *m.done)
	}
	fix := diag.Fix{Title: "Write the lines that `...` leaves out", Edits: p.rewrite(m.find, m.replace), Preferred: !on.Applied && !findreplace.DependsOn(m.find, on.Before.Unmet)}
	for i, d := range missing.Problems {
		if d.Code == diag.FindNotFound {
			missing.Problems[i].Fixes, missing.Problems[i].Suggest = []diag.Fix{fix}, nil
		}
	}
	return missing
}

// unelided returns the meaning of a passage with lines `...`. Each piece between two such lines must occur exactly once
// in the text, and the pieces must be in order. The omitted lines stay unchanged.
func (p passage) unelided(t *locate.Text) (meaning, bool) {
	find, replace := pieces(p.Find), pieces(p.Replace)
	if len(find) < 2 || len(find) != len(replace) {
		return meaning{}, false
	}
	if at := putInOrder(t, find, replace); at != nil {
		return meaning{done: at}, true
	}
	if at, after, ok := inOrder(t, find, replace); ok {
		return meaning{find: at.In(t.LF()), replace: after}, true
	}
	return meaning{}, false
}

func pieces(lines string) []string {
	lines = text.WithEOL(lines, text.LF)
	var all []string
	start, at := 0, 0
	for line := range strings.Lines(lines) {
		next := at + len(line)
		if strings.TrimSpace(line) == "..." {
			all = append(all, lines[start:at])
			start = next
		}
		at = next
	}
	return append(all, lines[start:])
}

// inOrder returns the span from the first piece to the last, and the text that replaces the span. Each piece must occur
// exactly once, below the preceding piece.
func inOrder(t *locate.Text, find, replace []string) (at text.Span, after string, ok bool) {
	var b strings.Builder
	lf := t.LF()
	for i, piece := range find {
		if piece == "" && replace[i] == "" && (i == 0 || i == len(find)-1) {
			// A line `...` above or below all other lines leaves an empty piece.
			continue
		}
		found := Places(t, piece)
		if piece == "" || len(found) != 1 || found[0].Start < at.End {
			return text.Span{}, "", false
		}
		if at == (text.Span{}) {
			at.Start = found[0].Start
		} else {
			b.WriteString(lf[at.End:found[0].Start])
		}
		at.End = found[0].End
		b.WriteString(replace[i])
	}
	return at, b.String(), at != text.Span{}
}

// putInOrder returns the place of the first result if the text has the results of all pieces in order. A result that
// equals its piece must occur exactly once. At least one result must differ from its piece, and for each such result,
// the rules for whole lines must prove that the change is done.
func putInOrder(t *locate.Text, find, replace []string) *text.Span {
	var first *text.Span
	last, changed := 0, false
	for i, piece := range replace {
		var result text.Span
		switch {
		case piece == "" && find[i] == "":
			continue
		case piece == find[i]:
			found := Places(t, piece)
			if len(found) != 1 {
				return nil
			}
			result = found[0]
		default:
			at, ok := place.WholeLines.Done(t, place.Change{Old: find[i], New: piece})
			if !ok {
				return nil
			}
			result, changed = at, true
		}
		if result.Start < last {
			return nil
		}
		last = result.End
		if first == nil {
			first = &result
		}
	}
	if !changed {
		return nil
	}
	return first
}
