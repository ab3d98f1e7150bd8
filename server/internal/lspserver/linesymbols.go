package lspserver

import (
	"cmp"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

// linePatch is the symbol of a line patch, with one for each file, and in it one for
// each change, by what the patch calls them.
func (o outline) linePatch(b mdblock.Block) protocol.DocumentSymbol {
	root, _ := lenientjson.Parse(b.Body)
	name := cmp.Or(stringOf(root, "batchLabel"), stringOf(root, "batchKey"), "Aptix line patch")
	symbol := o.symbol(firstLine(name), protocol.SymbolKindModule, b.Span, b.Open)
	for _, n := range elements(root, "files") {
		file := o.member(b, n, "docPath", protocol.SymbolKindFile)
		file.Detail = detail(stringOf(n, "fileLabel"))
		for _, c := range elements(n, "changes") {
			file.Children = append(file.Children, o.lineChange(b, c))
		}
		symbol.Children = append(symbol.Children, file)
	}
	symbol.Detail = detail(count(len(symbol.Children), "file"))
	return symbol
}

func (o outline) lineChange(b mdblock.Block, n *lenientjson.Node) protocol.DocumentSymbol {
	symbol := o.member(b, n, "operation", protocol.SymbolKindString)
	what := operationAt(n)
	symbol.Name = firstLine(what)
	if description := stringOf(n, "description"); description != "" {
		symbol.Name, symbol.Detail = firstLine(description), detail(what)
	}
	return symbol
}

// operationAt is "replace 4-6", or "insert after 3".
func operationAt(n *lenientjson.Node) string {
	operation, start, end := stringOf(n, "operation"), numberOf(n, "startLine"), numberOf(n, "endLine")
	switch after := numberOf(n, "afterLine"); {
	case after != "":
		return operation + " after " + after
	case start == "" || end == "" || start == end:
		return strings.TrimSpace(operation + " " + cmp.Or(start, end))
	}
	return fmt.Sprintf("%s %s-%s", operation, start, end)
}

// detail is none for an empty text.
func detail(s string) *string {
	if s == "" {
		return nil
	}
	s = firstLine(s)
	return &s
}

// elements are those of a member that is a list.
func elements(n *lenientjson.Node, name string) []*lenientjson.Node {
	if m := n.Member(name); m != nil {
		return m.Value.Elems
	}
	return nil
}

// numberOf is the number that a member has, as it is written; "" where it has none.
func numberOf(n *lenientjson.Node, name string) string {
	if m := n.Member(name); m != nil && m.Value.Kind == lenientjson.Number {
		return m.Value.Text
	}
	return ""
}
