package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// startEditor starts an editor that serves some folders.
func startEditor(t *testing.T, config Config, handler link.Handler, folders ...string) *link.Listener {
	t.Helper()
	needs.Sockets(t)
	l, err := link.Listen(t.Context(), config.StateDir, config.Version, zap.NewNop(), handler)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if err := l.Serve(folders); err != nil {
		t.Fatal(err)
	}
	return l
}

// says returns a handler that records calls and refuses them with a code.
func says(code string, asked *[]link.Call) link.Handler {
	return func(_ context.Context, call link.Call) protocol.ToolResult {
		*asked = append(*asked, call)
		return agenttools.Answer(nil, nil, agenttools.Refuse(code, "from the editor"))
	}
}

// The editor that has the folder open does the work, as long as it runs.
func TestEditorIsAsked(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	config := newConfig(t, dir)
	var asked []link.Call
	editor := startEditor(t, config, says("declined", &asked), dir)
	c := connect(t, config)
	if code, _ := c.refused("aptix_apply", bundle("a.txt", "two\n")); code != "declined" {
		t.Error(code)
	}
	fileHas(t, "one\n", dir, "a.txt")
	if len(asked) != 1 || asked[0].Name != "aptix_apply" || asked[0].Agent != "a test" || !strings.Contains(string(asked[0].Arguments), `two\\n`) {
		t.Errorf("%+v", asked)
	}
	editor.Close()
	must[object](c, "aptix_apply", bundle("a.txt", "two\n"))
	fileHas(t, "two\n", dir, "a.txt")
}

// If an editor does not answer, it may still have made the change, so the call is not
// repeated elsewhere.
func TestEditorIsLost(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	config := newConfig(t, dir)
	startEditor(t, config, func(context.Context, link.Call) protocol.ToolResult {
		return protocol.ToolResult{Result: json.RawMessage("no JSON, so that nothing can be sent")}
	}, dir)
	if code, said := connect(t, config).refused("aptix_apply", bundle("a.txt", "two\n")); code != "editor-lost" {
		t.Errorf("%s %s", code, said)
	}
	fileHas(t, "one\n", dir, "a.txt")
}

// If the caller gives up, the editor's call is cancelled.
func TestEditorIsCancelled(t *testing.T) {
	dir := t.TempDir()
	config := newConfig(t, dir)
	begun, ended := make(chan struct{}), make(chan struct{})
	startEditor(t, config, func(ctx context.Context, _ link.Call) protocol.ToolResult {
		close(begun)
		<-ctx.Done()
		close(ended)
		return agenttools.Answer(nil, nil, nil)
	}, dir)
	c := connect(t, config)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "active_file_list"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-ended
}

// If the folders are not all open in one editor, a call goes to the editor of the folder that the call is about.
func TestFoldersInSeveralPlaces(t *testing.T) {
	one, two, three := folder(t, "one", map[string]string{"a.txt": "1\n"}), folder(t, "two", map[string]string{"a.txt": "2\n"}), folder(t, "three", map[string]string{"a.txt": "3\n"})
	config := newConfig(t, one, two, three)
	c := connect(t, config)
	done, _ := must[written](c, "workspace_write_patch", patch("two/a.txt", sum("2\n"), "2", "two"))
	var inOne, inTwo []link.Call
	startEditor(t, config, says("one", &inOne), one)
	startEditor(t, config, says("two", &inTwo), two)
	for want, calls := range map[string]map[string]object{
		"one": {"workspace_read_file": {"docPath": "one/a.txt"}, "aptix_check": {"text": "", "folder": one}},
		"two": {"workspace_write_patch": patch("two/a.txt", sum("2\n"), "2", "x"), "workspace_search": {"query": "2", "folder": "two"},
			"aptix_revert": {"id": done.ID}, "get_patch_change": {"changeId": done.Files[0].Changes[0].ChangeID}},
		"doc-path-unknown": {"workspace_read_file": {"docPath": "four/a.txt"}, "workspace_write_patch": patch("four/a.txt", sum(""), "", "x")},
		"folder-needed":    {"workspace_search": {"query": "2"}, "active_file_list": nil, "aptix_revert": nil},
	} {
		for name, arguments := range calls {
			if code, said := c.refused(name, arguments); code != want {
				t.Errorf("%s: %s %s", name, code, said)
			}
		}
	}
	must[object](c, "workspace_write_patch", patch("three/a.txt", sum("3\n"), "3", "x"))
	fileHas(t, "x\n", three, "a.txt")
	both := patch("one/a.txt", sum("1\n"), "1", "x")
	both["files"] = append(both["files"].([]object), patch("three/a.txt", sum("x\n"), "x", "y")["files"].([]object)...)
	if code, _ := c.refused("workspace_write_patch", both); code != "folder-needed" {
		t.Error(code)
	}
}
