package wholelines

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// put replaces the lines at a place. A line that does not change keeps its ending. The file ends
// with a line ending only if it did before.
func (p passage) put(t *locate.Text, at text.Span) intent.Outcome {
	there, span := rawSpan(t, at)
	eol := cmp.Or(t.EOL(), text.LF)
	after := p.Replace
	if t.Len() > 0 {
		after = diff.KeepEndingsOr(eol, there, ended(p.Replace))
	}
	if there != "" && unended(there) == there { // the place ends the file, which has no final newline
		after = unended(after)
	}
	edits := diff.Edits(there, after)
	for i := range edits {
		edits[i].Span = edits[i].Span.Shift(span.Start)
	}
	end := span.End
	for _, e := range edits {
		end += len(e.New) - e.Span.Len()
	}
	out := intent.Outcome{Edits: edits, Written: p.written(), Cursor: end, Done: len(edits) == 0, Places: []intent.Place{{At: p.edit.At, Target: span, Done: len(edits) == 0}}}
	if out.Done {
		out.Problems = []diag.Diagnostic{{Span: p.FindAt.Span, Severity: diag.Warning, Code: diag.FindEqualsReplace,
			Message: fmt.Sprintf("%s and %s are the same, so nothing changes", p.edit.FindName, p.edit.ReplaceName)}}
	}
	return out
}

// appended puts the lines at the end of the text, as the format asks for.
func (p passage) appended(on intent.Target) intent.Outcome {
	t := on.Text
	lf := t.LF()
	added := ended(text.WithEOL(p.Replace, text.LF))
	ends := strings.HasSuffix("\n"+ended(lf), "\n"+added)
	result := text.Span{Start: max(0, len(lf)-len(added)), End: len(lf)}
	if ends && (on.Applied || place.Says(added)) {
		return p.done(t, result)
	}
	at := text.Span{Start: t.Len(), End: t.Len()}
	eol := cmp.Or(t.EOL(), text.LF)
	lines := text.WithEOL(ended(p.Replace), eol)
	if lf != "" && unended(lf) == lf {
		lines = string(eol) + unended(lines)
	}
	out := intent.Outcome{Edits: []text.Edit{{Span: at, New: lines}}, Written: p.written(), Cursor: at.Start + len(lines), Places: []intent.Place{{At: p.edit.At, Target: at}}}
	if ends {
		out.Problems = []diag.Diagnostic{{Span: p.FindAt.Span, Severity: diag.Warning, Code: diag.InsertRepeats,
			Message: fmt.Sprintf("the file already ends with these lines, from line %d on: if they were added before, they would now be there twice", t.LineAt(result.Start))}}
	} else if lf != "" && !p.edit.AtEnd {
		out.Problems = []diag.Diagnostic{{Span: p.FindAt.Span, Severity: diag.Warning, Code: diag.PatchAppends,
			Message: "the hunk only adds lines and does not say where; they go to the end of the file"}}
	}
	return out
}

func (p passage) written() intent.Written {
	return intent.Written{Text: p.Replace, At: p.ReplaceAt}
}

// rawSpan returns the raw span of a span in the text with LF endings, and the raw text in it.
func rawSpan(t *locate.Text, at text.Span) (there string, span text.Span) {
	w := t.Window(at, 0)
	span, there = w.Raw().Span(at.Shift(-w.At))
	return there, span
}

// stated returns the place at the line number that the block names. The number counts lines of
// the file as it was before the reply. It returns false if the file now has another line there.
func (p passage) stated(on intent.Target, open []text.Span) (text.Span, bool) {
	if p.edit.Line == 0 {
		return text.Span{}, false
	}
	now, ok := on.LineNow(p.edit.Line)
	if !ok {
		return text.Span{}, false
	}
	var at, other text.Span
	for _, place := range open {
		switch on.Text.LineAt(place.Start) {
		case now:
			at = place
		case p.edit.Line:
			other = place
		}
	}
	return at, !at.Empty() && other.Empty()
}

// ambiguous warns about lines that are in several places. Some of these may be done.
func (p passage) ambiguous(t *locate.Text, open []text.Span, all int) diag.Diagnostic {
	const most = 10
	var lines []string
	for i, place := range open {
		if i == most {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, fmt.Sprint(t.LineAt(place.Start)))
	}
	d := diag.Diagnostic{Span: p.FindAt.Span, Severity: diag.Warning, Code: diag.FindAmbiguous}
	if len(open) == 1 {
		d.Message = fmt.Sprintf("%s is on line %s of the file, but an earlier apply has changed %d other places, so the change may already be complete", p.edit.FindName, lines[0], all-1)
		return d
	}
	d.Message = fmt.Sprintf("%s occurs %d times in the file, on lines %s; only the first is replaced: add lines above or below until it is unique",
		p.edit.FindName, len(open), strings.Join(lines, ", "))
	return d
}
