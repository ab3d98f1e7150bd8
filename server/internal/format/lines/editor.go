package lines

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mention returns the change, or the file of the docPath or hash, at an offset.
func mention(r *format.Region, _ intent.Set, at int) (format.Mention, bool) {
	a, ok := jsonshape.AddressAt(jsonshape.Tree(r), at)
	if !ok {
		return format.Mention{}, false
	}
	m := format.Mention{Span: a.Node.Span}
	entry := a.Entry()
	if a.IsName || entry == nil {
		m.Doc = jsonshape.Doc(a, schema.InLines(a.Names...))
		return m, m.Doc != ""
	}
	m.Entry, m.SumName = entry.Span, "originalSha256"
	if sum := strings.ToLower(jsonshape.StringOf(entry, m.SumName)); sum != "" {
		m.IsFor = func(text string) bool { return isOf(sum, text) }
	}
	m.Name = format.FileName{Path: jsonshape.StringOf(entry, "docPath"), DocPath: true}
	switch {
	case len(a.Objects) == 3 && a.Names[1] == "changes":
		m.Subject, m.Entry = format.Part, a.Objects[2].Span
	case isMember(a, "docPath"):
		m.Subject = format.File
	case isMember(a, "originalSha256"):
		m.Subject = format.Sum
	default:
		m.Subject, m.Doc = format.InFile, jsonshape.Doc(a, schema.InLines(a.Names...))
	}
	return m, true
}

// isMember reports whether an address is in the member `name` of an entry of `files`.
func isMember(a jsonshape.Address, name string) bool {
	return len(a.Names) == 2 && a.Names[0] == "files" && a.Names[1] == name
}

// outline returns the files and their changes, with the names in the patch.
func outline(r *format.Region, _ intent.Set) format.Outline {
	root := jsonshape.Tree(r)
	o := format.Outline{Name: cmp.Or(jsonshape.StringOf(root, "batchLabel"), jsonshape.StringOf(root, "batchKey"), "Aptix line patch")}
	for _, n := range jsonshape.Elements(root, "files") {
		file := jsonshape.SymbolOf(n, "docPath")
		file.Detail = jsonshape.StringOf(n, "fileLabel")
		file.Edits = text.Each(jsonshape.Elements(n, "changes"), changeSymbol)
		o.Files = append(o.Files, file)
	}
	o.Detail = format.Count(len(o.Files), "file")
	return o
}

func changeSymbol(n *lenientjson.Node) format.Symbol {
	s := jsonshape.SymbolOf(n, "operation")
	s.Name = operationAt(n)
	if description := jsonshape.StringOf(n, "description"); description != "" {
		s.Name, s.Detail = description, s.Name
	}
	return s
}

// operationAt returns a text such as "replace 4-6" or "insert after 3".
func operationAt(n *lenientjson.Node) string {
	operation, start, end := jsonshape.StringOf(n, "operation"), numberOf(n, "startLine"), numberOf(n, "endLine")
	switch after := numberOf(n, "afterLine"); {
	case after != "":
		return operation + " after " + after
	case start == "" || end == "" || start == end:
		return strings.TrimSpace(operation + " " + cmp.Or(start, end))
	}
	return fmt.Sprintf("%s %s-%s", operation, start, end)
}

func numberOf(n *lenientjson.Node, name string) string {
	if m := n.Member(name); m != nil && m.Value.Kind == lenientjson.Number {
		return m.Value.Text
	}
	return ""
}

// where names the place at an offset in the words of the patch:
// `files[0] ("demo/a.go"), changes[2] ("rename"), endLine`.
func where(r *format.Region, offset int) string {
	var steps []string
	for n := jsonshape.Tree(r); n != nil; {
		step, next := inside(n, offset)
		if step != "" {
			steps = append(steps, step)
		}
		n = next
	}
	return strings.Join(steps, ", ")
}

// inside returns the name of the value in n that contains an offset, and the value, or "" and nil.
func inside(n *lenientjson.Node, offset int) (string, *lenientjson.Node) {
	for _, m := range n.Members {
		switch {
		case offset < m.Span.Start || offset >= m.Span.End:
		case m.Value.Kind == lenientjson.Array && offset >= m.Value.Span.Start:
			return element(m.Key.Text, m.Value, offset)
		default:
			return m.Key.Text, m.Value
		}
	}
	return "", nil
}

func element(name string, list *lenientjson.Node, offset int) (string, *lenientjson.Node) {
	for i, e := range list.Elems {
		if offset < e.Span.Start || offset >= e.Span.End {
			continue
		}
		step := fmt.Sprintf("%s[%d]", name, i)
		if key := cmp.Or(jsonshape.StringOf(e, "docPath"), jsonshape.StringOf(e, "changeKey")); key != "" {
			step += fmt.Sprintf(" (%q)", key)
		}
		return step, e
	}
	return name, nil
}
