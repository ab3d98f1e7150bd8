package lspconv

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func wire(t *testing.T, v any) string {
	t.Helper()
	raw, err := protocol.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var compact any // ignore the order of members
	if err := json.Unmarshal(raw, &compact); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	sorted, _ := json.MarshalIndent(compact, "", " ")
	return string(sorted)
}

func wantWire(t *testing.T, v any, want string) {
	t.Helper()
	var compact any
	if err := json.Unmarshal([]byte(want), &compact); err != nil {
		t.Fatal(err)
	}
	sorted, _ := json.MarshalIndent(compact, "", " ")
	if diff := cmp.Diff(string(sorted), wire(t, v)); diff != "" {
		t.Errorf("on the wire (-want +got):\n%s", diff)
	}
}

func TestDiagnostic(t *testing.T) {
	src := "ä😀x\r\nsecond"
	d := diag.Diagnostic{
		Span: text.Span{Start: 6, End: 7}, Severity: diag.Warning, Code: "find-not-found", Message: "not there",
		Related: []diag.Related{{Span: text.Span{Start: 9, End: 15}, Message: "near"}},
	}
	wantWire(t, Diagnostic("file:///a.md", text.NewLines(src), d), `{
		"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 4}},
		"severity": 2, "code": "find-not-found", "source": "aptix", "message": "not there",
		"codeDescription": {"href": "https://github.com/aptix-dev/aptix/blob/main/docs/diagnostics.md#find-not-found"},
		"relatedInformation": [{"message": "near", "location": {"uri": "file:///a.md",
			"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 6}}}}]
	}`)
}

func TestEverySeverityIsKnown(t *testing.T) {
	for severity, want := range map[diag.Severity]protocol.DiagnosticSeverity{diag.Error: 1, diag.Warning: 2, diag.Info: 3, diag.Hint: 4} {
		if got := Diagnostic("file:///a", text.NewLines(""), diag.Diagnostic{Severity: severity, Message: "m"}).Severity; got != want {
			t.Errorf("%v is %d, want %d", severity, got, want)
		}
	}
}

func TestSpanComesBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", "ä", "😀", "\n", "\r\n", "\r", "\u2028"})).Draw(r, "parts")
		src := strings.Join(parts, "")
		offset := 0
		var ends []int // offsets that split neither a character nor a line ending
		for i, part := range append(parts, "") {
			if offset == 0 || src[offset-1] != '\r' || part != "\n" || parts[i-1] != "\r" {
				ends = append(ends, offset)
			}
			offset += len(part)
		}
		lines := text.NewLines(src)
		place := rapid.SampledFrom(ends)
		from, to := place.Draw(r, "from"), place.Draw(r, "to")
		span := text.Span{Start: min(from, to), End: max(from, to)}
		if got := Span(lines, Range(lines, span)); got != span {
			r.Errorf("%v came back as %v in %q", span, got, src)
		}
	})
}

func TestSpanOfRangesThatMakeNoSense(t *testing.T) {
	lines := text.NewLines("ab\ncd")
	far := protocol.Position{Line: 1<<32 - 1, Character: 1<<32 - 1}
	if got := Span(lines, protocol.Range{Start: far, End: far}); got != (text.Span{Start: 5, End: 5}) {
		t.Errorf("behind the text: %v", got)
	}
	if got := Span(lines, protocol.Range{Start: protocol.Position{Line: 1}}); got != (text.Span{Start: 3, End: 3}) {
		t.Errorf("ends before it begins: %v", got)
	}
}

// files returns an edit with every kind of change.
func files(t *testing.T) *WorkspaceEdit {
	t.Helper()
	w := &WorkspaceEdit{Label: "Apply Aptix bundle"}
	version := int32(7)
	lines := text.NewLines("aé\nb")
	w.Edit("file:///open", &version, lines, []text.Edit{{Span: text.Span{Start: 4, End: 5}, New: "B"}, {Span: text.Span{Start: 0, End: 0}, New: "x"}})
	w.Edit("file:///same", nil, lines, nil)
	w.Delete("file:///gone")
	w.Rename("file:///old", "file:///moved")
	w.Create("file:///new", "text")
	w.Create("file:///empty", "")
	return w
}

func vscode() *protocol.WorkspaceEditClientCapabilities {
	yes := true
	return &protocol.WorkspaceEditClientCapabilities{
		DocumentChanges: &yes, ResourceOperations: []protocol.ResourceOperationKind{"create", "rename", "delete"},
	}
}

func TestWorkspaceEditPutsFilesFirst(t *testing.T) {
	params, err := files(t).Params(vscode())
	if err != nil {
		t.Fatal(err)
	}
	wantWire(t, params, `{"label": "Apply Aptix bundle", "edit": {"documentChanges": [
		{"kind": "create", "uri": "file:///new"},
		{"kind": "create", "uri": "file:///empty"},
		{"kind": "rename", "oldUri": "file:///old", "newUri": "file:///moved"},
		{"kind": "delete", "uri": "file:///gone"},
		{"textDocument": {"uri": "file:///open", "version": 7}, "edits": [
			{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "newText": "B"},
			{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "newText": "x"}]},
		{"textDocument": {"uri": "file:///new", "version": null}, "edits": [
			{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "newText": "text"}]}
	]}}`)
}

func TestWorkspaceEditIsAnnotatedAsOne(t *testing.T) {
	can := vscode()
	can.ChangeAnnotationSupport = &protocol.ChangeAnnotationsSupportOptions{}
	w := files(t)
	params, err := w.Params(can)
	if err != nil {
		t.Fatal(err)
	}
	wantWire(t, params, `{"label": "Apply Aptix bundle", "edit": {"changeAnnotations": {"aptix": {"label": "Apply Aptix bundle"}}, "documentChanges": [
		{"kind": "create", "annotationId": "aptix", "uri": "file:///new"},
		{"kind": "create", "annotationId": "aptix", "uri": "file:///empty"},
		{"kind": "rename", "annotationId": "aptix", "oldUri": "file:///old", "newUri": "file:///moved"},
		{"kind": "delete", "annotationId": "aptix", "uri": "file:///gone"},
		{"textDocument": {"uri": "file:///open", "version": 7}, "edits": [
			{"annotationId": "aptix", "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "newText": "B"},
			{"annotationId": "aptix", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "newText": "x"}]},
		{"textDocument": {"uri": "file:///new", "version": null}, "edits": [
			{"annotationId": "aptix", "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "newText": "text"}]}
	]}}`)
	again, err := w.Params(vscode())
	if err != nil || strings.Contains(wire(t, again), "annotationId") {
		t.Error("annotating changed the edit itself")
	}
}

// An empty edit checks the version of a document that is renamed or deleted.
func TestWorkspaceEditExpects(t *testing.T) {
	w := &WorkspaceEdit{Label: "L"}
	w.Expect("file:///gone", 7)
	w.Delete("file:///gone")
	params, err := w.Params(vscode())
	if err != nil {
		t.Fatal(err)
	}
	wantWire(t, params, `{"label": "L", "edit": {"documentChanges": [
		{"textDocument": {"uri": "file:///gone", "version": 7}, "edits": []},
		{"kind": "delete", "uri": "file:///gone"}]}}`)
	can := vscode()
	can.ChangeAnnotationSupport = &protocol.ChangeAnnotationsSupportOptions{}
	if params, err = w.Params(can); err != nil || !strings.Contains(wire(t, params), `"edits": []`) {
		t.Errorf("annotated, the edits are not a list: %v", err)
	}
}

func TestWorkspaceEditForSimpleClients(t *testing.T) {
	for _, can := range []*protocol.WorkspaceEditClientCapabilities{nil, {}, {DocumentChanges: vscode().DocumentChanges}} {
		if _, err := files(t).Params(can); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), `"create"`) {
			t.Errorf("creates for a client that cannot: %v", err)
		}
	}
	withoutDelete := vscode()
	withoutDelete.ResourceOperations = withoutDelete.ResourceOperations[:2]
	if _, err := files(t).Params(withoutDelete); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), `"delete"`) {
		t.Errorf("a delete for a client that cannot: %v", err)
	}
	w := &WorkspaceEdit{Label: "L"}
	version := int32(7)
	w.Edit("file:///open", &version, text.NewLines("a"), []text.Edit{{New: "x"}})
	params, err := w.Params(nil)
	if err != nil {
		t.Fatal(err)
	}
	wantWire(t, params, `{"label": "L", "edit": {"changes": {"file:///open": [
		{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "newText": "x"}]}}}`)
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		uri, posix, windows string // "" if the URI names no file on that system
	}{
		{"file:///a/b.txt", "/a/b.txt", ""},
		{"file:///a%2Fb", "/a/b", ""},
		{"file:///a/b%20c%23d/%C3%A4%25.txt", "/a/b c#d/ä%.txt", ""},
		{"file:///a%252Fb", "/a%2Fb", ""},
		{"file:///a/../../etc/passwd", "/a/../../etc/passwd", ""},
		{"file:///a%5Cb", `/a\b`, ""},
		{"file:///c%3A/x%20y/z", "/c:/x y/z", `c:\x y\z`},
		{"file:///C:/x", "/c:/x", `c:\x`},
		{"file://host/share/x", "", `\\host\share\x`},
		{"file:///a%FFb", "/a%FFb", ""}, // not UTF-8: VS Code keeps the escape
		{"file:///a?query", "", ""},
		{"file:///a#fragment", "", ""},
		{"untitled:Untitled-1", "", ""},
		{"vscode-remote://ssh/a", "", ""},
		{"git:/a/b", "", ""},
		{"", "", ""},
		{"/a/b", "", ""},
	} {
		for platform, want := range map[uri.Platform]string{uri.PlatformPOSIX: c.posix, uri.PlatformWindows: c.windows} {
			got, ok := pathFor(platform, uri.URI(c.uri))
			if ok != (want != "") || ok && got != want {
				t.Errorf("%q on %d is %q, %v; want %q", c.uri, platform, got, ok, want)
			}
		}
	}
}

func TestPathComesBack(t *testing.T) {
	name := rapid.StringMatching(`[a-zA-Z0-9 #%?&+=;:'"äß€😀\[\]{}~^!$@*()\\|<>\n\t\x01\x7f\x{202e}\x{0301}-]{1,8}`).Filter(func(s string) bool { return s != "." && s != ".." })
	rapid.Check(t, func(r *rapid.T) {
		path := "/" + strings.Join(rapid.SliceOfN(name, 1, 4).Draw(r, "names"), "/")
		u, ok := uriFor(uri.PlatformPOSIX, path)
		if !ok {
			if len(path) > 2 && path[2] == ':' {
				return // a drive letter, whose case may change
			}
			r.Fatalf("no URI for %q", path)
		}
		if got, ok := pathFor(uri.PlatformPOSIX, u); !ok || got != path {
			r.Errorf("%q became %s and came back as %q, %v", path, u, got, ok)
		}
	})
}

func TestURIRefusesWhatNoURIStandsFor(t *testing.T) {
	for _, path := range []string{"", "a/b", "/a\xff", "//host/x", "////x"} {
		if u, ok := uriFor(uri.PlatformPOSIX, path); ok {
			t.Errorf("%q became %s", path, u)
		}
	}
	for _, path := range []string{"", `a\b`, `\a`, `C:a`, `\\\\x`, "////x", `C:`} {
		if u, ok := uriFor(uri.PlatformWindows, path); ok {
			t.Errorf("%q became %s on Windows", path, u)
		}
	}
}

func FuzzPath(f *testing.F) {
	f.Add("file:///a%2Fb")
	f.Add("file:////x")
	f.Add("file://h//x")
	f.Add("%")
	f.Fuzz(func(t *testing.T, s string) {
		for _, platform := range []uri.Platform{uri.PlatformPOSIX, uri.PlatformWindows} {
			path, ok := pathFor(platform, uri.URI(s))
			if !ok {
				continue
			}
			if u, ok := uriFor(platform, path); !ok || u.Path() == "" {
				t.Errorf("%q became %q, which has no URI", s, path)
			}
		}
	})
}
