package jsonshape

import (
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
)

var calls = &dialect{
	names: lenientjson.Names{
		"name": false, "input": false, "arguments": false, "function": false, "tool_calls": false,
		"command": false, "path": false, "file_path": false, "target_file": false, "insert_line": false, "line": false,
		"file_text": true, "content": true, "diff": true, "insert_text": true,
		"old_str": true, "new_str": true, "old_string": true, "new_string": true, "code_edit": true, "update": true,
	},
}

// ReadCalls reads a value that may consist of tool calls. If a bracket is missing, no repair is certain, because
// more calls may be missing.
func ReadCalls(body string) *Document {
	root, diagnostics := lenientjson.ParseAs(body, calls.names)
	d := newDocument(body, calls, root, diagnostics)
	d.offerOnlyIfCut()
	return d
}
