package wholefile

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

var workspace = fstest.MapFS{"src/app.py": {Data: []byte("import os\n\nhost = 1\nport = 80\n")}, "README.md": {Data: []byte("# Tool\n")}}

var subject = parsetest.Subject{Format: Format, Say: func(p format.Parsed) (changes []string) {
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
	return changes
}}

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
		"Deleted file: `a.py`\n":                                  `3 a.py ""`,
		"### Renamed file: `a.py` → `b.py`\n":                     `5 a.py b.py ""`,
		"### Renamed file: `a.py` (old) `b.py` (new)\n" + fence:   "5 a.py b.py \"\"\n2 b.py \"port = 80\\n\"",
		"### Deleted file: `a.py`\n" + fence:                      `3 a.py ""`,
		"Here is src/app.py\n" + fence:                            "",
		"Run it:\n\n```bash src/run.sh\nmake\n```\n":              `0 src/run.sh "make\n"`,
		"`src/run.sh`\n```bash\nmake\n```\n":                      `0 src/run.sh "make\n"`,
		"`src/app.py`\n```diff\n-a\n+b\n```\n":                    "",
		"`src/new/app.py`\n" + fence:                              `0 src/new/app.py "port = 80\n"`, // the plan asks
		"https://x.org/src/app.py\n" + fence:                      "",
		"`~/app.py`\n" + fence:                                    "",
		"Create `/etc/hosts.conf`:\n" + fence:                     "",
		"```js\n// src/b.js\nb()\n```\n":                          `0 src/b.js "// src/b.js\nb()\n"`,
		"```js\n// b.js\nb()\n```\n":                              "",
		"```js title=\"b.js\"\nb()\n```\n":                        "",
		"```json\n// src/b.json\n{}\n```\n":                       `0 src/b.json "{}\n"`,
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
		"`src/b.md`\n```\n1. a\n2. b\n3. c\n```\n":                `0 src/b.md "1. a\n2. b\n3. c\n"`,
		"`src/b.md`\n```\n- a\n- b\n```\n":                        `0 src/b.md "- a\n- b\n"`,
		"`src/b.patch`\n```\n@@ -1 +1 @@\n-a\n+b\n```\n":          `0 src/b.patch "@@ -1 +1 @@\n-a\n+b\n"`,
		"### Updated file: `src/app.py`\n\nText.\n\n" + fence:     "",
		"src/app.py\n" + strings.ReplaceAll(fence, "```", "~~~"):  `0 src/app.py "port = 80\n"`,
	} {
		if got := strings.Join(subject.Said(doc, workspace), "\n"); got != want {
			t.Errorf("%q says\n%s, want\n%s", doc, got, want)
		}
	}
}

// Without a workspace, only words can show that a fence is an edit.
func TestNoWorkspace(t *testing.T) {
	for doc, want := range map[string]int{"src/app.py\n```\nx\n```\n": 0, "### New file: `src/app.py`\n```\nx\n```\n": 1} {
		if got := len(subject.Regions(doc, nil)); got != want {
			t.Errorf("%q has %d files", doc, got)
		}
	}
}

// A fence without a tag may be taken for the end of a text until more of the reply arrives. Nothing shows where code
// ends that was copied from a page.
func TestPrefixes(t *testing.T) {
	subject.CheckPrefixes(t, parsetest.Prefixes{
		Exempt: []string{"fences-left", "fences-unclear", "fences-unclear-yes", "page", "page-several", "page-steps"},
		Undecided: func(reply string, at int) bool { // the tag of a fence has not arrived yet
			return strings.HasSuffix(reply[:at], "```") && !strings.HasPrefix(reply[at:], "\n")
		},
	})
}

// A Markdown file is read exactly as it was written, whatever tagged fences it contains and
// whatever follows it.
func TestMarkdownFiles(t *testing.T) {
	part := rapid.SampledFrom([]string{"# Title\n", "Text.\n", "\n", "```sh\nmake\n```\n", "~~~\nx\n~~~\n", "  ```js\n  a()\n  ```\n", "- item\n"})
	below := rapid.SampledFrom([]string{"", "\nDone.\n", "\nRun:\n\n```sh\nmake\n```\n", "\n`src/b.py`\n\n```python\nx\n```\n"})
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(part, 1, 8).Draw(t, "parts"), "") + "End.\n"
		doc := "### New file: `docs/a.md`\n\n```markdown\n" + content + "```\n" + below.Draw(t, "below")
		changes := subject.Said(doc, workspace)
		if want := fmt.Sprintf("1 docs/a.md %q", content); len(changes) == 0 || changes[0] != want {
			t.Fatalf("%q says %q, want %s", doc, changes, want)
		}
	})
}

// The text that the notation writes for a content is read as that content.
func TestWrite(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n"} {
		for _, content := range []string{"", "a\n", "a\n\nb\n"} {
			doc := "`src/app.py`" + eol + "```" + eol + whole{EOL: eol}.Write(content) + "```" + eol
			p := read(format.Whole(doc)).parsed
			if len(p.Set.Changes) != 1 || text.WithEOL(p.Set.Changes[0].Content, text.LF) != content {
				t.Errorf("%q is read as %v", doc, p)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	subject.Fuzz(f, workspace, func(t *testing.T, r *format.Region, p format.Parsed) {
		for _, c := range p.Set.Changes {
			if at := c.PathAt.Span; at != zero && at.In(r.Body) != c.Path {
				t.Fatalf("the path %q is at %q", c.Path, at.In(r.Body))
			}
			if at := c.ContentAt.Span; at != zero && at.In(r.Body) != c.Content {
				t.Fatalf("the text %q is at %q", c.Content, at.In(r.Body))
			}
		}
	})
}
