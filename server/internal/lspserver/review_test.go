package lspserver_test

import (
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// A person takes back a single hunk in the editor, and the history shows that. The list of unseen files has only files
// of applies that are in force.
func TestReview(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\nx\nx\ntwo\n", "b.txt": "b\n"}, nil)
	review := func(id string) (r protocol.Review) {
		c.MustCall(protocol.MethodReview, &protocol.ReviewParams{ID: id}, &r)
		return r
	}
	unseen := func(since string) (u protocol.Unseen) {
		c.MustCall(protocol.MethodUnseen, &protocol.UnseenParams{Since: since}, &u)
		return u
	}
	first := applyText(t, c, bundle(patch("b.txt", "b", "B")))
	id := applyText(t, c, bundle(patch("a.txt", "one", "1"), create("c.txt", "c\n"))+"\n"+bundle(patch("a.txt", "two", "2")))
	r := review(id)
	if r.ID != id || len(r.Hunks) != 3 || r.Hunks[1].Line != 3 || r.Hunks[1].Was != "two\n" || r.Elsewhere != "" {
		t.Fatalf("got %+v", r)
	}
	if u := unseen(first); u.Last != id || len(u.Files) != 2 || u.Files[0].ID != id {
		t.Fatalf("got %+v", u)
	}
	back := revert(t, c, protocol.RevertParams{ID: id, Asked: true, Part: &r.Hunks[1].Part})
	if !back.Applied || !back.Verified || back.Message != "Reverted 1 file +1 −1" {
		t.Fatalf("got %+v", back)
	}
	shows(t, c, map[string]string{"a.txt": "1\nx\nx\ntwo\n", "c.txt": "c\n"})
	if all := entries(t, c); !all[0].Part || all[0].Reverts != id || all[1].State != protocol.EntryPartly || all[1].Reverted {
		t.Errorf("got %+v", all)
	}
	if r := review(""); r.ID != id || len(r.Hunks) != 2 {
		t.Errorf("got %+v", r)
	}
	none := protocol.RevertParams{ID: id, Part: &protocol.EntryPart{Path: "a.txt", Hunk: 7}}
	if err := c.Call(lsp.MethodWorkspaceExecuteCommand, revertParams(none), &back); err == nil {
		t.Error("a hunk that does not exist was reverted")
	}
	if back := revert(t, c, protocol.RevertParams{ID: id, Asked: true}); !back.Applied || len(back.Conflicts) > 0 {
		t.Errorf("got %+v", back)
	}
	shows(t, c, map[string]string{"a.txt": "one\nx\nx\ntwo\n", "b.txt": "B\n", "c.txt": ""})
	if u := unseen(""); len(u.Files) != 1 || u.Files[0].ID != first {
		t.Errorf("got %+v", u)
	}
}

// A hunk that a person undid alone is left out of the next apply of its reply.
func TestUndoneHunkStaysOut(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": patchedTree["a.txt"]}, nil)
	openReply(c, diffBlock(editPatch))
	var first protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI}, &first); err != nil || !first.Verified {
		t.Fatalf("got %+v, %v", first, err)
	}
	var r protocol.Review
	c.MustCall(protocol.MethodReview, &protocol.ReviewParams{}, &r)
	if len(r.Hunks) != 2 {
		t.Fatalf("got %+v", r)
	}
	if back := revert(t, c, protocol.RevertParams{ID: first.ID, Asked: true, Part: &r.Hunks[1].Part}); !back.Applied {
		t.Fatalf("got %+v", back)
	}
	is, _ := c.Editor.Text("a.txt")
	if got := titles(t, c); !strings.Contains(got, "Skipped · Include this hunk") || strings.Count(got, "Skipped") != 1 {
		t.Errorf("the lenses are\n%s", got)
	}
	var again protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI}, &again); err != nil || again.Applied {
		t.Errorf("got %+v, %v", again, err)
	}
	if got, _ := c.Editor.Text("a.txt"); got != is {
		t.Errorf("the file is %q, and was %q", got, is)
	}
}

// A file that a person took back in a review is not created by the next apply. Its only lens includes it again.
func TestUndoneFileStaysOut(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": patchedTree["a.txt"]}, nil)
	openReply(c, diffBlock(editPatch)+"\n"+diffBlock("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n"))
	var first protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI}, &first); err != nil || !first.Verified {
		t.Fatalf("got %+v, %v", first, err)
	}
	var r protocol.Review
	c.MustCall(protocol.MethodReview, &protocol.ReviewParams{}, &r)
	i := slices.IndexFunc(r.Hunks, func(h protocol.ReviewHunk) bool { return h.Part.Path == "new.txt" })
	if i < 0 {
		t.Fatalf("got %+v", r)
	}
	c.Editor.Behave(lsptest.Behavior{Tell: lsptest.TellRelease}) // The document of the file stays open for a while.
	if back := revert(t, c, protocol.RevertParams{ID: first.ID, Asked: true, Part: &r.Hunks[i].Part}); !back.Applied {
		t.Fatalf("got %+v", back)
	}
	c.Editor.Release()
	if got := titles(t, c); strings.Count(got, "Skipped · Include this file") != 1 {
		t.Errorf("the lenses are\n%s", got)
	}
	var again protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI}, &again); err != nil || again.Applied {
		t.Errorf("got %+v, %v", again, err)
	}
}
