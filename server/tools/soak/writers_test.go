package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// A window is an editor with a language server in its own process.
type window struct {
	label  string
	client *lsptest.Client
}

func (w *world) window(t *testing.T, name string) *window {
	c := lsptest.Start(t, w.open, w.server)
	c.Options = map[string]any{"opensTouched": true, "offers": true}
	c.Choose = func(*lsp.ShowMessageRequestParams) string { return "Apply" } // files that a window changed stay unsaved, so a later apply asks
	c.Handle = func(method string, _ json.RawMessage) (any, error) {
		if method == protocol.MethodOffer {
			return protocol.OfferResult{Accepted: true}, nil
		}
		return nil, fmt.Errorf("%s is not supported", method)
	}
	c.Initialize()
	return &window{name, c}
}

// server runs a language server in its own process, for one connection.
func (w *world) server(rwc io.ReadWriteCloser) int {
	cmd := exec.Command(w.binary, "lsp")
	cmd.Stdout, cmd.Stderr = rwc, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return -1
	}
	go func() {
		_, _ = io.Copy(in, rwc)
		_ = in.Close()
	}()
	if err := cmd.Run(); err != nil {
		return cmd.ProcessState.ExitCode()
	}
	return 0
}

func (w *window) name() string { return w.label }

// exit saves the agents' changes that are open in the window, and closes it.
func (w *window) exit() {
	w.client.Editor.SaveAll()
	w.client.Exit()
}

func (w *window) apply(_ context.Context, reply string) (string, error) {
	target, err := json.Marshal(protocol.Target{Text: &reply})
	if err != nil {
		return "", err
	}
	var raw json.RawMessage
	params := &lsp.ExecuteCommandParams{Command: protocol.CommandApply, Arguments: []lsp.LSPAny{target}}
	if err := w.client.Call(lsp.MethodWorkspaceExecuteCommand, params, &raw); err != nil {
		return "", err
	}
	w.client.Editor.SaveAll()
	return result(raw)
}

// A commandLine starts a new process for each reply.
type commandLine struct{ label, binary, root string }

func (w *world) commandLine(name, root string) commandLine { return commandLine{name, w.binary, root} }

func (c commandLine) name() string { return c.label }

func (c commandLine) apply(ctx context.Context, reply string) (string, error) {
	cmd := exec.CommandContext(ctx, c.binary, "apply", "--json", "--root", c.root, "-")
	cmd.Stdin = bytes.NewBufferString(reply)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.As(err, new(*exec.ExitError)) && bytes.Contains(stderr.Bytes(), []byte("changed by another program")) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, &stderr)
	}
	return result(out)
}

// An agent is a client of an MCP server in its own process.
type agent struct {
	label   string
	session *mcp.ClientSession
}

func (w *world) agent(t *testing.T, name, root string, flags ...string) agent {
	cmd := exec.Command(w.binary, append([]string{"mcp", "--root", root}, flags...)...)
	cmd.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return agent{name, session}
}

func (a agent) name() string { return a.label }

func (a agent) apply(ctx context.Context, reply string) (string, error) {
	answer, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: "aptix_apply", Arguments: map[string]any{"text": reply}})
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		return "", err
	}
	var envelope protocol.ToolResult
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return "", fmt.Errorf("%w: %s", err, raw)
	}
	if !envelope.Successful {
		return "", nil
	}
	return result(envelope.Result)
}
