package structured

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
  "root": ".",
  "patches": [
    {"path": "a.txt", "find": "a", "replace": "b", "limit": "all"},
    {"path": "a.txt", "find": "b", "replace": "", "limit": "once"},
    {"path": "b.txt", "replacements": [{"find": "x", "replace": "y"}, {"find": "y", "replace": "\t", "limit": "all"}]}
  ]
}`
	p := Format.Parse(format.Whole(body))
	if len(p.Diagnostics) > 0 {
		t.Fatalf("%v", p.Diagnostics)
	}
	if !p.Set.PathsRepeat || p.Set.Root != "." || len(p.Set.Changes) != 3 {
		t.Fatalf("%+v", p.Set)
	}
	src := "a x a y"
	for i, want := range []string{"b x b y", " x b y", " \t b \t"} {
		c := p.Set.Changes[i]
		if c.Kind != intent.Edit || c.PathAt.Span.In(body) != `"`+c.Path+`"` || c.KindAt.Span != (text.Span{}) {
			t.Errorf("change %d is %+v", i, c)
		}
		for _, s := range c.Steps {
			var err error
			if src, err = text.Apply(src, s.Resolve(intent.Target{Text: place.NewText(src)}).Edits); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(s.Span().In(body), "{") || !c.At.Contains(s.Span()) {
				t.Errorf("step at %q", s.Span().In(body))
			}
		}
		if src != want {
			t.Errorf("change %d gives %q, want %q", i, src, want)
		}
	}
}

// In every entry, the part in ⟦ ⟧ is the range of its only diagnostic; fixed is the entry
// after its fix.
func TestDiagnostics(t *testing.T) {
	tests := []struct {
		code         diag.Code
		severity     diag.Severity
		entry, fixed string
	}{
		{diag.EntryNotObject, diag.Error, `⟦"a"⟧`, ""},
		{diag.MissingPath, diag.Error, `⟦{⟧"find": "a", "replace": "b", "limit": "once"}`, ""},
		{diag.MissingReplacements, diag.Error, `⟦{⟧"path": "a"}`, ""},
		{diag.MissingFind, diag.Error, `⟦{⟧"path": "a", "replace": "b"}`, ""},
		{diag.MissingReplace, diag.Error, `⟦{⟧"path": "a", "find": "b"}`, ""},
		{diag.EmptyFind, diag.Error, `{"path": "a", "find": ⟦""⟧, "replace": "b", "limit": "once"}`, ""},
		{diag.EmptyFind, diag.Error, `{"path": "a", "replacements": [{"find": ⟦""⟧, "replace": "b"}]}`, ""},
		{diag.UnknownLimit, diag.Error, `{"path": "a", "replacements": [{"find": "a", "replace": "b", "limit": ⟦"ONCE"⟧}]}`, `{"path": "a", "replacements": [{"find": "a", "replace": "b", "limit": "once"}]}`},
		{diag.MixedPatchShapes, diag.Error, `{"path": "a", ⟦"find"⟧: "a", "replace": "b", "replacements": [{"find": "a", "replace": "b"}]}`, `{"path": "a", "replace": "b", "replacements": [{"find": "a", "replace": "b"}]}`},
		{diag.MixedPatchShapes, diag.Error, `{"path": "a", "replacements": [{"find": "a", "replace": "b"}], ⟦"limit"⟧: "all"}`, `{"path": "a", "replacements": [{"find": "a", "replace": "b"}]}`},
		{diag.ReplacementsNotArray, diag.Error, `{"path": "a", "replacements": ⟦"x"⟧}`, ""},
		{diag.EmptyReplacements, diag.Error, `{"path": "a", "replacements": ⟦[]⟧}`, ""},
		{diag.WholeFileInStructured, diag.Error, `{"path": "a", "find": "a", "replace": "b", "limit": "once", ⟦"content"⟧: "x"}`, `{"path": "a", "find": "a", "replace": "b", "limit": "once"}`},
		{diag.WholeFileInStructured, diag.Error, `{"path": "a", "operation": ⟦"delete"⟧, "find": "a", "replace": "b", "limit": "once"}`, `{"path": "a", "find": "a", "replace": "b", "limit": "once"}`},
		{diag.WholeFileInStructured, diag.Error, `{"path": "a", "operation": ⟦"create"⟧, "find": "a", "replace": "b", "limit": "once"}`, `{"path": "a", "find": "a", "replace": "b", "limit": "once"}`},
		{diag.UnknownMember, diag.Warning, `{"path": "a", ⟦"operation"⟧: "patch", "find": "a", "replace": "b", "limit": "once"}`, `{"path": "a", "find": "a", "replace": "b", "limit": "once"}`},
		{diag.UnknownMember, diag.Warning, `{"path": "a", "find": "a", "replace": "b", "limit": "once", ⟦"reason"⟧: "x"}`, `{"path": "a", "find": "a", "replace": "b", "limit": "once"}`},
		{diag.MisplacedMember, diag.Error, `{"path": "a", "replacements": [{"find": "a", "replace": "b", ⟦"path"⟧: "b"}]}`, `{"path": "a", "replacements": [{"find": "a", "replace": "b"}]}`},
		{diag.MissingLimit, diag.Hint, `⟦{⟧"path": "a", "find": "a", "replace": "b"}`, `{"path": "a", "find": "a", "replace": "b","limit": "once"}`},
		{diag.FindEqualsReplace, diag.Warning, `{"path": "a", "find": "a", "replace": ⟦"a"⟧, "limit": "once"}`, ""},
	}
	const before, after = `{"root": ".", "patches": [`, `]}`
	for _, tt := range tests {
		entry := strings.NewReplacer("⟦", "", "⟧", "").Replace(tt.entry)
		span := text.Span{Start: strings.Index(tt.entry, "⟦"), End: strings.Index(tt.entry, "⟧") - len("⟦")}.Shift(len(before))
		p := Format.Parse(format.Whole(before + entry + after))
		if len(p.Diagnostics) != 1 {
			t.Errorf("%s: %v, want %s alone", tt.entry, p.Diagnostics, tt.code)
			continue
		}
		d := p.Diagnostics[0]
		if d.Code != tt.code || d.Severity != tt.severity || d.Span != span {
			t.Errorf("%s: %v %s %v, want %v %s %v", tt.entry, d.Severity, d.Code, d.Span, tt.severity, tt.code, span)
		}
		fixed := ""
		if len(d.Fixes) > 0 {
			got, err := text.Apply(before+entry+after, d.Fixes[0].Edits)
			if err != nil {
				t.Fatal(err)
			}
			fixed = strings.TrimSuffix(strings.TrimPrefix(got, before), after)
		}
		if fixed != tt.fixed {
			t.Errorf("%s: fixed to %s, want %s", tt.entry, fixed, tt.fixed)
		}
		if (len(p.Set.Changes) == 0) != (tt.severity == diag.Error) {
			t.Errorf("%s: %d changes", tt.entry, len(p.Set.Changes))
		}
	}
}

func TestTopLevel(t *testing.T) {
	for body, want := range map[string]diag.Code{
		`{"root": "."}`:                diag.MissingPatches,
		`{"root": ".", "patches": []}`: diag.EmptyPatches,
		`{"root": ".", "patches": {}}`: diag.PatchesNotArray,
		`{"patches": [{"path": "a", "find": "a", "replace": "b", "limit": "all"}]}`: diag.MissingRoot,
		`{"root": ".", "patches": [{"path": "a", "find": "a", "replace": "b"`:       diag.JSONUnclosed,
	} {
		if ds := Format.Parse(format.Whole(body)).Diagnostics; len(ds) != 1 || ds[0].Code != want {
			t.Errorf("%s: %v, want %s", body, ds, want)
		}
	}
}
