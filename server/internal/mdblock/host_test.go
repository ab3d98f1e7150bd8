package mdblock

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
	"pgregory.net/rapid"
)

func TestHostEdit(t *testing.T) {
	for _, c := range []struct {
		name, doc  string
		start, end int // offsets in Body
		text       string
		want       string
	}{
		{"inside a line", "'''a\nxyz\n'''\n", 1, 2, "-", "'''a\nx-z\n'''\n"},
		{"a new line in a quote", "> '''a\n> xyz\n> '''\n", 1, 1, "\n", "> '''a\n> x\n> yz\n> '''\n"},
		{"an empty line in a quote", "> '''a\n> x\n> '''\n", 2, 2, "\ny\n", "> '''a\n> x\n>\n> y\n> '''\n"},
		{"a new line in a list", "1. '''a\n   x\n   '''\n", 0, 0, "y\n\n", "1. '''a\n   y\n\n   x\n   '''\n"},
		{"lines joined in a quote", "> '''a\n> x\n> y\n> '''\n", 1, 2, "", "> '''a\n> xy\n> '''\n"},
		{"a line deleted in a quote", "> '''a\n> x\n> y\n> '''\n", 0, 2, "", "> '''a\n> y\n> '''\n"},
		{"across three lines", "> '''a\n> abc\n> def\n> ghi\n> '''\n", 1, 9, "1\n2", "> '''a\n> a1\n> 2hi\n> '''\n"},
		{"the last line deleted", "- '''a\n  x\n  '''\n", 0, 2, "", "- '''a\n  '''\n"},
		{"appended, with its line ending", "- '''a\n  x\n  '''\n", 2, 2, "y\n", "- '''a\n  x\n  y\n  '''\n"},
		{"appended, without", "- '''a\r\n  x\r\n  '''\r\n", 3, 3, "y", "- '''a\r\n  x\r\n  y\r\n  '''\r\n"},
		{"the last line ending deleted", "- '''a\n  x\n  '''\n", 1, 2, "", "- '''a\n  x\n  '''\n"},
		{"into an empty block", "> '''a\n> '''\n", 0, 0, "x", "> '''a\n> x\n> '''\n"},
		{"into an open block", "> '''a", 0, 0, "x", "> '''a\n> x"},
		{"at the end of an open block", "- '''a\n  x", 1, 1, "\ny", "- '''a\n  x\n  y"},
		{"a blank before text behind a bare mark", ">'''a\n>x\n>'''\n", 0, 0, " ", ">'''a\n>  x\n>'''\n"},
		{"text in a blank line of an item", "- '''a\n\n  '''\n", 0, 0, "x", "- '''a\n  x\n  '''\n"},
		{"in a tab taken in part", "> '''a\n>\t\tx\n> '''\n", 1, 1, "-", "> '''a\n>  - \tx\n> '''\n"},
		{"LF put behind CR", "> '''a\n> x\r> y\n> '''\n", 2, 2, "\n", "> '''a\n> x\r\n> y\n> '''\n"},
		{"CRLF taken apart", "> '''a\n> x\r\n> y\n> '''\n", 2, 3, "", "> '''a\n> x\r> y\n> '''\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := ticks(c.doc)
			b := Find(doc)[0]
			e := b.HostEdit(text.Edit{Span: text.Span{Start: c.start, End: c.end}, New: c.text})
			got, err := text.Apply(doc, []text.Edit{e})
			if err != nil {
				t.Fatal(err)
			}
			if got != ticks(c.want) {
				t.Errorf("got %q, want %q", got, ticks(c.want))
			}
		})
	}
}

func TestWholeMapsToItself(t *testing.T) {
	b := Whole("{\n}\n")
	e := text.Edit{Span: text.Span{Start: 1, End: 2}, New: "\n\n"}
	if got := b.HostEdit(e); got != e {
		t.Errorf("HostEdit is %v", got)
	}
	if at, ok := b.BodyOffset(4); at != 4 || !ok {
		t.Errorf("BodyOffset is %d, %v", at, ok)
	}
	if _, ok := b.BodyOffset(5); ok {
		t.Error("an offset behind the end is in Body")
	}
	if s := (text.Span{Start: 1, End: 4}); b.HostSpan(s) != s {
		t.Errorf("HostSpan is %v", b.HostSpan(s))
	}
}

func TestBodyOffset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := hosted().Draw(t, "doc")
		b := Find(doc)[0]
		stands := map[int]int{} // maps offsets in the host to offsets in Body
		for at := range len(b.Body) + 1 {
			if host := b.HostOffset(at); at == len(b.Body) || doc[host] == b.Body[at] { // the byte is not a part of a tab
				stands[host] = at
			}
		}
		for host := -1; host <= len(doc)+1; host++ {
			want, is := stands[host]
			if got, ok := b.BodyOffset(host); ok != is || (ok && got != want) {
				t.Fatalf("byte %d of %q is byte %d of Body %q (%v), want %d (%v)", host, doc, got, b.Body, ok, want, is)
			}
		}
	})
}

// containers are ways to put a block into a document: the text before its opening fence, and the
// text before each line below.
var containers = [][2]string{
	{"", ""}, {"  ", "  "}, {"> ", "> "}, {">", ">"}, {"- ", "  "}, {"1.  ", "    "}, {"> - ", ">   "},
	{"- > ", "  > "}, {"-\t", "\t"}, {"> > ", ">> "}, {"   ", ""}, {">  ", "> "}, {"- - ", "\t"}, {">   ", ">\t"},
}

func hosted() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		in := rapid.SampledFrom(containers).Draw(t, "container")
		lines := []string{"text", "", in[0] + "```txt"}
		for _, l := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "", " b", "\tc", "  ", "é", "> d", "- e"}), 0, 5).Draw(t, "lines") {
			lines = append(lines, in[1]+l)
		}
		if rapid.Bool().Draw(t, "closed") {
			lines = append(lines, in[1]+"```", "", "end", "")
		}
		return strings.Join(lines, eol)
	})
}

func TestEditsReachTheHost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := hosted().Draw(t, "doc")
		b := Find(doc)[0]
		start := rapid.IntRange(0, len(b.Body)).Draw(t, "start")
		end := rapid.IntRange(start, len(b.Body)).Draw(t, "end")
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"x", " ", "\t", "\n", "\r\n", "> ", "- "}), 0, 4).Draw(t, "parts")
		checkEdit(t, doc, b, text.Edit{Span: text.Span{Start: start, End: end}, New: strings.Join(parts, "")})
	})
}

// Two edits of one fix are mapped one by one and then applied together.
func TestEditsOfOneFixReachTheHostTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := hosted().Draw(t, "doc")
		b := Find(doc)[0]
		at := 0
		var body, host []text.Edit
		for at <= len(b.Body) && len(body) < 3 {
			start := rapid.IntRange(at, len(b.Body)).Draw(t, "start")
			end := rapid.IntRange(start, len(b.Body)).Draw(t, "end")
			parts := rapid.SliceOfN(rapid.SampledFrom([]string{"x", " ", "\n"}), 0, 3).Draw(t, "parts")
			e := text.Edit{Span: text.Span{Start: start, End: end}, New: strings.Join(parts, "")}
			body, host = append(body, e), append(host, b.HostEdit(e))
			at = end + 2 // no offset lies inside a CRLF
		}
		checkEdits(t, doc, b, body, host)
	})
}

func checkEdit(t *rapid.T, doc string, b Block, e text.Edit) {
	checkEdits(t, doc, b, []text.Edit{e}, []text.Edit{b.HostEdit(e)})
}

func checkEdits(t *rapid.T, doc string, b Block, inBody, inHost []text.Edit) {
	want, err := text.Apply(b.Body, inBody)
	if err != nil {
		t.Fatal(err)
	}
	host, err := text.Apply(doc, inHost)
	if err != nil {
		t.Fatal(err)
	}
	got := Find(host)[0]
	if b.Closed && want != "" && !endsLine(want) {
		want += b.eol
	}
	if got.Body != want || got.Closed != b.Closed {
		t.Fatalf("edits %v of the body %q\nmade the host %q\nwith the body %q\nnot           %q", inBody, b.Body, host, got.Body, want)
	}
}
