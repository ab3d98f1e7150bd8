package mcp

import (
	"encoding/json"
	"os"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aptix-dev/aptix/server/internal/agenttools"
)

// Whatever the arguments, a tool answers with an envelope without an unexpected error. If it
// refuses, nothing has changed.
func FuzzCall(f *testing.F) {
	for i := range agenttools.All {
		f.Add(uint(i), `{"text": "{\"root\": \".\", \"files\": [{\"path\": \"a.txt\", \"operation\": \"replace\", \"content\": \"new\\n\"}]}", "docPath": "demo/a.txt", "query": "o.e", "mode": "regexp", "id": "1"}`)
	}
	patched, err := json.Marshal(patch("demo/a.txt", sum("one\n"), "one", "two"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint(4), string(patched))
	f.Fuzz(func(t *testing.T, tool uint, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return
		}
		dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
		c := connect(t, newConfig(t, dir))
		result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: agenttools.All[tool%uint(len(agenttools.All))].Name, Arguments: json.RawMessage(arguments)})
		if err != nil {
			return // the arguments are not an object
		}
		answer := unpack(t, result)
		if answer.Successful {
			return
		}
		if answer.Errors[0].Code == "internal" {
			t.Errorf("%s: %s", arguments, answer.Errors[0].Message)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Error(files, err)
		}
		fileHas(t, "one\n", dir, "a.txt")
	})
}
