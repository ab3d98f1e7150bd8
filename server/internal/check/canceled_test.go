package check

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"
)

// A check that is canceled ends with the error of its context, and not with a diagnostic
// that the reply is too large.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	docs := []Document{{Name: "reply.md", Text: "```json\n{\"root\": \".\", \"files\": [{\"path\": \"a\", \"operation\": \"create\", \"content\": \"x\"}]}\n```\n"}}
	for _, fix := range []bool{false, true} {
		if r, err := CheckFixed(ctx, docs, Where{Tree: fstest.MapFS{}}, fix); !errors.Is(err, context.Canceled) || r != nil {
			t.Errorf("fix %v: %v, %v", fix, r, err)
		}
	}
}
