// Package edittools has the table of the tools with which agents edit files, and of the names of their parameters. All
// code that reads tool calls uses this package, and the table in docs/formats/tool-call.md is generated from it.
package edittools

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// An Action is the effect of the calls of a tool on a file.
type Action int

const (
	Reads         Action = iota // changes nothing
	Creates                     // creates a file, which must not exist yet
	Writes                      // creates a file, or replaces its text
	Merges                      // writes a text that leaves out some lines of the file; Of returns Writes instead
	Replaces                    // replaces the only occurrence of a text
	ReplacesAll                 // replaces every occurrence of a text
	Inserts                     // inserts lines after a line
	InsertsBefore               // inserts lines before a line, or at the end of the file if the line is 0
	Appends                     // puts lines at the end of a file
	Patches                     // applies SEARCH/REPLACE blocks
	Deletes                     // deletes a file
	Moves                       // gives a file another path
	MakesFolder                 // creates a folder
)

// A Row describes the tools of one action. Each list of names is one string with spaces between the names. Names are
// compared by their [Bare] form. Messages use the first tool, and the first name of each parameter.
type Row struct {
	Does    string // for the documentation
	Tools   string
	Accepts Parameters
}

// Rows has the tools of each action.
var Rows = [...]Row{
	Reads: {Tools: `view view_file read read_file read_text_file read_multiple_files read_many_files open_file list_files list_dir
		list_directory directory_tree list_code_definition_names get_file_info ls glob grep grep_search search_files
		search_file_content codebase_search semantic_search file_search get_errors read_lints get_diagnostics ask_followup_question attempt_completion update_todo_list todo_write think`},
	Creates: {"creates a file", "create create_file create_new_file",
		Parameters{Path: Paths, Text: "file_text content contents text initial_content file_content"}},
	Writes: {"creates a file, or replaces all of it", "write_to_file write_file write rewrite_file save_file fs_write replace_file_text_by_path",
		Parameters{Path: Paths, Text: "content contents file_text text code_content file_content new_content"}},
	Merges: {"merges a text that leaves out lines ([C20](#c20))", "insert_edit_into_file edit_existing_file",
		Parameters{Path: Paths, Text: "code_edit update code changes"}},
	Replaces: {"replaces the only place of a text, or each of several texts ([C22](#c22))", `str_replace edit_file edit edit_block replace
		replace_string_in_file replace_file_content replace_text_in_file replace_text find_and_replace single_find_and_replace
		multi_edit multi_replace_string_in_file multi_replace_file_content change proposed_file_replace_substring`,
		Parameters{Path: Paths, Old: Olds, Text: News, All: "replace_all allow_multiple", Count: "expected_replacements", List: Lists}},
	ReplacesAll: {"replaces every place of a text", "search_and_replace", Parameters{Path: Paths, Old: Olds, Text: News}},
	Inserts: {"puts lines below a line", "insert",
		Parameters{Path: Paths, Line: "insert_line after_line", Text: "insert_text new_str text content"}},
	InsertsBefore: {"puts lines above a line; at the end for line 0", "insert_content", Parameters{Path: Paths, Line: "line", Text: "content"}},
	Appends:       {"puts lines at the end", "append_to_file fs_append append_file", Parameters{Path: Paths, Text: "text content contents"}},
	Patches:       {"applies SEARCH/REPLACE blocks", "apply_diff replace_in_file search_replace", Parameters{Path: Paths, Text: "diff content"}},
	Deletes:       {"deletes a file", "delete_file delete remove_file", Parameters{Path: Paths}},
	Moves: {"moves a file", "move_file rename_file",
		Parameters{Path: Sources, To: Targets}},
	MakesFolder: {"makes a folder", "create_directory create_folder", Parameters{Path: Paths}},
}

// Names of parameters that several actions have.
const (
	Paths   = "path file_path file filename target_file notebook_path absolute_path relative_path relative_workspace_path path_in_project"
	Olds    = "old_str old_string old_text old_content old search search_text find before original target_content"
	News    = "new_str new_string new_text new_content new replace replace_text replacement after updated replacement_content"
	Sources = "source source_path old_path from " + Paths
	Targets = "destination destination_path new_path to"
	Lists   = "edits replacements replacement_chunks"
)

// idle lists the parameters that have no effect on the edit, in their [Bare] form.
var idle = strings.Fields(`name tool toolname type id command description explanation reasoning thought instructions instruction
	linecount requiresapproval taskprogress securityrisk viewrange codemarkdownlanguage targetlinterrorids instructionreminder complexity
	toolsummary toolaction waitforprevioustools displaydescription blocking changesummary summary projectpath implsource`)

// Commands lists the commands of the text editor. A call names the editor as its tool, and the command in a parameter.
var Commands = []string{"create", "str_replace", "insert", "view", Undo}

// ofEditor lists the texts of the text editor, whose schema allows none of them in a call of another command.
const ofEditor = "file_text old_str new_str insert_text"

// Undo is the command of the text editor that undoes its last edit of a file.
const Undo = "undo_edit"

// Parameters are the names of a call's parameters; "" stands for a parameter that the call does not have.
type Parameters struct {
	Path, To, Old, Line, Text string
	All                       string // if true, every occurrence is replaced
	Count                     string // the number of occurrences to replace; one if it is missing
	List                      string // a list of edits, each with the other parameters; the path may also be beside the list
}

// roles returns the parameters in a fixed order, beginning with the path. The parameters after the fifth are optional.
func (p *Parameters) roles() []*string {
	return []*string{&p.Path, &p.To, &p.Old, &p.Line, &p.Text, &p.All, &p.Count, &p.List}
}

// Names returns the names of the parameters, beginning with the path. In a [Row], each returned string is a list of
// names.
func (p Parameters) Names() []string {
	return text.Only(text.Each(p.roles(), func(role *string) string { return *role }), func(name string) bool { return name != "" })
}

// A Tool is the action of a call, with the names of the call's parameters.
type Tool struct {
	Does Action
	Parameters
}

// actions maps the names of tools, in their [Bare] form, to their actions.
var actions = func() map[string]Action {
	all := map[string]Action{}
	for does, row := range Rows {
		for _, name := range strings.Fields(row.Tools) {
			all[Bare(name)] = Action(does)
		}
	}
	return all
}()

var separators = strings.NewReplacer("_", "", "-", "")

// Bare returns a name in lower case without separators: `oldstring` for `old_string` and `oldString`.
func Bare(name string) string { return separators.Replace(strings.ToLower(name)) }

// IsOneOf reports whether a name is in a list of names with spaces between them.
func IsOneOf(name, list string) bool {
	name = Bare(name)
	return slices.ContainsFunc(strings.Fields(list), func(word string) bool { return Bare(word) == name })
}

// Holders are the names of members that contain the parameters of a call, in their [Bare] form.
var Holders = []string{"input", "arguments", "parameters", "args"}

// IsIdle reports whether a parameter has no effect on the edit.
func IsIdle(name string) bool { return slices.Contains(idle, Bare(name)) }

// IsText reports whether a parameter with this name has a new text for a file.
func IsText(name string) bool { return texts[Bare(name)] }

// IsParameter reports whether a parameter of any action has this name.
func IsParameter(name string) bool { return parameters[Bare(name)] }

var (
	texts      = bareNames(func(p Parameters) string { return p.Text })
	parameters = bareNames(func(p Parameters) string { return strings.Join(p.Names(), " ") })
)

func bareNames(list func(Parameters) string) map[string]bool {
	all := map[string]bool{}
	for _, row := range Rows {
		for _, name := range strings.Fields(list(row.Accepts)) {
			all[Bare(name)] = true
		}
	}
	return all
}

// ActionOf returns the action of a tool. The name may have a prefix: `functions.edit_file`, `mcp__files__edit_file`.
func ActionOf(name string) (does Action, ok bool) {
	for _, separator := range []string{"__", ".", ":", "/"} {
		name = name[max(0, strings.LastIndex(name, separator)+len(separator)*min(1, strings.Count(name, separator))):]
	}
	does, ok = actions[Bare(name)]
	return does, ok
}

// Numbered splits the name of one of several numbered parameters: `old_str_2` is the parameter `old_str` of the second
// edit. It returns false for any other name, and for one that is itself the name of a parameter.
func Numbered(name string) (of, number string, ok bool) {
	of = strings.TrimRight(name, "0123456789")
	number, of = name[len(of):], strings.TrimRight(of, "_-")
	return of, number, number != "" && of != "" && !IsParameter(name)
}

// Reader reports whether a tool only reads.
func Reader(name string) bool {
	does, ok := ActionOf(name)
	return ok && does == Reads
}

// Replacer reports whether a tool replaces a text.
func Replacer(name string) bool {
	does, ok := ActionOf(name)
	return ok && does == Replaces
}

// Edits reports whether a tool changes files.
func Edits(name string) bool {
	does, ok := ActionOf(name)
	return ok && does != Reads
}

// TagPrefix matches the prefix of a tag of a call: `x:`, or the name of a model's template between bars.
const TagPrefix = `(?:[a-z]+:|[|｜]\w+[|｜])`

// InTags reports whether a tag may be the call of a tool that changes files. Of the tags without "_", it accepts only
// "change", because the others, such as `edit`, also occur in unrelated XML.
func InTags(tag string) bool { return (strings.Contains(tag, "_") || tag == "change") && Edits(tag) }

// Known returns the first tool of each action, for messages.
func Known() string {
	names := text.Each(Rows[Creates:], func(r Row) string { return "`" + strings.Fields(r.Tools)[0] + "`" })
	return strings.Join(names, ", ")
}

// Of returns the tool that a call names, with the parameter names that the call uses. `given` has all of them. Some
// programs use the same tool name for different actions. If a tool replaces text or applies blocks, `given` therefore
// decides which action it is. ok is false if no tool of this name changes files.
func Of(name string, given []string) (t Tool, ok bool) {
	does, ok := ActionOf(name)
	if !ok || does == Reads {
		return t, false
	}
	has := func(list string) bool {
		return slices.ContainsFunc(given, func(name string) bool { return IsOneOf(name, list) })
	}
	if does == Replaces || does == Patches {
		switch {
		case has(Olds) || has(Lists):
			does = Replaces
		case has("diff"), does == Patches && has("content"): // other tools have a whole text in "content"
			does = Patches
		case has(Rows[Merges].Accepts.Text):
			does = Merges
		}
	}
	t = Tool{does, Rows[does].Accepts}
	for i, role := range t.roles() {
		names := *role
		if at := slices.IndexFunc(given, func(name string) bool { return IsOneOf(name, names) }); at >= 0 {
			*role = given[at]
		} else if *role = ""; i < 5 && names != "" {
			*role = strings.Fields(names)[0]
		}
	}
	if does == Merges {
		t.Does = Writes
	}
	return t, true
}

// MayMean reports whether a parameter that is not in `t` may change the meaning of a call. A value of several words is
// only a description of the call. If `everywhere` is false, the text to replace must occur only once, so a range of
// lines changes nothing.
func (t Tool) MayMean(name, value string, everywhere bool) bool {
	value = strings.TrimSpace(value)
	if value == "" && !IsOneOf(name, ofEditor) && !slices.ContainsFunc(Rows[t.Does].Accepts.Names(), func(list string) bool { return IsOneOf(name, list) }) {
		return false // a parameter of another tool, which a program adds to every call
	}
	if value == "false" || IsIdle(name) || t.Does == Replaces && !everywhere && IsOneOf(name, "start_line end_line start end old_str_start_line_number old_str_end_line_number") {
		return false
	}
	return IsParameter(name) || value != "" && !strings.Contains(value, " ")
}
