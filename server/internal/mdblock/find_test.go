package mdblock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ticks replaces ' with a backtick, which a raw string of Go cannot contain.
func ticks(s string) string { return strings.ReplaceAll(s, "'", "`") }

// A found is the block that a row of a table expects.
type found struct {
	Lang, Body string
	Closed     bool
}

func find(doc string) []found {
	var all []found
	for _, b := range Find(doc) {
		all = append(all, found{b.Lang, b.Body, b.Closed})
	}
	return all
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		want      []found
	}{
		{"nothing", "", nil},
		{"text", "a\n\nb\n", nil},
		{"backticks", "a\n'''go\nx\n'''\nb\n", []found{{"go", "x\n", true}}},
		{"tildes", "~~~ Go title\nx\n~~~", []found{{"go", "x\n", true}}},
		{"a tilde fence may hold backticks in its tag", "~~~ 'go'\n~~~\n", []found{{"'go'", "", true}}},
		{"a backtick fence may not", "''' 'go'\nx\n", nil},
		{"longer closing fence", "'''go\nx\n'''''  \nb", []found{{"go", "x\n", true}}},
		{"shorter closing fence", "''''go\nx\n'''\n''''\n", []found{{"go", "x\n'''\n", true}}},
		{"the other character", "'''go\n~~~\n'''\n", []found{{"go", "~~~\n", true}}},
		{"a closing fence has no tag", "'''go\n'''go\n'''\n", []found{{"go", "'''go\n", true}}},
		{"a fence inside a fence", "''''markdown\n'''json\n{}\n'''\n''''\n", []found{{"markdown", "'''json\n{}\n'''\n", true}}},
		{"two blocks", "'''a\n1\n'''\n'''b\n2\n'''\n", []found{{"a", "1\n", true}, {"b", "2\n", true}}},
		{"empty", "'''go\n'''\n", []found{{"go", "", true}}},
		{"still open", "'''go\nx\ny", []found{{"go", "x\ny", false}}},
		{"only the opening fence", "a\n'''go", []found{{"go", "", false}}},
		{"indented by three", "   '''go\n   x\n     y\n z\n   '''\n", []found{{"go", "x\n  y\nz\n", true}}},
		{"indented by four is code", "    '''go\n    x\n", nil},
		{"indented by four goes on a paragraph", "a\n    '''go\n    x\n", nil},
		{"a closing fence indented by four is content", "'''go\n    '''\n'''\n", []found{{"go", "    '''\n", true}}},
		{"quote", "> '''go\n> x\n>  y\n>z\n>\n> '''\n", []found{{"go", "x\n y\nz\n\n", true}}},
		{"a quote's end ends the block", "> '''go\n> x\ny\n", []found{{"go", "x\n", false}}},
		{"a blank line ends a quote", "> '''go\n> x\n\n> '''\n", []found{{"go", "x\n", false}, {"", "", false}}},
		{"bullet list", "- a\n\n  '''go\n  x\n\n    y\n  '''\n", []found{{"go", "x\n\n  y\n", true}}},
		{"ordered list", "10. a\n    '''go\n    x\n    '''\n", []found{{"go", "x\n", true}}},
		{"on the marker's line", "1. '''go\n   x\n   '''\n", []found{{"go", "x\n", true}}},
		{"an item's end ends the block", "- '''go\n  x\ny\n", []found{{"go", "x\n", false}}},
		{"blanks of a blank line in an item are content", "- '''go\n    \n  '''\n", []found{{"go", "  \n", true}}},
		{"an empty item takes one blank line", "-\n\n  '''go\n  x\n  '''\n", []found{{"go", "x\n", true}}},
		{"quote in a list in a quote", "> - > '''go\n>   > x\n>   > '''\n", []found{{"go", "x\n", true}}},
		{"tab as indentation", "-\t'''go\n\tx\n\t'''\n", []found{{"go", "x\n", true}}},
		{"a tab taken in part", "> '''go\n>\t\tx\n> '''\n", []found{{"go", "  \tx\n", true}}},
		{"a fence interrupts a paragraph", "a\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"a fence is no lazy continuation", "> a\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"a list that may not interrupt a paragraph", "a\n2. '''go\nx", nil},
		{"one that may", "a\n1. '''go\n   x", []found{{"go", "x", false}}},
		{"in an HTML comment", "<!--\n'''go\n\nx\n'''\n-->\n'''b\n'''\n", []found{{"b", "", true}}},
		{"in an HTML block", "<div>\n'''go\nx\n\n'''b\n'''\n", []found{{"b", "", true}}},
		{"in a script", "<script>\n\n'''go\n</SCRIPT>\n'''b\n'''\n", []found{{"b", "", true}}},
		{"behind a tag of its own", "<my-tag a=b c=\"d\">\n'''go\n\n'''b\n'''\n", []found{{"b", "", true}}},
		{"such a tag does not interrupt a paragraph", "a\n<my-tag>\n'''b\n'''\n", []found{{"b", "", true}}},
		{"CRLF", "'''go\r\nx\r\n'''\r\n", []found{{"go", "x\r\n", true}}},
		{"CR", "'''go\rx\r'''\r", []found{{"go", "x\r", true}}},
		{"byte order mark", "\ufeff'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"NUL and broken UTF-8", "'''go\n\x00\xff\n'''\n", []found{{"go", "\x00\xff\n", true}}},
		{"other white space is no blank", "\u00a0'''go\nx\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) { checkFound(t, ticks(c.doc), ticked(c.want)) })
	}
}

func ticked(want []found) []found {
	var all []found
	for _, w := range want {
		all = append(all, found{ticks(w.Lang), ticks(w.Body), w.Closed})
	}
	return all
}

func checkFound(t *testing.T, doc string, want []found) {
	t.Helper()
	if diff := cmp.Diff(want, find(doc)); diff != "" {
		t.Errorf("Find(%q), want -, got +:\n%s", doc, diff)
	}
}

func TestSpans(t *testing.T) {
	doc := "a\n> '''json\n> {}\n> '''\nb\n"
	b := Find(ticks(doc))[0]
	if got := b.Open.In(doc); got != "> '''json" {
		t.Errorf("Open is %q", got)
	}
	if got := b.Span.In(doc); got != "> '''json\n> {}\n> '''" {
		t.Errorf("Span is %q", got)
	}
	open := Find(ticks("'''json\n{\n"))[0]
	if open.Span.End != len("'''json\n{\n") {
		t.Errorf("the span of an open block ends at %d", open.Span.End)
	}
}

// Each of these inputs takes quadratic time if a scanner looks at a byte again for each container
// or block around it. At this size, such a scanner would not finish.
func TestHostileInputEnds(t *testing.T) {
	const n = 1 << 17
	for name, doc := range map[string]string{
		"quotes":             strings.Repeat(">", n) + "\n" + strings.Repeat(">", n),
		"items":              strings.Repeat("+ ", n) + "\n" + strings.Repeat("\n", n),
		"items of blanks":    strings.Repeat("+ ", n) + "a\n" + strings.Repeat(" ", n) + "\n" + strings.Repeat("\n", n),
		"thematic breaks":    strings.Repeat("* ", n) + "a",
		"ordered items":      strings.Repeat("1) ", n) + "a\n" + strings.Repeat("b\n", n),
		"opening fences":     strings.Repeat("```a\n", n),
		"blocks":             strings.Repeat("```\n", n),
		"open strings":       strings.Repeat("```json\n{\"a\":\"\n```\n\n", n/8),
		"untagged strings":   strings.Repeat("```\n{\"\n```\n", n/8),
		"owing hunks":        strings.Repeat("```patch\n@@ -1,9 +1,9 @@\n ```\n", n/8),
		"uncounted hunks":    "```patch\n@@ ... @@\n" + strings.Repeat(" ```\n", n),
		"uncounted blocks":   strings.Repeat("~~~patch\n@@ @@\n ~~~\n", n/8),
		"ap values":          strings.Repeat("```ap\n00000000 FILE\n```\n", n/8),
		"ap patches":         strings.Repeat("```ap\n00000000 AP 3.1\n00000000 content\n```a\n```\n", n/16),
		"untagged blanks":    strings.Repeat("- ```\n", n/8) + strings.Repeat("\n", n),
		"fences in items":    strings.Repeat("- ```json\n\n\n", n/8) + "{",
		"opening fences, ap": "```json\n\"\n```\n" + strings.Repeat("```ap\n", n),
		"brackets":           "```json\n" + strings.Repeat("[", n),
	} {
		t.Run(name, func(t *testing.T) { Find(doc) })
	}
}

func BenchmarkFind(b *testing.B) {
	reply := "Some prose.\n\n1. A step:\n\n   ```go\n   func main() {\n   \tprintln(\"x\")\n   }\n   ```\n\n> A note.\n\n" +
		"```json\n{\n  \"root\": \".\",\n  \"files\": [\n    {\"path\": \"a.txt\", \"content\": \"one\\ntwo\\n\"}\n  ]\n}\n```\n\n" +
		"```patch\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n```\n"
	doc := strings.Repeat(reply, 10<<20/len(reply))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		Find(doc)
	}
}
