package lspserver

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// patch is the symbol of a patch, with one for each file, and in it one for each
// hunk.
func (o outline) patch(b check.Block) protocol.DocumentSymbol {
	symbol := o.symbol("Aptix patch", protocol.SymbolKindModule, b.Span, b.Open)
	children := make([][]protocol.DocumentSymbol, len(b.Parts))
	for i, p := range b.Parts {
		if p.Of >= 0 {
			children[p.Of] = append(children[p.Of], o.hunk(b, i))
		}
	}
	for i, p := range b.Parts {
		if p.Of < 0 {
			file := o.part(firstLine(p.Path), protocol.SymbolKindFile, p)
			file.Children = children[i]
			symbol.Children = append(symbol.Children, file)
		}
	}
	detail := count(len(symbol.Children), "file")
	symbol.Detail = &detail
	return symbol
}

// hunk is the symbol of a part of a file. An ap modification says in its first
// value what it is about.
func (o outline) hunk(b check.Block, part int) protocol.DocumentSymbol {
	p := b.Parts[part]
	body := p.At.In(o.doc)
	symbol := o.part(firstWords(b, body), protocol.SymbolKindString, p)
	if b.Format.Name == "ap" {
		id, _, _ := strings.Cut(strings.TrimSpace(body), " ")
		for line := range strings.Lines(body) {
			if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, id+" ") {
				detail := firstLine(s)
				symbol.Detail = &detail
				break
			}
		}
	}
	return symbol
}

func (o outline) part(name string, kind protocol.SymbolKind, p check.Part) protocol.DocumentSymbol {
	end, _ := text.LineEnd(o.doc, p.At.Start)
	p.At.End = p.At.Start + len(strings.TrimRight(p.At.In(o.doc), "\r\n"))
	return o.symbol(name, kind, p.At, text.Span{Start: p.At.Start, End: min(end, p.At.End)})
}

// foldingRange folds each file of a patch, and each hunk.
func (s *Server) foldingRange(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	doc := SnapshotOf(ctx).Get(p.TextDocument.URI)
	folds := []protocol.FoldingRange{}
	if doc == nil || !isReply(doc) {
		return folds, nil
	}
	blocks, err := parsed(ctx, doc)
	if err != nil {
		return nil, err
	}
	lines := text.NewLines(doc.Text)
	for _, b := range blocks {
		for _, part := range b.Parts {
			said := strings.TrimRight(part.At.In(doc.Text), "> \t\r\n") // with the prefixes of its lines
			first, last := lines.Position(part.At.Start).Line, lines.Position(part.At.Start+len(said)).Line
			if last > first {
				folds = append(folds, protocol.FoldingRange{StartLine: uint32(first), EndLine: uint32(last)})
			}
		}
	}
	return folds, nil
}
