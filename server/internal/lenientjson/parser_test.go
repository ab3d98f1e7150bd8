package lenientjson

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/codes"
)

// Each mistake has its own code and the narrowest range. The part of the source in ⟦ ⟧ is the range of the first
// diagnostic.
func TestMistakes(t *testing.T) {
	tests := []struct {
		code diag.Code
		src  string
	}{
		{diag.JSONEmpty, "  ⟦⟧"},
		{diag.JSONBOM, "⟦\ufeff⟧{}"},
		{diag.JSONTextBefore, "⟦Here you are:⟧\n{\"a\": 1}"},
		{diag.JSONTextAfter, "{\"a\": 1}\n⟦That is all.⟧\nBye"},
		{diag.JSONTextAfter, `{"a": 1} ⟦{"b": 2}⟧`},
		{diag.JSONMismatchedBracket, `{"a": 1}⟦}⟧`},
		{diag.JSONMismatchedBracket, `["a"⟦}⟧`},
		{diag.JSONOverEscaped, `{⟦\"⟧path\": \"a.txt\"}`},
		{diag.JSONOverEscaped, `{⟦\n⟧  "path": "a.txt"}`},
		{diag.JSONComment, "{\"a\": 1 ⟦// one⟧\n}"},
		{diag.JSONComment, "{⟦/* one\n two */⟧\"a\": 1}"},
		{diag.JSONComment, "{\"a\": \"b\" ⟦# one⟧\n}"},
		{diag.JSONComment, `{"a": "b" ⟦// "c"⟧` + "\n}"},
		{diag.JSONTrailingComma, `{"a": [1, 2⟦,⟧ ]}`},
		{diag.JSONTrailingComma, `{"a": 1⟦,⟧}`},
		{diag.JSONExtraComma, `[1,⟦,⟧2]`},
		{diag.JSONExtraComma, `{⟦,⟧"a": 1}`},
		{diag.JSONMissingComma, "{\"a\": \"x\"⟦⟧\n\"b\": 2}"},
		{diag.JSONMissingComma, `{"a": "x"⟦⟧ "b": 2}`},
		{diag.JSONMissingComma, `[{"a": 1}⟦⟧ {"a": 2}]`},
		{diag.JSONMissingComma, "[\"a\"⟦⟧\n\"b\"]"},
		{diag.JSONMissingColon, `{"a"⟦⟧ 1}`},
		{diag.JSONMissingColon, `{"a"⟦⟧, "b": 1}`},
		{diag.JSONMissingValue, `{⟦"a"⟧: , "b": 1}`},
		{diag.JSONMissingValue, `{⟦"a"⟧: }`},
		{diag.JSONMissingName, `{"a": 1, ⟦{⟧"b": 2}}`},
		{diag.JSONMissingName, `{⟦:⟧ 1}`},
		{diag.JSONDuplicateName, `{"a": 1, "b": 2, ⟦"a"⟧: 3}`},
		{diag.JSONDuplicateName, `{"a": 1, ⟦"\u0061"⟧: 3}`},
		{diag.JSONUnquotedName, `{⟦path⟧: "a.txt"}`},
		{diag.JSONUnquotedName, `{"a": 1, ⟦doc-path⟧: "a.txt"}`},
		{diag.JSONWrongQuotes, `{"path": ⟦'⟧a.txt'}`},
		{diag.JSONWrongQuotes, `{⟦“⟧path”: "a.txt"}`},
		{diag.JSONWrongQuotes, "{\"path\": ⟦`⟧a.txt`}"},
		{diag.JSONUnescapedQuote, `{"a": "say ⟦"⟧hi" to all", "b": 1}`},
		{diag.JSONUnescapedQuote, `{"a": "say ⟦"⟧hi", she said", "b": 1}`},
		{diag.JSONUnescapedQuote, `{"a": "f(⟦"⟧x") {", "b": 1}`},
		{diag.JSONUnterminatedString, "{\"a\": ⟦\"⟧x,\n  \"b\": 1}"},
		{diag.JSONUnterminatedString, `{"a": ⟦"⟧x}`},
		{diag.JSONUnterminatedString, "{⟦\"⟧a: 1,\n\"b\": 2}"},
		{diag.JSONRawNewline, "{\"a\": \"x⟦\n⟧y\nz\"}"},
		{diag.JSONRawNewline, "{\"a\": \"x⟦\r\n⟧y\"}"},
		{diag.JSONControlCharacter, "{\"a\": \"x⟦\t⟧y\tz\"}"},
		{diag.JSONNUL, "{\"a\": \"x⟦\x00⟧y\"}"},
		{diag.JSONNUL, "{⟦\x00⟧}"},
		{diag.JSONInvalidEscape, `{"a": "⟦\d⟧+"}`},
		{diag.JSONInvalidEscape, `{"a": "⟦\u12⟧g4"}`},
		{diag.JSONInvalidEscape, `{"a": "⟦\é⟧"}`},
		{diag.JSONInvalidEscape, `{"a": "⟦\u⟧+123"}`},
		{diag.JSONInvalidEscape, "{\"a\": \"x⟦\\⟧\ny\"}"},
		{diag.JSONLoneSurrogate, `{"a": "⟦\ud83d⟧"}`},
		{diag.JSONLoneSurrogate, `{"a": "⟦\ude00⟧\ud83d\ude00"}`},
		{diag.JSONInvalidUTF8, "{\"a\": \"é⟦\xff⟧\"}"},
		{diag.JSONInvalidUTF8, "{\"a\": ⟦\xff⟧}"},
		{diag.JSONBadNumber, `[⟦01⟧]`},
		{diag.JSONBadNumber, `[⟦+1⟧]`},
		{diag.JSONBadNumber, `[⟦.5⟧]`},
		{diag.JSONBadNumber, `[⟦1.⟧]`},
		{diag.JSONBadNumber, `[⟦0x1F⟧]`},
		{diag.JSONBadNumber, `[⟦-⟧]`},
		{diag.JSONBadNumber, `[⟦1e⟧]`},
		{diag.JSONBadLiteral, `[⟦None⟧]`},
		{diag.JSONBadLiteral, `[⟦True⟧]`},
		{diag.JSONBadLiteral, `[⟦undefined⟧]`},
		{diag.JSONBadLiteral, `[⟦NaN⟧]`},
		{diag.JSONBadLiteral, `{"a": ⟦src/a b.txt⟧, "b": 1}`},
		{diag.JSONUnexpectedCharacter, `{"a": ⟦@⟧, "b": 1}`},
		{diag.JSONUnexpectedCharacter, "{⟦\u00a0⟧\"a\": 1}"},
		{diag.JSONUnclosed, `{"a": ⟦[⟧{"b": 1}`},
		{diag.JSONUnclosed, `{"a": ⟦[⟧1, 2}`},
		{diag.JSONTooDeep, strings.Repeat("[", maxDepth) + "⟦[⟧[" + strings.Repeat("]", maxDepth)},
	}
	for _, tt := range tests {
		src := strings.NewReplacer("⟦", "", "⟧", "").Replace(tt.src)
		start := strings.Index(tt.src, "⟦")
		end := strings.Index(tt.src, "⟧") - len("⟦")
		_, diags := Parse(src)
		if len(diags) == 0 {
			t.Errorf("%.60q: no diagnostic, want %s", tt.src, tt.code)
			continue
		}
		if d := diags[0]; d.Code != tt.code || d.Span.Start != start || d.Span.End != end {
			t.Errorf("%.60q: %s %v %s, want %s [%d,%d)", tt.src, d.Code, d.Span, d.Message, tt.code, start, end)
		}
		if tt.code != diag.JSONBOM && !diag.HasErrors(diags) {
			t.Errorf("%.60q: no error", tt.src)
		}
	}
}

// If a document has only one mistake, there is only one diagnostic, and everything else is read
// correctly.
func TestGoesOn(t *testing.T) {
	const want = `{"a": ["x", "y"], "b": {"c": "z"}, "d": 1}`
	tests := map[string]string{
		"trailing commas":    `{"a": ["x", "y",], "b": {"c": "z"}, "d": 1}`,
		"missing comma":      `{"a": ["x", "y"] "b": {"c": "z"}, "d": 1}`,
		"no comma, newline":  "{\"a\": [\"x\"\n\"y\"], \"b\": {\"c\": \"z\"}, \"d\": 1}",
		"missing colon":      `{"a": ["x", "y"], "b" {"c": "z"}, "d": 1}`,
		"unquoted name":      `{"a": ["x", "y"], b: {"c": "z"}, "d": 1}`,
		"single quotes":      `{"a": ["x", "y"], "b": {"c": 'z'}, "d": 1}`,
		"typographic quotes": `{"a": ["x", “y”], "b": {"c": "z"}, "d": 1}`,
		"comment":            "{\"a\": [\"x\", \"y\"], // it's\n\"b\": {\"c\": \"z\"}, \"d\": 1}",
		"unclosed inside":    `{"a": ["x", "y"], "b": {"c": "z", "d": 1}`,
		"unclosed array":     `{"a": ["x", "y", "b": {"c": "z"}, "d": 1}`,
		"text around":        "Look:\n{\"a\": [\"x\", \"y\"], \"b\": {\"c\": \"z\"}, \"d\": 1}",
		"mismatched":         `{"a": ["x", "y"], "b": {"c": "z"}, "d": 1]`,
		"wrong closer":       `{"a": ["x", "y"], "b": {"c": "z"}, "d": 1}}`,
	}
	valid, _ := Parse(want)
	for name, src := range tests {
		got, diags := Parse(src)
		if name == "unclosed array" || name == "unclosed inside" {
			if len(diags) == 0 || got.Member("a") == nil {
				t.Errorf("%s: %v", name, diags)
			}
			continue
		}
		if len(diags) != 1 {
			t.Errorf("%s: %d diagnostics: %v", name, len(diags), diags)
		}
		if describe(got) != describe(valid) {
			t.Errorf("%s: read %s, want %s", name, describe(got), describe(valid))
		}
	}
}

func TestGoesOnInStrings(t *testing.T) {
	tests := map[string]struct{ src, want string }{
		"raw newlines":      {"{\"a\": \"x\n  y\", \"b\": 1}", "x\n  y"},
		"unescaped quotes":  {`{"a": "say "hi" twice", "b": 1}`, `say "hi" twice`},
		"code":              {`{"a": "f("x", "y") = {"k": 1}; g()", "b": 1}`, `f("x", "y") = {"k": 1}; g()`},
		"invalid escapes":   {`{"a": "\d\$\'", "b": 1}`, `\d\$\'`},
		"triple quotes":     {"{\"a\": \"\"\"x\ny\"\"\", \"b\": 1}", "x\ny"},
		"no end":            {"{\"a\": \"x\n\"b\": 1}", "x"},
		"apostrophe inside": {`{"a": 'don't', "b": 1}`, "don't"},
	}
	for name, tt := range tests {
		got, diags := Parse(tt.src)
		a, b := got.Member("a"), got.Member("b")
		if a == nil || b == nil || a.Value.Text != tt.want || b.Value.Text != "1" {
			t.Errorf("%s: read %s (%v)", name, describe(got), diags)
		}
		if !diag.HasErrors(diags) {
			t.Errorf("%s: no error", name)
		}
	}
}

// describe writes a tree as a string, so that two trees can be compared.
func describe(n *Node) string {
	switch n.Kind {
	case Object:
		var b strings.Builder
		for _, m := range n.Members {
			fmt.Fprintf(&b, "%s=%s;", Quote(m.Key.Text), describe(m.Value))
		}
		return "{" + b.String() + "}"
	case Array:
		var b strings.Builder
		for _, e := range n.Elems {
			b.WriteString(describe(e) + ";")
		}
		return "[" + b.String() + "]"
	case String:
		return Quote(n.Text)
	}
	return n.Kind.String() + " " + n.Text
}

func TestHostileInput(t *testing.T) {
	const n = 200_000
	hostile := map[string]string{
		"brackets":       strings.Repeat("[", n),
		"braces":         strings.Repeat("{", n),
		"mixed":          strings.Repeat("[{", n),
		"wrong closers":  strings.Repeat("[", 5000) + strings.Repeat("}", n),
		"quotes":         strings.Repeat(`"`, n),
		"quoted blanks":  "[" + strings.Repeat("\"   \n  ", n),
		"quote letter":   "[" + strings.Repeat(`"a`, n),
		"quote comma":    "[" + strings.Repeat(`"a, `, n),
		"apostrophes":    "[" + strings.Repeat(`'a `, n),
		"newlines":       `["` + strings.Repeat("\n", n),
		"open strings":   strings.Repeat("\"a\": \"\n", n),
		"comments":       strings.Repeat("/* ", n),
		"backslashes":    `["` + strings.Repeat(`\`, n),
		"colons":         "{" + strings.Repeat(":", n),
		"commas":         "[" + strings.Repeat(",", n),
		"names":          "{" + strings.Repeat(`"a":1,`, n),
		"bad bytes":      `"` + strings.Repeat("\xff", n),
		"surrogates":     `"` + strings.Repeat(`\ud800`, n),
		"NULs":           strings.Repeat("\x00", n),
		"quote comments": "{\"content\": \"" + strings.Repeat("\"//", n),
		"quoted names":   "{\"content\": \"" + strings.Repeat(`"path"  `, n/4),
		"raw tabs":       "{\"content\": \"" + strings.Repeat(`\n`+"\t\"x\"", n/4) + "\"}}",
		"foreign blanks": strings.Repeat("\u00a0", n),
	}
	for name, src := range hostile {
		for _, names := range []Names{nil, testNames} {
			node, diags := ParseAs(src, names)
			if node == nil || !diag.HasErrors(diags) {
				t.Errorf("%s: accepted", name)
			}
			if len(diags) > MaxDiagnostics {
				t.Errorf("%s: %d diagnostics", name, len(diags))
			}
		}
	}
}

func TestTooManyValues(t *testing.T) {
	_, diags := Parse("[" + strings.Repeat("0,", maxValues) + "0]")
	if len(diags) != 1 || diags[0].Code != diag.JSONTooLarge {
		t.Errorf("%v", diags)
	}
}

// checkDiagnostics fails the test unless every diagnostic has a documented code and lies
// inside the source.
func checkDiagnostics(t interface{ Fatalf(string, ...any) }, src string, diags []diag.Diagnostic) {
	documented := codes.All()
	for _, d := range diags {
		if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(src) {
			t.Fatalf("%q: %s at %v lies outside", src, d.Code, d.Span)
		}
		if !slices.ContainsFunc(documented, func(doc codes.Doc) bool { return doc.Code == d.Code }) {
			t.Fatalf("code %s is not documented", d.Code)
		}
	}
}
