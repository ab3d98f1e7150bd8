package toolcall

import (
	"maps"
	"slices"
	"strings"
)

// An action is what the calls of a tool do to a file.
type action int

const (
	creates       action = iota // creates a file, which must not exist yet
	writes                      // creates a file, or replaces its text
	replaces                    // replaces the only occurrence of a text
	replacesAll                 // replaces every occurrence of a text
	inserts                     // inserts lines after a line
	insertsBefore               // inserts lines before a line, or at the end of the file for line 0
	patches                     // applies SEARCH/REPLACE blocks
	deletes                     // deletes a file
)

// A tool says what its calls do, and how its parameters are named.
type tool struct {
	does                  action
	path, old, text, line string // the names of the parameters; "" for a parameter that the tool does not have
	orText                string // another name for the parameter with the text
	all                   string // the name of the parameter that asks to replace every occurrence
	count                 string // the name of the parameter with the number of occurrences to replace; one if it is missing
	// the name of the parameter that lists several edits; each edit has the other parameters, and the path may also be
	// in the call itself
	list string
}

// tools has the tools that change files, by their names in lower case. The first four are also commands of one text
// editor.
var tools = map[string]tool{
	"create":      {does: creates, path: "path", text: "file_text"},
	"str_replace": {does: replaces, path: "path", old: "old_str", text: "new_str"},
	"insert":      {does: inserts, path: "path", line: "insert_line", text: "insert_text", orText: "new_str"},
	"create_file": {does: creates, path: "path", text: "file_text"},

	"write_to_file":      {does: writes, path: "path", text: "content"},
	"apply_diff":         {does: patches, path: "path", text: "diff"},
	"replace_in_file":    {does: patches, path: "path", text: "diff"},
	"insert_content":     {does: insertsBefore, path: "path", line: "line", text: "content"},
	"search_and_replace": {does: replacesAll, path: "path", old: "search", text: "replace"},

	"write":          {does: writes, path: "file_path", text: "content"},
	"edit":           {does: replaces, path: "file_path", old: "old_string", text: "new_string", all: "replace_all"},
	"edit_file":      {does: replaces, path: "file_path", old: "old_string", text: "new_string"},
	"replace":        {does: replaces, path: "file_path", old: "old_string", text: "new_string", count: "expected_replacements"},
	"search_replace": {does: replaces, path: "file_path", old: "old_string", text: "new_string"},

	"write_file":                   {does: writes, path: "path", text: "content"},
	"replace_string_in_file":       {does: replaces, path: "filePath", old: "oldString", text: "newString"},
	"multiedit":                    {does: replaces, path: "file_path", old: "old_string", text: "new_string", all: "replace_all", list: "edits"},
	"multi_edit":                   {does: replaces, path: "file_path", old: "old_string", text: "new_string", all: "replace_all", list: "edits"},
	"multi_replace_string_in_file": {does: replaces, path: "filePath", old: "oldString", text: "newString", list: "replacements"},
	"delete_file":                  {does: deletes, path: "path"},
	"change":                       {does: replaces, path: "file", old: "find", text: "replace"},
}

// commands lists the commands of the text editor. A call names the editor as its tool, and gives a command in a
// parameter.
var commands = []string{"create", "str_replace", "insert", "view", "undo_edit"}

// params returns the names of the parameters of a call, beginning with the path.
func (t tool) params() []string {
	names := []string{t.path, t.old, t.line, t.text, t.orText, t.all, t.count}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// idle lists the parameters that have no effect on the edit.
var idle = []string{"name", "tool", "tool_name", "type", "id", "command", "description", "explanation", "reasoning", "thought", "instructions", "instruction", "line_count", "requires_approval", "task_progress", "security_risk", "view_range"}

// readers lists the tools that change nothing, by their names in lower case.
var readers = []string{"view", "read", "read_file", "open_file", "list_files", "list_dir", "list_code_definition_names", "ls", "glob", "grep", "search_files",
	"codebase_search", "file_search", "ask_followup_question", "attempt_completion", "update_todo_list", "todowrite", "think"}

func isReader(name string) bool { return slices.Contains(readers, strings.ToLower(name)) }

// toolNames returns an expression for the names of all tools in lower case, except for tools whose calls are written
// only as tags.
func toolNames() string {
	names := slices.Sorted(maps.Keys(tools))
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "change" }), "|")
}

func toolOf(name string) (tool, bool) {
	t, ok := tools[strings.ToLower(name)]
	return t, ok
}

var (
	// pathNames lists the names that tools give to the parameter with the path.
	pathNames = []string{"target_file", "path", "file_path", "filePath", "file", "notebook_path"}
	// mergedTexts lists the names of the text in calls of a tool that merges a text with omitted lines into its file.
	// Another tool has the same name, and the parameters show which one is meant.
	mergedTexts = []string{"code_edit", "update"}
)

// shownBy returns the tool that the parameters of a call show: programs differ in the name of the path (rule C5), and two
// tools have the name `edit_file` (rule C20).
func (t tool) shownBy(name string, has func(param string) bool) tool {
	if i := slices.IndexFunc(pathNames, has); !has(t.path) && i >= 0 {
		t.path = pathNames[i]
	}
	text := slices.IndexFunc(mergedTexts, has)
	if strings.ToLower(name) != "edit_file" || text < 0 || has(t.old) {
		return t
	}
	return tool{does: writes, path: t.path, text: mergedTexts[text]}
}
