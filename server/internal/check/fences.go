package check

import (
	"slices"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// copied returns a diagnostic for each piece of code whose fences are missing because the block was copied from a page
// (rule R54).
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

// unfenced returns the diagnostic for code without fences. A person who accepts its fix confirms where the code ends.
func unfenced(doc string, code mdblock.Block) diag.Diagnostic {
	eol, fence := string(text.DominantEOL(doc)), mdblock.FenceFor(code.Body)
	end := fence + eol
	if !strings.HasSuffix(code.Body, "\n") {
		end = eol + fence
	}
	return diag.New(diag.CopiedText, code.Open,
		"this code was copied from a web page and has no fences; it seems to end above the next sentence or label, so check its last lines",
		diag.Fix{Title: "Put fences around the code", Edits: []text.Edit{
			{Span: text.Span{Start: code.Open.Start, End: code.HostOffset(0)}, New: fence + code.Info + eol},
			{Span: text.Span{Start: code.Span.End, End: code.Span.End}, New: end},
		}})
}

// misfence marks the first block below a fence that no format claims and that contains the opening line of another
// fence. The closing line of the inner fence closed the outer fence, so code and prose are mixed up below (rule R52).
func misfence(doc format.Document, found []claim) {
	for _, r := range doc.Fences {
		if _, ours := overlapping(found, r.Span); ours || !endsEarly(r) {
			continue
		}
		for i := range found {
			if found[i].Span.Start >= r.Span.End {
				found[i].below = 1 + strings.Count(doc.Text[:r.Open.Start], "\n")
				return
			}
		}
	}
}

// endsEarly reports whether a fence contains the opening line of another fence that is at least as long.
func endsEarly(r *format.Region) bool {
	for line := range strings.Lines(r.Body) {
		if mark, info := mdblock.FenceOf(text.TrimEOL(line)); info != "" && mark[0] == r.Mark[0] {
			return r.Closed && len(mark) >= len(r.Mark)
		}
	}
	return false
}

func notClosed(doc string, b *Block) diag.Diagnostic {
	d := diag.New(diag.BlockIncomplete, text.Span{},
		"the block is not closed: it is still being written, or was cut off; it is not applied", closing(doc, b)...)
	if next := strings.TrimLeft(doc[b.Span.End:], "> \t"); strings.HasPrefix(next, "```") || strings.HasPrefix(next, "~~~") {
		d.Message = "the block is not closed before another one begins, so it is not applied"
	}
	return d
}

// closing returns the fix that closes the fence of a block at the end of its document. It returns nil unless the edit
// in the block is complete and no earlier line could close the fence (rule R4). The fix is never certain, because more
// blocks may have been cut off.
func closing(doc string, b *Block) []diag.Fix {
	if !b.Fenced || strings.TrimSpace(doc[b.Span.End:]) != "" || !isWhole(b) {
		return nil
	}
	fence := b.Mark
	if strings.Contains(b.Body, fence[:3]) {
		return nil
	}
	if !strings.HasSuffix(b.Body, "\n") {
		fence = string(text.DominantEOL(b.Body)) + fence
	}
	end := text.Span{Start: len(b.Body), End: len(b.Body)}
	return []diag.Fix{{Title: "Close the fence", Edits: []text.Edit{b.HostEdit(text.Edit{Span: end, New: fence})}}}
}

// isWhole reports whether the body of a block is certainly complete: the body can be parsed, but neither without its
// last line nor with one more line.
func isWhole(b *Block) bool {
	body := strings.TrimRight(b.Body, " \t\r\n")
	last := strings.LastIndexByte(body, '\n')
	return last >= 0 && isReadable(b, b.Body) && !isReadable(b, body[:last+1]) && !isReadable(b, body+"\n+x\n")
}

func isReadable(b *Block, body string) bool {
	r := format.Region{Block: b.Block}
	r.Body, r.Closed = body, true
	p := b.Format.Parse(&r)
	return p.Entries > 0 && p.Readable == p.Entries && !slices.ContainsFunc(p.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error || d.Asks() })
}
