package casetest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/mcp"
)

// throughMCP applies a case twice as an agent that may write to disk, and then reverts it.
func throughMCP(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	session := startAgent(t, mcp.Config{Version: "test", Log: zap.NewNop(), StateDir: newState(t, t.TempDir()), Roots: []string{dir}, AllowApply: true,
		AllowProtected: slices.Contains(c.Flags, "--allow-protected")})
	answer, result := ask[protocol.ApplyResult](t, session, "aptix_apply", arguments(t, c))
	if c.Exit != 0 {
		if answer.Successful {
			t.Errorf("applied what should be refused: %s", answer.Result)
		}
		for _, code := range c.Codes {
			if !slices.ContainsFunc(answer.Errors, func(m protocol.ToolMessage) bool { return m.Code == code }) {
				t.Errorf("no error %s in %+v", code, answer.Errors)
			}
		}
		same(t, "after a refusal", c.Before, dir)
		return
	}
	if !answer.Successful {
		t.Fatalf("%+v", answer.Errors)
	}
	same(t, "after apply", c.After, dir)
	if wrote := !cmp.Equal(c.Before, c.After); wrote != result.Applied || wrote != (result.ID != "") {
		t.Errorf("applied %v with id %q, but the tree changed: %v", result.Applied, result.ID, wrote)
	}
	again, second := ask[protocol.ApplyResult](t, session, "aptix_apply", arguments(t, c))
	if !again.Successful || second.Applied {
		t.Errorf("the second apply: %+v %+v", again.Errors, second)
	}
	sameIDs(t, result.Applied, result.Batches, second.Batches)
	same(t, "after the second apply", c.After, dir)
	if result.Applied {
		if back, reverted := ask[protocol.RevertResult](t, session, "aptix_revert", map[string]any{"id": result.ID}); !back.Successful || !reverted.Applied {
			t.Errorf("revert: %+v %+v", back.Errors, reverted)
		}
		same(t, "after the revert", c.Before, dir)
	}
}

func startAgent(t *testing.T, config mcp.Config) *sdk.ClientSession {
	t.Helper()
	history, err := history.Open(config.StateDir)
	if err != nil {
		t.Fatal(err)
	}
	config.History = history
	there, here := sdk.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(context.Background(), there, config) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(context.Background(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		<-ended
		_ = history.Close()
	})
	return session
}

func ask[T any](t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any) (answer protocol.ToolResult, result T) {
	t.Helper()
	called, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(called.Content[0].(*sdk.TextContent).Text), &answer); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		t.Fatal(err)
	}
	return answer, result
}

// usesAgent reports whether a case can run through MCP. Strictness, skipped finds and hints
// exist only on the command line, and JSON must be UTF-8.
func usesAgent(c *Case) bool {
	return !slices.ContainsFunc(c.Flags, func(f string) bool {
		return f == "--strict" || f == "--skip-missing" || strings.HasPrefix(f, "--profile")
	}) && isUTF8(c)
}

// arguments returns a case's reply and flags as arguments of a tool. A reply has no file name
// there, so if the name determines the format, the format is given explicitly.
func arguments(t *testing.T, c *Case) map[string]any {
	t.Helper()
	a := map[string]any{"text": c.Text}
	ext := filepath.Ext(c.Reply)
	if ext == ".md" {
		a["format"] = check.Markdown
	}
	for _, f := range check.Formats {
		if names := append(slices.Clone(f.Names), f.SharedNames...); slices.Contains(names, ext) && f.Shaped(format.Whole(c.Text)) {
			a["format"] = f.Name
			break
		}
	}
	for i, flag := range c.Flags {
		name, value, _ := strings.Cut(flag, "=")
		if value == "" && i+1 < len(c.Flags) {
			value = c.Flags[i+1]
		}
		switch name {
		case "--yes":
			a["acceptWarnings"] = true
		case "--fix":
			a["fix"] = true
		case "--format":
			a["format"] = value
		case "--block":
			block, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			a["block"] = block
		}
	}
	return a
}
