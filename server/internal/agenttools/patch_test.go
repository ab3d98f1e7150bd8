package agenttools_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
)

type change map[string]any

// batch returns a line patch of one file that had the given text.
func batch(docPath, text string, changes ...change) map[string]any {
	return map[string]any{"batchLabel": "a label", "batchKey": "key", "files": []any{
		map[string]any{"docPath": docPath, "originalSha256": sum(text), "changes": changes}}}
}

func insert(after int, lines ...string) change {
	return change{"operation": "insert", "afterLine": after, "newLines": lines, "changeKey": "more", "description": "why"}
}

// A valid patch reaches the host as a document of its format, however its JSON was written.
// The answer is the batch with its ids.
func TestWritePatch(t *testing.T) {
	e := newEditor(t, map[string]string{"a.txt": "typed\n"}, map[string]string{"a.txt": "saved\n"})
	e.answer = protocol.ApplyResult{Applied: true, Verified: true, ID: "id", Message: "done", Files: []protocol.File{}, Left: []string{}, Batches: []protocol.Batch{{BatchID: "b", BatchKey: "key",
		Files: []protocol.FilePatch{{FilePatchID: "f", DocPath: "demo/a.txt", Changes: []protocol.PatchChange{{ChangeID: "c"}}}}}},
		Warnings: []protocol.ToolMessage{{Code: "not-uploaded", Message: "why"}}}
	arguments := batch("demo/a.txt", "typed\n", insert(1, "<b> & é"))
	answer := e.call("workspace_write_patch", arguments)
	var got struct {
		BatchID, BatchKey, ID string
		Applied, AlreadyDone  bool
		Files                 []protocol.FilePatch
	}
	if err := json.Unmarshal(answer.Result, &got); err != nil || !answer.Successful || !got.Applied || got.AlreadyDone || got.BatchID != "b" || got.ID != "id" || got.Files[0].Changes[0].ChangeID != "c" {
		t.Errorf("%v %s", err, agenttools.Text(answer))
	}
	if len(answer.Warnings) != 1 || answer.Warnings[0].Code != "not-uploaded" {
		t.Errorf("%+v", answer.Warnings)
	}
	escaped, err := json.Marshal(arguments) // encoding/json writes < as \u003c
	if err != nil {
		t.Fatal(err)
	}
	e.call("workspace_write_patch", string(escaped))
	e.call("workspace_write_patch", string(agenttools.Text(arguments)))
	for _, r := range e.asked {
		if r.Text != e.asked[0].Text || r.Format != "lines" || r.Label != "a label" || !strings.Contains(r.Text, "<b> & é") {
			t.Errorf("%+v", r)
		}
	}
}

// Every problem becomes a message with its place, and the host is asked to do nothing.
func TestWritePatchRefuses(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "one\ntwo\nthree\n"}, map[string]string{"b.txt": "b\n"})
	text := "one\ntwo\nthree\n"
	for name, tt := range map[string]struct {
		arguments any
		codes     []string
		said      string
	}{
		"hash":           {batch("demo/a.txt", "other", insert(0, "x")), []string{"sha256-mismatch"}, `files[0] ("demo/a.txt"), originalSha256: `},
		"range":          {batch("demo/a.txt", text, insert(9, "x")), []string{"line-out-of-range"}, `changes[0] ("more"), afterLine: there is no line 9: the file has only 3`},
		"overlap":        {batch("demo/a.txt", text, change{"operation": "delete", "startLine": 1, "endLine": 2, "expectedOriginalLines": []string{"one", "two"}}, change{"operation": "delete", "startLine": 2, "endLine": 2, "expectedOriginalLines": []string{"two"}}), []string{"lines-overlap"}, `changes[1]`},
		"unknown":        {batch("demo/none.txt", text, insert(0, "x")), []string{"doc-path-unknown"}, `files[0] ("demo/none.txt"), docPath: `},
		"no files":       {`{"batchLabel": "x"}`, nil, "files"},
		"nothing":        {`{}`, nil, "files"},
		"not valid JSON": {`{"files": `, []string{"bad-arguments"}, "not valid JSON"},
		"no batch":       {`[1]`, nil, ""},
		"two folders": {map[string]any{"files": []any{
			map[string]any{"docPath": "demo/a.txt", "originalSha256": sum(text), "changes": []any{insert(0, "x")}},
			map[string]any{"docPath": "demo2/b.txt", "originalSha256": sum("b\n"), "changes": []any{insert(0, "x")}},
		}}, []string{"several-folders"}, "Demo2"},
	} {
		codes, said := refused(e, "workspace_write_patch", tt.arguments)
		if tt.codes != nil && !slices.Equal(codes, tt.codes) || !strings.Contains(said, tt.said) {
			t.Errorf("%s: %v %s", name, codes, said)
		}
	}
	if len(e.asked) > 0 {
		t.Errorf("%+v", e.asked)
	}
	e.answer.Message = "the person said no"
	if codes, said := refused(e, "workspace_write_patch", batch("demo2/b.txt", "b\n", insert(0, "x"))); codes[0] != "not-applied" || !strings.Contains(said, "the person said no") {
		t.Errorf("%v %s", codes, said)
	}
	if e.asked[0].Folder.Dir != e.roots[1].Dir() {
		t.Errorf("asked about %s", e.asked[0].Folder.Dir)
	}
	e.fails = agenttools.Refuse("some-code", "a sentence")
	if codes, _ := refused(e, "workspace_write_patch", batch("demo/a.txt", text, insert(0, "x"))); codes[0] != "some-code" {
		t.Errorf("%v", codes)
	}
}

const bundle = `{"root": ".", "files": [{"path": "a.txt", "operation": "replace", "content": "new\n"}]}`

func TestCheckAndPreview(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "old\n"})
	var checked struct {
		Applicable     bool
		Feedback, Text string
		Blocks         []protocol.Block
	}
	checked = must[struct {
		Applicable     bool
		Feedback, Text string
		Blocks         []protocol.Block
	}](e, "aptix_check", map[string]any{"text": "Here:\n```json\n" + bundle + "\n```\n"})
	if !checked.Applicable || checked.Feedback != "" || len(checked.Blocks) != 1 || checked.Blocks[0].Files[0].Path != "a.txt" {
		t.Errorf("%+v", checked)
	}
	broken := strings.Replace(bundle, `"root"`, `root`, 1)
	checked = must[struct {
		Applicable     bool
		Feedback, Text string
		Blocks         []protocol.Block
	}](e, "aptix_check", map[string]any{"text": broken, "format": "bundle", "fix": true})
	if !checked.Applicable || !strings.Contains(checked.Text, `"root"`) {
		t.Errorf("%+v", checked)
	}
	previewed := must[struct {
		Diff  string
		Shown bool
	}](e, "aptix_preview", map[string]any{"text": bundle, "format": "auto"})
	if !strings.Contains(previewed.Diff, "-old\n+new\n") || !previewed.Shown || len(e.asked) != 1 {
		t.Errorf("%+v", previewed)
	}
	none := must[struct{ Feedback string }](e, "aptix_check", map[string]any{"text": "nothing"})
	if !strings.Contains(none.Feedback, "no Aptix block") {
		t.Errorf("%+v", none)
	}
}

// The answer of aptix_check predicts the result of aptix_apply.
func TestCheckOfNothing(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "old\n"})
	for find, want := range map[string]bool{"old": true, "gone": false} {
		text := `{"root": ".", "patches": [{"path": "a.txt", "find": "` + find + `", "replace": "new"}]}`
		if got := must[struct{ Applicable bool }](e, "aptix_check", map[string]any{"text": text}); got.Applicable != want {
			t.Errorf("%s: %+v", find, got)
		}
	}
}

// If a diff is too long, only its end is left out.
func TestPreviewIsBounded(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "old\n"})
	text := `{"root": ".", "files": [{"path": "a.txt", "operation": "replace", "content": "` + strings.Repeat("new\\n", 100_000) + `"}]}`
	got := must[struct {
		Diff      string
		Truncated bool
	}](e, "aptix_preview", map[string]any{"text": text})
	if len(got.Diff) > 256<<10 || !strings.HasPrefix(got.Diff, "diff --git a/a.txt") || !strings.HasSuffix(got.Diff, "\n+new\n") || !got.Truncated {
		t.Errorf("%d bytes, truncated %v: %.100q", len(got.Diff), got.Truncated, got.Diff)
	}
}

func TestApplyRefuses(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "old\n"}, map[string]string{"a.txt": "old\n"})
	for name, tt := range map[string]struct {
		arguments map[string]any
		code      string
		said      string
	}{
		"no folder":      {map[string]any{"text": bundle}, "folder-needed", "Demo2 ("},
		"other folder":   {map[string]any{"text": bundle, "folder": "/nowhere"}, "folder-unknown", "Demo"},
		"no block":       {map[string]any{"text": "hello", "folder": "demo"}, "no-block", ""},
		"no such block":  {map[string]any{"text": bundle, "folder": "demo", "block": 2}, "no-such-block", "has one "},
		"outside":        {map[string]any{"text": strings.ReplaceAll(bundle, "a.txt", "../a.txt"), "folder": "demo"}, "path-parent", "line 1: "},
		"cut off":        {map[string]any{"text": "```json\n" + bundle[:50], "folder": "demo"}, "block-incomplete", "cut off"},
		"several blocks": {map[string]any{"text": "```json\n" + bundle + "\n```\n```json\n{\"root\": \".\", \"patches\": [{\"path\": \"a.txt\", \"find\": \"\", \"replace\": \"x\"}]}\n```\n", "folder": e.roots[1].Dir()}, "empty-find", "block 2, line 5: "},
	} {
		answer := e.call("aptix_apply", tt.arguments)
		if answer.Successful || answer.Errors[0].Code != tt.code || !strings.Contains(answer.Errors[0].Message, tt.said) {
			t.Errorf("%s: %+v", name, answer.Errors)
		}
	}
	var result struct{ Feedback string }
	answer := e.call("aptix_apply", map[string]any{"text": strings.ReplaceAll(bundle, "a.txt", "../a.txt"), "folder": "demo"})
	if err := json.Unmarshal(answer.Result, &result); err != nil || !strings.Contains(result.Feedback, "Your last reply") {
		t.Errorf("%v %s", err, answer.Result)
	}
	if len(e.asked) > 0 {
		t.Errorf("%+v", e.asked)
	}
}

// A reply with a missing find is refused (rule S7), because a missing text does not prove that the change was made
// before.
func TestApplyOfNothing(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": "old\n"})
	e.answer.Verified = true
	codes, _ := refused(e, "aptix_apply", map[string]any{"text": `{"root": ".", "patches": [{"path": "a.txt", "find": "gone", "replace": "x"}]}`})
	if !slices.Equal(codes, []string{"find-not-found"}) {
		t.Errorf("%v", codes)
	}
}

func TestNoHistory(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": ""})
	if codes, _ := refused(e, "get_patch_change", `{"id": "x"}`); codes[0] != "no-history" {
		t.Errorf("%v", codes)
	}
	e.withHistory()
	if codes, _ := refused(e, "get_patch_change", `{"changeId": "x"}`); codes[0] != "unknown-id" {
		t.Errorf("%v", codes)
	}
	if codes, _ := refused(e, "get_patch_change", `{}`); codes[0] != "bad-arguments" {
		t.Errorf("%v", codes)
	}
}
