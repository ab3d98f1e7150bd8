package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/bundle"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/format/structured"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/tools/casetest"
)

func resolve(t testing.TB, s *jsonschema.Schema) *jsonschema.Resolved {
	t.Helper()
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func valid(s *jsonschema.Resolved, body string) error {
	if !utf8.ValidString(body) {
		return errors.New("not UTF-8")
	}
	var v any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(body, "\ufeff")), &v); err != nil {
		return err
	}
	return s.Validate(v)
}

// clean reports whether a reader accepts a body without complaints, not counting complaints
// that no schema can express. For paths, it applies the rule of the planner, like [TestPath].
func clean(f format.Format, body string) bool {
	parsed := f.Parse(format.Whole(body))
	for _, c := range parsed.Set.Changes {
		if !c.DocPath && !validPath(c.Path) {
			return false
		}
	}
	for _, d := range parsed.Diagnostics {
		switch {
		case strings.HasPrefix(string(d.Code), "git-"), d.Code == diag.FindEqualsReplace, d.Code == diag.JSONDuplicateName, d.Code == diag.JSONLoneSurrogate:
		case slices.Contains([]diag.Code{diag.DocPathTwice, diag.LineRange, diag.ExpectedCount, diag.LinesOverlap, diag.LinesOrder}, d.Code):
		case d.Severity == diag.Error, d.Severity == diag.Warning:
			return false
		}
	}
	return true
}

// The schemas accept exactly those bodies of our own cases that the readers accept without
// complaints.
func TestCases(t *testing.T) {
	schemas := map[string]*jsonschema.Resolved{
		"bundle": resolve(t, schema.Bundle()), "structured": resolve(t, schema.Structured()), "lines": resolve(t, schema.Lines()), "": resolve(t, schema.Any()),
	}
	accepted, refused := 0, 0
	for _, c := range casetest.Load(t, "../../..") {
		r, err := check.Check(context.Background(), []check.Document{{Name: c.Reply, Text: c.Text}}, check.Where{})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Blocks {
			if schemas[b.Format.Name] == nil || strings.Contains(b.Body, "workspace_write_patch") { // a schema describes only the arguments of a call
				continue
			}
			ok := clean(b.Format, b.Body)
			for _, name := range []string{b.Format.Name, ""} {
				if err := valid(schemas[name], b.Body); (err == nil) != ok {
					t.Errorf("%s: schema %q says %v, the reader %v:\n%s", c.File, name, err, ok, b.Body)
				}
			}
			if ok {
				accepted++
			} else {
				refused++
			}
		}
	}
	if accepted < 20 || refused < 20 {
		t.Errorf("%d accepted, %d refused: too few to tell", accepted, refused)
	}
}

func TestWrong(t *testing.T) {
	all := resolve(t, schema.Any())
	entry := func(s string) string { return `{"root": ".", "files": [` + s + `]}` }
	patch := func(s string) string { return `{"root": ".", "patches": [` + s + `]}` }
	for _, body := range []string{
		`[]`, `{}`, `{"root": "."}`, `{"files": [{"path": "a", "content": ""}]}`, `{"root": 1, "files": [{"path": "a", "content": ""}]}`,
		entry(``), entry(`"a"`), entry(`{"path": "a"}`), entry(`{"content": "a"}`), entry(`{"path": 1, "content": "a"}`),
		entry(`{"path": "a", "content": ["x"]}`), entry(`{"path": "a", "content": null}`),
		entry(`{"path": "a", "operation": "update", "content": ""}`),
		entry(`{"path": "a", "operation": "create"}`), entry(`{"path": "a", "operation": "replace", "patches": [{"find": "a", "replace": "b"}]}`),
		entry(`{"path": "a", "operation": "delete", "content": ""}`),
		entry(`{"path": "a", "operation": "patch", "content": "a"}`), entry(`{"path": "a", "operation": "patch", "patches": []}`),
		entry(`{"path": "a", "operation": "patch", "patches": [{"find": "", "replace": "b"}]}`),
		entry(`{"path": "a", "operation": "patch", "patches": [{"find": "a", "replace": "b", "limit": "twice"}]}`),
		entry(`{"file": "a", "content": ""}`),
		entry(`{"path": "./a", "content": ""}`), entry(`{"path": "../a", "content": ""}`), entry(`{"path": "/a", "content": ""}`),
		patch(`{"path": "a"}`), patch(`{"path": "a", "find": "x"}`), patch(`{"path": "a", "find": "x", "replace": "y", "replacements": []}`),
		patch(`{"path": "a", "operation": "create", "content": ""}`),
		`{"root": ".", "files": [{"path": "a", "content": ""}], "patches": [{"path": "a", "find": "x", "replace": "y"}]}`,
	} {
		if valid(all, body) == nil {
			t.Errorf("accepted: %s", body)
		}
	}
	for _, body := range []string{
		entry(`{"path": "a", "content": ""}`), entry(`{"path": "a", "operation": "delete", "content": null}`),
		entry(`{"path": "a", "operation": "gitPatch", "content": "diff"}`),
		patch(`{"path": "a", "find": "x", "replace": ""}`), patch(`{"path": "a", "replacements": [{"find": "x", "replace": "", "limit": "all"}]}`),
		`{"$schema": "x", "root": "./src", "files": [{"path": "a", "content": ""}]}`,
	} {
		if err := valid(all, body); err != nil {
			t.Errorf("refused: %s: %v", body, err)
		}
	}
}

// The schema and the readers agree on any mixture of members.
func TestAgreesWithReaders(t *testing.T) {
	all, bundleSchema, structuredSchema, linesSchema := resolve(t, schema.Any()), resolve(t, schema.Bundle()), resolve(t, schema.Structured()), resolve(t, schema.Lines())
	rapid.Check(t, func(t *rapid.T) {
		body := mixture().Draw(t, "block")
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		isBundle := clean(bundle.Format, string(raw))
		isStructured := clean(structured.Format, string(raw))
		isLines := clean(lines.Format, string(raw))
		for _, c := range []struct {
			name   string
			schema *jsonschema.Resolved
			want   bool
		}{{"bundle", bundleSchema, isBundle}, {"structured", structuredSchema, isStructured}, {"lines", linesSchema, isLines}, {"any", all, isBundle || isStructured || isLines}} {
			if err := valid(c.schema, string(raw)); (err == nil) != c.want {
				t.Fatalf("%s: the schema says %v, the reader %v:\n%s", c.name, err, c.want, raw)
			}
		}
	})
}

// mixture draws a block, most often with a mistake.
func mixture() *rapid.Generator[map[string]any] {
	text := one("a", "a b", 1)
	replacement := object(map[string]*rapid.Generator[any]{
		"find": one("x", "", "x"), "replace": text, "limit": one("once", "all", "first"), "content": one("x"),
	}, "find", "replace")
	file := object(map[string]*rapid.Generator[any]{
		"path": one("a.txt", "a.txt", 1), "operation": one("create", "replace", "delete", "patch", "gitPatch", "rename"),
		"content": text, "patches": list(replacement), "find": one("x"), "nothing": one("x"),
	}, "path")
	patch := object(map[string]*rapid.Generator[any]{
		"path": one("a.txt"), "find": one("x"), "replace": text, "limit": one("once", "all", true), "replacements": list(replacement),
	}, "path")
	lineText := list(one("a", "a", "a", "a\nb", 1))
	change := object(map[string]*rapid.Generator[any]{
		"operation": one("insert", "replace", "delete", "move"), "afterLine": one(0, 1, -1, "1"), "startLine": one(1, 2, 0), "endLine": one(2, 3, 1.5),
		"expectedOriginalLines": lineText, "newLines": lineText, "changeKey": one("k", 1), "changeId": one("i"), "description": one("d", true), "find": one("x"),
	}, "operation")
	insert := object(map[string]*rapid.Generator[any]{
		"operation": one("insert"), "afterLine": one(0, 1), "newLines": lineText, "description": one("d"),
	}, "operation", "afterLine", "newLines")
	remove := object(map[string]*rapid.Generator[any]{
		"operation": one("delete", "replace"), "startLine": one(1, 2), "endLine": one(2, 3), "expectedOriginalLines": lineText, "newLines": lineText,
	}, "operation", "startLine", "endLine", "expectedOriginalLines")
	lineFile := object(map[string]*rapid.Generator[any]{
		"docPath": one("p/a", "p/a", "P/a", 1), "originalSha256": one(hash, hash, strings.ToUpper(hash), "x"),
		"changes": list(rapid.OneOf(change, insert, remove)), "fileKey": one("k", 1), "fileLabel": one("l"), "filePatchId": one("i"), "path": one("a"),
	}, "docPath", "originalSha256", "changes")
	lineBatch := object(map[string]*rapid.Generator[any]{
		"files": list(lineFile), "batchKey": one("k", 1), "batchLabel": one("l"), "batchId": one("i"), "$schema": one("x"), "root": one("."), "version": one("1"),
	}, "files")
	return rapid.Custom(func(t *rapid.T) map[string]any {
		if rapid.Bool().Draw(t, "lines") {
			return lineBatch.Draw(t, "top").(map[string]any)
		}
		return object(map[string]*rapid.Generator[any]{
			"root": one(".", ".", 1), "files": list(file), "patches": list(patch), "$schema": one("x"), "version": one("1"),
		}, "root").Draw(t, "top").(map[string]any)
	})
}

const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func one(values ...any) *rapid.Generator[any] { return rapid.SampledFrom(values) }

func list(of *rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.Map(rapid.SliceOfN(of, 0, 2), func(elems []any) any { return elems })
}

// object draws an object with any of the members, most often with those in `likely`.
func object(members map[string]*rapid.Generator[any], likely ...string) *rapid.Generator[any] {
	names := rapid.SampledFrom(slices.Sorted(maps.Keys(members)))
	return rapid.Custom(func(t *rapid.T) any {
		o := map[string]any{}
		for _, name := range likely {
			if rapid.IntRange(0, 9).Draw(t, "omitted") > 0 {
				o[name] = members[name].Draw(t, name)
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			name := names.Draw(t, "name")
			o[name] = members[name].Draw(t, name)
		}
		return o
	})
}

// The schema accepts a path if [fs.ValidPath] does and the path has no backslash.
func TestPath(t *testing.T) {
	all := resolve(t, schema.Any())
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringOf(rapid.SampledFrom([]rune(`..//a\ b-é`))).Draw(t, "path")
		raw, err := json.Marshal(map[string]any{"root": ".", "files": []any{map[string]any{"path": path, "content": ""}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(all, string(raw)); (err == nil) != validPath(path) {
			t.Fatalf("%q: %v", path, err)
		}
	})
}

func validPath(p string) bool { return fs.ValidPath(p) && p != "." && !strings.Contains(p, `\`) }
