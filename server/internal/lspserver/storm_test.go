package lspserver_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// While a checkout reports 10,000 files, at once and one by one, a person asks for lenses and
// applies. Each request is answered, and the apply uses the current files.
func TestStormOfWatchedFiles(t *testing.T) {
	yes := true
	c := serve(t, map[string]string{"a.txt": "one\n"}, func(c *lsptest.Client) {
		c.Capabilities.Workspace.DidChangeWatchedFiles = &lsp.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: &yes}
	})
	lsptest.Await(c, lsp.MethodClientRegisterCapability, func(*lsp.RegistrationParams) bool { return true })
	openReply(c, bundle(patch("a.txt", "one", "two")))
	var events []lsp.FileEvent
	for i := range 10_000 {
		events = append(events, lsp.FileEvent{URI: c.Editor.URI(fmt.Sprintf("dir%d/file%d.txt", i%100, i)), Type: lsp.FileChangeTypeCreated})
	}
	c.Notify(lsp.MethodWorkspaceDidChangeWatchedFiles, &lsp.DidChangeWatchedFilesParams{Changes: events})
	var lenses []lsp.CodeLens
	for i, e := range events {
		c.Notify(lsp.MethodWorkspaceDidChangeWatchedFiles, &lsp.DidChangeWatchedFilesParams{Changes: []lsp.FileEvent{e}})
		if i%1000 == 0 {
			c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}}, &lenses)
		}
	}
	if len(lenses) == 0 {
		t.Error("no lenses")
	}
	if r := apply(t, c, nil); !r.Applied || !r.Verified {
		t.Errorf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": "two\n"})
}

// 500 open documents are replies that change the same file. Each document has its diagnostics, and a change of the file
// affects all of them.
func TestManyOpenDocuments(t *testing.T) {
	const n = 500
	c := serve(t, map[string]string{"a.txt": "one\n"}, nil)
	name := func(i int) string { return fmt.Sprintf("untitled:reply%d.md", i) }
	for i := range n {
		c.Editor.OpenText(name(i), "markdown", bundle(patch("a.txt", "one", fmt.Sprint("two", i))))
	}
	for i := range n {
		c.AwaitDiagnostics(name(i), func(d []lsp.Diagnostic) bool { return len(d) == 0 })
	}
	if r := applyIn(t, c, name(n/2), nil); !r.Applied || !r.Verified {
		t.Fatalf("got %+v", r)
	}
	shows(t, c, map[string]string{"a.txt": fmt.Sprint("two", n/2) + "\n"})
	for i := range n {
		if i == n/2 {
			continue
		}
		c.AwaitDiagnostics(name(i), func(d []lsp.Diagnostic) bool { return len(d) == 1 && d[0].Severity == lsp.DiagnosticSeverityError })
	}
}

// Whatever the editor answers, the server compares the answer with the editor's documents.
func TestEditorLies(t *testing.T) {
	yes, no := &lsp.ApplyWorkspaceEditResult{Applied: true}, &lsp.ApplyWorkspaceEditResult{}
	for name, b := range map[string]lsptest.Behavior{
		"says yes and does nothing":         {Refuse: true, Answer: yes},
		"says no and does all":              {Answer: no},
		"says yes and does half":            {StopBefore: 3, Answer: yes},
		"answers with nothing":              {Answer: (*lsp.ApplyWorkspaceEditResult)(nil)},
		"answers with a text":               {Answer: "yes"},
		"answers with a text, does nothing": {Refuse: true, Answer: "yes"},
		"answers twice":                     {Twice: true},
		"refuses twice":                     {Refuse: true, Twice: true},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Links(t)
			c := serve(t, patchedTree, saysWhatItHolds)
			openReply(c, diffBlock(editPatch, linkPatch, renamePatch))
			c.Editor.Behave(b)
			var r protocol.ApplyResult
			pending := c.Go(lsp.MethodWorkspaceExecuteCommand, applyAll())
			awaitEdits(t, c, 1)
			if !b.Twice {
				c.Editor.Behave(lsptest.Behavior{}) // for the edit that takes the first one back
			}
			if err := pending.Wait(&r); err != nil {
				t.Fatal(err)
			}
			c.Editor.Behave(lsptest.Behavior{})
			if len(r.Left) > 0 {
				t.Errorf("left: %+v", r)
			}
			if want := name == "answers twice"; r.Applied != want {
				t.Errorf("got %+v", r)
			}
			if !r.Applied {
				diskHas(t, c, patchedTree, nil)
				r = apply(t, c, nil)
			}
			if !r.Applied || !r.Verified {
				t.Errorf("afterwards: %+v", r)
			}
			diskHas(t, c, patchedTree, map[string]string{"a.txt": edited, "second": "link a.txt", "old.txt": "", "new/name.txt": renamed})
		})
	}
}

// A reply of almost 64 MiB, the largest possible message, is checked and applied. The memory
// used is at most a fixed multiple of its size.
func TestLargeReply(t *testing.T) {
	c, server := startProcess(t, t.TempDir(), t.TempDir())
	c.Editor.WriteDisk("a.txt", "one\n")
	c.Initialize()
	line := strings.Repeat("0123456789abcdef", 8) + "\n"
	text := strings.Repeat(line, 60<<20/trials.OneIn(1)/len(line))
	openReply(c, bundle(create("big.txt", text), patch("a.txt", "one", "two")))
	if d := c.AwaitDiagnostics(replyURI, func([]lsp.Diagnostic) bool { return true }); len(d) > 0 {
		t.Errorf("diagnostics: %+v", d)
	}
	if r := apply(t, c, nil); !r.Applied || len(r.Left) > 0 {
		t.Errorf("got %+v", r)
	}
	if most := server.peak(t); most > 60*len(text) { // measured: 12, with the race detector 25, also on a busy machine 40
		t.Errorf("it took %d MiB", most>>20)
	}
	shows(t, c, map[string]string{"big.txt": text, "a.txt": "two\n"})
}

// peak returns the most memory that a process has had at any time, in bytes, or 0 if the
// system does not report it.
func (p process) peak(t *testing.T) (bytes int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(rest, "%d kB", &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes << 10
}
