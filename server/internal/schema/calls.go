package schema

import (
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

type call struct {
	Command    command  `json:"command" jsonschema:"What becomes of the file."`
	Path       filePath `json:"path" jsonschema:"The file, relative to the workspace folder: / between names, no ./ in front, no .. in it."`
	FileText   *string  `json:"file_text,omitempty" jsonschema:"The whole text of the file that is created."`
	OldStr     *literal `json:"old_str,omitempty" jsonschema:"The text to replace, copied from the file. It is literal, and has to be in the file exactly once."`
	NewStr     *string  `json:"new_str,omitempty" jsonschema:"The text to put in its place, literal too. An empty string deletes."`
	InsertLine *int     `json:"insert_line,omitempty" jsonschema:"The line after which the text is inserted, counted from 1 after the effect of all earlier calls. 0 is the top of the file."`
	InsertText *string  `json:"insert_text,omitempty" jsonschema:"The lines to insert."`
}

type command string

var callCommands = []Value{
	{"create", "Create the file with \"file_text\". It must not exist with different content."},
	{"str_replace", "Replace \"old_str\", which must occur exactly once, with \"new_str\"."},
	{"insert", "Insert \"insert_text\" after the line \"insert_line\"."},
}

// ToolCall returns the schema of the parameters of a tool call, or of a list of such parameters
// (docs/formats/tool-call.md).
func ToolCall() *jsonschema.Schema {
	one := callBlock().CloneSchemas()
	return &jsonschema.Schema{Schema: dialect, Title: "Text editor tool calls",
		AnyOf: []*jsonschema.Schema{one, {Type: "array", Items: one.CloneSchemas(), MinItems: jsonschema.Ptr(1)}}}
}

var callBlock = sync.OnceValue(func() *jsonschema.Schema {
	s, err := jsonschema.For[call](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[command]():  enum(callCommands),
		reflect.TypeFor[filePath](): {Type: "string", Pattern: cleanPath},
		reflect.TypeFor[literal]():  {Type: "string", MinLength: jsonschema.Ptr(1)},
	}})
	if err != nil {
		panic(err) // every test would fail if the Go types had no schema, so this cannot happen in a release
	}
	for name, p := range s.Properties { // a parameter may be missing, but never null
		if len(p.Types) > 0 {
			p.Type, p.Types = p.Types[len(p.Types)-1], nil
		}
		if name == "insert_line" {
			p.Minimum = jsonschema.Ptr(0.0)
		}
	}
	s.OneOf = []*jsonschema.Schema{
		callShape("create", "file_text"), callShape("str_replace", "old_str", "new_str"), callShape("insert", "insert_line", "insert_text"),
	}
	return s
})

// callShape returns the schema of a call that has the given command and exactly the parameters `needs`.
func callShape(command string, needs ...string) *jsonschema.Schema {
	never := slices.DeleteFunc([]string{"file_text", "old_str", "new_str", "insert_line", "insert_text"},
		func(name string) bool { return slices.Contains(needs, name) })
	shape := &jsonschema.Schema{Required: needs, Properties: without(never...)}
	shape.Properties["command"] = &jsonschema.Schema{Enum: []any{command}}
	return shape
}
