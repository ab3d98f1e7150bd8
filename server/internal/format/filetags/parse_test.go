package filetags

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// regions are what the format claims of a document.
func regions(doc string) []*format.Region {
	d := format.Document{Text: doc}
	for _, b := range mdblock.Find(doc) {
		d.Fences = append(d.Fences, &format.Region{Block: b})
	}
	return find(d)
}

// said is every change of the complete blocks of a document that have no error.
func said(doc string) []string {
	var changes []string
	for _, r := range regions(doc) {
		p := read(r).parsed
		if !r.Closed || diag.HasErrors(p.Diagnostics) {
			continue
		}
		for _, c := range p.Set.Changes {
			changes = append(changes, fmt.Sprintf("%d %s %q", c.Kind, c.Path, c.Content))
		}
	}
	return changes
}

func replies(t interface{ Fatal(...any) }) map[string]string {
	files, err := filepath.Glob("../../../../testdata/*/file-tags/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), err)
	}
	found := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(file)] = string(txtar.Parse(data).Files[0].Data)
	}
	return found
}

// A prefix of a reply, as it is while the model writes, says no change that the whole reply
// does not say. A closing tag in a text is only known to be one when the next one comes.
func TestPrefixes(t *testing.T) {
	changes := 0
	for name, reply := range replies(t) {
		whole := said(reply)
		changes += len(whole)
		for at := range len(reply) {
			for _, change := range said(reply[:at]) {
				if !slices.Contains(whole, change) && name != "stray-end.txtar" {
					t.Errorf("%s: the first %d bytes say %s", name, at, change)
				}
			}
		}
	}
	if changes < 40 {
		t.Errorf("only %d changes", changes)
	}
}

// FuzzParse: whatever the text, spans are of it and in order.
func FuzzParse(f *testing.F) {
	for _, reply := range replies(f) {
		f.Add(reply)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		last := 0
		for _, r := range append(regions(doc), format.Whole(doc)) {
			if r.Span.Start < last && r.Span != (text.Span{End: len(doc)}) || r.Span.End > len(doc) {
				t.Fatalf("a region at %v after %d", r.Span, last)
			}
			last = r.Span.End
			p := read(r).parsed
			if p.Readable > p.Entries || p.Readable != len(p.Set.Changes) || p.Readable < p.Entries && !diag.HasErrors(p.Diagnostics) {
				t.Fatalf("%d of %d are readable, %d changes, %v", p.Readable, p.Entries, len(p.Set.Changes), p.Diagnostics)
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
				checkSpan(t, r.Body, c.ContentAt.Span)
				if c.PathAt.Span.In(r.Body) != c.Path || c.Path == "" {
					t.Fatalf("the path %q is at %q", c.Path, c.PathAt.Span.In(r.Body))
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

// ways are how files are written between tags: all give the text back, or an error. Escaped
// text asks.
var ways = map[string]func(content string) string{
	"plain": func(s string) string { return "<file path=\"a.py\">\n" + s + "</file>\n" },
	"cdata": func(s string) string { return "<file path=\"a.py\"><![CDATA[\n" + inCDATA{}.Write(s) + "]]></file>\n" },
	"cdata lines": func(s string) string {
		return "<file path=\"a.py\">\n<![CDATA[\n" + inCDATA{}.Write(s) + "]]>\n</file>\n"
	},
	"escaped": func(s string) string { return "<file path=\"a.py\">\n" + escaped{}.Write(s) + "</file>\n" },
	"fenced":  func(s string) string { return "<file path=\"a.py\">\n````py\n" + s + "````\n</file>\n" },
	"document": func(s string) string {
		return "<document>\n<source>a.py</source>\n<document_content>\n" + s + "</document_content>\n</document>\n"
	},
}

const oneLine = `<file path="c.py">c</file>`

// What is read is what was written, whatever the text of the file; else it is refused or asks.
func TestWritten(t *testing.T) {
	exact, asks := map[string]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a = 1", "", "  b", "if a < b and c:", "&lt;", "&amp;amp;", "```", "````", "]]>", "x]]>", "<![CDATA[", "</file>", "<file path=\"b.py\">",
			"</document>", "</document_content>", "<source>b.py</source>", "@@ -1 +1 @@", "1: a", "<p>", "# ...", oneLine}), 0, 6).Draw(t, "lines")
		content := ""
		for _, line := range lines {
			content += line + "\n"
		}
		name := rapid.SampledFrom([]string{"plain", "cdata", "cdata lines", "escaped", "fenced", "document"}).Draw(t, "way")
		doc := "Here it is.\n\n" + ways[name](content) + "\nThat is all.\n"
		var all []diag.Diagnostic
		var changes []intent.Change
		for _, r := range regions(doc) {
			p := read(r).parsed
			all, changes = append(all, p.Diagnostics...), append(changes, p.Set.Changes...)
			if !r.Closed || diag.HasErrors(all) {
				return
			}
		}
		for _, c := range changes {
			switch {
			case len(diag.Doubts(all)) > 0 || c.Escaped == content:
				asks[name]++
			case c.Content != content && !isNotation(content):
				t.Fatalf("%s: %q is read as %q\n%s", name, content, c.Content, doc)
			default:
				exact[name]++
			}
		}
	})
	for name := range ways {
		if exact[name]+asks[name] < 3 {
			t.Errorf("%s was read %d times", name, exact[name]+asks[name])
		}
	}
}

// isNotation reports whether a text reads as the notation itself: as a whole it is CDATA or a
// fence, which is taken for what is around the text of a file, or it ends a file and begins one.
func isNotation(content string) bool {
	s := strings.TrimSpace(content)
	if strings.HasPrefix(s, "```") && strings.HasSuffix(s, "```") || strings.HasPrefix(s, "<![CDATA[") && strings.HasSuffix(s, "]]>") {
		return true
	}
	depth, ended := 0, false
	for line := range strings.Lines(content) {
		switch line = text.TrimEOL(line); {
		case mdblock.BeginsTagged(line) != nil:
			if ended {
				return true
			}
			depth++
		case mdblock.ClosingTag(line) == "file":
			depth--
			ended = ended || depth < 0
		}
	}
	return false
}
