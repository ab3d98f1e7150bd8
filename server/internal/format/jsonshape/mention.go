package jsonshape

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/schema"
)

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
