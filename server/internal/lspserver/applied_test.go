package lspserver_test

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
)

// A block that was applied offers what it did and its revert, and nothing to apply or skip.
func TestAppliedBlock(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n"}, nil)
	openReply(c, bundle(replace("a.txt", "two\n")))
	applied := apply(t, c, nil)
	if got, want := titles(t, c), "0: Show Changes, Revert, already applied"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var p protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, &protocol.Target{URI: replyURI}, &p)
	if len(p.Files) != 1 || p.Message != "" || !p.Applied {
		t.Errorf("the preview is %+v", p)
	}
	if r := revert(t, c, protocol.RevertParams{ID: applied.ID}); !r.Applied {
		t.Fatalf("got %+v", r)
	}
	if got := titles(t, c); !strings.HasPrefix(got, "0: Preview, Apply Aptix bundle, ") {
		t.Errorf("after the revert: %q", got)
	}
}

// What is as the block wants it without an apply can only be looked at.
func TestBlockDoneByHand(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "two\n"}, nil)
	openReply(c, bundle(replace("a.txt", "two\n")))
	if got := titles(t, c); !strings.HasPrefix(got, "0: Preview, Apply Aptix bundle, already applied") {
		t.Errorf("got %q", got)
	}
}
