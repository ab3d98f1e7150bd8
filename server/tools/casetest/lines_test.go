package casetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// TestTenThousandLineChanges applies ten thousand changes of one file, with and without a
// final newline, through every front end.
func TestTenThousandLineChanges(t *testing.T) {
	for name, end := range map[string]string{"newline": "\n", "no newline": ""} {
		t.Run(name, func(t *testing.T) {
			before, after, batch := manyLineChanges(t, 10_000)
			runCase(t, &Case{State: protocol.BlockReady, Case: casefile.Case{Reply: "reply.md", Open: []string{"a.txt"},
				Text:   "```json\n" + batch(before+end) + "\n```\n",
				Before: Tree{"a.txt": {Data: before + end, Mode: 0o644}}, After: Tree{"a.txt": {Data: after + end, Mode: 0o644}}}})
		})
	}
}

// manyLineChanges returns two texts, and a function that returns a line patch from the first
// to the second. The function can add more lines at the end.
func manyLineChanges(t *testing.T, n int) (before, after string, batch func(original string) string) {
	t.Helper()
	type object = map[string]any
	var old, now []string
	var changes []object
	for i := range n {
		line, stays := fmt.Sprintf("line %d", i), fmt.Sprintf("stays %d", i/7)
		c := object{"startLine": 2*i + 1, "endLine": 2*i + 1, "expectedOriginalLines": []string{line}}
		switch i % 3 {
		case 0:
			c = object{"operation": "insert", "afterLine": 2*i + 1, "newLines": []string{"new", ""}}
			now = append(now, line, "new", "")
		case 1:
			c["operation"], c["newLines"] = "replace", []string{"new " + line}
			now = append(now, "new "+line)
		case 2:
			c["operation"] = "delete"
		}
		changes = append(changes, c)
		old, now = append(old, line, stays), append(now, stays)
	}
	return strings.Join(old, "\n"), strings.Join(now, "\n"), func(original string) string {
		sum := sha256.Sum256([]byte(original))
		raw, err := json.Marshal(object{"files": []object{{"docPath": folderName + "/a.txt", "originalSha256": hex.EncodeToString(sum[:]), "changes": changes}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
}
