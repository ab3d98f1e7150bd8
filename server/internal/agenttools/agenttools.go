// Package agenttools provides the tools that agents use on a workspace. A tool has the same name, schema and result
// over MCP, in an editor, and between Aptix's own processes. The package works on a [Host], so it does not depend on
// how a call arrives.
//
// # Rules for agents
//
// An agent must not change files without a person's consent. `aptix mcp` looks for the language server that has the
// folder open, and passes the call on to it. The person sees the preview and is asked. Only this change waits for the
// answer. Without an editor, agents write only if the person allowed it in advance.
//
// A tool never fails with a protocol error. A problem that a model can correct is part of the result (rule R33). An
// unexpected error is logged and reported in general words. The schemas, and the tools in package.json, are generated
// from the Go types.
//
// Rule R29 defines which copy of a file is used: first the open document, then the copy in the file set, then the file
// on disk. If the file set is only for this machine, it follows the disk. If a file on disk differs from a shared set,
// tools return the text of the set and do not change the file.
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

// A Tool is a tool that agents can call.
type Tool struct {
	Name, Title string
	// Description explains the tool to the model that uses it.
	Description string
	ReadOnly    bool
	// Input returns the schema of the arguments, and Output the schema of [protocol.ToolResult.Result].
	Input, Output func() *jsonschema.Schema

	call func(context.Context, Host, json.RawMessage) (any, []protocol.ToolMessage, error)
}

// A Refusal reports problems that the caller can solve or must accept (rule R33). Its messages become the errors of the
// tool's result.
type Refusal struct {
	Messages []protocol.ToolMessage
	// Result is the result in spite of the refusal, or nil.
	Result any
}

func (r *Refusal) Error() string { return r.Messages[0].Message }

// Refuse returns a refusal with one message. The code is in kebab case, such as "folder-needed".
func Refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Messages: []protocol.ToolMessage{{Code: code, Message: fmt.Sprintf(format, args...)}}}
}

// generic is the only message that an agent gets about an unexpected error (rule R33). The log has the details.
var generic = protocol.ToolMessage{Code: "internal", Message: "the tool failed unexpectedly; check the files before you continue, and see the log of Aptix for the cause"}

// Call calls a tool. Errors become part of the answer. Unexpected errors and panics are also passed to `logged`.
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

// expected turns an error into a refusal, and nil into nil. It also passes unexpected errors to `logged`.
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

// Answer puts a result and its warnings into an envelope (rule R33). A refusal replaces the result, and its messages
// are the errors.
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

// Text returns `v` as JSON for a model. It does not escape < and &, but it escapes invisible characters.
func Text(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // never happens, because results consist of strings, numbers and lists
	}
	return escape.JSON(bytes.TrimSpace(b.Bytes()))
}

// Envelope returns the schema of the whole answer of a tool, which is a [protocol.ToolResult].
func (t Tool) Envelope() *jsonschema.Schema {
	message := schemaFor[protocol.ToolMessage]()
	messages := func(doc string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: message.CloneSchemas(), Description: doc}
	}
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"successful": {Type: "boolean", Description: "Whether the tool did what was asked."},
			"errors":     messages("Why the tool failed; empty on success."),
			"warnings":   messages("Further remarks."),
			"result":     {AnyOf: []*jsonschema.Schema{t.Output().CloneSchemas(), {Type: "null"}}},
		},
		PropertyOrder:        []string{"successful", "errors", "warnings", "result"},
		Required:             []string{"successful", "errors", "warnings", "result"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}
