package schema

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
