package wholefile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var workspace = fstest.MapFS{"src/app.py": {Data: []byte("import os\n\nhost = 1\nport = 80\n")}, "README.md": {Data: []byte("# Tool\n")}}

// regions are what the format claims of a document.
func regions(doc string, tree fstest.MapFS) []*format.Region {
	d := format.Document{Text: doc, Tree: tree}
	for _, b := range mdblock.Find(doc) {
		d.Fences = append(d.Fences, &format.Region{Block: b})
	}
	return find(d)
}

// said is every change of the complete files of a document that have no error.
func said(doc string, tree fstest.MapFS) []string {
	var changes []string
	for _, r := range regions(doc, tree) {
		p := read(r).parsed
		if !r.Closed || diag.HasErrors(p.Diagnostics) {
			continue
		}
		for _, c := range p.Set.Changes {
			s := fmt.Sprint(c.Kind, " ", c.Path)
			if c.To != "" {
				s += " " + c.To
			}
			s += fmt.Sprintf(" %q", c.Content)
			for _, d := range p.Diagnostics {
				s += " " + string(d.Code)
			}
			changes = append(changes, s)
		}
	}
	return changes
}

func TestParse(t *testing.T) {
	const fence = "```python\nport = 80\n```\n"
	for doc, want := range map[string]string{
		"src/app.py\n" + fence:                                    `0 src/app.py "port = 80\n"`,
		"#### **src/app.py:**\n\n" + fence:                        `0 src/app.py "port = 80\n"`,
		"Text.\n\n- `src/app.py`\n\n" + fence:                     `0 src/app.py "port = 80\n"`,
		"### Modified file: src/app.py\n" + fence:                 `2 src/app.py "port = 80\n"`,
		"**New File: `a/b.py`**\n" + fence:                        `1 a/b.py "port = 80\n"`,
		"`a/b.py` (new file):\n" + fence:                          `1 a/b.py "port = 80\n"`,
		"2. Create `a/b.py`\n" + fence:                            `1 a/b.py "port = 80\n"`,
		"### Deleted file: `a b.py`\n":                            "",
		"### Removed file: a.py\n":                                `3 a.py ""`,
		"Deleted file: `a.py`\n":                                  "",
		"### Renamed file: `a.py` → `b.py`\n":                     `5 a.py b.py ""`,
		"### Renamed file: `a.py` (old) `b.py` (new)\n" + fence:   "5 a.py b.py \"\"\n2 b.py \"port = 80\\n\"",
		"### Deleted file: `a.py`\n" + fence:                      `3 a.py ""`,
		"Here is src/app.py\n" + fence:                            "",
		"Run it:\n\n```bash src/run.sh\nmake\n```\n":              `0 src/run.sh "make\n"`,
		"`src/run.sh`\n```bash\nmake\n```\n":                      `0 src/run.sh "make\n"`,
		"`src/app.py`\n```diff\n-a\n+b\n```\n":                    "",
		"`src/new/app.py`\n" + fence:                              "",
		"https://x.org/src/app.py\n" + fence:                      "",
		"`~/app.py`\n" + fence:                                    "",
		"Create `/etc/hosts.conf`:\n" + fence:                     "",
		"```js\n// src/b.js\nb()\n```\n":                          `0 src/b.js "// src/b.js\nb()\n"`,
		"```js\n// b.js\nb()\n```\n":                              "",
		"```js title=\"b.js\"\nb()\n```\n":                        "",
		"```json\n// src/b.json\n{}\n```\n":                       "",
		"```sh\n#!/bin/sh\nmake\n```\n":                           "",
		"# Title\n\n`src/b.py`\n" + fence:                         "",
		"---\ntitle: x\n---\n\n`src/b.py`\n" + fence:              "",
		"```\nx\n```\n\n`src/b.py`\n" + fence:                     "",
		"```bash\nmake\n```\n\n`src/b.py`\n" + fence:              `0 src/b.py "port = 80\n"`,
		"# src/b.py\n" + fence:                                    `0 src/b.py "port = 80\n"`,
		"`src/b.py`\n\n````\n```\nx\n```\n````\n":                 `0 src/b.py "` + "```\\nx\\n```\\n" + `"`,
		"`a.md`\n\n```\n```sh\nx\n```\n```\n":                     `0 a.md "` + "```sh\\nx\\n```\\n" + `"`,
		"`a.md`\n\n```\n# A\n\n```\nx\n```\n\nB\n```\n":           `0 a.md "# A\n\n` + "```\\nx\\n```\\n" + `\nB\n"`,
		"`a.md`\n\n```\n# A\n```\nx\n```\n```\n":                  `0 a.md "` + "# A\\n```\\nx\\n```\\n" + `" whole-fences`,
		"`src/b.py`\n```python\nx\n```":                           `0 src/b.py "x\n"`,
		"`src/b.py`\r\n```python\r\nx\r\n```\r\n":                 `0 src/b.py "x\r\n"`,
		"`src/b.py`\n\n" + fence + "\n`src/c.py`\n\n" + fence:     "0 src/b.py \"port = 80\\n\"\n0 src/c.py \"port = 80\\n\"",
		"`src/b.py`\n<<<<<<< SEARCH\na\n=======\nb\n":             "",
		"`src/b.py`\n```\n<<<<<<< SEARCH\na\n```\n":               "",
		"`src/b.py`\n```python\n--- a/src/b.py\n+++ b/src/b.py\n": "",
		"`src/b.py`\n```python\n+a\n b\n```\n":                    "",
		"`src/b.py`\n```python\n1: a\n2: b\n3: c\n```\n":          "",
		"`src/b.md`\n```\n1. a\n2. b\n3. c\n```\n":                `0 src/b.md "1. a\n2. b\n3. c\n"`,
		"`src/b.md`\n```\n- a\n- b\n```\n":                        `0 src/b.md "- a\n- b\n"`,
		"`src/b.patch`\n```\n@@ -1 +1 @@\n-a\n+b\n```\n":          `0 src/b.patch "@@ -1 +1 @@\n-a\n+b\n"`,
		"### Updated file: `src/app.py`\n\nText.\n\n" + fence:     "",
		"src/app.py\n" + strings.ReplaceAll(fence, "```", "~~~"):  `0 src/app.py "port = 80\n"`,
	} {
		if got := strings.Join(said(doc, workspace), "\n"); got != want {
			t.Errorf("%q says\n%s, want\n%s", doc, got, want)
		}
	}
}

// Without a folder, only words can say that a fence is an edit.
func TestNoWorkspace(t *testing.T) {
	for doc, want := range map[string]int{"src/app.py\n```\nx\n```\n": 0, "### New file: `src/app.py`\n```\nx\n```\n": 1} {
		d := format.Document{Text: doc}
		for _, b := range mdblock.Find(doc) {
			d.Fences = append(d.Fences, &format.Region{Block: b})
		}
		if got := len(find(d)); got != want {
			t.Errorf("%q has %d files", doc, got)
		}
	}
}

// cases are the replies of the conformance suite, with their trees.
func cases(t interface{ Fatal(...any) }) map[string]struct {
	reply string
	tree  fstest.MapFS
} {
	files, err := filepath.Glob("../../../../testdata/conformance/whole-file/*.txtar")
	if err != nil || len(files) < 60 {
		t.Fatal(len(files), err)
	}
	found := map[string]struct {
		reply string
		tree  fstest.MapFS
	}{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := fstest.MapFS{}
		for _, f := range archive.Files[1:] {
			name, _, _ := strings.Cut(f.Name, " ")
			if name, ok := strings.CutPrefix(name, "before/"); ok {
				tree[name] = &fstest.MapFile{Data: f.Data}
			}
		}
		found[filepath.Base(file)] = struct {
			reply string
			tree  fstest.MapFS
		}{string(archive.Files[0].Data), tree}
	}
	return found
}

// A prefix of a reply, as it is while the model writes, says no change that the whole reply
// does not say.
func TestPrefixes(t *testing.T) {
	changes := 0
	for name, c := range cases(t) {
		if strings.HasPrefix(name, "fences-unclear") {
			continue // a fence without a tag ends the text until more of it is there
		}
		whole := said(c.reply, c.tree)
		changes += len(whole)
		for at := range len(c.reply) {
			if strings.HasSuffix(c.reply[:at], "```") && !strings.HasPrefix(c.reply[at:], "\n") {
				continue // the tag of the fence is still to come
			}
			for _, change := range said(c.reply[:at], c.tree) {
				if !slices.Contains(whole, change) && name != "fences-left.txtar" {
					t.Errorf("%s: the first %d bytes say %s", name, at, change)
				}
			}
		}
	}
	if changes < 50 {
		t.Errorf("only %d changes", changes)
	}
}

// A Markdown file is read as it was written, whatever tagged fences are in it and follow it.
func TestMarkdownFiles(t *testing.T) {
	part := rapid.SampledFrom([]string{"# Title\n", "Text.\n", "\n", "```sh\nmake\n```\n", "~~~\nx\n~~~\n", "  ```js\n  a()\n  ```\n", "- item\n"})
	below := rapid.SampledFrom([]string{"", "\nDone.\n", "\nRun:\n\n```sh\nmake\n```\n", "\n`src/b.py`\n\n```python\nx\n```\n"})
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(part, 1, 8).Draw(t, "parts"), "") + "End.\n"
		doc := "### New file: `docs/a.md`\n\n```markdown\n" + content + "```\n" + below.Draw(t, "below")
		changes := said(doc, workspace)
		if want := fmt.Sprintf("1 docs/a.md %q", content); len(changes) == 0 || changes[0] != want {
			t.Fatalf("%q says %q, want %s", doc, changes, want)
		}
	})
}

// What is written for a content is read as that content.
func TestWrite(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n"} {
		for _, content := range []string{"", "a\n", "a\n\nb\n"} {
			doc := "`src/app.py`" + eol + "```" + eol + whole{eol}.Write(content) + "```" + eol
			p := read(format.Whole(doc)).parsed
			if len(p.Set.Changes) != 1 || text.WithEOL(p.Set.Changes[0].Content, text.LF) != content {
				t.Errorf("%q is read as %v", doc, p)
			}
		}
	}
}

// FuzzParse: whatever the text, spans are of it and in order.
func FuzzParse(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.reply)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		last := 0
		for _, r := range append(regions(doc, workspace), format.Whole(doc)) {
			if r.Span.Start < last && r.Span != (text.Span{End: len(doc)}) || r.Span.End > len(doc) {
				t.Fatalf("a region at %v after %d", r.Span, last)
			}
			last = r.Span.End
			p := read(r).parsed
			if p.Readable > p.Entries || p.Readable < p.Entries && !diag.HasErrors(p.Diagnostics) {
				t.Fatalf("%d of %d are readable, %v", p.Readable, p.Entries, p.Diagnostics)
			}
			for _, d := range p.Diagnostics {
				checkSpan(t, r.Body, d.Span)
				for _, fix := range d.Fixes {
					if _, err := text.Apply(r.Body, fix.Edits); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, c := range p.Set.Changes {
				checkSpan(t, r.Body, c.At)
				if at := c.PathAt.Span; at != zero && at.In(r.Body) != c.Path {
					t.Fatalf("the path %q is at %q", c.Path, at.In(r.Body))
				}
				if at := c.ContentAt.Span; at != zero && at.In(r.Body) != c.Content {
					t.Fatalf("the text %q is at %q", c.Content, at.In(r.Body))
				}
			}
		}
	})
}

func checkSpan(t *testing.T, body string, s text.Span) {
	if s.Start < 0 || s.Start > s.End || s.End > len(body) {
		t.Fatalf("%v of %d bytes", s, len(body))
	}
}
