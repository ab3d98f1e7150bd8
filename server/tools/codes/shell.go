package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var shellCodes = []Doc{
	{diag.ShellLine, "A command of a script changes files, but its effect depends on more than its words: on a variable, a pattern or the output of a program. Nothing is run, so the script is refused ([H6](formats/shell.md#h6)).",
		"rm src/*.tmp", "rm src/a.tmp src/b.tmp", ""},
	{diag.ShellNoEnd, "A here-document does not end: its end line is missing, so its text may have been cut off, or has white space around it ([H3](formats/shell.md#h3)).",
		"cat > a.txt <<'EOF'\none", "cat > a.txt <<'EOF'\none\nEOF", ""},
	{diag.ShellCommand, "A script edits files, and one of its other commands, such as the installation of packages, is not run ([H7](formats/shell.md#h7)).",
		"npm install", "", ""},
}
