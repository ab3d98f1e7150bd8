package jsonshape

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/schema"
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

// Editor describes how an editor shows a file bundle or a structured patch.
var Editor = format.Editor{Outline: outline, Mention: mention, Complete: Complete}

// mention returns the path of an entry, a passage of its file, or the documentation of a member or value.
func mention(r *format.Region, _ intent.Set, at int) (format.Mention, bool) {
	a, ok := AddressAt(Tree(r), at)
	if !ok {
		return format.Mention{}, false
	}
	m := format.Mention{Span: a.Node.Span}
	entry := a.Entry()
	if entry != nil {
		m.Entry = entry.Span
		m.Name = format.FileName{Root: StringOf(a.Objects[0], "root"), Path: StringOf(entry, "path")}
	}
	switch {
	case isPath(a.IsName, a.Names):
		m.Subject = format.File
		return m, true
	case entry != nil && !a.IsName && (a.Name() == "find" || a.Name() == "replace") && a.Node.Text != "":
		m.Subject, m.Text = format.Passage, a.Node.Text
		m.All = StringOf(a.Objects[len(a.Objects)-1], "limit") == "all"
	}
	m.Doc = Doc(a, schema.At(a.Names...))
	return m, m.Doc != "" || m.Subject != format.Nothing
}

func isPath(isName bool, names []string) bool {
	return !isName && len(names) == 2 && names[1] == "path" && schema.At(names[0]).List()
}

// Doc returns Markdown about a member, or about a possible value of it.
func Doc(a Address, place schema.Place) string {
	if !a.IsName {
		for _, v := range place.Values() {
			if v.Name == a.Node.Text && v.Doc != "" {
				return fmt.Sprintf("`%s`: %s", v.Name, v.Doc)
			}
		}
		return ""
	}
	if place.Doc() == "" {
		return ""
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "`%s`: %s\n", a.Name(), place.Doc())
	for _, v := range place.Values() {
		if v.Doc != "" {
			fmt.Fprintf(&doc, "\n- `%s`: %s", v.Name, v.Doc)
		}
	}
	return doc.String()
}
