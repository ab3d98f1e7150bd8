package check_test

import (
	"context"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/check"
)

// A block with a line patch keeps the patch's labels and keys; blocks of other formats have
// none.
func TestBatch(t *testing.T) {
	reply := "```json\n" + `{"batchKey": "k", "files": [{"fileKey": "f", "docPath": "p/a", "originalSha256": "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7",
		"changes": [{"changeKey": "c", "operation": "insert", "afterLine": 0, "newLines": ["x"]}]}]}` + "\n```\n" +
		"```json\n" + `{"root": ".", "files": [{"path": "a", "content": "x"}]}` + "\n```\n"
	r, err := check.Check(context.Background(), []check.Document{{Name: "reply.md", Text: reply}}, check.Where{})
	if err != nil || len(r.Blocks) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	b := r.Blocks[0].Batch
	if b == nil || b.BatchKey != "k" || b.Files[0].FileKey != "f" || b.Files[0].Changes[0].ChangeKey != "c" || r.Blocks[1].Batch != nil {
		t.Errorf("%+v, %+v", b, r.Blocks[1].Batch)
	}
	if len(r.Blocks[0].Parts) != 2 {
		t.Errorf("parts: %+v", r.Blocks[0].Parts)
	}
}
