package check

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// notClosed reports a block that is incomplete.
func notClosed(doc string, b *Block) diag.Diagnostic {
	d := diag.New(diag.BlockIncomplete, text.Span{},
		"the block is not closed: it is still being written, or was cut off; it is not applied", closing(doc, b)...)
	if next := strings.TrimLeft(doc[b.Span.End:], "> \t"); strings.HasPrefix(next, "```") || strings.HasPrefix(next, "~~~") {
		d.Message = "the block is not closed before another one begins, so it is not applied"
	}
	return d
}

// closing returns the fix that closes the fence of a block at the end of its document, if
// the edit in it is complete and no earlier line could close the fence (rule R4). It is
// never certain, because more blocks may have been cut off.
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

// isWhole reports whether the body of a block proves that it is complete: it could not be
// parsed without its last line, or with one more.
func isWhole(b *Block) bool {
	body := strings.TrimRight(b.Body, " \t\r\n")
	last := strings.LastIndexByte(body, '\n')
	return last >= 0 && isReadable(b, b.Body) && !isReadable(b, body[:last+1]) && !isReadable(b, body+"\n+x\n")
}

func isReadable(b *Block, body string) bool {
	r := format.Region{Block: b.Block}
	r.Body, r.Closed = body, true
	p := b.Format.Parse(&r)
	return p.Entries > 0 && p.Readable == p.Entries && !diag.HasErrors(p.Diagnostics)
}
