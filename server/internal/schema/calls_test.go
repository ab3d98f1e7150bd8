package schema_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/format/toolcall"
	"github.com/aptix-dev/aptix/server/internal/schema"
)

// The schema of tool calls and their reader agree on any mixture of parameters, with one
// exception: only the reader accepts the second name for the text of an insertion.
func TestAgreesWithToolCalls(t *testing.T) {
	calls := resolve(t, schema.ToolCall())
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		likely := rapid.SampledFrom([][]string{{"command", "path", "file_text"}, {"command", "path", "old_str", "new_str"}, {"command", "path", "insert_line", "insert_text"}}).Draw(t, "likely")
		body := object(map[string]*rapid.Generator[any]{
			"command": one("create", "str_replace", "insert", "view"), "path": one("a.txt", "a.txt", "a.txt", 1), "file_text": one("x"),
			"old_str": one("x", "x", ""), "new_str": one("y", "y", 1), "insert_line": one(0, 3, -1, "3"), "insert_text": one("x"),
		}, likely...).Draw(t, "call")
		call := body.(map[string]any)
		if rapid.Bool().Draw(t, "fits") {
			call["command"] = map[string]string{"file_text": "create", "old_str": "str_replace", "insert_line": "insert"}[likely[2]]
		}
		if call["command"] == "insert" && call["insert_text"] == nil && call["new_str"] != nil || call["command"] == "view" {
			return
		}
		raw, err := json.Marshal(call)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(calls, string(raw)); (err == nil) != clean(toolcall.Format, string(raw)) {
			t.Fatalf("the schema says %v, the reader otherwise: %s", err, raw)
		} else if err == nil {
			accepted++
		} else {
			refused++
		}
	})
	if accepted < 5 || refused < 20 {
		t.Errorf("%d accepted, %d refused: the test says little", accepted, refused)
	}
}
