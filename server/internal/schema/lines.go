package schema

import (
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Lines returns the schema of a line patch (docs/formats/lines.md). It cannot express
// relations between values, such as the order of changes.
func Lines() *jsonschema.Schema { return lineBlock().CloneSchemas() }

var lineBlock = sync.OnceValue(func() *jsonschema.Schema {
	s, err := jsonschema.For[lineBatch](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[docPath]():       {Type: "string", Pattern: `^[^A-Z]*$`},
		reflect.TypeFor[sum]():           {Type: "string", Pattern: `^[0-9a-f]{64}$`},
		reflect.TypeFor[lineOperation](): enum(lineOperations),
		reflect.TypeFor[position]():      number(0),
		reflect.TypeFor[lineNumber]():    number(1),
		reflect.TypeFor[line]():          {Type: "string", Pattern: `^[^\r\n]*$`},
	}})
	if err != nil {
		panic(err) // every test would fail if the Go types had no schema, so this cannot happen in a release
	}
	nonEmptyArrays(s)
	s.Schema, s.Title = dialect, "Aptix line patch"
	s.Description = "Edits of whole lines. The SHA-256 identifies the version of the file to which the line numbers refer."
	change := s.Properties["files"].Items.Properties["changes"].Items
	for _, name := range []string{"expectedOriginalLines", "newLines"} {
		change.Properties[name].MinItems = nil
	}
	change.OneOf = changeShapes()
	for object, id := range map[*jsonschema.Schema]string{s: "batchId", s.Properties["files"].Items: "filePatchId", change: "changeId"} {
		object.Properties[id].ReadOnly = true
	}
	return s
})

func number(least float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: jsonschema.Ptr(float64(1 << 30))}
}

// changeShapes returns the allowed members for each operation (rules L10 to L13).
func changeShapes() []*jsonschema.Schema {
	shape := func(operation string, never []string, required ...string) *jsonschema.Schema {
		s := &jsonschema.Schema{Required: required, Properties: without(never...)}
		s.Properties["operation"] = &jsonschema.Schema{Enum: []any{operation}}
		return s
	}
	insert := shape("insert", []string{"startLine", "endLine", "expectedOriginalLines"}, "afterLine", "newLines")
	insert.Properties["newLines"] = &jsonschema.Schema{MinItems: jsonschema.Ptr(1)}
	return []*jsonschema.Schema{
		insert,
		shape("replace", []string{"afterLine"}, "startLine", "endLine", "expectedOriginalLines", "newLines"),
		shape("delete", []string{"afterLine", "newLines"}, "startLine", "endLine", "expectedOriginalLines"),
	}
}

// These types mirror the JSON of a line patch. The types in types.go mirror the JSON of the other blocks.
type (
	lineBatch struct {
		Schema string     `json:"$schema,omitempty" jsonschema:"The JSON Schema of this file. It has no effect."`
		Label  string     `json:"batchLabel,omitempty" jsonschema:"A description of the batch, for people."`
		Key    string     `json:"batchKey,omitempty" jsonschema:"A short name for the batch."`
		ID     string     `json:"batchId,omitempty" jsonschema:"The id by which an answer names the batch. It has no effect."`
		Files  []lineFile `json:"files" jsonschema:"The files to change, each docPath once."`
	}

	lineFile struct {
		Key     string       `json:"fileKey,omitempty" jsonschema:"A short name for this file's changes."`
		Label   string       `json:"fileLabel,omitempty" jsonschema:"A description of the changes to this file, for people."`
		ID      string       `json:"filePatchId,omitempty" jsonschema:"The id by which an answer names the changes of this file. It has no effect."`
		DocPath docPath      `json:"docPath" jsonschema:"The key of the file: the workspace folder's name, and the path in it, with / and in lower case."`
		Sum     sum          `json:"originalSha256" jsonschema:"The SHA-256 of the whole file, in the version to which the line numbers refer, as 64 hexadecimal digits. It may be the hash of the file's bytes, of its text in UTF-8, or of that text with LF endings."`
		Changes []lineChange `json:"changes" jsonschema:"The changes from top to bottom. They do not overlap, and all line numbers are those of the file before any of them."`
	}

	lineChange struct {
		Key         string        `json:"changeKey,omitempty" jsonschema:"A short name for the change."`
		ID          string        `json:"changeId,omitempty" jsonschema:"The id by which an answer names the change. It has no effect."`
		Operation   lineOperation `json:"operation" jsonschema:"What becomes of the lines."`
		Description string        `json:"description,omitempty" jsonschema:"Why the change is made, for people."`
		AfterLine   position      `json:"afterLine,omitempty" jsonschema:"The line after which lines are inserted, from 1; 0 for the top of the file."`
		StartLine   lineNumber    `json:"startLine,omitempty" jsonschema:"The first line to change, from 1."`
		EndLine     lineNumber    `json:"endLine,omitempty" jsonschema:"The last line to change."`
		Expected    []line        `json:"expectedOriginalLines,omitempty" jsonschema:"The lines from \"startLine\" to \"endLine\" as they are in the file, verbatim and without line endings."`
		NewLines    []line        `json:"newLines,omitempty" jsonschema:"The lines to write, without line endings."`
	}

	docPath       string
	sum           string
	lineOperation string
	position      int
	lineNumber    int
	line          string
)

// lineOperations holds the operations of a line patch (rule L8).
var lineOperations = []Value{
	{"insert", "Insert \"newLines\" after \"afterLine\"."},
	{"replace", "Replace the lines from \"startLine\" to \"endLine\" with \"newLines\"."},
	{"delete", "Delete the lines from \"startLine\" to \"endLine\"."},
}
