package intent

import "github.com/aptix-dev/aptix/server/internal/locate"

// LineNow converts a line number in the file as it was before the reply to the present number,
// both from 1. It returns false if an earlier step changed the line.
func (t Target) LineNow(line int) (int, bool) {
	original := t.Before.Original
	if original == nil || len(t.Before.Steps) == 0 {
		return line, true
	}
	lines := original.Lines(locate.AfterEOL)
	if line > lines.Count() {
		return 0, false
	}
	at := lines.Start(line - 1)
	for _, step := range t.Before.Steps {
		shift := 0
		for _, e := range step.Edits {
			switch {
			case e.Span.Start <= at && at < e.Span.End:
				return 0, false
			case e.Span.End <= at:
				shift += len(e.New) - e.Span.Len()
			}
		}
		at += shift
	}
	if at > t.Text.Len() {
		return 0, false
	}
	return t.Text.LineAtRaw(at), true
}
