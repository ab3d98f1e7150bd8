package lspserver

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *Server) documentSymbol(ctx context.Context, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	doc := SnapshotOf(ctx).Get(p.TextDocument.URI)
	symbols := protocol.DocumentSymbolSlice{}
	if doc != nil && isReply(doc) {
		o := outline{doc.Text, text.NewLines(doc.Text)}
		for _, b := range jsonBlocks(doc) {
			switch {
			case !isOurs(doc, b):
			case isLines(b):
				symbols = append(symbols, o.linePatch(b))
			default:
				symbols = append(symbols, o.block(b))
			}
		}
		patches, err := parsed(ctx, doc)
		if err != nil {
			return nil, err
		}
		for _, b := range patches {
			symbols = append(symbols, o.patch(b))
		}
	}
	can := s.capabilities().TextDocument
	if can != nil && can.DocumentSymbol != nil && isTrue(can.DocumentSymbol.HierarchicalDocumentSymbolSupport) {
		return symbols, nil
	}
	return flat(p.TextDocument.URI, symbols, ""), nil
}

// An outline makes the symbols of one document.
type outline struct {
	doc   string
	lines *text.Lines
}

// block is the symbol of a block, with one for each entry of the lists in it.
func (o outline) block(b mdblock.Block) protocol.DocumentSymbol {
	root, _ := lenientjson.Parse(b.Body)
	symbol := o.symbol("Aptix patch", protocol.SymbolKindModule, b.Span, b.Open)
	for _, list := range []string{"files", "patches"} {
		m := root.Member(list)
		if m == nil {
			continue
		}
		if list == "files" {
			symbol.Name = "Aptix bundle"
		}
		for _, e := range m.Value.Elems {
			symbol.Children = append(symbol.Children, o.entry(b, e))
		}
	}
	detail := count(len(symbol.Children), "change")
	symbol.Detail = &detail
	return symbol
}

// entry is the symbol of one of files or patches, with one for each replacement.
func (o outline) entry(b mdblock.Block, n *lenientjson.Node) protocol.DocumentSymbol {
	symbol := o.member(b, n, "path", protocol.SymbolKindFile)
	if operation := stringOf(n, "operation"); operation != "" {
		symbol.Detail = &operation
	}
	if n.Member("find") != nil {
		symbol.Children = append(symbol.Children, o.member(b, n, "find", protocol.SymbolKindString))
	}
	for _, list := range []string{"patches", "replacements"} {
		if m := n.Member(list); m != nil {
			for _, e := range m.Value.Elems {
				symbol.Children = append(symbol.Children, o.member(b, e, "find", protocol.SymbolKindString))
			}
		}
	}
	return symbol
}

// member is the symbol of an object that is named by one of its members.
func (o outline) member(b mdblock.Block, n *lenientjson.Node, name string, kind protocol.SymbolKind) protocol.DocumentSymbol {
	selection := text.Span{Start: n.Span.Start, End: n.Span.Start}
	if m := n.Member(name); m != nil {
		selection = m.Value.Span
	}
	return o.symbol(firstLine(stringOf(n, name)), kind, b.HostSpan(n.Span), b.HostSpan(selection))
}

func (o outline) symbol(name string, kind protocol.SymbolKind, all, selection text.Span) protocol.DocumentSymbol {
	return protocol.DocumentSymbol{
		Name: name, Kind: kind,
		Range: lspconv.Range(o.lines, all), SelectionRange: lspconv.Range(o.lines, selection),
	}
}

// firstLine is the first line of s that says something. A symbol without a name
// is refused by editors.
func firstLine(s string) string {
	const most = 80
	line := strings.TrimSpace(s)
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	if line == "" {
		return "(nothing)"
	}
	return line
}

// flat is a tree of symbols for an editor that knows no trees.
func flat(u uri.URI, symbols []protocol.DocumentSymbol, container string) protocol.SymbolInformationSlice {
	list := protocol.SymbolInformationSlice{}
	for _, d := range symbols {
		i := protocol.SymbolInformation{Location: protocol.Location{URI: u, Range: d.Range}}
		i.Name, i.Kind = d.Name, d.Kind
		if container != "" {
			i.ContainerName = &container
		}
		list = append(append(list, i), flat(u, d.Children, d.Name)...)
	}
	return list
}
