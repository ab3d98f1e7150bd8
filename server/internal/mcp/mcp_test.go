package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/tools/meanwhile"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// A client is an MCP client that is connected to a server of ours.
type client struct {
	*sdk.ClientSession
	t    testing.TB
	self *sdk.Client
}

// newConfig returns the configuration of a server that may write, with a history of its
// own.
func newConfig(t testing.TB, roots ...string) Config {
	t.Helper()
	config := Config{Version: "test", Log: zap.NewNop(), StateDir: t.TempDir(), Roots: roots, AllowApply: true}
	history, err := history.Open(config.StateDir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = history.Close() })
	config.History = history
	return config
}

// connect starts a server in this process. roots are the URIs of the client's folders. A client without roots does not
// support requests for them.
func connect(t testing.TB, config Config, roots ...string) client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	there, here := sdk.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, there, config) }()
	options := &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}
	if roots != nil {
		options = nil
	}
	c := sdk.NewClient(&sdk.Implementation{Name: "a test", Version: "1"}, options)
	addRoots(c, roots)
	session, err := c.Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-ended
	})
	return client{session, t, c}
}

// call returns the envelope of an answer, and checks that both of its copies are equal.
func (c client) call(name string, arguments any) protocol.ToolResult {
	c.t.Helper()
	result, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s: %v", name, err)
	}
	return unpack(c.t, result)
}

func unpack(t testing.TB, result *sdk.CallToolResult) protocol.ToolResult {
	t.Helper()
	var answer protocol.ToolResult
	said := result.Content[0].(*sdk.TextContent).Text
	if err := json.Unmarshal([]byte(said), &answer); err != nil {
		t.Fatal(err)
	}
	var asText any
	if err := json.Unmarshal([]byte(said), &asText); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asText, result.StructuredContent); diff != "" {
		t.Errorf("the text is not the structured content:\n%s", diff)
	}
	if result.IsError == answer.Successful {
		t.Errorf("isError %v, successful %v", result.IsError, answer.Successful)
	}
	return answer
}

// must returns the result of a call that succeeds.
func must[T any](c client, name string, arguments any) (T, protocol.ToolResult) {
	c.t.Helper()
	answer := c.call(name, arguments)
	if !answer.Successful {
		c.t.Fatalf("%s: %+v", name, answer.Errors)
	}
	var result T
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		c.t.Fatal(err)
	}
	return result, answer
}

// refused returns the first code of a call that fails, and all messages.
func (c client) refused(name string, arguments any) (code, said string) {
	c.t.Helper()
	answer := c.call(name, arguments)
	if answer.Successful {
		c.t.Fatalf("%s was not refused: %s", name, answer.Result)
	}
	for _, m := range answer.Errors {
		said += m.Message + "\n"
	}
	return answer.Errors[0].Code, said
}

type object = map[string]any

// folder creates a folder with the given name and files.
func folder(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, data := range files {
		write(t, filepath.Join(dir, path), data)
	}
	return dir
}

func write(t testing.TB, file, data string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(data), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func fileHas(t testing.TB, want string, file ...string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(file...))
	if err != nil || string(got) != want {
		t.Errorf("%s is %q, not %q: %v", file, got, want, err)
	}
}

func sum(s string) string {
	hash := sha256.Sum256([]byte(s))
	return hex.EncodeToString(hash[:])
}

// patch returns a patch that replaces the first line of a file.
func patch(docPath, sha256, old, now string) object {
	return object{"batchKey": "first-line", "files": []object{{"docPath": docPath, "originalSha256": sha256, "fileKey": "it", "changes": []object{
		{"operation": "replace", "startLine": 1, "endLine": 1, "expectedOriginalLines": []string{old}, "newLines": []string{now}, "changeKey": "it", "description": "why"}}}}}
}

func bundle(path, content string) object {
	raw, err := json.Marshal(object{"root": ".", "files": []object{{"path": path, "operation": "replace", "content": content}}})
	if err != nil {
		panic(err)
	}
	return object{"text": string(raw)}
}

// The descriptions of the tools change only on purpose.
func TestToolsAreAsListed(t *testing.T) {
	list, err := connect(t, newConfig(t, t.TempDir())).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(list.Tools, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "tools.json")
	if *update {
		write(t, file, string(got)+"\n")
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
		t.Errorf("run the test with -update, if this is meant (-want +got):\n%s", diff)
	}
}

type written struct {
	protocol.Batch
	Applied, AlreadyDone bool
	ID                   string
}

// An agent finds and reads a file, changes it, looks up the change, and reverts it.
func TestLoop(t *testing.T) {
	dir := folder(t, "Demo", map[string]string{"A.txt": "one\r\ntwo\r\n"})
	c := connect(t, newConfig(t, dir))
	found, _ := must[struct{ Chunks []struct{ DocPath string } }](c, "workspace_search", object{"query": "two"})
	key := found.Chunks[0].DocPath
	read, _ := must[struct{ SHA256, Content string }](c, "workspace_read_file", object{"docPath": key})
	if read.Content != "one\r\ntwo\r\n" || read.SHA256 != sum(read.Content) {
		t.Errorf("%+v", read)
	}
	arguments := patch(key, read.SHA256, "one", "ONE")
	done, _ := must[written](c, "workspace_write_patch", arguments)
	fileHas(t, "ONE\r\ntwo\r\n", dir, "A.txt")
	f := done.Files[0]
	if !done.Applied || done.AlreadyDone || done.ID == "" || done.BatchKey != "first-line" || f.FileKey != "it" || f.SHA256 != sum("ONE\r\ntwo\r\n") || f.Changes[0].ChangeKey != "it" || f.Changes[0].Description != "why" {
		t.Errorf("%+v", done)
	}
	again, _ := must[written](c, "workspace_write_patch", arguments)
	if again.Applied || !again.AlreadyDone || again.ID != "" || again.BatchID != done.BatchID || again.Files[0].Changes[0].ChangeID != f.Changes[0].ChangeID {
		t.Errorf("%+v", again)
	}
	for _, id := range []object{{"id": f.FilePatchID}, {"batchId": done.BatchID}, {"changeId": f.Changes[0].ChangeID}} {
		info, _ := must[protocol.PatchChangeInfo](c, "get_patch_change", id)
		if info.Batch.BatchID != done.BatchID || info.Apply != done.ID || info.Status != protocol.PatchApplied || info.Files[0].Standing != protocol.StandsAsLeft {
			t.Errorf("%v: %+v", id, info)
		}
	}
	back, _ := must[protocol.RevertResult](c, "aptix_revert", object{"id": done.ID})
	fileHas(t, "one\r\ntwo\r\n", dir, "A.txt")
	if !back.Applied || back.Reverts != done.ID {
		t.Errorf("%+v", back)
	}
	info, _ := must[protocol.PatchChangeInfo](c, "get_patch_change", object{"id": done.BatchID})
	if info.Status != protocol.PatchReverted {
		t.Errorf("%+v", info)
	}
}

// The history outlives the server.
func TestRestart(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	config := newConfig(t, dir)
	done, _ := must[written](connect(t, config), "workspace_write_patch", patch("demo/a.txt", sum("one\n"), "one", "two"))
	if err := config.History.Close(); err != nil {
		t.Fatal(err)
	}
	history, err := history.Open(config.StateDir)
	if err != nil {
		t.Fatal(err)
	}
	defer history.Close()
	config.History = history
	c := connect(t, config)
	info, _ := must[protocol.PatchChangeInfo](c, "get_patch_change", object{"changeId": done.Files[0].Changes[0].ChangeID})
	if info.Of != protocol.PatchLines || info.Batch.Files[0].Changes[0].NewLines[0] != "two" {
		t.Errorf("%+v", info)
	}
	must[protocol.RevertResult](c, "aptix_revert", nil)
	fileHas(t, "one\n", dir, "a.txt")
	config.Roots = []string{t.TempDir()} // a program that works in another folder cannot see the change
	elsewhere := connect(t, config)
	if code, _ := elsewhere.refused("get_patch_change", object{"id": done.BatchID}); code != "unknown-id" {
		t.Error(code)
	}
	if code, _ := elsewhere.refused("aptix_revert", object{"id": done.ID}); code != "unknown-id" {
		t.Error(code)
	}
	if code, _ := elsewhere.refused("aptix_revert", nil); code != "unknown-id" {
		t.Error(code)
	}
}

// Without an editor and without permission to write, files are read but never written.
func TestNoLeave(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	config := newConfig(t, dir)
	c := connect(t, config)
	done, _ := must[protocol.ApplyResult](c, "aptix_apply", bundle("a.txt", "two\n"))
	config.AllowApply = false
	c = connect(t, config)
	must[object](c, "workspace_read_file", object{"docPath": "demo/a.txt"})
	must[object](c, "aptix_check", bundle("a.txt", "three\n"))
	if previewed, _ := must[struct {
		Diff  string
		Shown bool
	}](c, "aptix_preview", bundle("a.txt", "three\n")); previewed.Shown || !strings.Contains(previewed.Diff, "+three") {
		t.Errorf("%+v", previewed)
	}
	for name, arguments := range map[string]object{
		"aptix_apply": bundle("a.txt", "three\n"), "workspace_write_patch": patch("demo/a.txt", sum("two\n"), "two", "three"), "aptix_revert": {"id": done.ID},
	} {
		code, said := c.refused(name, arguments)
		if code != "no-editor" || !strings.Contains(said, "open the folder in an editor") || !strings.Contains(said, "--allow-apply") {
			t.Errorf("%s: %s %s", name, code, said)
		}
	}
	if again, _ := must[protocol.ApplyResult](c, "aptix_apply", bundle("a.txt", "two\n")); again.Applied || !again.Verified {
		t.Errorf("what is done needs no leave: %+v", again)
	}
	fileHas(t, "two\n", dir, "a.txt")
}

// If the history cannot be opened, files are still written, and the answer says that its ids
// are useless.
func TestNoHistory(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	config := newConfig(t, dir)
	config.History = nil
	c := connect(t, config)
	arguments := patch("demo/a.txt", sum("one\n"), "one", "two")
	if done, answer := must[written](c, "workspace_write_patch", arguments); !done.Applied || len(answer.Warnings) != 1 || answer.Warnings[0].Code != "not-remembered" {
		t.Errorf("%+v", answer)
	}
	fileHas(t, "two\n", dir, "a.txt")
	if done, answer := must[written](c, "workspace_write_patch", arguments); !done.AlreadyDone || len(answer.Warnings) > 0 {
		t.Errorf("%+v", answer)
	}
}

func TestProtected(t *testing.T) {
	dir := folder(t, "demo", map[string]string{".vscode/settings.json": "{}\n"})
	config := newConfig(t, dir)
	if code, _ := connect(t, config).refused("aptix_apply", bundle(".vscode/settings.json", "[]\n")); code != "path-protected" {
		t.Error(code)
	}
	fileHas(t, "{}\n", dir, ".vscode/settings.json")
	config.AllowProtected = true
	must[object](connect(t, config), "aptix_apply", bundle(".vscode/settings.json", "[]\n"))
	fileHas(t, "[]\n", dir, ".vscode/settings.json")
}

// Whatever the arguments, no tool writes outside the folder.
func TestHostile(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	write(t, filepath.Join(dir, "..", "out.txt"), "out\n")
	c := connect(t, newConfig(t, dir))
	for _, path := range []string{"../out.txt", "/etc/passwd", "C:\\x", ".git/config", "a.txt/b", "a\x00b", "", strings.Repeat("x", 5000)} {
		if code, said := c.refused("aptix_apply", bundle(path, "new\n")); code == "internal" {
			t.Errorf("%.20q: %s", path, said)
		}
	}
	for name, arguments := range map[string]any{
		"workspace_read_file": object{"docPath": "demo/../../out.txt"}, "workspace_write_patch": []int{1}, "aptix_apply": object{"text": strings.Repeat("`", 1<<20)},
		"aptix_revert": object{"id": "' OR 1=1 --"}, "get_patch_change": object{"id": "%"}, "workspace_search": object{"query": strings.Repeat("a?", 20) + "(", "mode": "regexp"},
	} {
		if code, said := c.refused(name, arguments); code == "internal" {
			t.Errorf("%s: %s", name, said)
		}
	}
	fileHas(t, "out\n", dir, "..", "out.txt")
	fileHas(t, "one\n", dir, "a.txt")
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "no_such_tool"}); err == nil {
		t.Error("a tool that is not there was called")
	}
}

// A patch with 10,000 changes needs only one message.
func TestManyChanges(t *testing.T) {
	const n = 10_000
	before, after := strings.Repeat("old\n", n), strings.Repeat("new\n", n)
	dir := folder(t, "demo", map[string]string{"a.txt": before})
	var changes []object
	for i := range n {
		changes = append(changes, object{"operation": "replace", "startLine": i + 1, "endLine": i + 1, "expectedOriginalLines": []string{"old"}, "newLines": []string{"new"}})
	}
	done, _ := must[written](connect(t, newConfig(t, dir)), "workspace_write_patch", object{"files": []object{{"docPath": "demo/a.txt", "originalSha256": sum(before), "changes": changes}}})
	fileHas(t, after, dir, "a.txt")
	if len(done.Files[0].Changes) != n {
		t.Errorf("%d changes", len(done.Files[0].Changes))
	}
}

func TestTwoRoots(t *testing.T) {
	one, two := folder(t, "one", map[string]string{"a.txt": "1\n"}), folder(t, "two", map[string]string{"a.txt": "2\n"})
	c := connect(t, newConfig(t, one, two, one))
	if code, said := c.refused("aptix_apply", bundle("a.txt", "x\n")); code != "folder-needed" || !strings.Contains(said, one) || !strings.Contains(said, two) {
		t.Errorf("%s %s", code, said)
	}
	arguments := bundle("a.txt", "x\n")
	arguments["folder"] = "two"
	must[object](c, "aptix_apply", arguments)
	must[object](c, "workspace_write_patch", patch("one/a.txt", sum("1\n"), "1", "y"))
	fileHas(t, "y\n", one, "a.txt")
	fileHas(t, "x\n", two, "a.txt")
	both := patch("one/a.txt", sum("y\n"), "y", "z")
	both["files"] = append(both["files"].([]object), patch("two/a.txt", sum("x\n"), "x", "z")["files"].([]object)...)
	if code, said := c.refused("workspace_write_patch", both); code != "several-folders" || !strings.Contains(said, one) || !strings.Contains(said, two) {
		t.Errorf("%s %s", code, said)
	}
	must[object](c, "aptix_revert", nil) // the last one, whichever folder it was in
	fileHas(t, "1\n", one, "a.txt")
	fileHas(t, "x\n", two, "a.txt")
	must[object](c, "workspace_write_patch", patch("one/a.txt", sum("1\n"), "1", "z"))
	must[object](c, "aptix_revert", object{"folder": two})
	fileHas(t, "z\n", one, "a.txt")
	fileHas(t, "2\n", two, "a.txt")
	if code, _ := c.refused("aptix_revert", object{"folder": two}); code != "unknown-id" {
		t.Error(code)
	}
}

// Rule R32: the file set receives the applied text. If it cannot be updated, that is a
// warning, and the change remains.
func TestFileSet(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	config := newConfig(t, dir)
	set, err := fileset.Open(t.Context(), fileset.Where("", config.StateDir))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	config.FileSet = set
	c := connect(t, config)
	has := func(want string) {
		t.Helper()
		if got, err := set.Get(t.Context(), "demo/a.txt"); err != nil || got.Content != want {
			t.Errorf("it is %q in the set: %v", got.Content, err)
		}
	}
	done, answer := must[written](c, "workspace_write_patch", patch("demo/a.txt", sum("one\n"), "one", "two"))
	if len(answer.Warnings) > 0 {
		t.Errorf("%+v", answer.Warnings)
	}
	has("two\n")
	for key, source := range map[string]string{"demo/a.txt": "cloud", "demo/b.txt": "disk"} {
		if read, _ := must[struct{ Source string }](c, "workspace_read_file", object{"docPath": key}); read.Source != source {
			t.Errorf("%s: %+v", key, read)
		}
	}
	must[object](c, "aptix_revert", object{"id": done.ID})
	has("one\n")
	if _, err := set.Put(t.Context(), "cli", []fileset.Upload{{DocPath: "elsewhere/secret.txt", Content: "secret"}}); err != nil {
		t.Fatal(err)
	}
	if code, _ := c.refused("workspace_read_file", object{"docPath": "elsewhere/secret.txt"}); code != "doc-path-unknown" {
		t.Error(code)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	_, answer = must[protocol.ApplyResult](c, "aptix_apply", bundle("a.txt", "three\n"))
	if len(answer.Warnings) != 1 || answer.Warnings[0].Code != "not-uploaded" {
		t.Errorf("%+v", answer.Warnings)
	}
	fileHas(t, "three\n", dir, "a.txt")
	if read, answer := must[struct{ Source string }](c, "workspace_read_file", object{"docPath": "demo/a.txt"}); read.Source != "disk" || answer.Warnings[0].Code != "file-set-failed" {
		t.Errorf("%+v %+v", read, answer.Warnings)
	}
}

// A caller that gives up while another change holds the folder still gets an answer. Its
// change is completely made and recorded, or not made at all.
func TestCancel(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	config := newConfig(t, dir)
	c := connect(t, config)
	free := meanwhile.Hold(t, dir, config.StateDir, "b.txt", "one\n", "two\n")
	defer free()
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "aptix_apply", Arguments: bundle("a.txt", "two\n")})
		answered <- err
	}()
	must[object](c, "workspace_read_file", object{"docPath": "demo/a.txt"}) // the server is not blocked
	cancel()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	free()
	must[object](c, "aptix_apply", bundle("b.txt", "three\n"))
	wholeOrNot(t, config, dir)
}

// If a server is asked to end, it does not wait for a lock, and leaves nothing half done.
func TestEndDuringCall(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	config := newConfig(t, dir)
	free := meanwhile.Hold(t, dir, config.StateDir, "b.txt", "one\n", "two\n")
	defer free()
	ctx, cancel := context.WithCancel(t.Context())
	there, here := sdk.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, there, config) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "a test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	go func() {
		_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "aptix_apply", Arguments: bundle("a.txt", "two\n")})
	}()
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "active_file_list"}); err != nil {
		t.Error(err)
	}
	cancel()
	<-ended
	free()
	wholeOrNot(t, config, dir)
}

// wholeOrNot fails the test unless the history and the disk agree about whether a.txt was
// changed.
func wholeOrNot(t *testing.T, config Config, dir string) {
	t.Helper()
	applies, err := config.History.List(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	want := "one\n"
	if slices.ContainsFunc(applies, func(a history.Apply) bool { return a.Files[0].Path == "a.txt" }) {
		want = "two\n"
	}
	fileHas(t, want, dir, "a.txt")
}

// The schemas accept the answers of the tools and a refusal.
func TestEnvelopeSchema(t *testing.T) {
	for _, tool := range agenttools.All {
		resolved, err := tool.Envelope().Resolve(&jsonschema.ResolveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(agenttools.Text(agenttools.Answer(nil, nil, agenttools.Refuse("a", "b"))), &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if err := resolved.Validate(map[string]any{"successful": true}); err == nil {
			t.Errorf("%s: keys may be missing", tool.Name)
		}
	}
}

// An agent that may apply cannot use a revert to create a repository or to restore a
// protected file.
func TestRevertsPassTheGate(t *testing.T) {
	dir := folder(t, "demo", map[string]string{".vscode/tasks.json": "{}\n"})
	config := newConfig(t, dir)
	c := connect(t, config)
	create := func(path, content string) object {
		return object{"path": path, "operation": "create", "content": content}
	}
	apply := func(files ...object) string {
		raw, err := json.Marshal(object{"root": ".", "files": files})
		if err != nil {
			t.Fatal(err)
		}
		done, _ := must[protocol.ApplyResult](c, "aptix_apply", object{"text": "```json\n" + string(raw) + "\n```\n"})
		return done.ID
	}
	apply(create("tool/HEAD", "ref: refs/heads/x\n"), create("tool/config", "[core]\n"))
	deleted := apply(object{"path": "tool/HEAD", "operation": "delete"})
	apply(create("tool/objects/.k", ""), create("tool/refs/.k", ""))
	if code, said := c.refused("aptix_revert", object{"id": deleted}); code != "not-permitted" || !strings.Contains(said, "treats as a git directory") {
		t.Error(code, said)
	}
	if _, err := os.Lstat(filepath.Join(dir, "tool", "HEAD")); err == nil {
		t.Error("tool is a repository")
	}

	config.AllowProtected = true
	changed, _ := must[protocol.ApplyResult](connect(t, config), "aptix_apply", bundle(".vscode/tasks.json", "[]\n"))
	config.AllowProtected = false
	if code, said := connect(t, config).refused("aptix_revert", object{"id": changed.ID}); code != "not-permitted" || !strings.Contains(said, "is protected: VS Code runs") {
		t.Error(code, said)
	}
	fileHas(t, "[]\n", dir, ".vscode/tasks.json")
	config.AllowProtected = true
	must[protocol.RevertResult](connect(t, config), "aptix_revert", object{"id": changed.ID})
	fileHas(t, "{}\n", dir, ".vscode/tasks.json")
}
