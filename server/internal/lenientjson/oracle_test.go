package lenientjson

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// agree fails the test unless both readers accept src with the same values, or both refuse
// it.
func agree(t interface{ Fatalf(string, ...any) }, src string) {
	node, diags := Parse(src)
	checkDiagnostics(t, src, diags)
	checkTree(t, src, node)
	checkRepairs(t, src, diag.HasErrors(diags))
	src = strings.TrimPrefix(src, "\ufeff")
	canonical, err := jsontext.AppendFormat(nil, []byte(src))
	if (err == nil) != !diag.HasErrors(diags) {
		t.Fatalf("%q: jsontext says %v, we say %v", src, err, diags)
	}
	if err == nil && !bytes.Equal(canonical, []byte(compact(node))) {
		t.Fatalf("%q: read as %s, jsontext has %s", src, compact(node), canonical)
	}
}

// checkRepairs fails the test unless repairs can be made, and applying certain repairs one after
// the other comes to an end.
func checkRepairs(t interface{ Fatalf(string, ...any) }, src string, broken bool) {
	for range 100 {
		_, diags := ParseAs(src, testNames)
		if diag.HasErrors(diags) != broken {
			t.Fatalf("%q: ParseAs says %v, and Parse does not agree", src, diags)
		}
		var edits []text.Edit
		for _, d := range diags {
			for _, f := range d.Fixes {
				if _, err := text.Apply(src, f.Edits); err != nil || f.Title == "" || !utf8.ValidString(f.Title) && utf8.ValidString(src) {
					t.Fatalf("%q: %s cannot be made: %v", src, f.Title, err)
				}
				more := append(edits[:len(edits):len(edits)], f.Edits...)
				if _, err := text.Sorted(src, more); f.Preferred && err == nil {
					edits = more
				}
			}
		}
		if len(edits) == 0 {
			return
		}
		src, _ = text.Apply(src, edits)
		_, diags = Parse(src)
		broken = diag.HasErrors(diags)
	}
	t.Fatalf("the certain repairs of %q have no end", src)
}

// compact writes a tree as jsontext formats a value by default: without white space,
// strings with the fewest escapes, numbers as they are.
func compact(n *Node) string {
	var b strings.Builder
	writeCompact(&b, n)
	return b.String()
}

func writeCompact(b *strings.Builder, n *Node) {
	switch n.Kind {
	case Object:
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Quote(m.Key.Text) + ":")
			writeCompact(b, m.Value)
		}
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for i, e := range n.Elems {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCompact(b, e)
		}
		b.WriteByte(']')
	case String:
		b.WriteString(Quote(n.Text))
	case Null:
		b.WriteString("null")
	default:
		b.WriteString(n.Text)
	}
}

// checkTree fails the test unless every node lies inside its parent, and the offsets of
// strings lead back into the source.
func checkTree(t interface{ Fatalf(string, ...any) }, src string, n *Node) {
	within := text.Span{Start: 0, End: len(src)}
	var walk func(n *Node, within text.Span)
	walk = func(n *Node, within text.Span) {
		if !within.Contains(n.Span) {
			t.Fatalf("%q: %v %v outside of %v", src, n.Kind, n.Span, within)
		}
		for offset := 0; n.Kind == String && offset <= len(n.Text); offset += 1 + len(n.Text)/50 {
			if at := n.Source(offset); at < n.Span.Start || at > n.Span.End {
				t.Fatalf("%q: offset %d of %q leads to %d, outside of %v", src, offset, n.Text, at, n.Span)
			}
		}
		for _, m := range n.Members {
			walk(m.Key, m.Span)
			walk(m.Value, m.Span)
			if !n.Span.Contains(m.Span) {
				t.Fatalf("%q: member %v outside of %v", src, m.Span, n.Span)
			}
		}
		for _, e := range n.Elems {
			walk(e, n.Span)
		}
	}
	walk(n, within)
}

// Random documents are read as jsontext reads them. Some are valid, and in others a few bytes
// are changed.
func TestAgreesWithJSONText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawValue(t, 4)
		agree(t, src)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			at := rapid.IntRange(0, len(src)).Draw(t, "at")
			cut := rapid.IntRange(at, min(at+2, len(src))).Draw(t, "end")
			src = src[:at] + rapid.SampledFrom(scraps).Draw(t, "scrap") + src[cut:]
			agree(t, src)
		}
	})
}

var scraps = []string{"", ",", ":", "{", "}", "[", "]", `"`, `\`, `\"`, "'", "“", "”", "\n", "\t", "\x00", "\xff", "\ufeff", "/", "//", "/*", "*/", "#",
	"0", "-", "1e5", "true", "None", " ", `\u00e9`, `\ud83d`, `\ude00`, "a", `"a"`, `"a":`, "é", "\u2028", "\u00a0"}

func drawValue(t *rapid.T, depth int) string {
	blank := rapid.SampledFrom([]string{"", "", " ", "\n", "\r\n\t"})
	kinds := 8
	if depth == 0 {
		kinds = 5
	}
	var b strings.Builder
	b.WriteString(blank.Draw(t, "before"))
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		b.WriteString(rapid.SampledFrom([]string{"true", "false", "null"}).Draw(t, "literal"))
	case 1:
		b.WriteString(rapid.StringMatching(`-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number"))
	case 2, 3, 4, 5:
		b.WriteString(drawString(t))
	case 6:
		items := make([]string, rapid.IntRange(0, 4).Draw(t, "length"))
		for i := range items {
			items[i] = drawValue(t, depth-1)
		}
		b.WriteString("[" + strings.Join(items, ",") + "]")
	default:
		members := make([]string, rapid.IntRange(0, 12).Draw(t, "length"))
		for i := range members {
			members[i] = blank.Draw(t, "gap") + drawString(t) + blank.Draw(t, "gap") + ":" + drawValue(t, depth-1)
		}
		b.WriteString("{" + strings.Join(members, ",") + "}")
	}
	b.WriteString(blank.Draw(t, "after"))
	return b.String()
}

func drawString(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", " ", "é", "\u2028", "😀", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u00E9`, `\uD83D\uDE00`, `\u0000`,
		"'", "{", "}", ",", ":", "//"}), 0, 6).Draw(t, "parts")
	return `"` + strings.Join(parts, "") + `"`
}

// Every byte of a value leads to its place in the source. This is true even far into a string whose escapes have marks
// between them.
func TestSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "é", `\n`, `\u00e9`, `\ud83d\ude00`, `\ud800`, `\d`, "\n", `\\`, strings.Repeat("x", 3000), strings.Repeat(`\t`, 3000)}), 0, 40).Draw(t, "parts")
		src := `[ "` + strings.Join(parts, "") + `"]`
		root, _ := Parse(src)
		n := root.Elems[0]
		at, value := len(`[ "`), 0
		for _, part := range parts {
			if got := n.Source(value); got != at {
				t.Fatalf("offset %d of %q leads to %d, want %d", value, src, got, at)
			}
			one, _ := Parse(`"` + part + `"`)
			at, value = at+len(part), value+len(one.Text)
		}
		if got := n.Source(len(n.Text)); got != at || value != len(n.Text) {
			t.Fatalf("the end of %q leads to %d, want %d", src, got, at)
		}
	})
}

func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		n, diags := Parse(Quote(s))
		if len(diags) > 0 || n.Text != s {
			t.Fatalf("%q is quoted as %s, which reads %q %v", s, Quote(s), n.Text, diags)
		}
	})
	for s, want := range map[string]string{
		"a\"b\\":                    `"a\"b\\"`,
		"\n\t\x01\x7f":              `"\n\t\u0001` + "\x7f" + `"`,
		"é\u2028😀</script>":         `"é` + "\u2028" + `😀</script>"`,
		"not \xff UTF-8\xe2\x82 ok": `"not ` + "\ufffd UTF-8\ufffd\ufffd" + ` ok"`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"root": ".", "files": [{"path": "a.txt", "operation": "create", "content": "a\nb\u00e9\ud83d\ude00"}]}`,
		"{'root': \".\", files: [{\"path\": “a.txt”, // no\n\"content\": \"raw\nline \"quoted\" \\d\",}]",
		`{\"root\": \".\"}`, "\ufeff[1, 2.5e-3, -0, true, None]", "[[[[", `{"a":1,"a":2}`, `"\ud800"`, "\xff",
		`["x", "y" z", "f("a") {"]`, `{"a": "b}`, "{\"a\": \"x\n\"b\": 1}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) { agree(t, src) })
}
