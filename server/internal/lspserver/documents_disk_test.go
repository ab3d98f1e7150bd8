package lspserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lspserver/lsptest"
)

// What another program writes while an editor shows a file reaches the editor late.
// An apply on what it still shows would undo that, without a word.
func TestOvertaken(t *testing.T) {
	const theirs = "by another program\n"
	for name, prepare := range map[string]func(*lsptest.Client){
		"opened": func(w *lsptest.Client) { w.Editor.Open("a.txt", "plaintext") },
		"saved": func(w *lsptest.Client) {
			w.Editor.Open("a.txt", "plaintext")
			w.Editor.Type("a.txt", insert(0, "typed\n"))
			w.Editor.Save("a.txt")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := serve(t, tree, nil)
			prepare(w)
			entries(t, w) // by its answer the server has read all of that
			w.Editor.WriteDisk("a.txt", theirs)
			openReply(w, reply)
			if r := apply(t, w, nil); r.Applied || !strings.Contains(r.Message, "Another program changed a.txt") {
				t.Errorf("got %+v", r)
			}
			if now, _ := w.Editor.ReadDisk("a.txt"); now != theirs {
				t.Errorf("on disk: %q", now)
			}
			w.Editor.Close("a.txt") // the editor reads the file again
			w.Editor.WriteDisk("a.txt", tree["a.txt"])
			w.Editor.Open("a.txt", "plaintext")
			if r := apply(t, w, nil); !r.Applied {
				t.Errorf("afterwards: %+v", r)
			}
		})
	}
}

// An editor keeps the document of a file for a while that somebody else deleted: the
// file is not there.
func TestDeletedByOthers(t *testing.T) {
	w := serve(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"}, nil)
	w.Editor.Open("b.txt", "plaintext")
	entries(t, w)
	if err := os.Remove(filepath.Join(w.Editor.Dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	openReply(w, "```diff\ndiff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n```\n")
	if r := apply(t, w, nil); !r.Applied {
		t.Errorf("got %+v", r)
	}
}

// A document that is not saved is the truth, whatever the disk holds.
func TestNotOvertaken(t *testing.T) {
	for name, prepare := range map[string]func(*lsptest.Client){
		"typed": func(w *lsptest.Client) {
			w.Editor.Open("a.txt", "plaintext")
			w.Editor.Type("a.txt", insert(0, "typed\n"))
			w.Editor.WriteDisk("a.txt", "another\n")
		},
		"opened unsaved": func(w *lsptest.Client) { w.Editor.OpenText("a.txt", "plaintext", "typed\n"+tree["a.txt"]) },
	} {
		t.Run(name, func(t *testing.T) {
			w := serve(t, tree, nil)
			prepare(w)
			openReply(w, reply)
			if r := apply(t, w, nil); !r.Applied {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func insert(line uint32, text string) protocol.TextEdit {
	at := protocol.Position{Line: line}
	return protocol.TextEdit{Range: protocol.Range{Start: at, End: at}, NewText: text}
}
