package searchreplace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// regions are what the format claims of a document.
func regions(doc string) []*format.Region {
	d := format.Document{Text: doc}
	for _, b := range mdblock.Find(doc) {
		d.Fences = append(d.Fences, &format.Region{Block: b})
	}
	return find(d)
}

// said is every edit of the complete blocks of a document that have no error.
func said(doc string) []string {
	var edits []string
	for _, r := range regions(doc) {
		if !r.Closed {
			continue
		}
		p := parse(r)
		if diag.HasErrors(p.Diagnostics) {
			continue
		}
		for _, c := range p.Set.Changes {
			for _, reading := range c.Steps[0].(wholelines.Edit).Readings {
				edits = append(edits, fmt.Sprintf("%s: %q -> %q", c.Path, reading.Find, reading.Replace))
			}
		}
	}
	return edits
}

const pairText = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"

func TestPaths(t *testing.T) {
	for doc, want := range map[string]string{
		"src/a.py\n" + pairText:                              "src/a.py",
		"**`src/a.py`**:\n\n" + pairText:                     "src/a.py",
		"1. `a.py`\n```\n" + pairText + "```\n":              "a.py",
		"#### File path: src/__init__.py\n" + pairText:       "src/__init__.py",
		"__init__.py\n" + pairText:                           "__init__.py",
		"<!-- a.html -->\n" + pairText:                       "a.html",
		"/* a.css */\n" + pairText:                           "a.css",
		"// src/a.go\n" + pairText:                           "src/a.go",
		"Makefile\n" + pairText:                              "Makefile",
		".gitignore\n" + pairText:                            ".gitignore",
		"src\\a.py\n" + pairText:                             `src\a.py`,
		"/etc/hosts.conf\n" + pairText:                       "/etc/hosts.conf",
		"src/app/[id]/page.tsx\n" + pairText:                 "src/app/[id]/page.tsx",
		"```ts:src/a.ts\n" + pairText + "```\n":              "src/a.ts",
		"```src/a.ts\n" + pairText + "```\n":                 "src/a.ts",
		"```ts filename=\"src/a.ts\"\n" + pairText + "```\n": "src/a.ts",
		"~~~ts {path=src/a.ts}\n" + pairText + "~~~\n":       "src/a.ts",
		"> a.py\n> ```\n> " + strings.ReplaceAll(strings.TrimSuffix(pairText, "\n"), "\n", "\n> ") + "\n> ```\n": "a.py",
		"Done.\n" + pairText:                    "",
		"Here is a.py\n" + pairText:             "",
		"https://x.org/a.py\n" + pairText:       "",
		"```python\n" + pairText + "```\n":      "",
		"```\nx = 1.5\n```\n\n" + pairText:      "",
		"import a.b;\n```\n" + pairText + "```": "",
	} {
		got := ""
		for _, r := range regions(doc) {
			for _, c := range parse(r).Set.Changes {
				got += c.Path
				if at := c.PathAt.Span; !at.Empty() && at.In(r.Body) != c.Path {
					t.Errorf("%q: the path is at %q", doc, at.In(r.Body))
				}
			}
		}
		if got != want {
			t.Errorf("%q is for %q, want %q", doc, got, want)
		}
	}
}

// A region is the block with the line that names its file.
func TestRegions(t *testing.T) {
	for doc, want := range map[string][]string{
		"x\n\n`a.py`:\n\n" + pairText + "y\n":                            {"`a.py`:\n\n" + pairText},
		"x\n" + pairText + "\n" + pairText:                               {pairText, pairText},
		"a.py\n<source>python\n" + pairText + "</source>\nx\n":           {"a.py\n<source>python\n" + pairText + "</source>\n"},
		"```py\nx\n```\n" + pairText:                                     {pairText},
		"a.py\n```\n" + pairText + "```\nb.py\n```\n" + pairText + "```": {"a.py\n```\n" + pairText + "```\n", "b.py\n```\n" + pairText + "```"},
		"````\na.py\n```\n" + pairText + "```\n````\n":                   nil,
		"```md\nText\n\nmore\n" + pairText + "```\n":                     nil,
		"```py\nx = 1\ny = 2\n" + pairText + "```\n":                     {"```py\nx = 1\ny = 2\n" + pairText + "```\n"},
		"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n":                       nil,
		"    " + strings.ReplaceAll(pairText, "\n", "\n    "):            nil,
	} {
		var got []string
		for _, r := range regions(doc) {
			got = append(got, r.Span.In(doc))
		}
		if !slices.EqualFunc(got, want, func(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }) {
			t.Errorf("%q has the regions %q, want %q", doc, got, want)
		}
	}
}

// A prefix of a reply, as it is while the model writes, says no edit that the whole reply
// does not say.
func TestPrefixes(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/*/search-replace/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	edits := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reply := string(archive.Files[0].Data)
		if filepath.Base(file) == "stray-end-unfenced.txtar" {
			continue // a REPLACE text with a last mark, and no fence that would show where it ends
		}
		whole := said(reply)
		edits += len(whole)
		for at := range len(reply) {
			for _, edit := range said(reply[:at]) {
				if !slices.Contains(whole, edit) {
					t.Errorf("%s: the first %d bytes say %s", filepath.Base(file), at, edit)
				}
			}
		}
	}
	if edits < 40 {
		t.Errorf("only %d edits", edits)
	}
}

// FuzzParse: whatever the text, spans are of it, and what a fix writes reads as it was meant.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../../../testdata/*/search-replace/*.txtar")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(txtar.Parse(data).Files[0].Data))
	}
	f.Add("<<<<<SEARCH\n```\n<<<<<SEARCH")
	f.Fuzz(func(t *testing.T, doc string) {
		last := 0
		for _, r := range append(regions(doc), format.Whole(doc)) {
			if r.Span.Start < last && r.Span != (text.Span{End: len(doc)}) || r.Span.End > len(doc) {
				t.Fatalf("a region at %v after %d", r.Span, last)
			}
			last = r.Span.End
			p := parse(r)
			if p.Readable > p.Entries || p.Readable != len(p.Set.Changes) || p.Readable < p.Entries && !diag.HasErrors(p.Diagnostics) {
				t.Fatalf("%d of %d are readable, %d changes, %v", p.Readable, p.Entries, len(p.Set.Changes), p.Diagnostics)
			}
			for _, d := range p.Diagnostics {
				if d.Span.Start < 0 || d.Span.Start > d.Span.End || d.Span.End > len(r.Body) {
					t.Fatalf("a diagnostic at %v of %d bytes", d.Span, len(r.Body))
				}
			}
			for _, c := range p.Set.Changes {
				checkEdit(t, r.Body, c.Steps[0].(wholelines.Edit))
			}
		}
	})
}

func checkEdit(t *testing.T, body string, e wholelines.Edit) {
	for _, reading := range e.Readings {
		for _, l := range []struct {
			at   text.Span
			text string
			as   searchblock.Notation
		}{{reading.FindAt.Span, reading.Find, reading.FindAt.As.(searchblock.Notation)}, {reading.ReplaceAt.Span, reading.Replace, reading.ReplaceAt.As.(searchblock.Notation)}} {
			if !e.At.Contains(l.at) {
				t.Fatalf("a text at %v is outside of %v", l.at, e.At)
			}
			if written := l.as.Write(l.text); l.as.Read(written) != l.text && text.WithEOL(l.as.Read(written), text.LF) != text.WithEOL(l.text, text.LF) {
				t.Fatalf("%q is written as %q", l.text, written)
			}
		}
	}
}
