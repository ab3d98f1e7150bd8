package jsonshape

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Complete returns the completions in a block of any JSON format.
func Complete(r *format.Region, at int, claimed bool) (format.Completion, bool) {
	t, ok := typingAt(r.Body, at)
	if !ok || !claimed && !t.mayBecomeOurs() && !begunLines(r) {
		return format.Completion{}, false
	}
	write := func(value string) string { return lenientjson.Quote(value) + t.comma(r.Body) }
	c := format.Completion{Typed: t.token, Write: write}
	if t.quoted {
		quote, _ := utf8.DecodeRuneInString(r.Body[t.token.Start:])
		c.Lead = string(quote)
	}
	if t.lacksComma >= 0 {
		c.Also = []text.Edit{{Span: text.Span{Start: t.lacksComma, End: t.lacksComma}, New: ","}}
	}
	switch {
	case isPath(t.isName, t.names):
		c.Ask, c.Name = format.Paths, format.FileName{Root: StringOf(Tree(r), "root"), Path: t.typed}
	case t.ofFile("docPath"):
		c.Ask, c.Name = format.DocPaths, format.FileName{Path: t.typed, DocPath: true}
	case t.ofFile("originalSha256"):
		c.Ask, c.Name = format.SumOf, format.FileName{Path: t.present["docPath"], DocPath: true}
	case t.isName:
		c.Items = t.members(r)
	default:
		c.Items = text.Each(t.place(r).Values(), func(v schema.Value) format.Item {
			return format.Item{Label: v.Name, Text: write(v.Name), Doc: v.Doc, Kind: format.Value}
		})
	}
	return c, true
}

// mayBecomeOurs reports whether a person types a name in an outermost object that has only names of Aptix blocks.
func (t typing) mayBecomeOurs() bool {
	return t.isName && len(t.names) == 0 && !text.AnyIn(maps.Keys(t.present), func(name string) bool {
		return !slices.Contains([]string{"root", "files", "patches", "batchKey", "batchLabel", "$schema"}, name)
	})
}

// begunLines reports whether the block so far has only members of a line patch, with a key or a label.
func begunLines(r *format.Region) bool {
	root := Tree(r)
	for _, m := range root.Members {
		if !slices.Contains([]string{"batchKey", "batchLabel", "files", "$schema"}, m.Key.Text) {
			return false
		}
	}
	return root.Member("batchKey") != nil || root.Member("batchLabel") != nil
}

// ofFile reports whether a person types the value of the member `name` in an entry of `files`.
func (t typing) ofFile(name string) bool {
	return !t.isName && len(t.names) == 2 && t.names[0] == "files" && t.names[1] == name
}

func (t typing) place(r *format.Region) schema.Place {
	if Of(r) == Lines || begunLines(r) {
		return schema.InLines(t.names...)
	}
	return schema.At(t.names...)
}

func (t typing) members(r *format.Region) []format.Item {
	var items []format.Item
	for _, m := range t.place(r).Members(t.present) {
		item := format.Item{Label: m.Name, Text: lenientjson.Quote(m.Name), Doc: m.Place.Doc(), Required: m.Required, Kind: format.Member}
		item.Snippet = item.Text
		if t.follows(r.Body) != ':' {
			comma := t.comma(r.Body)
			item.Snippet += ": " + snippet(m.Place) + comma
			item.Text += ": " + empty(m.Place) + comma
		}
		items = append(items, item)
	}
	return items
}

// snippet returns the first value of a new member, for editors with tab stops.
func snippet(p schema.Place) string {
	values := p.Values()
	switch {
	case p.Strings():
		return `["$1"]`
	case p.List():
		return "[{$1}]"
	case p.Number():
		return "${1:1}"
	case len(values) > 0:
		names := text.Each(values, func(v schema.Value) string { return v.Name })
		return `"${1|` + strings.Join(names, ",") + `|}"`
	}
	return `"$1"`
}

// empty returns the first value of a new member, for editors without tab stops.
func empty(p schema.Place) string {
	switch {
	case p.List():
		return "[]"
	case p.Number():
		return "1"
	}
	return `""`
}

// comma returns "," if another member follows and no comma separates it from this one.
func (t typing) comma(body string) string {
	if next := t.follows(body); next == '"' || next == '\'' || lenientjson.IsWord(next) {
		return ","
	}
	return ""
}
