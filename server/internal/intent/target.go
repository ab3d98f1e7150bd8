package intent

import (
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Changed returns the first step that changed a part of a span of the original text. If no step did, Changed returns
// false and the span in the current text. Both spans are raw: they count bytes of the text with its own line endings.
func (b Before) Changed(span text.Span) (by Earlier, now text.Span, changed bool) {
	for _, step := range b.Steps {
		shift := 0
		for _, e := range step.Edits {
			switch {
			case e.Span.Overlaps(span):
				return step, span, true
			case e.Span.End <= span.Start:
				shift += len(e.New) - e.Span.Len()
			}
		}
		span = span.Shift(shift)
	}
	return Earlier{}, span, false
}

// LineNow converts the number of a line in the file before the reply to the number that the line has now. Both count
// from 1. LineNow returns false if an earlier step changed the line.
func (t Target) LineNow(line int) (int, bool) {
	original := t.Before.Original
	if original == nil || len(t.Before.Steps) == 0 {
		return line, true
	}
	lines := original.Lines(place.AfterEOL)
	if line > lines.Count() {
		return 0, false
	}
	start := lines.Start(line - 1)
	_, now, changed := t.Before.Changed(text.Span{Start: start, End: start + 1})
	if changed || now.Start > t.Text.Len() {
		return 0, false
	}
	return t.Text.LineAtRaw(now.Start), true
}
