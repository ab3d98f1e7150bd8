package lspserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// If another program writes a file that an editor shows, the editor notices it late. In the meantime, the editor still
// shows the old text. Applying an edit to the old text would silently undo the other program's change.
func TestOvertaken(t *testing.T) {
	const theirs = "by another program\n"
	for name, prepare := range map[string]func(*lsptest.Client){
		"opened": func(w *lsptest.Client) { w.Editor.Open("a.txt", "plaintext") },
		"saved": func(w *lsptest.Client) {
			w.Editor.Open("a.txt", "plaintext")
			w.Editor.Type("a.txt", insert(0, "typed\n"))
			w.Editor.Save("a.txt")
		},
		"read again": func(w *lsptest.Client) {
			w.Editor.OpenText("a.txt", "plaintext", tree["a.txt"]+"old")
			w.Editor.Type("a.txt", protocol.TextEdit{Range: at(strings.Count(tree["a.txt"], "\n"), 0, 3)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := serve(t, tree, nil)
			prepare(w)
			looked(t, w)
			w.Editor.WriteDisk("a.txt", theirs)
			openReply(w, reply)
			if r := apply(t, w, nil); r.Applied || !strings.Contains(r.Message, "Another program changed a.txt") {
				t.Errorf("got %+v", r)
			}
			if now, _ := w.Editor.ReadDisk("a.txt"); now != theirs {
				t.Errorf("on disk: %q", now)
			}
			w.Editor.Close("a.txt") // opening it again makes the editor read the file
			w.Editor.WriteDisk("a.txt", tree["a.txt"])
			w.Editor.Open("a.txt", "plaintext")
			if r := apply(t, w, nil); !r.Applied {
				t.Errorf("afterwards: %+v", r)
			}
		})
	}
}

// looked waits until the server has compared the open documents with the disk, which it does
// for the check of any reply.
func looked(t *testing.T, w *lsptest.Client) {
	t.Helper()
	text := "no reply"
	w.MustCall(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: aptix.CommandFeedback, Arguments: []protocol.LSPAny{marshal(t, aptix.Target{Text: &text})}}, nil)
}

func marshal(t *testing.T, v any) protocol.LSPAny {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// After a file was deleted or renamed, an editor keeps its document for a while. The file
// then counts as missing, but if another program deleted it, unsaved text still counts.
func TestDocumentsOfNoFile(t *testing.T) {
	for name, c := range map[string]struct {
		typed  bool
		method string
		params func(dir, file string) any
		there  bool
	}{
		"deleted by others":          {},
		"deleted by others, unsaved": {typed: true, there: true},
		"deleted in the editor": {typed: true, method: protocol.MethodWorkspaceDidDeleteFiles, params: func(_, file string) any {
			return protocol.DeleteFilesParams{Files: []protocol.FileDelete{{URI: file}}}
		}},
		"renamed in the editor": {typed: true, method: protocol.MethodWorkspaceDidRenameFiles, params: func(_, file string) any {
			return protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: file, NewURI: file + "2"}}}
		}},
		"folder renamed in the editor": {typed: true, method: protocol.MethodWorkspaceDidRenameFiles, params: func(dir, _ string) any {
			return protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: dir, NewURI: dir + "2"}}}
		}},
		"another renamed in the editor": {typed: true, there: true, method: protocol.MethodWorkspaceDidRenameFiles, params: func(dir, _ string) any {
			return protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: dir[:len(dir)-1], NewURI: dir + "2"}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			lsptest.InSlowMotion(t, func(t *testing.T, _ time.Duration) {
				w := serveSlowly(t, map[string]string{"a.txt": "a\n", "dir/b.txt": "b\n"}, nil)
				w.Editor.Open("dir/b.txt", "plaintext")
				looked(t, w)
				if c.typed {
					w.Editor.Type("dir/b.txt", insert(0, "typed\n"))
				}
				if err := os.Remove(filepath.Join(w.Editor.Dir, "dir/b.txt")); err != nil {
					t.Fatal(err)
				}
				if c.method != "" {
					w.Notify(c.method, c.params(string(w.Editor.URI("dir")), string(w.Editor.URI("dir/b.txt"))))
				}
				openReply(w, "```diff\ndiff --git a/a.txt b/dir/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to dir/b.txt\n```\n")
				if r := apply(t, w, nil); r.Applied == c.there {
					t.Errorf("got %+v", r)
				}
			})
		})
	}
}

// The text of an unsaved document counts, whatever the file on disk contains.
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
