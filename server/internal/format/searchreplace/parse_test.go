package searchreplace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

var subject = parsetest.Subject{Format: Format, Say: func(p format.Parsed) (edits []string) {
	for _, c := range p.Set.Changes {
		if part, ok := c.Steps[0].(findreplace.Replacement); ok {
			edits = append(edits, fmt.Sprintf("%s: %q -> %q", c.Path, part.Find, part.Replace))
			continue
		}
		for _, reading := range c.Steps[0].(findreplace.WholeLines).Readings {
			edits = append(edits, fmt.Sprintf("%s: %q -> %q", c.Path, reading.Find, reading.Replace))
		}
	}
	return edits
}}

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
		for _, r := range subject.Regions(doc, nil) {
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

// A region consists of the block and the line that names its file.
func TestRegions(t *testing.T) {
	subject.CheckRegions(t, map[string][]string{
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
	})
}

// In one case, a REPLACE text contains a last mark, and no fence shows where the block ends.
func TestPrefixes(t *testing.T) {
	subject.CheckPrefixes(t, parsetest.Prefixes{Exempt: []string{"stray-end-unfenced"}})
}

// FuzzParse checks that the text written by a fix is read as intended.
func FuzzParse(f *testing.F) {
	f.Add("<<<<<SEARCH\n```\n<<<<<SEARCH")
	subject.Fuzz(f, nil, func(t *testing.T, r *format.Region, p format.Parsed) {
		for _, c := range p.Set.Changes {
			if e, ok := c.Steps[0].(findreplace.WholeLines); ok {
				checkEdit(t, r.Body, e)
			}
		}
	})
}

// readBack returns the text that is read after a notation wrote s.
func readBack(as intent.Notation, s string) string {
	written := as.Write(s)
	if n, ok := as.(searchblock.Notation); ok {
		return n.Read(written)
	}
	n := as.(prefixed)
	return strings.ReplaceAll(written, n.eol+n.prefix, n.eol)
}

func checkEdit(t *testing.T, body string, e findreplace.WholeLines) {
	for _, reading := range e.Readings {
		for _, l := range []struct {
			at   text.Span
			text string
			as   intent.Notation
		}{{reading.FindAt.Span, reading.Find, reading.FindAt.As}, {reading.ReplaceAt.Span, reading.Replace, reading.ReplaceAt.As}} {
			if !e.At.Contains(l.at) {
				t.Fatalf("a text at %v is outside of %v", l.at, e.At)
			}
			if got := readBack(l.as, l.text); text.WithEOL(got, text.LF) != text.WithEOL(l.text, text.LF) {
				t.Fatalf("%q is written as %q", l.text, got)
			}
		}
	}
}
