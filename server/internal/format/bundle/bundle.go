// Package bundle reads Aptix file bundles (docs/formats/bundle.md). A bundle has whole files to create, replace or
// delete, and files with nested patches.
package bundle

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/schema"
)

// Format is the format of file bundles.
var Format = format.Format{
	Name:   "bundle",
	Title:  "a file bundle",
	Noun:   "bundle",
	Claims: jsonshape.Claims(jsonshape.Bundle),
	Files:  jsonshape.Files,
	Parse:  parse,
	Schema: schema.Bundle,
	Editor: jsonshape.Editor,
}

func parse(r *format.Region) format.Parsed {
	doc := jsonshape.Read(r)
	set, files := doc.Top("files", diag.MissingFiles)
	readable := 0
	switch {
	case files == nil:
	case jsonshape.IsMap(files.Value):
		for _, m := range files.Value.Members {
			set.Changes = append(set.Changes, intent.Change{Kind: intent.Write, Path: m.Key.Text, PathAt: jsonshape.Literal(m.Key), Content: m.Value.Text, ContentAt: jsonshape.Literal(m.Value), At: m.Span})
		}
		readable = len(set.Changes)
		return format.Parsed{Set: set, Diagnostics: doc.Sorted(), Entries: readable, Readable: readable}
	default:
		for _, n := range doc.Elements(files, diag.FilesNotArray, diag.EmptyFiles) {
			e := entry{doc: doc, Object: doc.Object(n, members)}
			if changes, ok := e.changes(); ok {
				set.Changes = append(set.Changes, changes...)
				readable++
			}
		}
	}
	return format.Parsed{Set: set, Diagnostics: doc.Sorted(), Entries: jsonshape.Entries(files), Readable: readable}
}

var members = []string{"path", "operation", "content", "patches"}

var kinds = map[string]intent.Kind{
	"":        intent.Write,
	"create":  intent.Create,
	"replace": intent.Replace,
	"delete":  intent.Delete,
	"patch":   intent.Edit,
}
