package lspserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// A block that was applied has lenses for its changes and its revert, but not for applying or
// skipping.
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

// If files already have the result of a block that was never applied, the block offers only a preview.
func TestBlockDoneByHand(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "two\n"}, nil)
	openReply(c, bundle(replace("a.txt", "two\n")))
	if got := titles(t, c); !strings.HasPrefix(got, "0: Preview, Apply Aptix bundle, already applied") {
		t.Errorf("got %q", got)
	}
}

// If a reply was applied as a whole, each block shows the changes of that apply.
func TestShowChangesOfOneBlock(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"}, nil)
	openReply(c, bundle(replace("a.txt", "two\n"))+bundle(replace("b.txt", "two\n")))
	apply(t, c, nil)
	var all []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &all)
	shown := 0
	for _, l := range all {
		if l.Command.Title != "Show Changes" {
			continue
		}
		var target protocol.Target
		if err := json.Unmarshal(l.Command.Arguments[0], &target); err != nil {
			t.Fatal(err)
		}
		var p protocol.PreviewResult
		c.MustCall(protocol.MethodPreview, &target, &p)
		if len(p.Files) != 2 || !p.Applied || p.Title != "Aptix: a.txt and 1 more" {
			t.Errorf("block %d shows %+v", *target.Block, p)
		}
		shown++
	}
	if shown != 2 {
		t.Errorf("%d blocks show their changes: %+v", shown, all)
	}
}

// The status describes changes of the files since the reply was applied.
func TestStatusSinceApply(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\nmore\n"}, nil)
	openReply(c, bundle(patch("a.txt", "one", "two")))
	says := func(want string) {
		t.Helper()
		lsptest.Await(c, protocol.MethodStatus, func(s *protocol.Status) bool { return s.URI == replyURI && s.Text == want })
	}
	says("1 file +1 −1")
	apply(t, c, nil)
	says("already applied")
	line := func(n uint32) lsp.Range {
		return lsp.Range{Start: lsp.Position{Line: n}, End: lsp.Position{Line: n + 1}}
	}
	c.Editor.Type("a.txt", lsp.TextEdit{Range: line(1), NewText: "less\n"})
	says("applied, changed since")
	c.Editor.Type("a.txt", lsp.TextEdit{Range: line(0), NewText: "one\n"}, lsp.TextEdit{Range: line(1), NewText: "more\n"})
	says("1 file +1 −1 (undone)")
}

// If a line of an applied block is edited later, the block shows no error.
func TestAppliedAndEditedSince(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\nmore\n", "b.txt": "b\n"}, nil)
	openReply(c, bundle(patch("a.txt", "one", "two"))+bundle(patch("b.txt", "b", "bee")))
	first := 1
	id := apply(t, c, &first).ID
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 1}}, NewText: "three\n"})
	lsptest.Await(c, protocol.MethodStatus, func(s *protocol.Status) bool {
		return s.Errors == 0 && s.Ready == 1 && s.Text == "1 file +1 −1 (changed since)"
	})
	c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return len(ds) == 0 })
	if got := titles(t, c); !strings.Contains(got, "0: Apply all 2 Aptix blocks, Show Changes, Revert, applied, changed since\n") {
		t.Errorf("lenses\n%s", got)
	}
	var p protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, &protocol.Target{URI: replyURI}, &p)
	if len(p.Files) != 1 || p.Message != "" {
		t.Errorf("the preview of the others is %+v", p)
	}
	if r := apply(t, c, nil); !r.Applied || len(r.Files) != 1 {
		t.Errorf("the apply of the others: %+v", r)
	}
	if r := revert(t, c, protocol.RevertParams{}); !r.Applied {
		t.Fatalf("the revert of the others: %+v", r)
	}
	if r := revert(t, c, protocol.RevertParams{ID: id}); r.Applied || len(r.Conflicts) != 1 {
		t.Errorf("the revert: %+v", r)
	}
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{End: lsp.Position{Line: 1}}, NewText: "one\n"})
	lsptest.Await(c, protocol.MethodStatus, func(s *protocol.Status) bool { return s.Ready == 2 })
	if r := apply(t, c, nil); !r.Applied {
		t.Fatalf("got %+v", r)
	}
	if got := titles(t, c); strings.Contains(got, "Apply all") || strings.Count(got, "already applied") != 2 {
		t.Errorf("lenses after all blocks were applied\n%s", got)
	}
}
