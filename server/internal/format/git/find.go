package git

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/pathline"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An outside describes the surroundings of a patch in the document.
type outside struct {
	above string        // the path on the line above a hunk that names no file; "" if there is none
	loose gitdiff.Loose // set for a patch outside of fences
}

// find claims patches outside of fences (rule G70) and under the tags of other languages,
// and records the paths above fences.
func find(d format.Document) []*format.Region {
	fences := make([]text.Span, len(d.Fences))
	var found []*format.Region
	for i, r := range d.Fences {
		if fences[i] = r.Span; isHunk(r.Body) && r.Shared == nil {
			r.Shared = outside{above: pathAbove(d.Text[:r.Span.Start])}
		}
		if b, ok := bareIn(d, r); ok {
			found = append(found, &format.Region{Block: r.Block, Shared: b})
		}
		if otherTag(r) && !isHunk(r.Body) && gitdiff.Begins(r.Body) {
			found = append(found, &format.Region{Block: r.Block})
		}
	}
	for _, l := range gitdiff.FindLoose(d.Text, fences) {
		r := format.Piece(d.Text, l.Span, !l.Open)
		o := outside{loose: l}
		if isHunk(r.Body) {
			o.above = pathAbove(d.Text[:l.Span.Start])
		}
		r.Shared = o
		found = append(found, r)
	}
	return found
}

// otherTag reports whether a fence has a tag other than those of patches and samples.
func otherTag(r *format.Region) bool {
	return r.Lang != "" && !slices.Contains(mdblock.PatchTags, r.Lang) && !mdblock.IsPlain(r.Lang)
}

func isHunk(body string) bool { return strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "@@") }

// pathAbove returns the path on the last line of a text, or "" if that line is not a path.
func pathAbove(above string) string {
	line := reply.LineAbove(above, 0, len(above)).In(above)
	at, ok := pathline.In(line)
	if !ok {
		return ""
	}
	return at.In(line)
}

// looseEnd reports a patch outside of fences whose end is uncertain. None of the patch may
// be planned, because a repair of a hunk would count its lines and so hide the doubt.
func looseEnd(r *format.Region, p *gitdiff.Patch) bool {
	o, _ := r.Shared.(outside)
	l := o.loose
	if l.Why == "" {
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
