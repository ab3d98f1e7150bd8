package bundle

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestParse(t *testing.T) {
	const body = `{
  "root": "./src",
  "files": [
    {"path": "a.txt", "operation": "create", "content": "one\ntwo\u00e9"},
    {"path": "b.txt", "operation": "replace", "content": "", "patches": null},
    {"path": "c.txt", "operation": "delete", "content": null},
    {"path": "d.txt", "operation": "patch", "patches": [
      {"find": "x", "replace": "y", "limit": "all"},
      {"find": "y", "replace": "z", "limit": "once"}
    ]},
    {"path": "e.txt", "content": "é"}
  ]
}`
	p := Format.Parse(format.Whole(body))
	if diag.Worst(p.Diagnostics) < diag.Hint && len(p.Diagnostics) > 0 {
		t.Fatalf("%v", p.Diagnostics)
	}
	if p.Set.Root != "./src" || p.Set.RootAt.Span.In(body) != `"./src"` || p.Set.PathsRepeat {
		t.Errorf("root %q at %q, repeat %v", p.Set.Root, p.Set.RootAt.Span.In(body), p.Set.PathsRepeat)
	}
	want := []struct {
		kind                          intent.Kind
		path, content, kindAt, contAt string
		steps                         int
	}{
		{intent.Create, "a.txt", "one\ntwoé", `"create"`, `"one\ntwo\u00e9"`, 0},
		{intent.Replace, "b.txt", "", `"replace"`, `""`, 0},
		{intent.Delete, "c.txt", "", `"delete"`, "", 0},
		{intent.Edit, "d.txt", "", `"patch"`, "", 2},
		{intent.Write, "e.txt", "é", "", `"é"`, 0},
	}
	if len(p.Set.Changes) != len(want) {
		t.Fatalf("%d changes, want %d", len(p.Set.Changes), len(want))
	}
	for i, w := range want {
		c := p.Set.Changes[i]
		if c.Kind != w.kind || c.Path != w.path || c.Content != w.content || len(c.Steps) != w.steps {
			t.Errorf("change %d is %+v, want %+v", i, c, w)
		}
		if c.PathAt.Span.In(body) != `"`+w.path+`"` || c.KindAt.Span.In(body) != w.kindAt || c.ContentAt.Span.In(body) != w.contAt {
			t.Errorf("change %d: path at %q, kind at %q, content at %q", i, c.PathAt.Span.In(body), c.KindAt.Span.In(body), c.ContentAt.Span.In(body))
		}
		if at := c.At.In(body); !strings.HasPrefix(at, `{"path": "`+w.path) || !strings.HasSuffix(at, "}") {
			t.Errorf("change %d at %q", i, at)
		}
	}
	if got := p.Set.Changes[0].PathAt.Set("a\"b"); got.New != `"a\"b"` {
		t.Errorf("a path is written as %s", got.New)
	}
	after := p.Set.Changes[3].Steps[0].Resolve(intent.Target{Text: place.NewText("x x")})
	if got, err := text.Apply("x x", after.Edits); got != "y y" || err != nil {
		t.Errorf("the first step gives %q, %v", got, err)
	}
}

// In every body, the part in ⟦ ⟧ is the range of the only diagnostic that is worse than a
// hint; fixed is the body after its first fix.
func TestDiagnostics(t *testing.T) {
	inFiles := func(entry string) string { return `{"root": ".", "files": [` + entry + `]}` }
	inPatches := func(p string) string {
		return inFiles(`{"path": "a", "operation": "patch", "patches": [` + p + `]}`)
	}
	inGitPatch := func(path, content string) string {
		return inFiles(`{"path": "` + path + `", "operation": "gitPatch", "content": "` + content + `"}`)
	}
	tests := []struct {
		code        diag.Code
		severity    diag.Severity
		body, fixed string
		preferred   bool
	}{
		{diag.BlockNotObject, diag.Error, `⟦[⟧]`, "", false},
		{diag.BlockNotObject, diag.Error, `⟦"files"⟧`, "", false},
		{diag.MissingFiles, diag.Error, `⟦{⟧"root": "."}`, "", false},
		{diag.MissingRoot, diag.Warning, "⟦{⟧\n  \"files\": [{\"path\": \"a\", \"operation\": \"delete\"}]\n}", "{\n  \"root\": \".\",\n  \"files\": [{\"path\": \"a\", \"operation\": \"delete\"}]\n}", true},
		{diag.MissingRoot, diag.Warning, `⟦{⟧"files": [{"path": "a", "operation": "delete"}]}`, `{"root": ".","files": [{"path": "a", "operation": "delete"}]}`, true},
		{diag.RootNotString, diag.Error, `{"root": ⟦null⟧, "files": [{"path": "a", "content": ""}]}`, `{"root": ".", "files": [{"path": "a", "content": ""}]}`, false},
		{diag.RootNotString, diag.Error, `{"root": ⟦[⟧"."], "files": [{"path": "a", "content": ""}]}`, `{"root": ".", "files": [{"path": "a", "content": ""}]}`, false},
		{diag.BothFilesAndPatches, diag.Error, `{"root": ".", "files": [{"path": "a", "content": ""}], ⟦"patches"⟧: []}`, ``, false},
		{diag.BothFilesAndPatches, diag.Error, `{"root": ".", "files": [{"path": "a", "content": ""}], ⟦"patches"⟧: [{"path": "b", "find": "x\n", "replace": "y", "limit": "all"}, {"path": "c", "replacements": [{"find": "z", "replace": ""}]}]}`,
			``, false},
		{diag.BothFilesAndPatches, diag.Error, `{"root": ".", "files": [{"path": "a", "content": ""}], ⟦"patches"⟧: [{"path": "b", "find": "x"}]}`, "", false},
		{diag.BothFilesAndPatches, diag.Error, `{"root": ".", "patches": [], ⟦"files"⟧: [{"path": "a", "content": ""}]}`, ``, false},
		{diag.UnknownMember, diag.Warning, `{"root": ".", ⟦"summary"⟧: "x", "files": [{"path": "a", "content": ""}]}`, `{"root": ".", "files": [{"path": "a", "content": ""}]}`, false},
		{diag.MisplacedMember, diag.Error, `{"root": ".", "files": [{"path": "a", "content": ""}], ⟦"operation"⟧: "delete"}`, `{"root": ".", "files": [{"path": "a", "content": ""}]}`, false},
		{diag.FilesNotArray, diag.Error, `{"root": ".", "files": ⟦{⟧"path": "a", "content": ""}}`, "", false},
		{diag.FilesNotArray, diag.Error, `{"root": ".", "files": ⟦null⟧}`, "", false},
		{diag.EmptyFiles, diag.Error, `{"root": ".", "files": ⟦[ ]⟧}`, "", false},
		{diag.EntryNotObject, diag.Error, inFiles(`{"path": "a", "content": ""}, ⟦"b"⟧`), "", false},

		{diag.MissingPath, diag.Error, inFiles(`⟦{⟧"operation": "create", "content": ""}`), "", false},
		{diag.MissingPath, diag.Error, inFiles(`{"path": ⟦null⟧, "content": ""}`), "", false},
		{diag.PathNotString, diag.Error, inFiles(`{"path": ⟦[⟧"a"], "content": ""}`), "", false},
		{diag.MisnamedMember, diag.Error, inFiles(`{⟦"file"⟧: "a", "content": ""}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.MisnamedMember, diag.Error, inFiles(`{⟦"Path"⟧: "a", "content": ""}`), inFiles(`{"path": "a", "content": ""}`), true},
		{diag.MisnamedMember, diag.Error, inFiles(`{"path": "a", ⟦"Path"⟧: "b", "content": ""}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.MisnamedMember, diag.Error, inFiles(`{"path": "a", ⟦"action"⟧: "delete"}`), inFiles(`{"path": "a", "operation": "delete"}`), false},
		{diag.UnknownMember, diag.Warning, inFiles(`{"path": "a", ⟦"mode"⟧: "0755", "content": ""}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.UnknownMember, diag.Warning, inFiles(`{"path": "a", "content": "", ⟦"encoding"⟧: "UTF-8"}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.UnsupportedOption, diag.Error, inFiles(`{"path": "a", "content": "", ⟦"encoding"⟧: "base64"}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.UnsupportedOption, diag.Error, inFiles(`{"path": "a", "content": "", ⟦"newPath"⟧: "b"}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.MisplacedMember, diag.Error, inFiles(`{"path": "a", "content": "x", ⟦"find"⟧: "y"}`), inFiles(`{"path": "a", "content": "x"}`), false},

		{diag.OperationNotString, diag.Error, inFiles(`{"path": "a", "operation": ⟦1⟧, "content": ""}`), "", false},
		{diag.UnknownOperation, diag.Error, inFiles(`{"path": "a", "operation": ⟦"Create"⟧, "content": ""}`), inFiles(`{"path": "a", "operation": "create", "content": ""}`), true},
		{diag.UnknownOperation, diag.Error, inFiles(`{"path": "a", "operation": ⟦"update"⟧, "content": ""}`), inFiles(`{"path": "a", "operation": "replace", "content": ""}`), false},
		{diag.UnknownOperation, diag.Error, inFiles(`{"path": "a", "operation": ⟦"rename"⟧, "content": ""}`), "", false},
		{diag.UnknownOperation, diag.Error, inFiles(`{"path": "a", "operation": ⟦""⟧, "content": ""}`), "", false},

		{diag.MissingContent, diag.Error, inFiles(`⟦{⟧"path": "a", "operation": "create"}`), "", false},
		{diag.MissingContent, diag.Error, inFiles(`⟦{⟧"path": "a", "operation": "replace"}`), "", false},
		{diag.MissingContent, diag.Error, inFiles(`⟦{⟧"path": "a"}`), "", false},
		{diag.MissingContent, diag.Error, inFiles(`{"path": "a", "content": ⟦null⟧}`), "", false},
		{diag.MissingContent, diag.Error, inFiles(`⟦{⟧"path": "a", "operation": "gitPatch"}`), "", false},
		{diag.ContentNotString, diag.Error, inFiles(`{"path": "a", "content": ⟦[⟧"a", "b"]}`), "", false},
		{diag.ContentNotAllowed, diag.Error, inFiles(`{"path": "a", "operation": "delete", ⟦"content"⟧: "x"}`), inFiles(`{"path": "a", "operation": "delete"}`), false},
		{diag.ContentNotAllowed, diag.Error, inFiles(`{"path": "a", ⟦"content"⟧: "", "operation": "delete"}`), inFiles(`{"path": "a", "operation": "delete"}`), true},
		{diag.ContentIgnored, diag.Warning, inFiles(`{"path": "a", "operation": "patch", ⟦"content"⟧: "x", "patches": [{"find": "a", "replace": "b", "limit": "all"}]}`), inFiles(`{"path": "a", "operation": "patch", "patches": [{"find": "a", "replace": "b", "limit": "all"}]}`), true},
		{diag.PatchesNotAllowed, diag.Error, inFiles(`{"path": "a", "operation": "create", "content": "", ⟦"patches"⟧: []}`), inFiles(`{"path": "a", "operation": "create", "content": ""}`), true},
		{diag.PatchesNotAllowed, diag.Error, inFiles(`{"path": "a", "content": "", ⟦"patches"⟧: [{"find": "a", "replace": "b"}]}`), inFiles(`{"path": "a", "content": ""}`), false},
		{diag.PatchesNotAllowed, diag.Error, inFiles(`{"path": "a", "operation": "delete", ⟦"patches"⟧: [{"find": "a", "replace": "b"}]}`), inFiles(`{"path": "a", "operation": "delete"}`), false},

		{diag.PatchesNotAllowed, diag.Error, inFiles(`{"path": "a", "operation": "gitPatch", ⟦"patches"⟧: [], "content": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"}`), inGitPatch("a", `--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n`), true},
		{diag.GitPatchPath, diag.Error, inFiles(`{"path": ⟦"a"⟧, "operation": "gitPatch", "content": "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n"}`), inGitPatch("b", `--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n`), false},
		{diag.GitNoPatch, diag.Error, inGitPatch("a", `⟦diff⟧`), "", false},
		{diag.GitHunkHeader, diag.Error, inGitPatch("a", `--- a/a\n+++ b/a\n⟦@@-1 +1@@ \"é\u00e9\"⟧\n-x\n+y\n`), inGitPatch("a", `--- a/a\n+++ b/a\n@@ -1 +1 @@ \"éé\"\n-x\n+y\n`), true},
		{diag.GitHunkHeader, diag.Error, inGitPatch("a", `⟦@@-1 +1@@⟧\n-x\n+y\n`), inGitPatch("a", `@@ -1 +1 @@\n-x\n+y\n`), true},

		{diag.MissingPatches, diag.Error, inFiles(`⟦{⟧"path": "a", "operation": "patch"}`), "", false},
		{diag.MissingPatches, diag.Error, inFiles(`⟦{⟧"path": "a", "operation": "patch", "patches": null}`), "", false},
		{diag.PatchesNotArray, diag.Error, inFiles(`{"path": "a", "operation": "patch", "patches": ⟦{⟧"find": "a", "replace": "b"}}`), "", false},
		{diag.EmptyPatches, diag.Error, inFiles(`{"path": "a", "operation": "patch", "patches": ⟦[]⟧}`), "", false},
		{diag.EntryNotObject, diag.Error, inPatches(`⟦[⟧]`), "", false},
		{diag.MissingFind, diag.Error, inPatches(`⟦{⟧"replace": "b", "limit": "once"}`), "", false},
		{diag.FindNotString, diag.Error, inPatches(`{"find": ⟦1⟧, "replace": "b", "limit": "once"}`), "", false},
		{diag.EmptyFind, diag.Error, inPatches(`{"find": ⟦""⟧, "replace": "b", "limit": "once"}`), "", false},
		{diag.MissingReplace, diag.Error, inPatches(`⟦{⟧"find": "a", "limit": "once"}`), "", false},
		{diag.MissingReplace, diag.Error, inPatches(`{"find": "a", "replace": ⟦null⟧, "limit": "once"}`), "", false},
		{diag.ReplaceNotString, diag.Error, inPatches(`{"find": "a", "replace": ⟦[⟧], "limit": "once"}`), "", false},
		{diag.LimitNotString, diag.Error, inPatches(`{"find": "a", "replace": "b", "limit": ⟦1⟧}`), inPatches(`{"find": "a", "replace": "b", "limit": "once"}`), false},
		{diag.UnknownLimit, diag.Error, inPatches(`{"find": "a", "replace": "b", "limit": ⟦"All"⟧}`), inPatches(`{"find": "a", "replace": "b", "limit": "all"}`), true},
		{diag.UnknownLimit, diag.Error, inPatches(`{"find": "a", "replace": "b", "limit": ⟦"first"⟧}`), inPatches(`{"find": "a", "replace": "b", "limit": "once"}`), false},
		{diag.UnknownLimit, diag.Error, inPatches(`{"find": "a", "replace": "b", "limit": ⟦"twice"⟧}`), "", false},
		{diag.FindEqualsReplace, diag.Warning, inPatches(`{"find": "a\r\nb", "replace": ⟦"a\nb"⟧, "limit": "once"}`), "", false},
		{diag.UnsupportedOption, diag.Error, inPatches(`{"find": "a", "replace": "b", "limit": "once", ⟦"regex"⟧: true}`), inPatches(`{"find": "a", "replace": "b", "limit": "once"}`), false},
		{diag.MisplacedMember, diag.Error, inPatches(`{"find": "a", "replace": "b", "limit": "once", ⟦"path"⟧: "b"}`), inPatches(`{"find": "a", "replace": "b", "limit": "once"}`), false},
		{diag.MisnamedMember, diag.Error, inPatches(`{⟦"search"⟧: "a", "replace": "b", "limit": "once"}`), inPatches(`{"find": "a", "replace": "b", "limit": "once"}`), false},

		{diag.MissingOperation, diag.Hint, inFiles(`⟦{⟧"path": "a", "content": ""}`), "", false},
		{diag.MissingLimit, diag.Hint, inPatches("⟦{⟧\n  \"find\": \"a\",\n  \"replace\": \"b\"\n}"), inPatches("{\n  \"find\": \"a\",\n  \"replace\": \"b\",\n  \"limit\": \"once\"\n}"), false},
		{diag.JSONTrailingComma, diag.Error, `{"root": ".", "files": [{"path": "a"⟦,⟧ }]}`, `{"root": ".", "files": [{"path": "a" }]}`, true},
	}
	for _, tt := range tests {
		body := strings.NewReplacer("⟦", "", "⟧", "").Replace(tt.body)
		span := text.Span{Start: strings.Index(tt.body, "⟦"), End: strings.Index(tt.body, "⟧") - len("⟦")}
		found := worse(Format.Parse(format.Whole(body)).Diagnostics, tt.severity)
		if len(found) != 1 {
			t.Errorf("%s: %v, want %s alone", tt.body, found, tt.code)
			continue
		}
		d := found[0]
		if d.Code != tt.code || d.Severity != tt.severity || d.Span != span {
			t.Errorf("%s: %v %s %v %s, want %v %s %v", tt.body, d.Severity, d.Code, d.Span, d.Message, tt.severity, tt.code, span)
		}
		fixed, preferred := "", false
		if len(d.Fixes) > 0 {
			var err error
			if fixed, err = text.Apply(body, d.Fixes[0].Edits); err != nil {
				t.Errorf("%s: %v", tt.body, err)
			}
			preferred = d.Fixes[0].Preferred
		}
		if fixed != tt.fixed || preferred != tt.preferred {
			t.Errorf("%s: fixed to %s, preferred %v; want %s, %v", tt.body, fixed, preferred, tt.fixed, tt.preferred)
		}
		if tt.severity == diag.Error && !strings.HasPrefix(string(tt.code), "json-") && len(Format.Parse(format.Whole(body)).Set.Changes) > 1 {
			t.Errorf("%s: an entry with an error is a change", tt.body)
		}
	}
}

// worse returns the diagnostics that are at least as severe as least.
func worse(ds []diag.Diagnostic, least diag.Severity) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range ds {
		if d.Severity <= least {
			out = append(out, d)
		}
	}
	return out
}

// These fixes are not the first of their diagnostic.
func TestOtherFixes(t *testing.T) {
	tests := []struct{ body, title, fixed string }{
		{`{"path": "a", "operation": "delete", "content": "x"}`, `Change the operation to "replace"`, `{"path": "a", "operation": "replace", "content": "x"}`},
		{`{"path": "a", "operation": "replace", "content": "x", "patches": [{"find": "a", "replace": "b"}]}`, `Change the operation to "patch"`, `{"path": "a", "operation": "patch", "content": "x", "patches": [{"find": "a", "replace": "b"}]}`},
		{`{"path": "a", "patches": [{"find": "a", "replace": "b"}]}`, "Insert `\"operation\": \"patch\"`", `{"path": "a", "patches": [{"find": "a", "replace": "b"}],"operation": "patch"}`},
		{`{"path": "a", "operation": "patch", "content": "x"}`, `Change the operation to "replace"`, `{"path": "a", "operation": "replace", "content": "x"}`},
	}
	for _, tt := range tests {
		before, after := `{"root": ".", "files": [`, `]}`
		found := false
		for _, d := range Format.Parse(format.Whole(before + tt.body + after)).Diagnostics {
			for _, f := range d.Fixes {
				if f.Title != tt.title {
					continue
				}
				found = true
				if got, err := text.Apply(before+tt.body+after, f.Edits); got != before+tt.fixed+after || err != nil {
					t.Errorf("%s: fixed to %s, %v", tt.body, got, err)
				}
			}
		}
		if !found {
			t.Errorf("%s: no fix %s", tt.body, tt.title)
		}
	}
}

// A broken entry does not affect the others. A member is not reported as missing if a syntax
// error may have hidden it.
func TestReadableEntries(t *testing.T) {
	body := "{\"root\": \".\", \"files\": [\n" +
		`{"path": "a", "operation": "create", "content": "x"},` + "\n" +
		`{"path": "b", "operation": "create", "content": "say "hi" twice"},` + "\n" +
		`{"path": "c", "operation": "create", "content": "x"}` + "\n" +
		`{"path": "d", "operation": "delete"}` + "\n]"
	p := Format.Parse(format.Whole(body))
	var paths []string
	for _, c := range p.Set.Changes {
		paths = append(paths, c.Path)
	}
	if got := strings.Join(paths, " "); got != "a c d" {
		t.Errorf("readable: %s, want a c d", got)
	}
	if p.Entries != 4 || p.Readable != 3 {
		t.Errorf("%d of %d entries are readable, want 3 of 4", p.Readable, p.Entries)
	}
	for _, d := range p.Diagnostics {
		if !strings.HasPrefix(string(d.Code), "json-") {
			t.Errorf("%s: %s", d.Code, d.Message)
		}
	}
	if !diag.HasErrors(p.Diagnostics) {
		t.Error("no error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"root": ".", "files": [{"path": "a", "operation": "patch", "patches": [{"find": "a", "replace": "b"}]}]}`)
	f.Add(`{"files": [{"file": "a", "content": ["x"]}, {}, 1], "patches": {}}`)
	f.Add(`{"root": 1, "files": [{"path": "a", "operation": "delete", "content": "x"`)
	f.Add(`{"files": {"patches": [null]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		Format.Shaped(format.Whole(body))
		p := Format.Parse(format.Whole(body))
		for _, d := range p.Diagnostics {
			if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(body) || d.Message == "" {
				t.Fatalf("%q: %+v", body, d)
			}
			for _, fix := range d.Fixes {
				if _, err := text.Apply(body, fix.Edits); err != nil {
					t.Fatalf("%q: %s: %v", body, fix.Title, err)
				}
			}
		}
		for _, c := range p.Set.Changes {
			if c.PathAt.Span.Empty() || (c.Kind == intent.Edit) != (len(c.Steps) > 0) {
				t.Fatalf("%q: %+v", body, c)
			}
		}
		if len(p.Set.Changes) == 0 && !diag.HasErrors(p.Diagnostics) {
			t.Fatalf("%q: nothing is done, and nothing is said", body)
		}
	})
}
