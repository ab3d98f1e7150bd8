package convert

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func content(data string) text.Content {
	return text.Content{Exists: true, Data: data, Mode: 0o644}
}

func modify(before, after string) plan.File {
	return plan.File{Path: "a.txt", Operation: plan.Modify, Before: content(before), After: content(after)}
}

// document returns the files as a document of a format, on their own tree.
func document(to Format, files ...plan.File) (string, error) {
	tree := fstest.MapFS{}
	for _, f := range files {
		if f.Before.Exists {
			tree[f.Path] = &fstest.MapFile{Data: []byte(f.Before.Data), Mode: f.Before.Mode}
		}
	}
	return Document(context.Background(), to, files, where(tree), folder)
}

func TestCannot(t *testing.T) {
	binary := plan.File{Path: "bin", Operation: plan.Create, After: content("\x00\xff")}
	link := plan.File{Path: "link", Operation: plan.Create, After: text.Content{Exists: true, Data: "a", Mode: fs.ModeSymlink}}
	dir := plan.File{Path: "dir", Operation: plan.Create, After: text.Content{Exists: true, Mode: fs.ModeDir | 0o755}}
	tool := plan.File{Path: "tool", Operation: plan.Create, After: text.Content{Exists: true, Data: "x\n", Mode: 0o755}}
	executable := modify("a\n", "a\n")
	executable.After.Mode = 0o755
	for _, c := range []struct {
		to     Format
		file   plan.File
		reason string
	}{
		{Git, dir, "folders"},
		{Bundle, dir, "it is a folder"},
		{Bundle, binary, "not text"},
		{Bundle, link, "symbolic link"},
		{Bundle, tool, "permissions -rw-r--r--, not -rwxr-xr-x"},
		{Bundle, executable, "permissions change from -rw-r--r-- to -rwxr-xr-x"},
		{Bundle, modify("a\n", "a\r\n"), `line 1 would end in "\n", not in "\r\n"`},
		{Bundle, modify("a\n", "\ufeffa\n"), "byte order mark"},
		{Bundle, modify("a\n", "\xff\n"), "it becomes neither UTF-8"},
		{Structured, modify("", "a\n"), "nothing to find"},
		{Structured, modify("a\n", "a\r\n"), `line 1 would end in "\n", not in "\r\n"`},
		{Structured, tool, "cannot create"},
		{Structured, plan.File{Path: "a", Operation: plan.Remove, Before: content("a")}, "cannot delete"},
		{Structured, plan.File{Path: "a", To: "b", Operation: plan.Rename, Before: content("a"), After: content("a")}, "cannot rename"},
		{Lines, tool, "cannot create"},
		{AP, binary, "not text"},
		{AP, link, "symbolic link"},
		{AP, executable, "permissions change"},
		{AP, modify("a\n", "a\nb \n"), `a line of the content has trailing white space, which ap removes: "b "`},
		{AP, modify("a\n", "\n\na\n"), "begin or end with blank lines"},
		{AP, plan.File{Path: "n", Operation: plan.Create, After: content("\na\n")}, "begin or end with blank lines"},
	} {
		doc, err := document(c.to, c.file)
		var cannot *CannotError
		if !errors.As(err, &cannot) || cannot.Path != c.file.Path || !strings.Contains(cannot.Reason, c.reason) {
			t.Errorf("%s: %q does not say %q of %s; the document is %q", c.to, err, c.reason, c.file.Path, doc)
		}
	}
}

// found returns the `find` texts of a structured patch.
func found(doc string) string {
	var out []string
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		if find, ok := strings.CutPrefix(line, `"find": `); ok {
			out = append(out, strings.TrimSuffix(find, ","))
		}
	}
	return strings.Join(out, " ")
}

// A find has more and more lines around the change, until planning gives the intended result, and nothing if it is done
// again.
func TestFinds(t *testing.T) {
	for _, c := range []struct{ before, after, finds string }{
		{"a\nb\nc\n", "a\nx\nc\n", `"b"`},
		{"a\nb\nc\n", "a\nc\n", `"a\nb"`},
		{"a\nb\nc\n", "a\nb\nx\nc\n", `"b"`},
		{"b\na\nb\n", "b\na\nx\n", `"a\nb"`},
		{"bb\nb\n", "bb\nx\n", `"bb\nb"`},
		{"x = 1\ny\n", "x = 2\ny\n", `"x = 1"`},
		{"a\nb\n", "a\nb\nb\n", `"b"`},
		{"a\nb\nb\nc\n", "a\nb\nb\nb\nc\n", `"b\nb\nc"`},
		{"a\r\nb\r\nc\r\n", "a\r\nx\r\ny\r\nc\r\n", `"b"`},
		{"a\nb", "a\nb\n", `"b"`},
	} {
		doc, err := document(Structured, modify(c.before, c.after))
		if got := found(doc); err != nil || got != c.finds {
			t.Errorf("%q to %q: finds %s, want %s (%v)", c.before, c.after, got, c.finds, err)
		}
	}
}

// A file whose only line means a boundary is replaced as a whole, but the other files of the patch are edited: the whole
// text of b.txt would count as a part of it.
func TestBoundaryLine(t *testing.T) {
	for _, line := range []string{"^", "$"} {
		other := modify("a\nü\n(b\n", "(b\n}\n")
		other.Path = "b.txt"
		doc, err := document(AP, modify(line+"\n", "a\n"+line+"\n"), other)
		if err != nil || !strings.Contains(doc, " RECREATE\n") || !strings.Contains(doc, " REPLACE\n") {
			t.Errorf("%s: %q %v", line, doc, err)
		}
	}
}

func TestFenced(t *testing.T) {
	for doc, want := range map[string]string{
		"a":             "```ap\na\n```\n",
		"a\n":           "```ap\na\n```\n",
		"```\n":         "````ap\n```\n````\n",
		"x ````` y\n~~": "``````ap\nx ````` y\n~~\n``````\n",
	} {
		if got := Fenced(AP, doc); got != want {
			t.Errorf("%q: %q", doc, got)
		}
	}
}

// No line of a patch contains its ID. In the test, a line contains the first candidate.
func TestPatchID(t *testing.T) {
	doc, err := document(AP, modify("a\n", "b\n"))
	if err != nil {
		t.Fatal(err)
	}
	id := doc[:8]
	again, err := document(AP, modify("a\n", id+" END\n"))
	if err != nil || strings.Count(again, id) != 1 {
		t.Fatalf("%v %s", err, again)
	}
}

// The entries are in an order in which a path is free before a later entry uses it.
func TestOrder(t *testing.T) {
	gone := plan.File{Path: "x", Operation: plan.Remove, Before: content("x")}
	inner := plan.File{Path: "d/e/f", Operation: plan.Remove, Before: content("f")}
	moved := plan.File{Path: "a", To: "b", Operation: plan.Rename, Before: content("a\nb\n"), After: content("a\nc\n")}
	made := plan.File{Path: "x2", Operation: plan.Create, After: content("y\n")}
	var got []string
	for _, f := range ordered([]plan.File{made, moved, modify("a", "b"), gone, inner}) {
		got = append(got, f.Path)
	}
	if strings.Join(got, " ") != "d/e/f x a a.txt x2" {
		t.Fatal(got)
	}
}

// If a folder replaces a file of the same name, only git can express it.
func TestFileBecomesFolder(t *testing.T) {
	files := []plan.File{{Path: "x/y", Operation: plan.Create, After: content("y\n")}, {Path: "x", Operation: plan.Remove, Before: content("x")}}
	if _, err := document(Git, files...); err != nil {
		t.Error(err)
	}
	for _, to := range []Format{AP, Bundle} {
		_, err := document(to, files...)
		var cannot *CannotError
		if slices.Contains(known(), to) && !errors.As(err, &cannot) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// said returns the text of an ap patch without its ID, header and path.
func said(doc string) string {
	id := doc[:8] + " "
	_, doc, _ = strings.Cut(doc, "a.txt\n")
	doc, _, _ = strings.Cut(doc, "\n"+id+"END")
	var out []string
	for line := range strings.Lines(doc) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			out = append(out, strings.ReplaceAll(line, id, "@"))
		}
	}
	return strings.Join(out, "|")
}

func TestModifications(t *testing.T) {
	for _, c := range []struct{ before, after, said string }{
		{"a\nb\nc\n", "a\nx\nc\n", "@REPLACE|@snippet|b|@content|x"},
		{"a\nb\nc\n", "a\nb\nx\nc\n", "@REPLACE|@snippet|b|@content|b|x"},
		{"a\nb\na\n", "x\na\nb\na\n", "@REPLACE|@snippet|a|b|@content|x|a|b"},
		{"a\n\nb\n", "a\n\nx\n\nb\n", "@REPLACE|@snippet|a|b|@content|a|x|b"},
		{"f\n\ng\n\nh\n", "f\n\nh\n", "@REPLACE|@snippet|f|g|h|@content|f|h"},
		{"f\n}\ng\n}\n", "f\n}\ng\n]\n", "@REPLACE|@snippet|g|}|@content|g|]"},
		{"}\ng\n}\n", "]\ng\n}\n", "@REPLACE|@snippet|}|g|@content|]|g"},
		{"a\na\na\n", "a\na\n", "@REPLACE|@snippet|a|a|a|@content|a|a"},
		{"a\na\na\n", "a\nx\na\n", "@REPLACE|@snippet|a|a|a|@content|a|x|a"},
		{"", "a\n", "@RECREATE|@content|a"},
		{"a\n", "", "@REPLACE|@snippet|a|@content"},
		{"$\n", "b\n", "@RECREATE|@content|b"},
		{"a \nb\na \n", "a \nb\nx\na \n", "@REPLACE|@snippet|b|@content|b|x"},
	} {
		doc, err := document(AP, modify(c.before, c.after))
		if err != nil {
			t.Errorf("%q to %q: %v", c.before, c.after, err)
			continue
		}
		if got := said(doc); got != c.said {
			t.Errorf("%q to %q: %s, want %s", c.before, c.after, got, c.said)
		}
	}
}
