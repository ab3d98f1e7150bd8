// Package agenttools provides the tools that agents use on a workspace. A tool has a name, a
// schema and an answer that are the same over MCP, in an editor, and between our own
// processes. The package does not know how a call arrives; it works on a [Host].
//
// # Rules for agents
//
// An agent may not change files on its own. `aptix mcp` looks for the language server that
// has its folder open and passes the call on: the person sees the preview and is asked, and
// only that change waits for the answer. Without an editor, agents write only if the person
// allowed it. A tool never fails with a protocol error. A problem that a model can correct is
// part of the answer (rule R33); an unexpected error is logged and reported in general words.
// The schemas, and the tools in package.json, are generated from the Go types.
//
// Rule R29 says which copy of a file counts: the open document, then the file set, then the
// disk. The file set of one machine follows the disk. A shared file set has precedence: if a
// file on disk differs from it, tools return the text of the set and do not change the file.
package agenttools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/parallel"
)

// All lists the tools in the order in which agents use them.
var All = []Tool{
	readFile, activeFileList, activeFileSHA256, search,
	writePatch, getPatchChange,
	checkTool, previewTool, applyTool, revertTool,
}

// A Tool is one of [All].
type Tool struct {
	Name, Title string
	// Description is for the model that uses the tool.
	Description string
	// ReadOnly is true if the tool changes no file.
	ReadOnly bool
	// Input returns the schema of the arguments, and Output the schema of
	// [protocol.ToolResult.Result].
	Input, Output func() *jsonschema.Schema

	call func(context.Context, Host, json.RawMessage) (any, []protocol.ToolMessage, error)
}

// A Refusal reports problems that the caller can solve or must accept (rule R33). Its
// messages become the answer.
type Refusal struct {
	Messages []protocol.ToolMessage
	// Result, if it is not nil, is part of the answer despite the refusal.
	Result any
}

func (r *Refusal) Error() string { return r.Messages[0].Message }

// Refuse returns a refusal with one message. The code is in kebab case.
func Refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Messages: []protocol.ToolMessage{{Code: code, Message: fmt.Sprintf(format, args...)}}}
}

// generic is the only message about an unexpected error (rule R33); the log has the
// details.
var generic = protocol.ToolMessage{Code: "internal", Message: "the tool failed unexpectedly; check the files before you continue, and see the log of Aptix for the cause"}

// Call calls a tool. Errors become part of the answer. Unexpected errors and panics also go
// to logged.
func Call(ctx context.Context, host Host, name string, arguments json.RawMessage, logged func(error)) (answer protocol.ToolResult) {
	defer func() {
		if p := recover(); p != nil {
			logged(fmt.Errorf("%s: panic: %v\n%s", name, p, parallel.Stack(p)))
			answer = Answer(nil, nil, &Refusal{Messages: []protocol.ToolMessage{generic}})
		}
	}()
	i := slices.IndexFunc(All, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Answer(nil, nil, Refuse("unknown-tool", "there is no tool %q", name))
	}
	result, warnings, err := All[i].call(ctx, host, arguments)
	return Answer(result, warnings, expected(ctx, name, err, logged))
}

// expected returns an error as a refusal, or nil if err is nil. Unexpected errors go to logged.
func expected(ctx context.Context, name string, err error, logged func(error)) *Refusal {
	if err == nil {
		return nil
	}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return refusal
	}
	if ctx.Err() != nil {
		return Refuse("cancelled", "the call was cancelled")
	}
	logged(fmt.Errorf("%s: %w", name, err))
	return &Refusal{Messages: []protocol.ToolMessage{generic}}
}

// Answer returns the envelope (rule R33) of a result with warnings, or of a refusal if
// there is one.
func Answer(result any, warnings []protocol.ToolMessage, refusal *Refusal) protocol.ToolResult {
	envelope := protocol.ToolResult{Successful: refusal == nil, Errors: []protocol.ToolMessage{}, Warnings: []protocol.ToolMessage{}}
	envelope.Warnings = append(envelope.Warnings, warnings...)
	if refusal != nil {
		envelope.Errors = append(envelope.Errors, refusal.Messages...)
		result = refusal.Result
	}
	for _, messages := range [][]protocol.ToolMessage{envelope.Warnings, envelope.Errors} {
		for i := range messages {
			messages[i].Message = escape.Message(messages[i].Message)
		}
	}
	envelope.Result = Text(result)
	return envelope
}

// Text returns JSON for a model to read: it does not escape < and &, but escapes invisible
// characters.
func Text(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // answers consist of strings, numbers and lists
	}
	return escape.JSON(bytes.TrimSpace(b.Bytes()))
}

// Envelope returns the schema of a tool's whole answer, [protocol.ToolResult].
func (t Tool) Envelope() *jsonschema.Schema {
	message := schemaFor[protocol.ToolMessage]()
	messages := func(doc string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: message.CloneSchemas(), Description: doc}
	}
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"successful": {Type: "boolean", Description: "Whether the tool did what was asked."},
			"errors":     messages("The reason if not; empty on success."),
			"warnings":   messages("Further remarks."),
			"result":     {AnyOf: []*jsonschema.Schema{t.Output().CloneSchemas(), {Type: "null"}}},
		},
		PropertyOrder:        []string{"successful", "errors", "warnings", "result"},
		Required:             []string{"successful", "errors", "warnings", "result"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}
