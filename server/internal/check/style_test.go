package check

import (
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestStyleHints(t *testing.T) {
	for path, want := range map[string]diag.Code{
		"src/Shop/Cart.cs":                  "",
		"README.md":                         "",
		"lib/a.cs":                          diag.LintTopLevel,
		"tests/Shop.Tests/CartTests.cs":     "",
		"tests/Shop.Tests/Cart.cs":          diag.LintTests,
		"tests/CartTests.cs":                diag.LintTests,
		"tests/Shop.Tests/data.json":        "",
		"ddrs/DDR-012 - Contract.md":        "",
		"ddrs/DDR-012.md":                   diag.LintDDR,
		"src/ddrs/DDR-012 - Contract.md":    diag.LintDDR,
		"ddrs/jsonl/DDR-012.jsonl":          "",
		"ddrs/DDR-012.jsonl":                diag.LintDDR,
		"src/docs/about-DDR-012-and-all.md": "",
	} {
		c := intent.Change{Kind: intent.Create, Path: path, PathAt: intent.Literal{Span: text.Span{Start: 3, End: 5}}}
		var got diag.Code
		for _, d := range styleHints("{}", intent.Set{Root: ".", Changes: []intent.Change{c}}) {
			got = d.Code
			if d.Severity != diag.Hint || d.Span != c.PathAt.Span {
				t.Errorf("%s: %+v", path, d)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestPrettyPrinted(t *testing.T) {
	for body, want := range map[string]string{
		"{\n  \"a\": [\n    1\n  ]\n}\n":      "",
		"{\r\n  \"a\": 1\r\n}\r\n":            "",
		"{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}": "",
		"{\"a\": \"x\\u0041\", \"b\": 1e0}\n": "{\n  \"a\": \"x\\u0041\",\n  \"b\": 1e0\n}\n",
		"{\"a\": ":                            "", // broken JSON is reported by the format
	} {
		got := ""
		for _, d := range pretty(body) {
			after, err := text.Apply(body, d.Fixes[0].Edits)
			if err != nil {
				t.Fatal(err)
			}
			got = after
		}
		if got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
