package filetags

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

var subject = parsetest.Subject{Format: Format, Say: func(p format.Parsed) (changes []string) {
	for _, c := range p.Set.Changes {
		changes = append(changes, fmt.Sprintf("%d %s %q", c.Kind, c.Path, c.Content))
	}
	return changes
}}

// Only the next closing tag shows that an earlier one belongs to a text.
func TestPrefixes(t *testing.T) {
	subject.CheckPrefixes(t, parsetest.Prefixes{Exempt: []string{"stray-end", "stray-end-fence"}})
}

func FuzzParse(f *testing.F) {
	subject.Fuzz(f, nil, func(t *testing.T, r *format.Region, p format.Parsed) {
		for _, c := range p.Set.Changes {
			if c.PathAt.Span.In(r.Body) != c.Path || c.Path == "" {
				t.Fatalf("the path %q is at %q", c.Path, c.PathAt.Span.In(r.Body))
			}
		}
	})
}

// ways are the ways to write files between tags. Each returns a text that is read as the content,
// or as an error. Aptix asks about escaped text.
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

// For any text of a file, the text that is read equals the one that was written, unless it is
// refused or Aptix asks.
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
		for _, r := range subject.Regions(doc, nil) {
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

// isNotation reports whether a text looks like a part of the notation itself: it is CDATA or a
// fence as a whole, so that it would be taken for the wrapping of a file's text, or it ends a
// file and begins another.
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
