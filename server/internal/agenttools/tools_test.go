package agenttools_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// An editor is a host that has documents open over folders on disk. It does not apply
// changes, but records them.
type editor struct {
	t       testing.TB
	roots   []*disk.Root
	open    map[string]string // documents over files of the first folder
	dirty   string            // the open document that differs from the disk
	history *history.Store
	set     *fileset.Set
	asked   []agenttools.Request
	answer  protocol.ApplyResult
	fails   error
}

// newEditor creates a folder for each tree, called demo, demo2 and so on.
func newEditor(t testing.TB, open map[string]string, trees ...map[string]string) *editor {
	t.Helper()
	e := &editor{t: t, open: open, answer: protocol.ApplyResult{Files: []protocol.File{}, Left: []string{}}}
	parent := t.TempDir()
	for i, tree := range trees {
		dir := filepath.Join(parent, "Demo"+strings.Repeat("2", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, data := range tree {
			file := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(data), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		root, err := disk.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = root.Close() })
		e.roots = append(e.roots, root)
	}
	return e
}

func (e *editor) withHistory() *editor {
	history, err := history.Open(e.t.TempDir())
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { _ = history.Close() })
	e.history = history
	return e
}

func (e *editor) Folders(context.Context) ([]agenttools.Folder, error) {
	var all []agenttools.Folder
	for i, root := range e.roots {
		folder := agenttools.Folder{Folder: paths.Folder{Names: []string{filepath.Base(root.Dir())}, Tree: root.Tree(nil)}, Dir: root.Dir()}
		if i == 0 {
			folder.Tree, folder.Open = root.Tree(e.open), slices.Collect(maps.Keys(e.open))
			for _, p := range slices.Sorted(maps.Keys(e.open)) {
				folder.Active = append(folder.Active, agenttools.Active{Path: p, Display: "/shown/" + p, Text: e.open[p], Dirty: p == e.dirty, Focused: p == e.dirty})
			}
		}
		all = append(all, folder)
	}
	return all, nil
}

func (e *editor) Where(f agenttools.Folder) check.Where {
	i := slices.IndexFunc(e.roots, func(r *disk.Root) bool { return r.Dir() == f.Dir })
	where := check.OnDisk(e.roots[i], f.Names[0], e.history, false)
	where.Tree, where.DocPath = f.Tree, f.Lookup
	return where
}

func (e *editor) Apply(_ context.Context, r agenttools.Request) (protocol.ApplyResult, error) {
	e.asked = append(e.asked, r)
	return e.answer, e.fails
}

func (e *editor) Preview(_ context.Context, r agenttools.Request) (bool, error) {
	e.asked = append(e.asked, r)
	return true, nil
}

func (e *editor) Revert(context.Context, protocol.RevertParams) (protocol.RevertResult, error) {
	return apply.Outcome{Result: protocol.ApplyResult{Files: []protocol.File{}, Left: []string{}}}.RevertResult(), e.fails
}

func (e *editor) History() *history.Store { return e.history }
func (e *editor) FileSet() *fileset.Set   { return e.set }

// call calls a tool with arguments, which may be given as JSON or as a value.
func (e *editor) call(name string, arguments any) protocol.ToolResult {
	e.t.Helper()
	raw, given := arguments.(string)
	if !given {
		marshalled, err := json.Marshal(arguments)
		if err != nil {
			e.t.Fatal(err)
		}
		raw = string(marshalled)
	}
	answer := agenttools.Call(context.Background(), e, name, json.RawMessage(raw), func(err error) { e.t.Errorf("%s %s: %v", name, raw, err) })
	valid(e.t, name, answer)
	return answer
}

// must returns the result of a call that succeeds.
func must[T any](e *editor, name string, arguments any) T {
	e.t.Helper()
	answer := e.call(name, arguments)
	if !answer.Successful {
		e.t.Fatalf("%s: %+v", name, answer.Errors)
	}
	var result T
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		e.t.Fatal(err)
	}
	return result
}

// refused returns the codes and the messages of a call that fails.
func refused(e *editor, name string, arguments any) (codes []string, said string) {
	e.t.Helper()
	answer := e.call(name, arguments)
	if answer.Successful {
		e.t.Fatalf("%s %v: not refused: %s", name, arguments, answer.Result)
	}
	for _, m := range answer.Errors {
		codes = append(codes, m.Code)
		said += m.Message + "\n"
	}
	return codes, said
}

// valid fails the test unless an answer conforms to its schema, with every key present.
func valid(t testing.TB, name string, answer protocol.ToolResult) {
	t.Helper()
	var value any
	if err := json.Unmarshal(agenttools.Text(answer), &value); err != nil {
		t.Fatal(err)
	}
	for _, tool := range agenttools.All {
		if tool.Name != name {
			continue
		}
		resolved, err := tool.Envelope().Resolve(&jsonschema.ResolveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %v\n%s", name, err, agenttools.Text(answer))
		}
	}
	if answer.Successful == (len(answer.Errors) > 0) {
		t.Errorf("%s: successful %v, errors %v", name, answer.Successful, answer.Errors)
	}
}

type read struct {
	Source, SHA256, Content, EOL, Encoding string
	SizeBytes, Lines                       int
	EndsWithNewline                        bool
}

func sum(s string) string {
	hash := sha256.Sum256([]byte(s))
	return hex.EncodeToString(hash[:])
}

type docPath struct {
	DocPath string `json:"docPath"`
}

// An open document has precedence over the disk (rule R29). The answer has everything that a line patch needs.
func TestReadFile(t *testing.T) {
	e := newEditor(t, map[string]string{"Open.txt": "typed\r\n"}, map[string]string{
		"Open.txt": "saved\n", "src/A.go": "a\nb", "bom.txt": text.UTF8BOM.Encode("x\n"), "wide.txt": text.UTF16LE.Encode("é\r\n"), "empty": "", "mixed": "a\nb\r\n",
	})
	for path, want := range map[string]read{
		"demo/open.txt": {"active", sum("typed\r\n"), "typed\r\n", "crlf", "utf-8", 7, 1, true},
		"demo/src/a.go": {"disk", sum("a\nb"), "a\nb", "lf", "utf-8", 3, 2, false},
		"demo/bom.txt":  {"disk", sum("\xef\xbb\xbfx\n"), "x\n", "lf", "utf-8-bom", 5, 1, true},
		"demo/wide.txt": {"disk", sum(text.UTF16LE.Encode("é\r\n")), "é\r\n", "crlf", "utf-16le", 8, 1, true},
		"demo/empty":    {"disk", sum(""), "", "none", "utf-8", 0, 0, false},
		"demo/mixed":    {"disk", sum("a\nb\r\n"), "a\nb\r\n", "mixed", "utf-8", 5, 2, true},
	} {
		if diff := cmp.Diff(want, must[read](e, "workspace_read_file", docPath{path})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestReadFileRefuses(t *testing.T) {
	needs.AnyNames(t)
	e := newEditor(t, nil, map[string]string{
		"src/main.go": "", "Same.txt": "", "same.TXT": "", "binary": "\x00", "large": strings.Repeat("x", 2<<20+1), ".git/config": "",
	}, map[string]string{"src/main.go": ""})
	for path, want := range map[string][2]string{
		"Demo/src/main.go":  {"doc-path-case", `write "demo/src/main.go"`},
		"demo/src/mian.go":  {"doc-path-unknown", `did you mean "demo/src/main.go"`},
		"demo/same.txt":     {"doc-path-ambiguous", `"Demo/Same.txt" and "Demo/same.TXT"`},
		"demo/binary":       {"file-binary", "not text"},
		"demo/large":        {"file-too-large", "above 2097152 bytes"},
		"demo/src":          {"doc-path-unknown", ""},
		"demo/.git/config":  {"doc-path-unknown", ""},
		"demo/../demo/same": {"doc-path-unknown", ""},
		"/etc/passwd":       {"doc-path-unknown", ""},
		"":                  {"doc-path-unknown", ""},
		"demo/a\x00b":       {"doc-path-unknown", ""},
	} {
		codes, said := refused(e, "workspace_read_file", docPath{path})
		if !slices.Equal(codes, want[:1]) || !strings.Contains(said, want[1]) {
			t.Errorf("%q: %v %s", path, codes, said)
		}
	}
}

// If a path is not a file, or is outside the folder, the refusal names it.
func TestReadFileOutside(t *testing.T) {
	needs.Links(t)
	e := newEditor(t, nil, map[string]string{"a.txt": "a", "sub/.GIT/config": ""})
	dir := e.roots[0].Dir()
	for name, target := range map[string]string{"linked": t.TempDir(), "up": "..", "circle": "circle"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"demo/linked/passwd": "doc-path-unknown", "demo/up/passwd": "doc-path-unknown", "demo/circle/passwd": "doc-path-unknown", "demo/sub/.git/config": "doc-path-unknown"}
	if pipe, err := net.Listen("unix", filepath.Join(dir, "s")); err == nil {
		defer pipe.Close()
		want["demo/s"] = "path-not-regular"
	}
	for key, code := range want {
		if codes, said := refused(e, "workspace_read_file", docPath{key}); codes[0] != code || strings.Contains(said, "did you mean") {
			t.Errorf("%s: %v %s", key, codes, said)
		}
	}
}

// If the system denies access to a file, the tool returns a refusal, because the person can
// correct that.
func TestReadFileForbidden(t *testing.T) {
	needs.Denial(t)
	e := newEditor(t, nil, map[string]string{"a.txt": "a"})
	if err := os.Chmod(filepath.Join(e.roots[0].Dir(), "a.txt"), 0); err != nil {
		t.Fatal(err)
	}
	change := batch("demo/a.txt", "", change{"operation": "insert", "afterLine": 0, "newLines": []string{"x"}})
	for tool, arguments := range map[string]any{"workspace_read_file": docPath{"demo/a.txt"}, "workspace_write_patch": change, "aptix_apply": map[string]any{"text": bundle}} {
		if codes, said := refused(e, tool, arguments); codes[0] != "not-permitted" {
			t.Errorf("%s: %v %s", tool, codes, said)
		}
	}
}

// If two folders have the same name, the keys of their files can be equal.
func TestTwoFoldersOneKey(t *testing.T) {
	needs.AnyNames(t)
	e := newEditor(t, nil, map[string]string{"a.txt": ""})
	twin := newEditor(t, nil, map[string]string{"a.txt": "", "b.txt": "b"})
	e.roots = append(e.roots, twin.roots...)
	change := batch("demo/a.txt", "", change{"operation": "insert", "afterLine": 0, "newLines": []string{"x"}})
	for tool, arguments := range map[string]any{"workspace_read_file": docPath{"demo/a.txt"}, "workspace_write_patch": change} {
		codes, said := refused(e, tool, arguments)
		if codes[0] != "doc-path-ambiguous" || !strings.Contains(said, e.roots[0].Dir()) || !strings.Contains(said, twin.roots[0].Dir()) {
			t.Errorf("%s: %v %s", tool, codes, said)
		}
	}
	if got := must[read](e, "workspace_read_file", docPath{"demo/b.txt"}); got.Content != "b" {
		t.Errorf("%+v", got)
	}
}

func TestActive(t *testing.T) {
	e := newEditor(t, map[string]string{"A.txt": "typed", "new.txt": "never saved", ".git/config": "x"}, map[string]string{"A.txt": "saved", "b.txt": ""})
	e.dirty = "A.txt"
	got := must[struct{ Files []map[string]any }](e, "active_file_list", "{}")
	want := []map[string]any{
		{"docPath": "demo/a.txt", "displayPath": "/shown/A.txt", "sizeBytes": 5.0, "isDirty": true, "isActive": true, "sha256": sum("typed")},
		{"docPath": "demo/new.txt", "displayPath": "/shown/new.txt", "sizeBytes": 11.0, "isDirty": false, "isActive": false, "sha256": sum("never saved")},
	}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	if one := must[map[string]any](e, "active_file_sha256", docPath{"demo/new.txt"}); one["sha256"] != sum("never saved") {
		t.Errorf("%v", one)
	}
	if codes, said := refused(e, "active_file_sha256", docPath{"demo/b.txt"}); codes[0] != "not-active" || !strings.Contains(said, "workspace_read_file") {
		t.Errorf("%v %s", codes, said)
	}
}

// The refusal names all wrong arguments at once.
func TestArguments(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "a"})
	for arguments, want := range map[string]string{
		`{}`:                                `"query" is missing: The words, the text`,
		`{"query": 1}`:                      `"query" is an integer, but must be a string`,
		`{"query": null}`:                   `"query" is null, but must be a string`,
		`{"query": "a", "limit": "x"}`:      `"limit" is a string, but must be an integer`,
		`{"query": "a", "limit": 1.5}`:      `"limit" is a number, but must be an integer`,
		`{"query": "a", "limit": 0}`:        `"limit" is 0, but must be from 1`,
		`{"query": "a", "mode": "fuzzy"}`:   `"mode" is "fuzzy", but must be one of [words literal regexp]`,
		`{"query": "a", "glob": "*"}`:       `there is no argument "glob"; this tool takes query, mode`,
		`{"query": "a", "query": "b"}`:      `duplicate`,
		`{"query": "a", "limit": 1e10}`:     `"limit" is 10000000000, but must be from 1 to 1073741824`,
		`[]`:                                `the arguments are an array, but must be an object`,
		`{"query": "(", "mode": "regexp"}`:  `not a valid regular expression`,
		`{"query": " "}`:                    `empty`,
		`{"query": "..."}`:                  `no word`,
		`{"query": "a", "folder": "other"}`: `no open folder is called "other"`,
	} {
		if _, said := refused(e, "workspace_search", arguments); !strings.Contains(said, want) {
			t.Errorf("%s: %s", arguments, said)
		}
	}
	for _, limit := range []string{"20", "20.0", "2e1"} { // JSON Schema counts all of these as integers
		must[any](e, "workspace_search", `{"query": "a", "limit": `+limit+`}`)
	}
	if codes, _ := refused(e, "aptix_apply", `{"block": true, "nonsense": 1}`); len(codes) != 3 {
		t.Errorf("not all is told: %v", codes)
	}
	if codes, _ := refused(e, "no_such_tool", `{}`); codes[0] != "unknown-tool" {
		t.Errorf("%v", codes)
	}
}

// Whatever the input, a tool answers, and nothing is applied.
func TestHostile(t *testing.T) {
	e := newEditor(t, map[string]string{"a.txt": "a\n"}, map[string]string{"a.txt": "a\n", "b/c.go": "package c\n"}).withHistory()
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(agenttools.All).Draw(t, "tool")
		arguments := map[string]any{}
		for _, name := range tool.Input().PropertyOrder {
			if rapid.Bool().Draw(t, name) {
				arguments[name] = hostile(t, 3)
			}
		}
		e.call(tool.Name, arguments)
	})
	if len(e.asked) > 0 {
		t.Errorf("%+v", e.asked)
	}
}

func hostile(t *rapid.T, depth int) any {
	words := []any{nil, true, 1, -1, 1e30, 0.5, "", "demo/a.txt", "../../x", "C:\\x", "\x00", "a", strings.Repeat("(", 100), "bundle", "\u202e", strings.Repeat("*/", 1000)}
	if depth == 0 || rapid.Bool().Draw(t, "leaf") {
		return rapid.SampledFrom(words).Draw(t, "value")
	}
	if rapid.Bool().Draw(t, "list") {
		return []any{hostile(t, depth-1), hostile(t, depth-1)}
	}
	names := []string{"docPath", "originalSha256", "changes", "operation", "startLine", "newLines"}
	return map[string]any{rapid.SampledFrom(names).Draw(t, "name"): hostile(t, depth-1), "changes": hostile(t, depth-1)}
}

func TestInvalidUTF8(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "a\n"})
	for _, tool := range agenttools.All {
		for _, arguments := range []string{"{\"text\": \"\xff\", \"files\": \"\xff\", \"docPath\": \"\xff\", \"query\": \"\xff\"}", `{"files": "\ud800"}`, `{`, `nonsense`} {
			refused(e, tool.Name, arguments)
		}
	}
}

// An unexpected error is logged, and the answer reveals none of its text.
func TestUnexpected(t *testing.T) {
	for _, fails := range []error{errors.New("secret"), &fs.PathError{Op: "open", Path: "/secret", Err: fs.ErrPermission}} {
		e := newEditor(t, nil, map[string]string{"a.txt": "a\n"})
		e.fails = fails
		var logged error
		answer := agenttools.Call(t.Context(), e, "aptix_revert", nil, func(err error) { logged = err })
		if !errors.Is(logged, fails) || answer.Successful || answer.Errors[0].Code != "internal" || strings.Contains(string(agenttools.Text(answer)), "secret") {
			t.Errorf("%v, %+v", logged, answer)
		}
	}
}

func TestPanic(t *testing.T) {
	var logged error
	answer := agenttools.Call(t.Context(), nil, "active_file_list", nil, func(err error) { logged = err })
	valid(t, "active_file_list", answer)
	if logged == nil || !strings.Contains(logged.Error(), "tools_test.go") || answer.Errors[0].Code != "internal" {
		t.Errorf("%v, %+v", logged, answer)
	}
}
