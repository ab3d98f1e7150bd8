package jsonshape

import (
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func outline(r *format.Region, _ intent.Set) format.Outline {
	root := Tree(r)
	o := format.Outline{Name: "Aptix patch"}
	if root.Member("files") != nil {
		o.Name = "Aptix bundle"
	}
	for _, list := range []string{"files", "patches"} {
		o.Files = append(o.Files, text.Each(Elements(root, list), entrySymbol)...)
	}
	o.Detail = format.Count(len(o.Files), "change")
	return o
}

// entrySymbol returns the symbol of an entry of `files` or `patches`, with an edit for each replacement.
func entrySymbol(n *lenientjson.Node) format.Symbol {
	s := SymbolOf(n, "path")
	s.Detail = StringOf(n, "operation")
	if n.Member("find") != nil {
		s.Edits = append(s.Edits, SymbolOf(n, "find"))
	}
	for _, list := range []string{"patches", "replacements"} {
		for _, e := range Elements(n, list) {
			s.Edits = append(s.Edits, SymbolOf(e, "find"))
		}
	}
	return s
}

// SymbolOf returns the symbol of an object, named by the value of a member.
func SymbolOf(n *lenientjson.Node, name string) format.Symbol {
	s := format.Symbol{Name: StringOf(n, name), Span: n.Span, Select: text.Span{Start: n.Span.Start, End: n.Span.Start}}
	if m := n.Member(name); m != nil {
		s.Select = m.Value.Span
	}
	return s
}

// Elements returns the elements of a member, or nil if the member is not a list.
func Elements(n *lenientjson.Node, name string) []*lenientjson.Node {
	if m := n.Member(name); m != nil {
		return m.Value.Elems
	}
	return nil
}
