package escape

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// hostile draws text from pieces that could be markup, links, escapes or controls.
func hostile() *rapid.Generator[string] {
	pieces := []string{"[a](command:x)", "![a](http://e.vil/x.png)", "<img src=x>", "<http://e.vil>", "http://e.vil", "WWW.e.vil", "a@e.vil", "mailto:a@e.vil", "&gt;", "$(x)", "[a]: http://e.vil", "**", "`", "``", "~~", "|", "\\", "]", "(", "\x1b[2J", "\x9b", "\u009b", "\r", "\n", "\t", "\u202e", "\u2066", "\u2028", "\u2029", "\u200b", "\u200d", "\ufe0f", "\u3164", "\U000e0041", "\ufeff", "\xff", "\x00", "::a::", "##[", "##vso[", "# ", "- ", "1. ", "> ", " ", "a", "ä", "世", "👩"}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 0, 8).Draw(t, "pieces"), "")
	})
}

func TestNothingInvisibleStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		for name, f := range map[string]func(string) string{"Line": Line, "Text": Text, "Message": Message, "Label": Label, "Report": Report} {
			got := f(s)
			if i := strings.IndexFunc(got, func(r rune) bool {
				return r == unicode.ReplacementChar && !strings.Contains(s, "\ufffd") || hidden(name, r)
			}); i >= 0 {
				t.Errorf("%s(%q) = %q", name, s, got)
			}
			if again := f(got); again != got {
				t.Errorf("%s twice: %q, then %q", name, got, again)
			}
		}
		if got := Message(s); strings.Contains(got, "](") {
			t.Errorf("Message(%q) = %q has a link", s, got)
		}
		if got := Label(s); strings.Contains(strings.ReplaceAll(got, `\$(`, ""), "$(") {
			t.Errorf("Label(%q) = %q has an icon", s, got)
		}
	})
}

func hidden(name string, r rune) bool {
	if name == "Text" || name == "Message" || name == "Report" {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
	}
	return Invisible(r)
}

func TestReport(t *testing.T) {
	for s, want := range map[string]string{
		"::error::x.md:1:1: error": `\::error::x.md:1:1: error`, "a\n \t::add-mask::b\n": "a\n \t\\::add-mask::b\n",
		"a::b": "a::b", "use std::fs;\n": "use std::fs;\n", "a ##[error]b": `a #\#[error]b`, "##vso[a]": `#\#vso[a]`, "## a": "## a",
	} {
		if got := Report(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEscapes(t *testing.T) {
	for _, c := range []struct{ in, line, text string }{
		{"plain ä 世.txt", "plain ä 世.txt", "plain ä 世.txt"},
		{"a\tb\nc\r\n", `a\tb\nc\r\n`, "a\tb\nc\\r\n"},
		{"\x1b[31m\x7f\u009b", `\x1b[31m\x7f\u009b`, `\x1b[31m\x7f\u009b`},
		{"a\u202eb\u2066c\u2028", `a\u202eb\u2066c\u2028`, `a\u202eb\u2066c\u2028`},
		{"❤\ufe0f 👩\u200d🚀", `❤\ufe0f 👩\u200d🚀`, "❤\ufe0f 👩\u200d🚀"},
		{"\U000e0041\u3164\u200b", `\U000e0041\u3164\u200b`, `\U000e0041\u3164\u200b`},
		{"\xff\ufffd", `\xff` + "\ufffd", `\xff` + "\ufffd"},
	} {
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
	}
}

// A Markdown renderer shows escaped text as text, and nothing else.
func TestMarkdownShowsAsText(t *testing.T) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		for name, in := range map[string]string{"Markdown": Markdown(s), "Code": Code(s)} {
			source := []byte("x: " + in + " .")
			var shown strings.Builder
			err := ast.Walk(parser.Parse(text.NewReader(source)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
				switch n := n.(type) {
				case *ast.Document, *ast.Paragraph, *ast.CodeSpan:
				case *ast.Text:
					if enter && name == "Markdown" && n.Parent().Kind() == ast.KindCodeSpan {
						shown.WriteString(strings.ReplaceAll(string(n.Segment.Value(source)), `\`, `\\`))
					} else if enter {
						shown.Write(n.Segment.Value(source))
					}
				default:
					t.Errorf("%s(%q) = %q shows a %s", name, s, in, n.Kind())
				}
				return ast.WalkContinue, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got, want := shown.String(), Line(s)
			if name == "Markdown" { // code is shown without its backticks
				got, want = strings.ReplaceAll(unescaped(got), "`", ""), strings.ReplaceAll(want, "`", "")
			}
			if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields("x: "+want+" ."), " ") {
				t.Errorf("%s(%q) shows %q, want %q", name, s, got, want)
			}
		}
	})
}

// unescaped returns text as CommonMark reads it, without a backslash before ASCII
// punctuation.
func unescaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] < 0x80 && (unicode.IsPunct(rune(s[i+1])) || unicode.IsSymbol(rune(s[i+1]))) {
			i++
		}
		b.WriteByte(s[i])
	}
	return strings.ReplaceAll(b.String(), "&lt;", "<")
}

func TestMarkdownKeepsCode(t *testing.T) {
	for in, want := range map[string]string{
		"the member `a_b` is missing":     "the member `a_b` is missing",
		"`a` and `b`":                     "`a` and `b`",
		"`[x](command:y)`":                "`[x](command:y)`",
		"`a``[x](command:y)`":             "\\`a\\`\\`\\[x\\]\\(command:y)\\`",
		"one ` alone, [x](command:y)":     "one \\` alone, \\[x\\]\\(command:y)",
		"see https://e.vil and www.e.vil": "see https\\://e.vil and www\\.e.vil",
		"":                                "",
	} {
		if got := Markdown(in); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.ToValidUTF8(hostile().Draw(t, "s"), "?")
		var raw bytes.Buffer
		enc := json.NewEncoder(&raw)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(map[string]string{s: s}); err != nil {
			t.Fatal(err)
		}
		got := JSON(raw.Bytes())
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || back[s] != s {
			t.Errorf("JSON(%q) = %q: %v", raw.Bytes(), got, err)
		}
		if i := bytes.IndexFunc(got, func(r rune) bool { return r != '\n' && Invisible(r) }); i >= 0 {
			t.Errorf("JSON(%q) = %q", raw.Bytes(), got)
		}
	})
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	n, err := Writer{W: &out}.Write([]byte("a\x1b[1m\n"))
	if n != 6 || err != nil || out.String() != `a\x1b[1m`+"\n" {
		t.Errorf("wrote %d, %v: %q", n, err, &out)
	}
}
