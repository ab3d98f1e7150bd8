package schema

import (
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// The types mirror the JSON of a block. Their tags document each member in plain text, because every editor can show
// plain text.
type (
	block struct {
		Schema  string       `json:"$schema,omitempty" jsonschema:"The JSON Schema of this file. It has no effect."`
		Root    root         `json:"root" jsonschema:"The folder that all paths are relative to, seen from the workspace folder. Write \".\"; \"./src\" is accepted if every path is below src."`
		Files   []fileEntry  `json:"files,omitempty" jsonschema:"A file bundle: the files to create, replace, delete or patch, in order. Never together with \"patches\"."`
		Patches []patchEntry `json:"patches,omitempty" jsonschema:"A structured patch: literal find and replace in files that exist, in order. Never together with \"files\"."`
	}

	fileEntry struct {
		Path      filePath      `json:"path" jsonschema:"The file, relative to \"root\": / between names, no ./ in front, no .. in it."`
		Operation operation     `json:"operation,omitempty" jsonschema:"What becomes of the file. Without it, the file is created or replaced."`
		Content   *string       `json:"content,omitempty" jsonschema:"The whole text of the file. An existing file keeps its encoding and line endings. With the operation gitPatch: a unified diff."`
		Patches   []replacement `json:"patches,omitempty" jsonschema:"The replacements of the operation patch, in order: each sees what the ones before it did."`
	}

	patchEntry struct {
		Path         filePath      `json:"path" jsonschema:"The file, relative to \"root\": / between names, no ./ in front, no .. in it. It must exist."`
		Replacements []replacement `json:"replacements,omitempty" jsonschema:"The replacements in this file, in order: each sees what the ones before it did. An entry with one replacement may have \"find\" and \"replace\" itself."`
		replacement
	}

	replacement struct {
		Find    literal `json:"find" jsonschema:"The text to look for, copied from the file. It is literal: only line endings are matched freely. Copy enough of it to be found only once."`
		Replace string  `json:"replace" jsonschema:"The text to put in its place, literal too. An empty string deletes."`
		Limit   limit   `json:"limit,omitempty" jsonschema:"How many of the places with the text are replaced. Without it, the first."`
	}

	root      string
	filePath  string
	literal   string
	operation string
	limit     string
)

// A Value is a value that a member can have.
type Value struct {
	Name string
	Doc  string // one line of plain text
}

// operations holds the operations of an entry in a file bundle (rule B3).
var operations = []Value{
	{"create", "Create the file with \"content\". It must not exist with different content."},
	{"replace", "Replace the whole text of the file with \"content\"."},
	{"delete", "Delete the file. A missing file is not an error."},
	{"patch", "Replace parts of the file, as listed in \"patches\"."},
	{"gitPatch", "Apply the unified diff in \"content\" to the file. A diff is better sent in a block of its own."},
}

// limits holds the values of `limit` in a structured patch (rule S4).
var limits = []Value{
	{"once", "Replace the first occurrence. If there are several, a warning says so."},
	{"all", "Replace every occurrence."},
}

// Lines returns the schema of a line patch (docs/formats/lines.md). It cannot express
// relations between values, such as the order of changes.
func Lines() *jsonschema.Schema { return lineBlock().CloneSchemas() }

var lineBlock = sync.OnceValue(func() *jsonschema.Schema {
	s := schemaOf[lineBatch](map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[docPath]():       {Type: "string", Pattern: `^[^A-Z]*$`},
		reflect.TypeFor[sum]():           {Type: "string", Pattern: `^[0-9a-f]{64}$`},
		reflect.TypeFor[lineOperation](): enum(lineOperations),
		reflect.TypeFor[position]():      number(0),
		reflect.TypeFor[lineNumber]():    number(1),
		reflect.TypeFor[line]():          {Type: "string", Pattern: `^[^\r\n]*$`},
	})
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

// These types mirror the JSON of a line patch.
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
		AfterLine   position      `json:"afterLine,omitempty" jsonschema:"The line after which lines are inserted, counted from 1; 0 for the top of the file."`
		StartLine   lineNumber    `json:"startLine,omitempty" jsonschema:"The first line to change, counted from 1."`
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
	s := schemaOf[call](map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[command]():  enum(callCommands),
		reflect.TypeFor[filePath](): {Type: "string", Pattern: cleanPath},
		reflect.TypeFor[literal]():  {Type: "string", MinLength: jsonschema.Ptr(1)},
	})
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
