package toolcall

import (
	"maps"
	"slices"
	"strings"
)

// An action is what the calls of a tool do to a file.
type action int

const (
	reads         action = iota // changes nothing
	creates                     // creates a file, which must not exist yet
	writes                      // creates a file, or replaces its text
	merges                      // merges a text that leaves out lines into a file; read as writes
	replaces                    // replaces the only occurrence of a text
	replacesAll                 // replaces every occurrence of a text
	inserts                     // inserts lines after a line
	insertsBefore               // inserts lines before a line, or at the end of the file for line 0
	patches                     // applies SEARCH/REPLACE blocks
	deletes                     // deletes a file
	moves                       // gives a file another path
	makesFolder                 // creates a folder
)

// tools lists the tools of each action, by their names in lower case and without separators.
var tools = actions(map[action]string{
	creates:       "create createfile createnewfile",
	writes:        "write writefile writetofile rewritefile savefile fswrite replacefiletextbypath",
	merges:        "inserteditintofile editexistingfile",
	replaces:      "strreplace edit editfile editblock replace searchreplace replacestringinfile replacefilecontent replacetextinfile findandreplace singlefindandreplace multiedit multireplacestringinfile multireplacefilecontent change",
	replacesAll:   "searchandreplace",
	inserts:       "insert",
	insertsBefore: "insertcontent",
	patches:       "applydiff replaceinfile",
	deletes:       "delete deletefile removefile",
	moves:         "movefile renamefile",
	makesFolder:   "createdirectory createfolder",
	reads: `view viewfile read readfile readtextfile readmultiplefiles readmanyfiles openfile listfiles listdir listdirectory
		directorytree listcodedefinitionnames getfileinfo ls glob grep grepsearch searchfiles searchfilecontent
		codebasesearch filesearch askfollowupquestion attemptcompletion updatetodolist todowrite think`,
})

// vocabulary lists the names that programs give to the parameters of an action. Upper case and separators do not
// matter. The first name stands in messages for a missing parameter.
var vocabulary = map[action]parameters{
	creates:       {path: paths, text: "file_text content contents text initial_content file_content"},
	writes:        {path: paths, text: "content contents file_text text code_content file_content new_content"},
	merges:        {path: paths, text: "code_edit update code changes"},
	replaces:      {path: paths, old: olds, text: news, all: "replace_all allow_multiple", count: "expected_replacements", list: "edits replacements replacement_chunks"},
	replacesAll:   {path: paths, old: olds, text: news},
	inserts:       {path: paths, line: "insert_line after_line", text: "insert_text new_str text content"},
	insertsBefore: {path: paths, line: "line", text: "content"},
	patches:       {path: paths, text: "diff"},
	deletes:       {path: paths},
	moves:         {path: "source source_path old_path from " + paths, to: "destination destination_path new_path to"},
	makesFolder:   {path: paths},
}

const (
	paths = "path file_path file filename target_file notebook_path absolute_path relative_path path_in_project"
	olds  = "old_str old_string old_text old_content old search search_text find before original target_content"
	news  = "new_str new_string new_text new_content new replace replace_text replacement after updated replacement_content"
)

// idle lists the parameters that have no effect on the edit, as [bare] returns them.
var idle = strings.Fields(`name tool toolname type id command description explanation reasoning thought instructions instruction
	linecount requiresapproval taskprogress securityrisk viewrange codemarkdownlanguage targetlinterrorids complexity
	toolsummary toolaction waitforprevioustools displaydescription blocking`)

// commands lists the commands of the text editor. A call names the editor as its tool, and gives a command in a
// parameter.
var commands = []string{"create", "str_replace", "insert", "view", "undo_edit"}

// parameters holds the names of a call's parameters; "" stands for a parameter that the call does not have.
type parameters struct {
	path, to, old, line, text string
	all                       string // asks to replace every occurrence
	count                     string // the number of occurrences to replace; one if it is missing
	list                      string // lists several edits, each with the other parameters; the path may also be in the call itself
}

// roles returns the parameters in a fixed order, beginning with the path. Calls may lack those after the fifth.
func (p *parameters) roles() []*string {
	return []*string{&p.path, &p.to, &p.old, &p.line, &p.text, &p.all, &p.count, &p.list}
}

// A tool says what a call does, and how its parameters are named.
type tool struct {
	does action
	parameters
}

// params returns the names of the parameters, beginning with the path.
func (t tool) params() (names []string) {
	for _, name := range t.roles() {
		if *name != "" {
			names = append(names, *name)
		}
	}
	return names
}

func actions(byAction map[action]string) map[string]action {
	all := map[string]action{}
	for does, names := range byAction {
		for _, name := range strings.Fields(names) {
			all[name] = does
		}
	}
	return all
}

// bare returns a name in lower case without separators: `oldstring` for `old_string` and `oldString`.
func bare(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// isOneOf reports whether a name is in a list of the vocabulary.
func isOneOf(name, list string) bool {
	name = bare(name)
	return slices.ContainsFunc(strings.Fields(list), func(word string) bool { return bare(word) == name })
}

func isIdle(name string) bool { return slices.Contains(idle, bare(name)) }

func isPathName(name string) bool { return isOneOf(name, paths) }

// isParameter reports whether a parameter of some action has this name.
func isParameter(name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(vocabulary)), func(p parameters) bool {
		return slices.ContainsFunc(p.roles(), func(list *string) bool { return isOneOf(name, *list) })
	})
}

// actionOf returns what a tool does. The name may have a prefix: `functions.edit_file`, `mcp__files__edit_file`.
func actionOf(name string) (does action, ok bool) {
	for _, separator := range []string{"__", ".", ":", "/"} {
		name = name[max(0, strings.LastIndex(name, separator)+len(separator)*min(1, strings.Count(name, separator))):]
	}
	does, ok = tools[bare(name)]
	return does, ok
}

func isReader(name string) bool {
	does, ok := actionOf(name)
	return ok && does == reads
}

// toolOf returns the tool of a call with the given parameters. Programs differ in the names of the parameters, and give
// the name of one tool to several: if a tool edits, the parameters show how.
func toolOf(name string, given []string) (t tool, ok bool) {
	does, ok := actionOf(name)
	if !ok || does == reads {
		return t, false
	}
	has := func(list string) bool {
		return slices.ContainsFunc(given, func(name string) bool { return isOneOf(name, list) })
	}
	if does == replaces || does == patches {
		switch {
		case has(vocabulary[replaces].old) || has(vocabulary[replaces].list):
			does = replaces
		case has(vocabulary[patches].text):
			does = patches
		case has(vocabulary[merges].text):
			does = merges
		}
	}
	t = tool{does, vocabulary[does]}
	for i, name := range t.roles() {
		names := strings.Fields(*name)
		if at := slices.IndexFunc(given, func(name string) bool { return isOneOf(name, strings.Join(names, " ")) }); at >= 0 {
			*name = given[at]
		} else if *name = ""; i < 5 && len(names) > 0 {
			*name = names[0]
		}
	}
	if does == merges {
		t.does = writes
	}
	return t, true
}

// mayMean reports whether a parameter that is not in params may change what a call does. A text of several words only
// describes the call, and a range of lines has no effect on the replacement of a text that must occur only once.
func (t tool) mayMean(name, value string, everywhere bool) bool {
	value = strings.TrimSpace(value)
	if value == "false" || isIdle(name) || t.does == replaces && !everywhere && isOneOf(name, "start_line end_line") {
		return false
	}
	return isParameter(name) || value != "" && !strings.Contains(value, " ")
}
