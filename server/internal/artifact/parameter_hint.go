package artifact

import "github.com/aptix-dev/aptix/server/internal/lazyregexp"

// ParameterHint describes a text with the hints of an editor, which shows the name of a parameter before each argument.
var ParameterHint = Artifact{
	Signs:   ":",
	Lost:    "(",
	Name:    "an editor's hints of parameters",
	Differs: "without names of parameters before the arguments",
	Fix:     "Leave out the names of the parameters",
	Undo:    eachLine(func(line string) string { return hint.ReplaceAllString(line, "$1") }),
	Loses:   "names before colons that belong to the code, such as named arguments",
	Asked:   true,
}

// hint matches a name before an argument, and the sign before the name.
var hint = lazyregexp.New(`([(,] ?)(?:\.\.\.)?[A-Za-z_]\w*: ?`)
