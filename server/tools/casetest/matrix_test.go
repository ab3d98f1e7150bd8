package casetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// A spelling is a way to store a text in the bytes of a file. The text itself has LF endings
// and a final newline.
type spelling struct {
	name  string
	bytes func(string) string
	// content returns the same text as a reply for this file has it: always with LF, but
	// without a final newline if the file has none.
	content func(string) string
}

func same1(s string) string { return s }

func trim(s string) string { return strings.TrimSuffix(s, "\n") }

var spellings = []spelling{
	{"LF", same1, same1},
	{"CRLF", func(s string) string { return text.WithEOL(s, text.CRLF) }, same1},
	{"CR", func(s string) string { return text.WithEOL(s, text.CR) }, same1},
	{"BOM", text.UTF8BOM.Encode, same1},
	{"BOM and CRLF", func(s string) string { return text.UTF8BOM.Encode(text.WithEOL(s, text.CRLF)) }, same1},
	{"UTF-16LE", text.UTF16LE.Encode, same1},
	{"UTF-16BE and CRLF", func(s string) string { return text.UTF16BE.Encode(text.WithEOL(s, text.CRLF)) }, same1},
	{"no final newline", trim, trim},
	{"CRLF and no final newline", func(s string) string { return text.WithEOL(trim(s), text.CRLF) }, trim},
}

const (
	oldText = "first line é😀\nsecond line\nthird line\n"
	newText = "first line é😀\nsecond line, which is new\nthird line\n"
	other   = "something else\nentirely\n"
	binary  = "\x00\x01\x02"
)

// An operation is a way to ask in a reply that f.txt gets newText, or is deleted.
type operation struct {
	name  string
	reply func(content string) map[string]any
	edits bool // needs an existing file
	gone  bool // removes the file
}

func entry(operation string, members map[string]any) func(string) map[string]any {
	return func(content string) map[string]any {
		e := map[string]any{"path": "f.txt"}
		if operation != "" {
			e["operation"] = operation
		}
		if members == nil && operation != "delete" {
			e["content"] = content
		}
		for k, v := range members {
			e[k] = v
		}
		return map[string]any{"root": ".", "files": []any{e}}
	}
}

var edit = map[string]any{"find": "second line\nthird", "replace": "second line, which is new\nthird", "limit": "once"}

var operations = []operation{
	{name: "create", reply: entry("create", nil)},
	{name: "replace", reply: entry("replace", nil)},
	{name: "omitted", reply: entry("", nil)},
	{name: "delete", reply: entry("delete", nil), gone: true},
	{name: "patch", reply: entry("patch", map[string]any{"patches": []any{edit}}), edits: true},
	{name: "flat", edits: true, reply: func(string) map[string]any {
		return map[string]any{"root": ".", "patches": []any{map[string]any{
			"path": "f.txt", "find": edit["find"], "replace": edit["replace"], "limit": "all"}}}
	}},
	{name: "replacements", edits: true, reply: func(string) map[string]any {
		return map[string]any{"root": ".", "patches": []any{map[string]any{"path": "f.txt", "replacements": []any{
			map[string]any{"find": edit["find"], "replace": edit["replace"]}}}}}
	}},
}

// TestMatrix tries every operation in every state on every kind of file, through every front
// end.
func TestMatrix(t *testing.T) {
	for _, op := range operations {
		for _, sp := range spellings {
			for _, state := range []protocol.BlockState{protocol.BlockReady, protocol.BlockDone, protocol.BlockError} {
				t.Run(fmt.Sprintf("%s/%s/%s", op.name, state, sp.name), func(t *testing.T) {
					c := matrixCase(t, op, sp, state)
					if !usesEditor(c) || !usesAgent(c) {
						t.Error("some front end is left out")
					}
					if wantsChange := state == protocol.BlockReady; wantsChange == reflect.DeepEqual(c.Before, c.After) {
						t.Errorf("a case that is %s has the trees %v and %v", state, c.Before, c.After)
					}
					runCase(t, c)
				})
			}
		}
	}
}

func matrixCase(t *testing.T, op operation, sp spelling, state protocol.BlockState) *Case {
	t.Helper()
	raw, err := json.MarshalIndent(op.reply(sp.content(newText)), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{State: state, Case: casefile.Case{Reply: "reply.md", Text: "Do this:\n\n```json\n" + string(raw) + "\n```\n",
		Before: Tree{"beside.bin": {Data: binary, Mode: 0o644}}, After: Tree{}}}
	switch state {
	case protocol.BlockReady:
		readyTrees(c, op, sp)
	case protocol.BlockDone:
		doneTrees(c, op, sp)
	case protocol.BlockError:
		errorTrees(c, op, sp)
	}
	return c
}

// readyTrees sets the trees of a case whose operation is still to be done. A new file gets
// the content verbatim; an existing one keeps its spelling.
func readyTrees(c *Case, op operation, sp spelling) {
	c.After["beside.bin"] = c.Before["beside.bin"]
	if op.name == "create" {
		c.After["f.txt"] = File{Data: sp.content(newText), Mode: 0o644}
		return
	}
	c.Before["f.txt"] = File{Data: sp.bytes(oldText), Mode: 0o755}
	if !op.gone {
		c.After["f.txt"] = File{Data: sp.bytes(newText), Mode: 0o755}
	}
}

func doneTrees(c *Case, op operation, sp spelling) {
	if !op.gone {
		c.Before["f.txt"] = File{Data: sp.bytes(newText), Mode: 0o644}
	}
	c.After = c.Before
}

func errorTrees(c *Case, op operation, sp spelling) {
	c.Exit = 1
	c.After = c.Before
	switch {
	case op.edits: // there is no file to edit
		c.Codes = []string{string(diag.FileMissing)}
	case op.gone: // a folder
		c.Codes = []string{string(diag.PathDirectory)}
		c.Before["f.txt/child"] = File{Data: sp.bytes(other), Mode: 0o644}
	case op.name == "create":
		c.Codes = []string{string(diag.FileExists)}
		c.Before["f.txt"] = File{Data: sp.bytes(other), Mode: 0o644}
	default: // not text
		c.Codes = []string{string(diag.FileBinary)}
		c.Before["f.txt"] = File{Data: sp.bytes(other) + binary, Mode: 0o644}
	}
}
