// Package schema holds the JSON Schemas of the formats that are written in JSON. It is also the only source of
// descriptions of their members and values, for completion and hover.
//
// A schema accepts every block that its reader reads without an error or a warning; docs/formats describes the
// readers. A reader also accepts some blocks that the schema refuses.
package schema

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Any returns the schema of a JSON block of any kind.
func Any() *jsonschema.Schema {
	edits, lines := edits(), Lines()
	edits.Schema, lines.Schema = "", ""
	return &jsonschema.Schema{Schema: dialect, Title: "Aptix edits", AnyOf: []*jsonschema.Schema{edits, lines}}
}

func edits() *jsonschema.Schema { return editBlock().CloneSchemas() }

// Bundle returns the schema of a file bundle (docs/formats/bundle.md).
func Bundle() *jsonschema.Schema { return only("files", "Aptix file bundle") }

// Structured returns the schema of a structured patch (docs/formats/structured.md).
func Structured() *jsonschema.Schema { return only("patches", "Aptix structured patch") }

// Text returns a schema as the text of a file.
func Text(s *jsonschema.Schema) (string, error) {
	raw, err := json.MarshalIndent(s, "", "  ")
	return string(raw) + "\n", err
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

// cleanPath matches a path according to rule R13: names separated by /, none of which is
// empty, "." or "..".
const cleanPath = `^(\.?[^./\\][^/\\]*|\.\.[^/\\]+)(/(\.?[^./\\][^/\\]*|\.\.[^/\\]+))*$`

var editBlock = sync.OnceValue(build)

func build() *jsonschema.Schema {
	s := schemaOf[block](map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[operation](): enum(operations),
		reflect.TypeFor[limit]():     enum(limits),
		reflect.TypeFor[root]():      {Type: "string", Default: []byte(`"."`), Examples: []any{".", "./src"}},
		reflect.TypeFor[filePath]():  {Type: "string", Pattern: cleanPath},
		reflect.TypeFor[literal]():   {Type: "string", MinLength: jsonschema.Ptr(1)},
	})
	nonEmptyArrays(s)
	s.Schema, s.Title = dialect, "Aptix file bundle or structured patch"
	s.OneOf = []*jsonschema.Schema{ // a block has either files or patches (rule R26)
		{Required: []string{"files"}, Properties: without("patches")},
		{Required: []string{"patches"}, Properties: without("files")},
	}
	s.Properties["files"].Items.OneOf = fileShapes()
	patch := s.Properties["patches"].Items
	patch.Required, patch.OneOf = []string{"path"}, patchShapes()
	return s
}

// schemaOf returns the schema of the JSON that a Go type mirrors, with the given schemas of the types in it.
func schemaOf[T any](types map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(err) // every test would fail if the Go types had no schema, so this cannot happen in a release
	}
	return s
}

// fileShapes returns the allowed members for each operation (rule B10). If the operation is
// missing, the file is written (rule B3).
func fileShapes() []*jsonschema.Schema {
	writes := without("patches")
	writes["operation"] = &jsonschema.Schema{Enum: []any{"create", "replace", "gitPatch"}}
	writes["content"] = &jsonschema.Schema{Type: "string"}
	deletes := without("patches")
	deletes["operation"] = &jsonschema.Schema{Enum: []any{"delete"}}
	deletes["content"] = &jsonschema.Schema{Type: "null"}
	patches := without("content")
	patches["operation"] = &jsonschema.Schema{Enum: []any{"patch"}}
	return []*jsonschema.Schema{
		{Required: []string{"content"}, Properties: writes},
		{Required: []string{"operation"}, Properties: deletes},
		{Required: []string{"operation", "patches"}, Properties: patches},
	}
}

// patchShapes returns the two shapes of a patch: with its own `find`, or with a list of replacements (rule S1).
func patchShapes() []*jsonschema.Schema {
	return []*jsonschema.Schema{
		{Required: []string{"find", "replace"}, Properties: without("replacements")},
		{Required: []string{"replacements"}, Properties: without("find", "replace", "limit")},
	}
}

// without returns, for each named member, a schema that requires the member to be missing.
func without(names ...string) map[string]*jsonschema.Schema {
	never := map[string]*jsonschema.Schema{}
	for _, name := range names {
		never[name] = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	return never
}

// enum returns the schema of a string that has one of the given values. Editors show enumDescriptions, which is not a
// keyword of JSON Schema.
func enum(values []Value) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	var docs []string
	for _, v := range values {
		s.Enum = append(s.Enum, v.Name)
		docs = append(docs, v.Doc)
	}
	s.Extra = map[string]any{enumDescriptions: docs}
	return s
}

const enumDescriptions = "enumDescriptions"

// nonEmptyArrays requires at least one entry in each list. It also removes null, which the schema allows because a Go
// slice can be nil.
func nonEmptyArrays(s *jsonschema.Schema) {
	for _, p := range s.Properties {
		if p.Items != nil {
			p.Type, p.Types, p.MinItems = "array", nil, jsonschema.Ptr(1)
			nonEmptyArrays(p.Items)
		}
	}
}

// only returns the schema of a block with the given list and without the other kind of list.
func only(list, title string) *jsonschema.Schema {
	s := edits()
	other := func(name string) bool { return name != list && s.Properties[name].Items != nil }
	s.PropertyOrder = slices.DeleteFunc(slices.Clone(s.PropertyOrder), other)
	for name := range s.Properties {
		if other(name) {
			delete(s.Properties, name)
		}
	}
	s.Title, s.Description, s.OneOf = title, s.Properties[list].Description, nil
	s.Required = append(slices.Clone(s.Required), list)
	return s
}
