package lspserver_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// patchedTree has a file for each kind of change. The other variables are patches of these files.
var (
	patchedTree = map[string]string{
		"a.txt":   "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n",
		"old.txt": "b1\nb2\nb3\nb4\nb5\nb6\nb7\nb8\n", "run.sh": "echo hi\n",
		"pic.bin": "\x00\x01\x02bin", "deep/er/only.txt": "x\n",
	}
	editPatch = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,5 +1,5 @@
 one
-two
+2
 three
 four
 five
@@ -8,5 +8,5 @@ seven
 eight
 nine
 ten
-eleven
+11
 twelve
`
	deletePatch = `diff --git a/deep/er/only.txt b/deep/er/only.txt
deleted file mode 100644
index 587be6b..0000000
--- a/deep/er/only.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
`
	renamePatch = `diff --git a/old.txt b/new/name.txt
similarity index 87%
rename from old.txt
rename to new/name.txt
index 2fdf0f2..2d826bc 100644
--- a/old.txt
+++ b/new/name.txt
@@ -1,7 +1,7 @@
 b1
 b2
 b3
-b4
+B4
 b5
 b6
 b7
`
	movePatch = `diff --git a/pic.bin b/img/pic.bin
similarity index 100%
rename from pic.bin
rename to img/pic.bin
`
	linkPatch = `diff --git a/second b/second
new file mode 120000
index 0000000..8d14cbf
--- /dev/null
+++ b/second
@@ -0,0 +1 @@
+a.txt
\ No newline at end of file
`
	modePatch = `diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`
	scriptPatch = `diff --git a/made.sh b/made.sh
new file mode 100755
index 0000000..1a24852
--- /dev/null
+++ b/made.sh
@@ -0,0 +1 @@
+#!/bin/sh
`
	binaryPatch = `diff --git a/pic.bin b/pic.bin
index 677273046bce3115f56c248238f3b83f77cfc239..434002117392d41b7ed56eec18879e09c5a09060 100644
GIT binary patch
literal 7
OcmZQzX35J;QUm}51p#6J

literal 6
NcmZQzWJ=1+0{{Yf0X+Z!

diff --git a/fresh.bin b/fresh.bin
new file mode 100644
index 0000000000000000000000000000000000000000..f9e371ff2657e5d2bd4389e3b323fe0550e3a860
GIT binary patch
literal 4
LcmZR` + "`" + `ODzWg0*?Vp

literal 0
HcmV?d00001

`
	renamed = strings.Replace(patchedTree["old.txt"], "b4", "B4", 1)
	edited  = strings.NewReplacer("two", "2", "eleven", "11").Replace(patchedTree["a.txt"])
)

// diffBlock returns a reply with patches in one block.
func diffBlock(patches ...string) string { return "```diff\n" + strings.Join(patches, "") + "```\n" }

// disk returns the tree on disk as git sees it, with links and executable files marked, and
// with empty folders.
func disk(t *testing.T, c *lsptest.Client) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(c.Editor.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == c.Editor.Dir {
			return err
		}
		rel, _ := filepath.Rel(c.Editor.Dir, name)
		rel = filepath.ToSlash(rel)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			if entries, _ := os.ReadDir(name); len(entries) == 0 {
				tree[rel] = "folder"
			}
		case mode.Type() == fs.ModeSymlink:
			target, _ := os.Readlink(name)
			tree[rel] = "link " + target
		default:
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			tree[rel] = string(data)
			if mode&0o100 != 0 {
				tree[rel] = "executable " + string(data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// diskHas saves all documents and compares the disk with base and the changes to it; ""
// means that there is no such file.
func diskHas(t *testing.T, c *lsptest.Client, base map[string]string, changes map[string]string) {
	t.Helper()
	c.Editor.SaveAll()
	want := map[string]string{}
	for path, content := range base {
		want[path] = content
	}
	for path, content := range changes {
		want[path] = content
		if content == "" {
			delete(want, path)
		}
	}
	got := disk(t, c)
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s: %q, want %q", path, got[path], want[path])
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %q, and it should not be there", path, got[path])
		}
	}
}

// kinds are patches with one kind of change each.
var kinds = []struct {
	name, patch string
	changes     map[string]string
	lasting     string // changes that undo does not restore
}{
	{"edit", editPatch, map[string]string{"a.txt": edited}, ""},
	{"delete", deletePatch, map[string]string{"deep/er/only.txt": ""}, ""},
	{"rename", renamePatch, map[string]string{"old.txt": "", "new/name.txt": renamed}, ""},
	{"rename of a binary file", movePatch, map[string]string{"pic.bin": "", "img/pic.bin": patchedTree["pic.bin"]}, ""},
	{"link", linkPatch, map[string]string{"second": "link a.txt"}, "1 symbolic link was written to disk; undo does not restore it"},
	{"mode", modePatch, map[string]string{"run.sh": "executable echo hi\n"}, "1 executable bit was written to disk; undo does not restore it"},
	{"executable file", scriptPatch, map[string]string{"made.sh": "executable #!/bin/sh\n"}, "1 executable bit was written to disk; undo does not restore it"},
	{"binary files", binaryPatch, map[string]string{"pic.bin": "\x00\x03\x04nib!", "fresh.bin": "\x00new"}, "2 binary files were written to disk; undo does not restore them"},
	{"all", editPatch + deletePatch + renamePatch + linkPatch + modePatch, map[string]string{
		"a.txt": edited, "deep/er/only.txt": "", "old.txt": "", "new/name.txt": renamed, "second": "link a.txt", "run.sh": "executable echo hi\n",
	}, "1 symbolic link and 1 executable bit were written to disk; undo does not restore them"},
}

// needFor skips the test if the system lacks features that a patch needs.
func needFor(t *testing.T, patch string) {
	t.Helper()
	if strings.Contains(patch, " mode 120000") {
		needs.Links(t)
	}
	if strings.Contains(patch, " mode 100755") {
		needs.Modes(t)
	}
}

func TestApplyPatch(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			needFor(t, k.patch)
			c := serve(t, patchedTree, saysWhatItHolds)
			openReply(c, diffBlock(k.patch))
			r := apply(t, c, nil)
			if !r.Applied || !r.Verified || r.Lasting != k.lasting || !strings.HasSuffix(r.Message, k.lasting) {
				t.Errorf("got %+v", r)
			}
			diskHas(t, c, patchedTree, k.changes)
			if again := apply(t, c, nil); again.Applied || !again.Verified {
				t.Errorf("the second time: %+v", again)
			}
		})
	}
}

// If the editor refuses, or makes only a part of the change, the server takes its own part
// back.
func TestPatchIsAllOrNothing(t *testing.T) {
	needs.Links(t)
	needs.Modes(t)
	reply := diffBlock(kinds[len(kinds)-1].patch, scriptPatch)
	for name, behavior := range map[string]lsptest.Behavior{
		"refuses": {Refuse: true}, "stops at once": {StopBefore: 1}, "stops at the rename": {StopBefore: 2}, "stops at the delete": {StopBefore: 3},
		"stops at the texts": {StopBefore: 4}, "stops at the last text": {StopBefore: 6},
		"leaves out the file": {Skip: 1}, "leaves out the rename": {Skip: 2}, "leaves out its text": {Skip: 5},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, patchedTree, saysWhatItHolds)
			behavior.Once = true
			c.Editor.Behave(behavior)
			openReply(c, reply)
			pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
			var r protocol.ApplyResult
			if err := pending.Wait(&r); err != nil {
				t.Fatal(err)
			}
			if r.Applied || len(r.Left) > 0 {
				t.Errorf("got %+v", r)
			}
			diskHas(t, c, patchedTree, nil)
		})
	}
}

// An open document, saved or not, is renamed with its file.
func TestRenameOfAnOpenFile(t *testing.T) {
	c := serve(t, patchedTree, nil)
	c.Editor.Open("old.txt", "plaintext")
	c.Editor.Type("old.txt", lsp.TextEdit{Range: lsp.Range{Start: lsp.Position{Line: 8}, End: lsp.Position{Line: 8}}, NewText: "mine\n"})
	openReply(c, diffBlock(renamePatch))
	if r := apply(t, c, nil); !r.Applied || !r.Verified {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"old.txt": "", "new/name.txt": renamed + "mine\n"})
}

// The person types into a file before the edit that renames or deletes it arrives.
func TestTypedBeforeRename(t *testing.T) {
	needs.Links(t)
	for path, patch := range map[string]string{"old.txt": renamePatch, "deep/er/only.txt": deletePatch} {
		c := serve(t, patchedTree, func(c *lsptest.Client) {
			c.Options = map[string]any{"opensTouched": true}
		})
		c.Editor.Open(path, "plaintext")
		openReply(c, diffBlock(patch, linkPatch))
		c.Editor.Behave(lsptest.Behavior{Before: func(e *lsptest.Editor) { e.Type(path, lsp.TextEdit{NewText: "mine\n"}) }})
		if r := apply(t, c, nil); r.Applied {
			t.Errorf("got %+v", r)
		}
		shows(t, c, map[string]string{path: "mine\n" + patchedTree[path]})
		diskHas(t, c, patchedTree, map[string]string{path: "mine\n" + patchedTree[path]})
	}
}

// If an editor cannot rename files, it gets a creation and a deletion instead.
func TestEditorWithoutRename(t *testing.T) {
	c := serve(t, patchedTree, func(c *lsptest.Client) {
		c.Capabilities.Workspace.WorkspaceEdit.ResourceOperations = []lsp.ResourceOperationKind{"create", "delete"}
	})
	openReply(c, diffBlock(renamePatch))
	if r := apply(t, c, nil); !r.Applied || !r.Verified || r.Files[0].Operation != protocol.OperationRename {
		t.Errorf("got %+v", r)
	}
	diskHas(t, c, patchedTree, map[string]string{"old.txt": "", "new/name.txt": renamed})
}

// If an editor cannot create, rename and delete, the server does so itself, and the editor
// makes the other edits. An open file is not deleted, because the editor would not know.
func TestEditorWithoutFileOperations(t *testing.T) {
	before := map[string]string{"a.txt": "one\n", "gone.txt": "bye\n", "old.txt": patchedTree["old.txt"]}
	reply := bundle(patch("a.txt", "one", "1"), create("dir/new.txt", "new\n"), remove("gone.txt")) + diffBlock(renamePatch)
	for name, can := range map[string]*lsp.WorkspaceEditClientCapabilities{
		"none of them": {DocumentChanges: new(true)}, "nothing said": nil, "creates": {ResourceOperations: []lsp.ResourceOperationKind{"create"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, before, func(c *lsptest.Client) { c.Capabilities.Workspace.WorkspaceEdit = can })
			c.Editor.Open("gone.txt", "plaintext")
			openReply(c, reply)
			if r := apply(t, c, nil); r.Applied || !strings.HasPrefix(r.Message, "gone.txt is open in an editor") {
				t.Fatalf("got %+v", r)
			}
			diskHas(t, c, before, nil)
			c.Editor.Close("gone.txt")
			r := apply(t, c, nil)
			if !r.Applied || !r.Verified || !strings.HasSuffix(r.Message, "written to disk; undo does not restore them") {
				t.Fatalf("got %+v", r)
			}
			shows(t, c, map[string]string{"a.txt": "1\n", "dir/new.txt": "new\n"})
			c.Editor.SaveAll()
			diskHas(t, c, before, map[string]string{"a.txt": "1\n", "dir/new.txt": "new\n", "gone.txt": "", "old.txt": "", "new/name.txt": renamed})
		})
	}
}

// The server must not write a file that an editor has open as a text.
func TestBinaryFileThatIsOpen(t *testing.T) {
	c := serve(t, map[string]string{"pic.bin": "text\n"}, nil)
	c.Editor.Open("pic.bin", "plaintext")
	openReply(c, diffBlock(strings.ReplaceAll(linkPatch, "second", "s"), `diff --git a/pic.bin b/pic.bin
deleted file mode 100644
--- a/pic.bin
+++ /dev/null
@@ -1 +0,0 @@
-text
diff --git a/pic.bin b/pic.bin
new file mode 120000
--- /dev/null
+++ b/pic.bin
@@ -0,0 +1 @@
+s
\ No newline at end of file
`))
	r := apply(t, c, nil)
	if r.Applied || !strings.HasPrefix(r.Message, "pic.bin is open in an editor") {
		t.Errorf("got %+v", r)
	}
	diskHas(t, c, map[string]string{"pic.bin": "text\n"}, nil)
}

// One file replaces a folder, and one folder replaces a file. No editor makes such changes in the necessary order.
func TestFileAndFolderChangePlaces(t *testing.T) {
	before := map[string]string{"x/y.txt": "y\n", "f": "f\n", "a.txt": patchedTree["a.txt"]}
	c := serve(t, before, nil)
	openReply(c, diffBlock(editPatch, `diff --git a/f b/f
deleted file mode 100644
--- a/f
+++ /dev/null
@@ -1 +0,0 @@
-f
diff --git a/f/g.txt b/f/g.txt
new file mode 100644
--- /dev/null
+++ b/f/g.txt
@@ -0,0 +1 @@
+g
diff --git a/x b/x
new file mode 100644
--- /dev/null
+++ b/x
@@ -0,0 +1 @@
+x
diff --git a/x/y.txt b/x/y.txt
deleted file mode 100644
--- a/x/y.txt
+++ /dev/null
@@ -1 +0,0 @@
-y
`))
	c.Editor.Behave(lsptest.Behavior{Refuse: true})
	if r := apply(t, c, nil); r.Applied || len(r.Left) > 0 {
		t.Errorf("got %+v", r)
	}
	diskHas(t, c, before, nil)
	c.Editor.Behave(lsptest.Behavior{})
	if r := apply(t, c, nil); !r.Applied || !r.Verified {
		t.Errorf("got %+v", r)
	}
	diskHas(t, c, before, map[string]string{"x/y.txt": "", "f": "", "f/g.txt": "g\n", "x": "x\n", "a.txt": edited})
}

const apPatch = `# Summary: two changes.
0a1b2c3d AP 3.1

0a1b2c3d FILE
a.txt
0a1b2c3d REPLACE
0a1b2c3d snippet
two
0a1b2c3d content
2

0a1b2c3d REPLACE
0a1b2c3d snippet
eleven
0a1b2c3d content
11

0a1b2c3d FILE
made
0a1b2c3d CREATE

0a1b2c3d FILE
deep
0a1b2c3d DELETE
`

// The paths of an ap patch in a file are relative to its folder.
func TestAPDocument(t *testing.T) {
	needs.Unlinking(t)
	files := map[string]string{"in/a.txt": patchedTree["a.txt"], "in/deep/er.txt": "x\n", "a.txt": "two\n", "deep/x.txt": "x\n", "in/p.ap": apPatch}
	c := serve(t, files, nil)
	c.Editor.Open("in/p.ap", "aptix-ap")
	u := string(c.Editor.URI("in/p.ap"))
	var all []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: c.Editor.URI("in/p.ap")}}, &all)
	if len(all) < 3 || all[0].Command.Title != "Preview" || all[0].Range.Start.Line != 0 || all[2].Command.Title != "4 files +2 −3" {
		t.Errorf("lenses: %+v", all)
	}
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: u}, &r); err != nil || !r.Verified || !r.Applied {
		t.Errorf("got %+v, %v", r, err)
	}
	if !strings.HasSuffix(r.Message, "1 folder was written to disk; undo does not restore it") {
		t.Errorf("message %q", r.Message)
	}
	diskHas(t, c, files, map[string]string{"in/a.txt": edited, "in/deep/er.txt": "", "in/made": "folder"})
}

// No link leads the root of an ap patch out of the workspace, and a patch elsewhere has no
// root at all.
func TestAPDocumentOutside(t *testing.T) {
	needs.Links(t)
	outside := t.TempDir()
	for name, text := range map[string]string{"p.ap": apPatch, "a.txt": patchedTree["a.txt"]} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := serve(t, nil, nil)
	if err := os.Symlink(outside, filepath.Join(c.Editor.Dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out/p.ap", "file://" + filepath.Join(outside, "p.ap")} {
		c.Editor.Open(name, "aptix-ap")
		var r protocol.ApplyResult
		if err := command(c, protocol.CommandApply, protocol.Target{URI: string(c.Editor.URI(name))}, &r); err != nil || r.Applied || !strings.Contains(r.Message, "no folder is open") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestPatchDocument(t *testing.T) {
	c := serve(t, patchedTree, nil)
	for _, document := range []string{"fix.patch", "fix.DIFF"} {
		c.Editor.WriteDisk(document, editPatch)
		c.Editor.Open(document, "diff")
		var r protocol.PreviewResult
		c.MustCall(protocol.MethodPreview, protocol.Target{URI: string(c.Editor.URI(document))}, &r)
		if r.Title != "Aptix: +2 −2" {
			t.Errorf("%s: %+v", document, r)
		}
	}
	c.Editor.OpenText("untitled:Untitled-1", "diff", strings.TrimPrefix(editPatch, "diff --git a/a.txt b/a.txt\n"))
}

// The title of an ap patch is in the patch itself.
func TestPreviewTitleOfAP(t *testing.T) {
	c := serve(t, patchedTree, nil)
	openReply(c, "```ap\n"+apPatch+"```\n")
	var r protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &r)
	if r.Title != "Aptix: +2 −3 · two changes." {
		t.Errorf("title %q", r.Title)
	}
}

func TestPreviewOfAPatch(t *testing.T) {
	needs.Modes(t)
	c := serve(t, patchedTree, nil)
	openReply(c, diffBlock(renamePatch, linkPatch, modePatch, deletePatch))
	var r protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &r)
	content := func(u string) string {
		if u == "" {
			return "-"
		}
		var r protocol.ContentResult
		c.MustCall(protocol.MethodContent, protocol.ContentParams{URI: u}, &r)
		return r.Text
	}
	var got []string
	for _, f := range r.Files {
		got = append(got, filepath.Base(f.Resource)+": "+strings.ReplaceAll(content(f.Left)+" → "+content(f.Right), "\n", "/"))
	}
	slices.Sort(got)
	same(t, got, "name.txt: b1/b2/b3/b4/b5/b6/b7/b8/ → b1/b2/b3/B4/b5/b6/b7/b8/", "only.txt: x/ → -",
		"run.sh: (mode -rw-r--r--)/echo hi/ → (mode -rwxr-xr-x)/echo hi/", "second: - → (a symbolic link to a.txt)/")
	for _, f := range r.Files {
		if moved := strings.Contains(f.Left, "old.txt") && strings.Contains(f.Right, "new/name.txt"); moved != strings.HasSuffix(f.Resource, "name.txt") {
			t.Errorf("a row is %+v", f)
		}
	}
}
