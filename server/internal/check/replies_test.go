package check_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A written is a reply of testdata/replies.
type written struct {
	name, verdict string
	parts         []string
	text          string
}

func writtenReplies(t *testing.T) (all []written, tree fs.FS) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "testdata", "replies")
	archive, err := txtar.ParseFile(filepath.Join(dir, "tree.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			head, body, _ := strings.Cut(part, "\n")
			fields := strings.Split(head, " | ")
			if len(fields) == 1 { // a line of a reply
				all[len(all)-1].text += "=== " + part + "\n"
				continue
			}
			w := written{name: strings.TrimSuffix(filepath.Base(name), ".txt") + "/" + fields[0], verdict: fields[1], text: body + "\n"}
			if len(fields) > 2 {
				w.parts = strings.Fields(fields[2])
			}
			all = append(all, w)
		}
	}
	return all, files
}

// notations lists the notations for the edits that the test inserts for {edit} and {edit2} in
// a reply.
var notations = map[string]map[string]string{
	"search": {
		"{edit}":  "src/app.py\n```python\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE\n```",
		"{edit2}": "src/app.py\n```python\n<<<<<<< SEARCH\n    message = \"hello \" + name\n=======\n    message = \"HELLO \" + name\n>>>>>>> REPLACE\n```",
	},
	"git": {
		"{edit}":  "```diff\n--- a/src/app.py\n+++ b/src/app.py\n@@ -4,3 +4,3 @@\n host = \"localhost\"\n-port = 80\n+port = 8080\n \n```",
		"{edit2}": "```diff\n--- a/src/app.py\n+++ b/src/app.py\n@@ -8,3 +8,3 @@\n def greet(name):\n-    message = \"hello \" + name\n+    message = \"HELLO \" + name\n     print(message)\n```",
	},
	"structured": {
		"{edit}":  "```json\n{\"root\": \".\", \"patches\": [{\"path\": \"src/app.py\", \"find\": \"port = 80\\n\", \"replace\": \"port = 8080\\n\", \"limit\": \"once\"}]}\n```",
		"{edit2}": "```json\n{\"root\": \".\", \"patches\": [{\"path\": \"src/app.py\", \"find\": \"\\\"hello \\\"\", \"replace\": \"\\\"HELLO \\\"\", \"limit\": \"once\"}]}\n```",
	},
}

func (w written) withEdits(notation string) string {
	s := w.text
	for mark, edit := range notations[notation] {
		s = strings.ReplaceAll(s, "\n"+mark+"\n", "\n"+edit+"\n")
		if strings.HasPrefix(s, mark+"\n") {
			s = edit + s[len(mark):]
		}
	}
	return s
}

// verdictOf returns the result for a reply, and for its parts.
func verdictOf(r *check.Result) (verdict string, parts []string) {
	for _, f := range r.Plan.Files {
		parts = append(parts, fmt.Sprintf("%s:%s", f.Operation, f.Path))
	}
	for _, u := range r.Unread {
		part := fmt.Sprintf("%s:%s", u.Kind, u.Path)
		if u.Diagnostic.Asks() {
			part += "!"
		}
		parts = append(parts, part)
	}
	switch {
	case len(r.Blocks) == 0:
		return "none", parts
	case !r.Applicable():
		return "refused", parts
	case len(r.Doubts()) > 0:
		return "asks", parts
	}
	return "applies", parts
}

// textsOf returns the expectations about texts that are met: `has:PATH:TEXT` and
// `lacks:PATH:TEXT`.
func (w written) textsOf(r *check.Result) (hold []string) {
	for _, part := range w.parts {
		fields := strings.SplitN(part, ":", 3)
		for _, f := range r.Plan.Files {
			if len(fields) == 3 && f.Path == fields[1] {
				after, _ := f.After.Text()
				if strings.Contains(after, fields[2]) == (fields[0] == "has") {
					hold = append(hold, part)
				}
			}
		}
	}
	return hold
}

// Replies as models write them are applied, asked about or refused as expected. None is applied without a question
// unless that is expected, and no part is silently left out.
func TestReplies(t *testing.T) {
	all, tree := writtenReplies(t)
	if len(all) < 150 {
		t.Errorf("only %d replies", len(all))
	}
	outcomes, fixes := map[string]int{}, 0
	for _, w := range all {
		for notation := range notations {
			r, err := check.Check(t.Context(), []check.Document{{Name: "reply.md", Text: w.withEdits(notation), Format: check.Markdown}}, check.Where{Tree: tree})
			if err != nil {
				t.Fatal(err)
			}
			got, parts := verdictOf(r)
			outcome := outcomeOf(w, got, append(parts, w.textsOf(r)...))
			outcomes[outcome]++
			if outcome != "right" {
				t.Errorf("%s as %s is %s: %s %v, want %s %v", w.name, notation, outcome, got, parts, w.verdict, w.parts)
			}
			for _, u := range r.Unread {
				for _, fix := range u.Diagnostic.Fixes {
					fixes++
					if fixed := afterFix(t, r.Documents[0].Text, fix, tree); len(fixed.Blocks) <= len(r.Blocks) {
						t.Errorf("%s as %s: with %q, the part is still no block", w.name, notation, fix.Title)
					}
				}
			}
		}
	}
	if fixes < 16 {
		t.Errorf("only %d fixes for parts that are not read", fixes)
	}
	t.Logf("%d replies: %v, %d fixes", len(all), outcomes, fixes)
}

func afterFix(t *testing.T, reply string, fix diag.Fix, tree fs.FS) *check.Result {
	t.Helper()
	fixed, err := text.Apply(reply, fix.Edits)
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Check(t.Context(), []check.Document{{Name: "reply.md", Text: fixed, Format: check.Markdown}}, check.Where{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func outcomeOf(w written, got string, parts []string) string {
	for _, p := range w.parts {
		if !slices.Contains(parts, p) {
			return "half"
		}
	}
	switch {
	case got == w.verdict:
		return "right"
	case got == "asks" && w.verdict == "applies":
		return "asked"
	case got == "applies":
		return "wrong"
	}
	return "refused"
}
