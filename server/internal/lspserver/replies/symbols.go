package replies

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// Outlines returns the symbols of the blocks.
func (c *Reply) Outlines() (symbols []protocol.DocumentSymbol) {
	for _, b := range c.Blocks {
		if b.Format.Outline != nil {
			symbols = append(symbols, c.outline(b))
		}
	}
	return symbols
}

// outline returns the symbol of a block. It contains a symbol for each file, and each of these contains a symbol for
// each edit.
func (c *Reply) outline(b check.Block) protocol.DocumentSymbol {
	o := b.Format.Outline(b.Region, b.Set)
	root := protocol.DocumentSymbol{
		Name: firstLine(o.Name), Detail: detail(o.Detail), Kind: protocol.SymbolKindModule,
		Range: lspconv.Range(c.Lines, b.Span), SelectionRange: lspconv.Range(c.Lines, b.Open),
	}
	for _, f := range o.Files {
		file := c.symbol(b, f, protocol.SymbolKindFile)
		for _, e := range f.Edits {
			file.Children = append(file.Children, c.symbol(b, e, protocol.SymbolKindString))
		}
		root.Children = append(root.Children, file)
	}
	return root
}

func (c *Reply) symbol(b check.Block, s format.Symbol, kind protocol.SymbolKind) protocol.DocumentSymbol {
	return protocol.DocumentSymbol{
		Name: firstLine(s.Name), Detail: detail(s.Detail), Kind: kind,
		Range: lspconv.Range(c.Lines, b.HostSpan(s.Span)), SelectionRange: lspconv.Range(c.Lines, b.HostSpan(s.Select)),
	}
}

// firstLine returns the first nonblank line of `s`, shortened to 80 characters. If all lines are blank, it returns
// "(nothing)", because editors refuse a symbol without a name.
func firstLine(s string) string {
	const most = 80
	line := strings.TrimSpace(s)
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	line = escape.Line(line)
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	if line == "" {
		return "(nothing)"
	}
	return line
}

func detail(s string) *string {
	if s == "" {
		return nil
	}
	s = firstLine(s)
	return &s
}

// Flat converts a tree of symbols into a list, for editors that do not support trees.
func Flat(u uri.URI, symbols []protocol.DocumentSymbol, container string) protocol.SymbolInformationSlice {
	list := protocol.SymbolInformationSlice{}
	for _, d := range symbols {
		i := protocol.SymbolInformation{Location: protocol.Location{URI: u, Range: d.Range}}
		i.Name, i.Kind = d.Name, d.Kind
		if container != "" {
			i.ContainerName = &container
		}
		list = append(append(list, i), Flat(u, d.Children, d.Name)...)
	}
	return list
}

// Folds returns a range for each file of a patch, and a range for each hunk.
func (c *Reply) Folds() (folds []protocol.FoldingRange) {
	for _, b := range c.Blocks {
		if !b.Format.Folds {
			continue
		}
		for _, part := range b.Parts {
			// TrimRight also removes the prefixes of empty lines, such as "> ".
			shown := strings.TrimRight(part.At.In(c.Document.Text), "> \t\r\n")
			first, last := c.Lines.Position(part.At.Start).Line, c.Lines.Position(part.At.Start+len(shown)).Line
			if last > first {
				folds = append(folds, protocol.FoldingRange{StartLine: uint32(first), EndLine: uint32(last)})
			}
		}
	}
	return folds
}
