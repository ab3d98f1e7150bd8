// Package mcp is the front end for agents: a server of the Model Context Protocol with the tools of package agenttools.
// It passes a call to the running editor that has the folder open, so that a person sees it. Without an editor, it
// works on the disk.
package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/link"
)

// Config configures a server.
type Config struct {
	Version  string
	Log      *zap.Logger
	StateDir string
	History  *history.Store // nil if the history could not be opened
	FileSet  *fileset.Set   // nil if the file set could not be opened
	// Roots are the folders in which agents may work. If it is empty, the client's open folders are used, or the
	// current folder if the client has none.
	Roots []string
	// AllowApply permits writing files even if no editor has the folder open.
	AllowApply bool
	// AllowProtected extends AllowApply to protected files and to files ignored by git.
	AllowProtected bool
}

const instructions = `Aptix reads and changes files of the person's workspace, all or nothing.
Read a file with workspace_read_file before you change it. Then either send a line patch with workspace_write_patch, with its sha256 copied into originalSha256 and line numbers counted in the text of the answer;
or send edits as text with aptix_apply: a file bundle {"root": ".", "files": [{"path", "operation": "create|replace|delete", "content"}]}, a structured patch {"root": ".", "patches": [{"path", "find", "replace"}]}, or a git patch.
A docPath is a lower-case key; copy it from an answer. Results of workspace_search are for finding: do not make a patch from them.
If a call is refused, nothing was written, and the messages say how to correct it. Never guess a sha256.`

type server struct {
	Config
	applier *apply.Applier
	ctx     context.Context // ends when the client has gone
	calls   sync.RWMutex    // each call holds this lock for reading, so that Serve can wait for all calls
}

// Serve serves one client until the client goes away or `ctx` ends. Before it returns, it cancels the calls in progress
// and waits for them, so that no change is left half made.
func Serve(ctx context.Context, transport sdk.Transport, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	openSet := func(context.Context, bool) (*fileset.Set, error) { return config.FileSet, nil }
	s := &server{Config: config, applier: apply.New(config.History, openSet), ctx: ctx}
	err := s.sdk().Run(ctx, transport)
	cancel()
	s.calls.Lock()
	defer s.calls.Unlock()
	return err
}

func (s *server) sdk() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "aptix", Title: "Aptix", Version: s.Version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: slog.New(slog.DiscardHandler),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, tool := range agenttools.All {
		server.AddTool(describe(tool), s.handler(tool.Name))
	}
	return server
}

// describe converts a tool to the protocol's type. Every tool is idempotent: applying a patch again changes nothing.
func describe(t agenttools.Tool) *sdk.Tool {
	return &sdk.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.Input(), OutputSchema: t.Envelope(),
		Annotations: &sdk.ToolAnnotations{Title: t.Title, ReadOnlyHint: t.ReadOnly, IdempotentHint: true, DestructiveHint: new(!t.ReadOnly), OpenWorldHint: new(false)},
	}
}

func (s *server) handler(name string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		dirs, asked := s.dirs(req)
		if !asked {
			return askRoots(), nil
		}
		s.calls.RLock()
		defer s.calls.RUnlock()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		return envelope(s.call(ctx, dirs, link.Call{ToolParams: protocol.ToolParams{Name: name, Arguments: req.Params.Arguments}, Agent: agentName(req)})), nil
	}
}

// envelope converts a tool's result to the protocol's type. It contains the same JSON twice: once for programs and once
// for models.
func envelope(answer protocol.ToolResult) *sdk.CallToolResult {
	raw := agenttools.Text(answer)
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(raw)}},
		StructuredContent: json.RawMessage(raw),
		IsError:           !answer.Successful,
	}
}

// agentName returns the name that the client gives itself, which may be any text.
func agentName(req *sdk.CallToolRequest) string {
	params := req.Session.InitializeParams()
	if params == nil || params.ClientInfo == nil {
		return ""
	}
	return params.ClientInfo.Name
}
