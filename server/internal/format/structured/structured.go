// Package structured reads Aptix structured patches: literal find and replace in existing files, in two shapes
// (docs/formats/structured.md).
package structured

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/schema"
)

// Format is the format of structured patches.
var Format = format.Format{
	Name:   "structured",
	Title:  "a structured patch",
	Noun:   "patch",
	Claims: jsonshape.Claims(jsonshape.Structured),
	Files:  jsonshape.Files,
	Parse:  parse,
	Schema: schema.Structured,
	Editor: jsonshape.Editor,
}

func parse(r *format.Region) format.Parsed {
	doc := jsonshape.Read(r)
	set, patches := doc.Top("patches", diag.MissingPatches)
	set.PathsRepeat = true // in the flat shape, each entry is one edit, so several may have the same path
	if patches != nil {
		for _, n := range doc.Elements(patches, diag.PatchesNotArray, diag.EmptyPatches) {
			if c, ok := readEntry(doc, n); ok {
				set.Changes = append(set.Changes, c)
			}
		}
	}
	return format.Parsed{Set: set, Diagnostics: doc.Sorted(), Entries: jsonshape.Entries(patches), Readable: len(set.Changes)}
}

var members = []string{"path", "replacements", "find", "replace", "limit"}

func readEntry(doc *jsonshape.Document, n *lenientjson.Node) (c intent.Change, ok bool) {
	before := doc.Errors()
	o := doc.Object(n, members, "operation", "content")
	c.Kind, c.At = intent.Edit, n.Span
	if path, ok := o.String("path", diag.MissingPath, diag.PathNotString, "it names the file, relative to `root`"); ok {
		c.Path, c.PathAt = path.Text, jsonshape.Literal(path)
	}
	wholeFile(doc, o)
	c.Steps = steps(doc, o)
	return c, doc.Errors() == before
}

// wholeFile reports members that a structured patch does not have (rule S2).
func wholeFile(doc *jsonshape.Document, o jsonshape.Object) {
	if m := o.Member("content"); m != nil {
		doc.Report(diag.WholeFileInStructured, m.Key.Span, "a structured patch carries no whole files; use a file bundle, or `find` and `replace`", o.Remove(m))
	}
	m := o.Member("operation")
	switch {
	case m == nil:
	case m.Value.Kind == lenientjson.String && m.Value.Text == "patch":
		doc.Report(diag.UnknownMember, m.Key.Span, "`operation` is ignored: a structured patch always patches", o.Remove(m))
	default:
		doc.Report(diag.WholeFileInStructured, m.Value.Span, fmt.Sprintf("a structured patch has no operation %s: it cannot create, delete or replace files; use a file bundle", lenientjson.Quote(m.Value.Text)), o.Remove(m))
	}
}

// steps reads the replacements of an entry in either shape.
func steps(doc *jsonshape.Document, o jsonshape.Object) []intent.Step {
	list := o.Member("replacements")
	var flat *lenientjson.Member
	for _, name := range jsonshape.ReplacementNames {
		if m := o.Member(name); m != nil && flat == nil {
			flat = m
		}
	}
	switch {
	case list != nil && flat != nil:
		doc.Report(diag.MixedPatchShapes, flat.Key.Span, "an entry has either `replacements` or one `find` and `replace`; move these into `replacements`", o.Remove(flat))
		return nil
	case list != nil:
		return doc.Replacements(list, false, diag.ReplacementsNotArray, diag.EmptyReplacements)
	case flat == nil:
		doc.Report(diag.MissingReplacements, jsonshape.Bracket(o.Node), "the entry changes nothing; `find` and `replace`, or `replacements`, are expected")
		return nil
	}
	if step, ok := doc.Replacement(o, true); ok {
		return []intent.Step{step}
	}
	return nil
}
