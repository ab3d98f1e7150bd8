package ap

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// apply plans a patch over files and returns the resulting files.
func apply(t testing.TB, body string, files map[string]string) (map[string]string, []diag.Diagnostic) {
	t.Helper()
	parsed := Parse(body)
	tree := fstest.MapFS{}
	for name, data := range files {
		tree[name] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	p, err := plan.Build(context.Background(), fs.FS(tree), []intent.Set{parsed.Set}, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := append(slices.Clone(parsed.Diagnostics), p.Blocks[0].Diagnostics...)
	after := maps.Clone(files)
	if diag.HasErrors(found) {
		return after, found
	}
	for _, f := range p.Files {
		delete(after, f.Path)
		switch {
		case f.Operation == plan.Rename:
			after[f.To] = f.After.Data
		case f.After.Exists && !f.After.Mode.IsDir():
			after[f.Path] = f.After.Data
		}
	}
	return after, found
}

// one applies modifications to one file. They are written with @ for the ID.
func one(t testing.TB, version, mods, before string) (string, []diag.Diagnostic) {
	t.Helper()
	body := strings.ReplaceAll("@ AP "+version+"\n@ FILE\nf.txt\n"+mods, "@", "a1b2c3d4")
	after, found := apply(t, body, map[string]string{"f.txt": before})
	return after["f.txt"], found
}

func codes(ds []diag.Diagnostic) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Severity.String()+":"+string(d.Code))
	}
	return strings.Join(out, " ")
}

func TestApply(t *testing.T) {
	for name, c := range map[string]struct{ version, mods, before, after, codes string }{
		"replace":                 {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n", "a\nb\nc\n", "a\nB\nc\n", ""},
		"delete":                  {"3.1", "@ DELETE\n@ snippet\nb\n", "a\nb\nc\n", "a\nc\n", ""},
		"delete last":             {"3.1", "@ DELETE\n@ snippet\nc\n", "a\nb\nc", "a\nb", ""},
		"insert after":            {"3.1", "@ INSERT_AFTER\n@ snippet\nb\n@ content\nx\n", "a\nb\nc\n", "a\nb\nx\nc\n", ""},
		"insert before":           {"3.1", "@ INSERT_BEFORE\n@ snippet\nb\n@ content\nx\n", "a\nb\nc\n", "a\nx\nb\nc\n", ""},
		"unterminated":            {"3.1", "@ INSERT_AFTER\n@ snippet\nb\n@ content\nx\n", "a\nb", "a\nb\nx", ""},
		"crlf":                    {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nx\ny\n", "a\r\nb\r\nc\n", "a\r\nx\r\ny\r\nc\n", ""},
		"neighbor":                {"3.1", "@ INSERT_AFTER\n@ snippet\na\n@ content\nfoo\n", "a\nfoobar\n", "a\nfoo\nfoobar\n", ""},
		"holds itself":            {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nx\nb\ny\n", "a\nb\nc\n", "a\nx\nb\ny\nc\n", ""},
		"insert itself":           {"3.1", "@ INSERT_AFTER\n@ snippet\nb\n@ content\nx\nb\n", "a\nb\nc\n", "a\nb\nx\nb\nc\n", ""},
		"indentation":             {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\n  b\n", "a\nb\nc\n", "a\n  b\nc\n", ""},
		"no line ends":            {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n", "a\u2028\u0085\v\fz\nb\n", "a\u2028\u0085\v\fz\nB\n", ""},
		"two in order":            {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n@ REPLACE\n@ snippet\nb\n@ content\nC\n", "b\nb\n", "B\nC\n", ""},
		"twice before":            {"3.1", "@ INSERT_BEFORE\n@ snippet\nb\n@ content\nx\n@ INSERT_BEFORE\n@ snippet\nb\n@ content\ny\n", "a\nb\n", "a\nx\ny\nb\n", ""},
		"ambiguous":               {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n", "b\nb\n", "b\nb\n", "error:ap-snippet-ambiguous"},
		"trims":                   {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n", "a \nb\nc\t\n", "a\nB\nc\n", "info:ap-trimmed"},
		"does not trim":           {"3.2", "@ REPLACE\n@ snippet\nb\n@ content\nB  \n@ END", "a \nb\nc\t\n", "a \nB\nc\t\n", ""},
		"range":                   {"3.1", "@ REPLACE\n@ snippet\nb\n@ snippet_tail\nd\n@ content\nB\n", "a\nb\nc\nd\ne\n", "a\nB\ne\n", ""},
		"anchor":                  {"3.1", "@ REPLACE\n@ anchor\ng:\n@ snippet\nx\n@ content\ny\n", "f:\nx\ng:\nx\n", "f:\nx\ng:\ny\n", ""},
		"move down":               {"3.1", "@ DELETE\n@ snippet\nfoo\n@ INSERT_AFTER\n@ snippet\nbar\n@ content\nfoo\n", "foo\nx\nbar\nz\n", "x\nbar\nfoo\nz\n", ""},
		"out of order":            {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n@ REPLACE\n@ snippet\na\n@ content\nA\n", "a\nb\n", "a\nb\n", "error:ap-out-of-order"},
		"consumed":                {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n@ INSERT_AFTER\n@ snippet\nb\n@ content\nA\n", "a\nb\n", "a\nb\n", "error:ap-consumed"},
		"not there":               {"3.1", "@ REPLACE\n@ snippet\nq\n@ content\nB\n", "a\nb\n", "a\nb\n", "error:ap-snippet-not-found"},
		"soft":                    {"3.1", "@ REPLACE\n@ snippet\nfoo\nbar\n@ content\nx\n", "1. foo\nbar\n", "x\n", "warning:ap-soft-start"},
		"exact beats soft":        {"3.1", "@ REPLACE\n@ snippet\nfoo\nbar\n@ content\nx\n", "1. foo\nbar\nfoo\nbar\n", "1. foo\nbar\nx\n", ""},
		"single is not soft":      {"3.1", "@ REPLACE\n@ snippet\nfoo\n@ content\nx\n", "1. foo\nbar\n", "1. foo\nbar\n", "error:ap-snippet-not-found"},
		"single soft in 3.2":      {"3.2", "@ REPLACE\n@ snippet\nfoo\n@ content\nx\n@ END", "1. foo\nbar\n", "x\nbar\n", "warning:ap-soft-start"},
		"single meaning in 3.2":   {"3.2", "@ REPLACE\n@ snippet\ncount = 0\n@ content\nx\n@ END", "self.count = 0\n", "self.count = 0\n", "error:ap-snippet-not-found"},
		"to crlf":                 {"3.1", "@ REPLACE\n@ snippet\nb\n@ content\nB\n", "a\nb\nc\n", "a\nB\nc\n", ""},
		"ambiguous anchor":        {"3.1", "@ DELETE\n@ anchor\nf\n@ snippet\nx\n", "f\ny\nf\nx\n", "f\ny\nf\n", ""},
		"blank lines":             {"3.1", "@ DELETE\n@ snippet\nb\n@ include_leading_blank_lines 1\n@ include_trailing_blank_lines 9\n", "a\n\n\nb\n\n\nc\n", "a\n\nc\n", ""},
		"tail in snippet":         {"3.1", "@ DELETE\n@ snippet\nb\nc\n@ snippet_tail\nc\n", "a\nb\nc\nd\nc\n", "a\nd\nc\n", "warning:ap-tail-in-snippet"},
		"start and end":           {"3.2", "@ INSERT_BEFORE\n@ snippet\n^\n@ content\nx\n@ INSERT_AFTER\n@ snippet\n$\n@ content\ny\n@ END", "a\n", "x\na\ny\n", ""},
		"to the end":              {"3.2", "@ DELETE\n@ snippet\nb\n@ snippet_tail\n$\n@ END", "a\nb\nc\n", "a\n", ""},
		"replace at an end":       {"3.2", "@ REPLACE\n@ snippet\n$\n@ content\nx\n@ INSERT_AFTER\n@ snippet\n$\n@ content\ny\n@ END", "a\n", "a\nx\ny\n", ""},
		"to a tail":               {"3.2", "@ REPLACE\n@ snippet\n^\n@ snippet_tail\nb\n@ content\nx\n@ END", "a\nb\nc\n", "x\nc\n", ""},
		"scope of an end":         {"3.2", "@ INSERT_AFTER\n@ snippet\n$\n@ scope_end 1\n@ content\nx\n@ END", "a\n", "a\nx\n", "warning:ap-scope-end"},
		"scope end":               {"3.2", "@ DELETE\n@ snippet\nfunc a() {\n@ scope_end 1\n@ END", "func a() {\n\tif x {\n\t}\n}\nfunc b() {}\n", "func b() {}\n", ""},
		"scope end python":        {"3.2", "@ REPLACE\n@ snippet\ndef a():\n@ content\ndef c():\n    pass\n@ scope_end\n@ END", "def a():\n    x\n\n    y\n\ndef b():\n    z\n", "def c():\n    pass\n\ndef b():\n    z\n", ""},
		"nesting":                 {"3.2", "@ INSERT_AFTER\n@ snippet\nfunc a() {\n@ content\nfunc c() {\n}\n@ END", "func a() {\n\tx()\n}\n", "func a() {\n\tx()\n}\nfunc c() {\n}\n", "warning:ap-nesting"},
		"empty content is delete": {"3.2", "@ REPLACE\n@ snippet\nb\n@ content\n@ END", "a\nb\n", "a\n", ""},
		"anchor in snippet 3.2":   {"3.2", "@ REPLACE\n@ anchor\nf\n@ snippet\nf\nx\n@ content\nf\ny\n@ END", "f\nx\n", "f\ny\n", ""},
		"anchor in snippet":       {"3.1", "@ REPLACE\n@ anchor\nf\n@ snippet\nf\nx\n@ content\nf\ny\n", "f\nx\n", "f\nx\n", "error:ap-anchor-in-snippet"},
		"content like snippet":    {"3.1", "@ REPLACE\n@ snippet\nx\n@ content\ny\n", "f\n    x\n", "f\ny\n", "warning:ap-content-indentation"},
		"deletes half a snippet":  {"3.1", "@ INSERT_BEFORE\n@ snippet\nb\nb\n@ content\nx\n@ DELETE\n@ snippet\nb\na\n", "b\nb\na\n", "x\nb\n", ""},
		"repeats its neighbors":   {"3.1", "@ INSERT_BEFORE\n@ snippet\nb\na\n@ content\na\n@ REPLACE\n@ snippet\na\n@ content\nb\n", "b\nb\na\nb\n", "b\na\nb\nb\nb\n", ""},
		"again further down":      {"3.1", "@ REPLACE\n@ anchor\nf\n@ snippet\nx\n@ content\ny is here\nz is there\n", "f\nx\ng\nx\n", "f\ny is here\nz is there\ng\nx\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			after, found := one(t, c.version, c.mods, c.before)
			if after != c.after || codes(found) != c.codes {
				t.Fatalf("got %q (%s), want %q (%s)\n%v", after, codes(found), c.after, c.codes, messages(found))
			}
			if diag.HasErrors(found) {
				return
			}
			again, found := one(t, c.version, c.mods, after)
			if again != after || diag.HasErrors(found) {
				t.Errorf("the second time: %q (%s)", again, messages(found))
			}
		})
	}
}

func messages(ds []diag.Diagnostic) string {
	var out []string
	for _, d := range ds {
		out = append(out, string(d.Code)+": "+d.Message)
		for _, f := range d.Fixes {
			out = append(out, "  "+f.Title)
		}
	}
	return strings.Join(out, "\n")
}
