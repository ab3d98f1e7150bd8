package casetest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/cli"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/lspserver/lsptest"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var update = flag.Bool("update", false, "write what is reported into the cases")

const casesDir = "../../../testdata/cases"

// Every case goes through the engine, the command line, the language server and the
// agents' server; is applied twice, and the second time changes nothing; and is
// taken back, and the tree is as before.
func TestCases(t *testing.T) {
	cases := Load(t, casesDir)
	if len(cases) == 0 {
		t.Fatal("there are no cases")
	}
	for _, c := range cases {
		name, err := filepath.Rel(casesDir, strings.TrimSuffix(c.File, ".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) { runCase(t, c) })
	}
}

func runCase(t *testing.T, c *Case) {
	t.Run("cli", func(t *testing.T) { throughCLI(t, c) })
	t.Run("engine", func(t *testing.T) { throughEngine(t, c) })
	if usesEditor(c) {
		t.Run("lsp", func(t *testing.T) { throughLSP(t, c) })
	}
	if usesAgent(c) {
		t.Run("mcp", func(t *testing.T) { throughMCP(t, c) })
	}
}

// usesEditor: flags of the command line have no counterpart in an editor, but
// for those that settings stand for; and what an editor holds is valid UTF-8.
func usesEditor(c *Case) bool {
	return !c.NoEditor && isUTF8(c) && !slices.ContainsFunc(c.Flags, func(f string) bool { return f != "--strict" })
}

func isUTF8(c *Case) bool { return utf8.ValidString(c.Text) }

func throughCLI(t *testing.T, c *Case) {
	dir, reply := setUp(t, c)
	exit, report := applyOnce(t, c, dir, reply)
	got := Describe(report)
	if *update && c.File != "" && got != c.Want {
		if err := c.Update(got); err != nil {
			t.Fatal(err)
		}
		c.Want = got
	}
	if diff := cmp.Diff(c.Want, got); c.File != "" && diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if c.State != "" && (len(report.Blocks) != 1 || report.Blocks[0].State != c.State) {
		t.Errorf("want one block that is %s, got\n%s", c.State, got)
	}
	if exit != c.Exit {
		t.Errorf("exit %d, want %d", exit, c.Exit)
	}
	same(t, "after apply", c.After, dir)
	if exit != 0 {
		same(t, "after a refusal", c.Before, dir)
		return
	}
	if wrote := !cmp.Equal(c.Before, c.After); wrote != report.Applied || wrote != (report.ID != "") {
		t.Errorf("applied %v with id %q, but the tree changed: %v", report.Applied, report.ID, wrote)
	}
	exit, again := applyOnce(t, c, dir, reply)
	if exit != 0 || again.Applied {
		t.Errorf("the second apply: exit %d, applied %v\n%s", exit, again.Applied, Describe(again))
	}
	sameIDs(t, report.Applied, reported(t, report), reported(t, again))
	same(t, "after the second apply", c.After, dir)
}

func applyOnce(t *testing.T, c *Case, dir, reply string) (int, protocol.Report) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"apply", "--json", "--root", dir}, append(c.Flags, reply)...)
	exit := cli.Run(context.Background(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}, "test")
	var report protocol.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("the report is no JSON: %v\n%s%s", err, &out, &errs)
	}
	return exit, report
}

// throughEngine plans without any history, and takes the plan back.
func throughEngine(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	where := check.Where{Tree: root.Tree(nil), Base: filepath.ToSlash(root.Dir()), ProtectedIs: diag.Warning}
	where.DocPath = docpath.Folder{Names: []string{folderName}, Tree: where.Tree}.Lookup
	result, err := check.Check(context.Background(), []check.Document{{Name: c.Reply, Text: c.Text}}, where)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Applicable() {
		return
	}
	state := t.TempDir()
	if _, err := apply.Write(context.Background(), root, state, "there", result.Plan); err != nil {
		t.Fatal(err)
	}
	if _, err := apply.Write(context.Background(), root, state, "back", result.Plan.Invert()); err != nil {
		t.Fatal(err)
	}
	same(t, "after apply and its inverse", c.Before, dir)
}

// throughLSP compares texts, as an editor has encodings and endings of its own.
func throughLSP(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	client := startEditor(t, c, dir)
	var results [2]protocol.ApplyResult
	for i := range results {
		var result protocol.ApplyResult
		client.MustCall(lsp.MethodWorkspaceExecuteCommand, &lsp.ExecuteCommandParams{
			Command: protocol.CommandApply, Arguments: []lsp.LSPAny{target(t, client, c)},
		}, &result)
		if c.Exit != 0 && result.Applied {
			t.Errorf("applied what should be refused: %s", result.Message)
		}
		if c.Exit == 0 && !result.Verified {
			t.Errorf("not verified: %+v", result)
		}
		if c.Exit != 0 {
			same(t, "after a refusal", c.Before, dir)
		} else {
			shows(t, c, client)
		}
		results[i] = result
	}
	sameIDs(t, results[0].Applied, results[0].Batches, results[1].Batches)
	if exit := client.Exit(); exit != 0 {
		t.Errorf("the server ended with %d", exit)
	}
}

func startEditor(t *testing.T, c *Case, dir string) *lsptest.Client {
	t.Helper()
	history, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = history.Close() })
	client := lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: history, StateDir: t.TempDir()})
	})
	client.Settings = map[string]any{"aptix": map[string]any{"strict": slices.Contains(c.Flags, "--strict")}}
	client.Choose = func(*lsp.ShowMessageRequestParams) string {
		if c.Exit != 0 {
			return "Cancel" // where the command line refuses, an editor may ask
		}
		return "Apply"
	}
	client.Initialize()
	for _, path := range c.Open {
		client.Editor.Open(path, "plaintext")
	}
	client.Editor.OpenText(replyURI(c), "markdown", c.Text)
	return client
}

// replyURI is a document without a file, as the reply of a chat is.
func replyURI(c *Case) string { return "untitled:" + c.Reply }

func target(t *testing.T, client *lsptest.Client, c *Case) lsp.LSPAny {
	t.Helper()
	raw, err := json.Marshal(protocol.Target{URI: string(client.Editor.URI(replyURI(c)))})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func shows(t *testing.T, c *Case, client *lsptest.Client) {
	t.Helper()
	for path, f := range c.After {
		if f.Mode&fs.ModeSymlink != 0 {
			continue // an editor shows what is behind it
		}
		if _, _, err := text.Decode(f.Data); err != nil {
			if got, _ := client.Editor.ReadDisk(path); got != f.Data {
				t.Errorf("%s: the disk has %q, want %q", path, got, f.Data)
			}
			continue // no text that an editor shows
		}
		got, there := client.Editor.Text(path)
		if !there || plain(t, got) != plain(t, f.Data) {
			t.Errorf("%s: the editor shows %q, want %q", path, got, f.Data)
		}
	}
	for path := range c.Before {
		if _, stays := c.After[path]; stays {
			continue
		}
		if got, there := client.Editor.Text(path); there {
			t.Errorf("%s should be gone, but the editor shows %q", path, got)
		}
	}
}

// plain is the text of a file without what an editor decides: BOM and endings.
func plain(t *testing.T, data string) string {
	t.Helper()
	s, _, err := text.Decode(data)
	if err != nil {
		return data
	}
	return text.WithEOL(strings.TrimPrefix(s, "\ufeff"), text.LF)
}

// folderName is that of the folder in which a case happens, for docPaths.
const folderName = "project"

// setUp makes the tree, and the reply outside of it.
func setUp(t *testing.T, c *Case) (dir, reply string) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir = filepath.Join(t.TempDir(), folderName)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c.Before.Write(t, dir)
	reply = filepath.Join(t.TempDir(), c.Reply)
	if err := os.WriteFile(reply, []byte(c.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, reply
}

func same(t *testing.T, when string, want Tree, dir string) {
	t.Helper()
	if diff := cmp.Diff(want, Read(t, dir)); diff != "" {
		t.Errorf("the tree %s (-want +got):\n%s", when, diff)
	}
}

// Codes that no text file can give, and the test that does.
var elsewhere = map[diag.Code]string{
	diag.Declined:       "lspserver.TestDeclined: the report has a member of its own for it",
	diag.NoWorkspace:    "lspserver.TestNoFolder: the command line always has a root",
	diag.MixedEndings:   "lspserver.TestMixedEndingsAsk: the command line keeps endings",
	diag.PathNotRegular: "plan.TestNotRegular: a pipe",
	diag.FileTooLarge:   "plan.TestTooLarge: a file above the limit",
	diag.JSONTooLarge:   "jsondoc: a block of four megabytes",
	diag.PathProject:    "plan.TestProjectFolder: the root's own name",
}

// editorOnly has the severities that only an editor gives, where lspserver's tests
// show them.
var editorOnly = map[diag.Code]diag.Severity{diag.PathProtected: diag.Warning}

// Every severity that a code may have has a case that shows it, and no case shows
// another. So every code has a case, too.
func TestSeverities(t *testing.T) {
	shown := shownSeverities(t)
	for _, doc := range diag.Docs() {
		_, exempt := elsewhere[doc.Code]
		for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info, diag.Hint} {
			if got, want := shown[doc.Code][s], doc.MayBe(s) && !exempt && editorOnly[doc.Code] != s; got != want {
				t.Errorf("%s as %s: shown by a case: %v, want %v", doc.Code, s, got, want)
			}
		}
		delete(shown, doc.Code)
	}
	for code := range shown {
		t.Errorf("%s is not documented", code)
	}
}

// shownSeverities reads the `want` sections of all cases. Errors of those with --strict
// are left out, as it turns every warning into one.
func shownSeverities(t *testing.T) map[diag.Code]map[diag.Severity]bool {
	t.Helper()
	severities := map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "info": diag.Info, "hint": diag.Hint}
	shown := map[diag.Code]map[diag.Severity]bool{}
	for _, c := range Load(t, casesDir) {
		strict := slices.Contains(c.Flags, "--strict")
		for line := range strings.Lines(c.Want) {
			words := strings.Fields(line)
			if len(words) < 2 || severities[words[0]] == 0 || strict && words[0] == "error" {
				continue
			}
			code := diag.Code(words[1])
			if shown[code] == nil {
				shown[code] = map[diag.Severity]bool{}
			}
			shown[code][severities[words[0]]] = true
		}
	}
	return shown
}
