package mcp

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

//lint:file-ignore SA1019 see roots.go

func addRoots(c *sdk.Client, uris []string) {
	for _, uri := range uris {
		c.AddRoots(&sdk.Root{URI: uri})
	}
}

// uriOf returns the URI of a folder on any system.
func uriOf(dir string) string {
	u, _ := lspconv.URI(dir)
	return string(u)
}

// Each call works in the folders that the client has open at that time. Without any, it works
// in the current folder.
func TestClientRoots(t *testing.T) {
	one, two := folder(t, "one", map[string]string{"a.txt": "1"}), folder(t, "two two", map[string]string{"a.txt": "2"})
	t.Chdir(folder(t, "here", map[string]string{"a.txt": "h"}))
	for name, tt := range map[string]struct {
		roots []string
		read  string
	}{
		"one":             {[]string{uriOf(one)}, "one/a.txt"},
		"a blank in it":   {[]string{uriOf(two)}, "two two/a.txt"},
		"both":            {[]string{uriOf(one), uriOf(two)}, "two two/a.txt"},
		"none":            {[]string{}, "here/a.txt"},
		"no such ability": {nil, "here/a.txt"},
		"elsewhere":       {[]string{"https://example.com/x"}, "here/a.txt"},
	} {
		c := connect(t, newConfig(t), tt.roots...)
		if answer := c.call("workspace_read_file", object{"docPath": tt.read}); !answer.Successful {
			t.Errorf("%s: %+v", name, answer.Errors)
		}
	}
	if code, _ := connect(t, newConfig(t), uriOf(filepath.Join(t.TempDir(), "none"))).refused("active_file_list", nil); code != "no-workspace" {
		t.Error(code)
	}
}

// A folder that the client opens between two calls is available in the second.
func TestClientOpensFolder(t *testing.T) {
	one, two := folder(t, "one", nil), folder(t, "two", map[string]string{"a.txt": "2"})
	c := connect(t, newConfig(t), uriOf(one))
	if code, _ := c.refused("workspace_read_file", object{"docPath": "two/a.txt"}); code != "doc-path-unknown" {
		t.Error(code)
	}
	addRoots(c.self, []string{uriOf(two)})
	must[object](c, "workspace_read_file", object{"docPath": "two/a.txt"})
}

// Clients of the 2025 protocol are asked for their folders by a request from the server.
func TestOlderClient(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "text\n"})
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	config, ended := newConfig(t), make(chan error, 1)
	go func() {
		ended <- Serve(context.Background(), Lines{toServer, fromServer}, config)
	}()
	answers := json.NewDecoder(out)
	send := func(message string) {
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			t.Error(err)
		}
	}
	var got struct {
		ID     any
		Method string
		Result struct {
			ProtocolVersion   string
			StructuredContent struct{ Result struct{ Content string } }
		}
	}
	next := func() {
		t.Helper()
		got.Method = ""
		if err := answers.Decode(&got); err != nil {
			t.Fatal(err)
		}
	}
	send(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {"roots": {"listChanged": true}}, "clientInfo": {"name": "older", "version": "1"}}}`)
	if next(); got.Result.ProtocolVersion != "2025-06-18" {
		t.Fatalf("%+v", got)
	}
	send(`{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
	send(`{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "workspace_read_file", "arguments": {"docPath": "demo/a.txt"}}}`)
	if next(); got.Method != "roots/list" {
		t.Fatalf("%+v", got)
	}
	raw, err := json.Marshal(object{"jsonrpc": "2.0", "id": got.ID, "result": object{"roots": []object{{"uri": uriOf(dir)}}}})
	if err != nil {
		t.Fatal(err)
	}
	send(string(raw))
	if next(); got.Result.StructuredContent.Result.Content != "text\n" {
		t.Errorf("%+v", got)
	}
	_ = in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
