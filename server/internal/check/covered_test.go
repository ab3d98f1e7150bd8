package check_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A rewrite is the change of one file: its path, and its text before and after.
type rewrite struct{ path, old, new string }

func fenced(info, body string) string { return "```" + info + "\n" + body + "```\n" }

// lineOf returns the first line that changes, before and after.
func (w rewrite) lineOf() (old, new string) {
	before, after := strings.SplitAfter(w.old, "\n"), strings.SplitAfter(w.new, "\n")
	for i := range before {
		if before[i] != after[i] {
			return before[i], after[i]
		}
	}
	return "", ""
}

func (w rewrite) search() string {
	old, new := w.lineOf()
	return "<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
}

func (w rewrite) quoted() string { return strings.ReplaceAll(w.new, "\n", `\n`) }

// wholes lists the ways in which models write a whole file.
var wholes = map[string]func(w rewrite) string{
	"path":     func(w rewrite) string { return w.path + "\n" + fenced("python", w.new) },
	"bold":     func(w rewrite) string { return "**" + w.path + "**\n\n" + fenced("python", w.new) },
	"code":     func(w rewrite) string { return "`" + w.path + "`:\n\n" + fenced("python", w.new) },
	"heading":  func(w rewrite) string { return "### " + w.path + "\n\n" + fenced("python", w.new) },
	"numbered": func(w rewrite) string { return "### 2. `" + w.path + "`\n\n" + fenced("python", w.new) },
	"file":     func(w rewrite) string { return "**File:** `" + w.path + "`\n\n" + fenced("", w.new) },
	"summary": func(w rewrite) string {
		return "<details><summary>" + w.path + "</summary>\n\n" + fenced("python", w.new) + "\n</details>\n"
	},
	"info":      func(w rewrite) string { return fenced("python "+w.path, w.new) },
	"colon":     func(w rewrite) string { return fenced("python:"+w.path, w.new) },
	"title":     func(w rewrite) string { return fenced(`python title="`+w.path+`"`, w.new) },
	"brackets":  func(w rewrite) string { return fenced("python ["+w.path+"]", w.new) },
	"firstline": func(w rewrite) string { return fenced("", w.path+"\n"+w.new) },
	"german":    func(w rewrite) string { return "Geänderte Datei: `" + w.path + "`\n\n" + fenced("python", w.new) },
	"sentence":  func(w rewrite) string { return "Here is the full `" + w.path + "`:\n\n" + fenced("python", w.new) },
	"list": func(w rewrite) string {
		return "- `" + w.path + "`\n\n  " + strings.ReplaceAll(fenced("python", w.new), "\n", "\n  ") + "\n"
	},
	"tag":      func(w rewrite) string { return `<file path="` + w.path + `">` + "\n" + w.new + "</file>\n" },
	"codefile": func(w rewrite) string { return `<code_file path="` + w.path + `">` + "\n" + w.new + "</code_file>\n" },
	"unknown":  func(w rewrite) string { return `<put path="` + w.path + `">` + "\n" + w.new + "</put>\n" },
	"call": func(w rewrite) string {
		return "<write_to_file>\n<path>" + w.path + "</path>\n<content>\n" + w.new + "</content>\n</write_to_file>\n"
	},
	"bundle": func(w rewrite) string {
		return fenced("json", fmt.Sprintf(`{"root": ".", "files": [{"path": %q, "content": "%s"}]}`+"\n", w.path, w.quoted()))
	},
	"json": func(w rewrite) string {
		return fenced("json", fmt.Sprintf(`{"path": %q, "content": "%s"}`+"\n", w.path, w.quoted()))
	},
	"shell": func(w rewrite) string { return fenced("bash", "cat > "+w.path+" <<'EOF'\n"+w.new+"EOF\n") },
}

// labels lists the ways in which models name a file above its text, and betweens what may be between the two.
var (
	labels = map[string]string{
		"path alone": "`%s`", "described": "**`%s`** – the values", "heading alone": "### `%s`", "heading described": "### `%s` – the values",
		"in brackets": "### The values (`%s`)", "in": "In `%s`", "next": "Next, `%s`. It has the values.", "before a colon": "And the rest in %s:",
		"in prose": "The values go to a module of their own, `%s`.", "path label": "## Values\n\nPath: `%s`", "bold": "**%s**", "underlined": "%s\n--------",
		"German": "Die Werte stehen in `%s`.", "Chinese": "数值在 `%s` 中。",
	}
	betweens = map[string]string{"": "", ", a paragraph": "It reads each value once.\n\n", ", two paragraphs": "It reads each value once.\n\n- no cache\n- no lock\n\n"}
)

func init() {
	for label, format := range labels {
		for between, prose := range betweens {
			wholes[label+between] = func(w rewrite) string { return fmt.Sprintf(format, w.path) + "\n\n" + prose + fenced("python", w.new) }
		}
	}
}

// pieces lists the ways in which models write only the changed part of a file.
var pieces = map[string]func(w rewrite) string{
	"search":        func(w rewrite) string { return w.path + "\n" + fenced("python", w.search()) },
	"search info":   func(w rewrite) string { return fenced("python "+w.path, w.search()) },
	"search header": func(w rewrite) string { return "#### `" + w.path + "`\n\n" + fenced("", w.search()) },
	"search words":  func(w rewrite) string { return "In `" + w.path + "`, change this:\n\n" + fenced("", w.search()) },
	"search bare":   func(w rewrite) string { return w.path + "\n" + w.search() },
	"git":           func(w rewrite) string { return fenced("diff", "--- a/"+w.path+"\n+++ b/"+w.path+"\n"+w.hunks()) },
	"git bare":      func(w rewrite) string { return "--- a/" + w.path + "\n+++ b/" + w.path + "\n" + w.hunks() },
	"hunks":         func(w rewrite) string { return "**" + w.path + "**\n\n" + fenced("diff", w.hunks()) },
	"hunks colon":   func(w rewrite) string { return fenced("diff:"+w.path, w.hunks()) },
	"structured": func(w rewrite) string {
		old, new := w.lineOf()
		return fenced("json", fmt.Sprintf(`{"root": ".", "patches": [{"path": %q, "find": %q, "replace": %q, "limit": "once"}]}`+"\n", w.path, old, new))
	},
	"pair": func(w rewrite) string {
		old, new := w.lineOf()
		return "`" + w.path + "`\n\nFind:\n\n" + fenced("python", old) + "\nReplace with:\n\n" + fenced("python", new)
	},
	"patch": func(w rewrite) string {
		old, new := w.lineOf()
		return "*** Begin Patch\n*** Update File: " + w.path + "\n@@\n-" + old + "+" + new + "*** End Patch\n"
	},
}

func (w rewrite) hunks() string {
	side := func(s string) diff.Side { return diff.Side{Path: w.path, Content: text.Content{Exists: true, Data: s}} }
	patch := diff.Unified(side(w.old), side(w.new))
	return patch[strings.Index(patch, "@@"):]
}

// Every part of a reply that has a path and a text is read or listed as not read, or the
// reply is refused. A file that is changed without a question gets the text in the reply.
func TestEveryPartHasAnAccount(t *testing.T) {
	prose := []string{"", "The value changes.\n\n", "Next, the same elsewhere:\n\n", "I kept the rest.\n\n", "## Another part\n\n", "---\n\n"}
	rapid.Check(t, func(t *rapid.T) {
		tree, parts := fstest.MapFS{"src/util/keep.py": {Data: []byte("keep = 1\n"), Mode: 0o644}}, []rewrite{}
		n := rapid.IntRange(1, 5).Draw(t, "parts")
		var doc strings.Builder
		var names []string
		for i := range n {
			w := rewrite{path: fmt.Sprintf("src/%s%d.py", rapid.SampledFrom([]string{"app", "util/text", "log"}).Draw(t, "name"), i)}
			for j := range rapid.IntRange(4, 12).Draw(t, "lines") {
				w.old += fmt.Sprintf("value_%d_%d = read(%d)\n", i, j, j)
			}
			at := rapid.IntRange(0, 3).Draw(t, "changed")
			w.new = strings.Replace(w.old, fmt.Sprintf("value_%d_%d = read", i, at), fmt.Sprintf("value_%d_%d = write", i, at), 1)
			kind := wholes
			switch rapid.SampledFrom([]string{"new", "whole", "piece"}).Draw(t, "kind") {
			case "new":
				w.old, w.path = "", rapid.SampledFrom([]string{"src/", "src/util/", "src/fresh/"}).Draw(t, "folder")+fmt.Sprintf("new%d.py", i)
			case "piece":
				kind = pieces
				fallthrough
			default:
				tree[w.path] = &fstest.MapFile{Data: []byte(w.old), Mode: 0o644}
			}
			name := rapid.SampledFrom(keys(kind)).Draw(t, "notation")
			if i == 0 && name != "bundle" && name != "git" { // the fenced block makes it a reply
				name, kind = "search", pieces
				w.path, w.old = "src/first.py", "value = read(0)\nother = read(1)\n"
				w.new = "value = write(0)\nother = read(1)\n"
				tree[w.path] = &fstest.MapFile{Data: []byte(w.old), Mode: 0o644}
			}
			names, parts = append(names, name), append(parts, w)
			doc.WriteString(rapid.SampledFrom(prose).Draw(t, "prose") + kind[name](w) + "\n")
		}
		checkAccount(t, doc.String(), tree, parts, names)
	})
}

func keys(habits map[string]func(rewrite) string) []string {
	var all []string
	for name := range habits {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func checkAccount(t *rapid.T, doc string, tree fs.FS, parts []rewrite, names []string) {
	r, err := check.Check(t.Context(), []check.Document{{Name: "reply.md", Text: doc, Format: check.Markdown}}, check.Where{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	verdict, said := verdictOf(r)
	if verdict == "none" {
		t.Fatalf("no block in\n%s", doc)
	}
	for i, w := range parts {
		planned := false
		for _, f := range r.Plan.Files {
			if after, _ := f.After.Text(); f.Path == w.path {
				if planned = true; after != w.new && verdict == "applies" {
					t.Fatalf("%s (%s) becomes\n%s, want\n%s, by\n%s", w.path, names[i], after, w.new, doc)
				}
			}
		}
		listed := slices.ContainsFunc(r.Unread, func(u check.Unread) bool { return u.Path == w.path })
		if !planned && !listed && verdict != "refused" {
			t.Fatalf("%s (%s) is left out: %s %v, in\n%s", w.path, names[i], verdict, said, doc)
		}
		if !planned && verdict == "applies" {
			t.Fatalf("%s (%s) is not applied, and nothing asks: %v, in\n%s", w.path, names[i], said, doc)
		}
	}
}
