package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var doubtCodes = []Doc{
	{diag.CutShort, "The new text ends early: its last line is only the beginning of a line of the file, or it leaves a bracket open that the file closes ([R58](formats/README.md#r58)).",
		`"content": "import os\n\ndef main():\n    os.ex"`, `"content": "import os\n\ndef main():\n    os.exit(0)\n"`, ""},
	{diag.ForeignMarks, "The new text has lines that seem to belong to the reply and that the file does not have. They are one of these: marks of a conflict, a diff, SEARCH/REPLACE or another notation for changes; a line of prose or of another notation at the beginning or the end; or notes that only mark what was changed ([R59](formats/README.md#r59)).",
		`"replace": "<<<<<<< HEAD\nport = 80\n=======\nport = 8080\n>>>>>>> main\n"`, `"replace": "port = 8080\n"`, "Leaves out the lines."},
	{diag.InvalidSyntax, "A Go, JSON, YAML, XML, CSV, HTML or JSX file, or the indentation of a Python file, was valid before the change and would not be valid afterwards. Or new lines are above a line that must be at the beginning of its file, such as `#!/bin/sh` or `'use client'`. Or the package of a new file differs from that of the other files in its folder, or an `await` in a function that is not asynchronous ([R63](formats/README.md#r63)).",
		"`\"replace\": \"\\\"test\\\": \\\"vitest\\\",\\n}\"`", "`\"replace\": \"\\\"test\\\": \\\"vitest\\\"\\n}\"`", ""},
	{diag.RepeatedLines, "The new text has a block of lines twice, one copy directly below the other, as after pasting it again. Or most of the new lines are lines of another file ([R62](formats/README.md#r62)).",
		"`\"replace\": \"def f():\\n    return 1\\n    # end\\ndef f():\\n    return 1\\n    # end\\n\"`", "`\"replace\": \"def f():\\n    return 1\\n    # end\\n\"`", ""},
}
