package git

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// find claims patches outside of fences (rule G70).
func find(d format.Document) []*format.Region {
	fences := make([]text.Span, len(d.Fences))
	for i, r := range d.Fences {
		fences[i] = r.Span
	}
	var found []*format.Region
	for _, l := range gitdiff.FindLoose(d.Text, fences) {
		r := format.Piece(d.Text, l.Span, !l.Open)
		r.Shared = l
		found = append(found, r)
	}
	return found
}

// looseEnd reports a patch outside of fences whose end is not certain. A repair of a hunk would
// count its lines, and so hide the doubt: nothing of the patch may be planned.
func looseEnd(r *format.Region, p *gitdiff.Patch) bool {
	l, ok := r.Shared.(gitdiff.Loose)
	if !ok || l.Why == "" {
		return false
	}
	onlyOffer(*p)
	p.Diagnostics = append(p.Diagnostics, diag.Diagnostic{Span: l.Doubt.Shift(-l.Span.Start), Severity: diag.Error, Code: diag.GitLooseEnd,
		Message: l.Why + "; write the patch between ```diff and ```", Fixes: []diag.Fix{inFence(r.Body)}})
	return true
}

// inFence puts a patch in a fence that no line of it closes.
func inFence(body string) diag.Fix {
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	eol := string(text.DominantEOL(body))
	last := fence + eol
	if !strings.HasSuffix(body, "\n") {
		last = eol + fence
	}
	end := text.Span{Start: len(body), End: len(body)}
	return diag.Fix{Title: "Put the patch in a fence", Edits: []text.Edit{{New: fence + "diff" + eol}, {Span: end, New: last}}}
}
