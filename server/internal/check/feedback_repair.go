package check

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	repairLines = 12 // the largest number of lines of a corrected block that are shown
	repairBytes = 700
	choices     = 2 // the largest number of alternative corrections that are offered to the model
)

// repair shows the corrected block if the correction is certain. Otherwise it shows the
// alternatives from which the model can choose.
func (f *feedback) repair(s *strings.Builder, b *Block, g repeated, detailed bool) {
	if edits := certainEdits(g); len(edits) > 0 {
		fix, _ := diag.Certain(g[0].Fixes)
		fix.Edits = edits
		f.fix(s, b, "Write it like this:", fix)
		return
	}
	if g[0].Passage != "" || !detailed || f.places(s, g[0]) > 1 {
		return
	}
	for i, fix := range g[0].AllFixes(f.ctx) {
		if i == choices {
			return
		}
		f.fix(s, b, fix.Title+":", fix)
	}
}

// fix writes the lines of the block after a fix, below a heading. If the fix only removes text, it writes the title of
// the fix instead.
func (f *feedback) fix(s *strings.Builder, b *Block, heading string, fix diag.Fix) {
	if slices.ContainsFunc(fix.Edits, func(e text.Edit) bool { return strings.TrimSpace(e.New) != "" }) {
		quoted(s, heading, f.corrected(b, fix.Edits))
		return
	}
	s.WriteString("  " + fix.Title + ".\n")
}

// certainEdits returns the edits of the certain fixes for similar problems, except edits that conflict, and at most
// repairBytes of them. It returns nil if any of the problems has no certain fix.
func certainEdits(ds []diag.Diagnostic) []text.Edit {
	var edits []text.Edit
	for _, d := range ds {
		fix, ok := diag.Certain(d.Fixes)
		if !ok {
			return nil
		}
		for _, e := range fix.Edits {
			if len(edits) < repairBytes && !slices.ContainsFunc(edits, func(o text.Edit) bool { return o.Span.Overlaps(e.Span) || o == e }) {
				edits = append(edits, e)
			}
		}
	}
	slices.SortFunc(edits, text.ByPlace)
	return edits
}

// corrected returns the lines that the edits change, as they are after the edits.
func (f *feedback) corrected(b *Block, edits []text.Edit) string {
	doc := f.r.Documents[b.Document].Text
	span := edits[0].Span
	for _, e := range edits {
		span = text.Span{Start: min(span.Start, e.Span.Start), End: max(span.End, e.Span.End)}
	}
	span = text.LinesAround(doc, span)
	shifted := text.Each(edits, func(e text.Edit) text.Edit { return text.Edit{Span: e.Span.Shift(-span.Start), New: e.New} })
	s, err := text.Apply(span.In(doc), shifted)
	if err != nil {
		return ""
	}
	return s
}

func quoted(s *strings.Builder, head, lines string) {
	if strings.TrimSpace(lines) == "" {
		return
	}
	s.WriteString("  " + head + "\n")
	all := text.SplitLines(lines)
	size := 0
	for i, line := range all {
		if size += len(line); i == repairLines || i > 0 && size > repairBytes {
			s.WriteString("    (and so on)\n")
			return
		}
		s.WriteString("    " + text.Cut(text.TrimEOL(line), 2*widest) + "\n")
	}
}
