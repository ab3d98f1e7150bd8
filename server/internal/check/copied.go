package check

import (
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// copied reports the code in a block that was copied from a page without fences (rule R54).
func (r *Result) copied(b *Block) (all []diag.Diagnostic) {
	fences := r.structures[b.Document].Fences
	first := sort.Search(len(fences), func(i int) bool { return fences[i].Span.End > b.Span.Start })
	for _, f := range fences[first:] {
		if f.Span.Start >= b.Span.End {
			break
		}
		if f.Page {
			all = append(all, unfenced(r.Documents[b.Document].Text, f))
		}
	}
	return all
}

// unfenced returns the diagnostic for code without fences. With its fix, a person confirms where the code
// ends.
func unfenced(doc string, code mdblock.Block) diag.Diagnostic {
	eol, fence := string(text.DominantEOL(doc)), mdblock.FenceFor(code.Body)
	end := fence + eol
	if !strings.HasSuffix(code.Body, "\n") {
		end = eol + fence
	}
	return diag.New(diag.CopiedText, code.Open,
		"this code was copied from a page without its fences; it seems to end above the next sentence or label, so check its last lines",
		diag.Fix{Title: "Put fences around the code", Edits: []text.Edit{
			{Span: text.Span{Start: code.Open.Start, End: code.HostOffset(0)}, New: fence + code.Info + eol},
			{Span: text.Span{Start: code.Span.End, End: code.Span.End}, New: end},
		}})
}
