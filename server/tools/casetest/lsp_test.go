package casetest

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// throughLSP applies a case twice in an editor, and then reverts it. It compares texts
// instead of bytes, because an editor has its own encodings and endings.
func throughLSP(t *testing.T, c *Case) {
	throughEditor(t, c, t.TempDir(), 0)
}

// throughEditor is throughLSP with an editor that takes some time for each step.
func throughEditor(t *testing.T, c *Case, state string, slow time.Duration) {
	dir, _ := setUp(t, c)
	client := startEditor(t, c, dir, state, slow)
	if c.Exit != 0 && slices.Contains(c.Flags, "--strict") {
		awaitStrict(c, client)
	}
	if c.Exit == 0 && slices.Contains(c.Flags, "--skip-missing") {
		awaitSkips(c, client)
	}
	first := applyInEditor(t, c, client)
	if c.Exit != 0 {
		publishes(t, c, client)
		same(t, "after a refusal", c.Before, dir)
	}
	second := applyInEditor(t, c, client)
	if second.Applied {
		t.Errorf("the second apply changed files: %+v", second)
	}
	sameIDs(t, first.Applied, first.Batches, second.Batches)
	if first.Applied {
		revertInEditor(t, c, client, first.ID)
	}
	if exit := client.Exit(); exit != 0 {
		t.Errorf("the server ended with %d", exit)
	}
}

func applyInEditor(t *testing.T, c *Case, client *lsptest.Client) (result protocol.ApplyResult) {
	t.Helper()
	execute(t, client, protocol.CommandApply, protocol.Target{URI: string(client.Editor.URI(replyURI(c)))}, &result)
	switch {
	case c.Exit != 0 && result.Applied:
		t.Errorf("applied what should be refused: %s", result.Message)
	case c.Exit == 0 && !result.Verified:
		t.Errorf("not verified: %+v", result)
	case c.Exit == 0:
		shows(t, client, c.Before, c.After)
	}
	return result
}

// revertInEditor reverts the apply. If the editor changed line endings, the file differs from
// the plan, so the revert must be refused.
func revertInEditor(t *testing.T, c *Case, client *lsptest.Client, id string) {
	t.Helper()
	var back protocol.RevertResult
	execute(t, client, protocol.CommandRevert, protocol.RevertParams{ID: id, Asked: true}, &back)
	if endingsChange(t, c.Before, c.After) {
		if back.Applied || len(back.Conflicts) == 0 {
			t.Errorf("reverted a file whose line endings the editor changed: %+v", back)
		}
		shows(t, client, c.Before, c.After)
		return
	}
	if !back.Applied || !back.Verified {
		t.Errorf("revert: %+v", back)
	}
	shows(t, client, c.After, c.Before)
}

// endingsChange reports whether an editor leaves a file with other line endings than those in
// after. An editor uses one ending throughout: that of the file, or LF.
func endingsChange(t *testing.T, before, after Tree) bool {
	t.Helper()
	for path, f := range after {
		want, _, err := text.Decode(f.Data)
		if err != nil {
			continue
		}
		eol := text.LF
		if old, _, err := text.Decode(before[path].Data); err == nil && text.DominantEOL(old) == text.CRLF {
			eol = text.CRLF
		}
		if want != text.WithEOL(want, eol) {
			return true
		}
	}
	return false
}

func execute(t *testing.T, client *lsptest.Client, command string, argument, result any) {
	t.Helper()
	raw, err := json.Marshal(argument)
	if err != nil {
		t.Fatal(err)
	}
	client.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{Command: command, Arguments: []lsp.LSPAny{raw}}, result)
}

// publishes waits until the diagnostics have the codes of a refusal. Their severities may
// differ, because an editor asks in some cases that the command line refuses.
func publishes(t *testing.T, c *Case, client *lsptest.Client) {
	t.Helper()
	client.AwaitDiagnostics(replyURI(c), func(ds []lsp.Diagnostic) bool {
		for _, code := range c.Codes {
			if !slices.ContainsFunc(ds, func(d lsp.Diagnostic) bool { return codeOf(d) == code }) {
				return false
			}
		}
		return true
	})
}

// awaitStrict waits until the server has the settings, which it requests after its start.
func awaitStrict(c *Case, client *lsptest.Client) {
	client.AwaitDiagnostics(replyURI(c), func(ds []lsp.Diagnostic) bool {
		return slices.ContainsFunc(ds, func(d lsp.Diagnostic) bool { return d.Severity == lsp.DiagnosticSeverityError })
	})
}

// awaitSkips waits until a missing find has become only a warning.
func awaitSkips(c *Case, client *lsptest.Client) {
	client.AwaitDiagnostics(replyURI(c), func(ds []lsp.Diagnostic) bool {
		return len(ds) > 0 && !slices.ContainsFunc(ds, func(d lsp.Diagnostic) bool { return d.Severity == lsp.DiagnosticSeverityError })
	})
}

func codeOf(d lsp.Diagnostic) string {
	code, _ := d.Code.(lsp.String)
	return string(code)
}

func startEditor(t *testing.T, c *Case, dir, state string, slow time.Duration) *lsptest.Client {
	t.Helper()
	var asked atomic.Bool
	history, err := history.Open(newState(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	client := lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		defer history.Close()
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: history, StateDir: state})
	})
	client.Slow = slow
	client.Settings = map[string]any{"aptix": map[string]any{"strict": slices.Contains(c.Flags, "--strict"), "missingFind": "refuse"}}
	if slices.Contains(c.Flags, "--skip-missing") {
		client.Settings["aptix"].(map[string]any)["missingFind"] = "skip"
	}
	client.Choose = func(question *lsp.ShowMessageRequestParams) string {
		if c.Exit != 0 {
			return "Cancel" // an editor may ask in cases that the command line refuses
		}
		if !slices.Contains(c.Flags, "--yes") && !strings.Contains(question.Message, "mixed line endings") {
			t.Errorf("asked, and the command line did not: %s", question.Message)
		}
		asked.Store(true)
		return question.Actions[0].Title // Apply or Revert
	}
	t.Cleanup(func() {
		if slices.Contains(c.Flags, "--yes") && c.Exit == 0 && !asked.Load() {
			t.Error("not asked, and the command line did")
		}
	})
	client.Initialize()
	for _, path := range c.Open {
		client.Editor.Open(path, "plaintext")
	}
	client.Editor.OpenText(replyURI(c), "markdown", c.Text)
	return client
}

// replyURI returns the URI of a document without a file, such as the reply of a chat.
func replyURI(c *Case) string { return "untitled:" + c.Reply }

// shows checks that the editor shows the tree after, and none of the files that were removed
// from before.
func shows(t *testing.T, client *lsptest.Client, before, after Tree) {
	t.Helper()
	for path, f := range after {
		if f.Mode&fs.ModeSymlink != 0 {
			continue // an editor shows the target of the link
		}
		if _, _, err := text.Decode(f.Data); err != nil {
			if got, _ := client.Editor.ReadDisk(path); got != f.Data {
				t.Errorf("%s: the disk has %q, want %q", path, got, f.Data)
			}
			continue // an editor cannot show this text
		}
		got, there := client.Editor.Text(path)
		if !there || plain(t, got) != plain(t, f.Data) {
			t.Errorf("%s: the editor shows %q, want %q", path, got, f.Data)
		}
	}
	for path := range before {
		if _, stays := after[path]; stays {
			continue
		}
		if got, there := client.Editor.Text(path); there {
			t.Errorf("%s should be gone, but the editor shows %q", path, got)
		}
	}
}

// plain returns the text of a file with LF endings and without its BOM, because the editor decides
// about both.
func plain(t *testing.T, data string) string {
	t.Helper()
	s, _, err := text.Decode(data)
	if err != nil {
		return data
	}
	return text.WithEOL(strings.TrimPrefix(s, "\ufeff"), text.LF)
}
