package lenientjson

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var testNames = Names{"root": false, "files": false, "path": false, "operation": false, "content": true, "find": true, "replace": true}

// All certain repairs of src together give want.
func TestCertain(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"raw line breaks", "{\"content\": \"a\n\n\tb\", \"path\": \"x\"}", `{"content": "a\n\n\tb", "path": "x"}`},
		{"raw line breaks between quotes that are escaped", "{\"content\": \"f(\\\"a\\\")\nb\"}", `{"content": "f(\"a\")\nb"}`},
		{"CRLF throughout", "{\r\n\"content\": \"a\r\nb\"}", "{\r\n\"content\": \"a\\nb\"}"},
		{"raw tab", "{\"content\": \"a\tb\"}", `{"content": "a\tb"}`},
		{"raw tabs behind escaped line breaks", "{\"content\": \"f {\\n\tx\\n}\"}", `{"content": "f {\n\tx\n}"}`},
		{"stray quotes", `{"content": "say "hi" to", "path": "x"}`, `{"content": "say \"hi\" to", "path": "x"}`},
		{"stray quotes at the end", `{"path": "x", "content": "print("a", "b")\n"}`, `{"path": "x", "content": "print(\"a\", \"b\")\n"}`},
		{"JSON inside of JSON", `{"content": "{"name": "x", "list": ["y", "z"], "o": {"k": "v"}}", "path": "p"}`, `{"content": "{\"name\": \"x\", \"list\": [\"y\", \"z\"], \"o\": {\"k\": \"v\"}}", "path": "p"}`},
		{"pasted JSON", "{\"content\": \"{\n  \"name\": \"x\",\n  \"v\": \"1\"\n}\n\", \"path\": \"p\"}", `{"content": "{\n  \"name\": \"x\",\n  \"v\": \"1\"\n}\n", "path": "p"}`},
		{"escape of patterns", `{"find": "\d+\s\w", "replace": "\1"}`, `{"find": "\\d+\\s\\w", "replace": "\\1"}`},
		{"trailing and doubled commas", `{"files": [{"path": "a",},,],}`, `{"files": [{"path": "a"}]}`},
		{"missing commas", "{\"files\": [{\"path\": \"a\" \"content\": \"\"} {}]\n\"root\": \".\"}", "{\"files\": [{\"path\": \"a\", \"content\": \"\"}, {}],\n\"root\": \".\"}"},
		{"missing colon", `{"path" "a"}`, `{"path": "a"}`},
		{"names without quotes", `{path: "a", content : ""}`, `{"path": "a", "content" : ""}`},
		{"comments", "{ // it's one\n\"path\": /* two */ \"a\" # three\n}", "{ \n\"path\":  \"a\" \n}"},
		{"single quotes", `{'path': 'it\'s "a"', 'content': 'a\nb'}`, `{"path": "it's \"a\"", "content": "a\nb"}`},
		{"typographic quotes", `{“path”: “a”, „content“: ‘b’}`, `{"path": "a", "content": "b"}`},
		{"backticks", "{\"path\": `a`, \"content\": `x\n\"y\"`}", `{"path": "a", "content": "x\n\"y\""}`},
		{"words of other languages", `{"a": None, "b": True, "c": FALSE, "d": undefined, "e": nil}`, `{"a": null, "b": true, "c": false, "d": null, "e": null}`},
		{"text around", "Here it is:\n{\"path\": \"a\"}\nThat's all.\n", "{\"path\": \"a\"}\n\n"},
		{"surplus brackets", `{"path": "a"}]}`, `{"path": "a"}`},
		{"last bracket", `{"root": ".", "files": [{"path": "a"}]` + "\n", `{"root": ".", "files": [{"path": "a"}]}` + "\n"},
		{"bracket inside", `{"files": [{"path": "a"}}`, `{"files": [{"path": "a"}]}`},
		{"brace inside", `{"files": [{"path": "a"]}`, `{"files": [{"path": "a"}]}`},
		{"wrong bracket", `{"files": [{"path": "a"}]]`, `{"files": [{"path": "a"}]}`},
		{"the same twice", `{"path": "a", "content": "x", "path": "a"}`, `{"path": "a", "content": "x"}`},
		{"foreign blanks", "{\u00a0\u00a0\"path\": \"a\"}", `{  "path": "a"}`},
		{"byte order mark", "\ufeff{\"path\": \"a\"}", `{"path": "a"}`},
		{"several", "{path: 'a', // one\n\"content\": \"x\ny\" \"find\": \"z\",}", "{\"path\": \"a\", \n\"content\": \"x\\ny\", \"find\": \"z\"}"},
	}
	for _, tt := range tests {
		_, diags := ParseAs(tt.src, testNames)
		if got := applyCertain(t, tt.src, diags); got != tt.want {
			t.Errorf("%s: %q becomes\n%q, want\n%q\n%v", tt.name, tt.src, got, tt.want, diags)
		}
		if _, diags := ParseAs(tt.want, testNames); len(diags) > 0 {
			t.Errorf("%s: %v is left", tt.name, diags)
		}
	}
}

// No repair of src is certain. The first one gives want, which is "" if there is no repair.
func TestOffered(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"line breaks written in two ways", "{\"content\": \"a\nsay('b\\n')\"}", `{"content": "a\nsay('b\n')"}`},
		{"line break inside a literal", "{\"content\": \"say(\\\"a\n\\\")\"}", `{"content": "say(\"a\n\")"}`},
		{"line break behind a backslash", "{\"content\": \"a\\\nb\"}", `{"content": "ab"}`},
		{"CRLF among LF", "{\n\"content\": \"a\r\nb\"}", "{\n\"content\": \"a\\nb\"}"},
		{"CRLF, and another string escapes CR", "{\"path\": \"x\\r\\n\", \"content\": \"a\r\nb\"}", `{"path": "x\r\n", "content": "a\nb"}`},
		{"a doubled backslash beside", "{\"content\": \"a\n\\\\d\"}", `{"content": "a\n\\d"}`},
		{"another string has code for an escape", "{\"content\": \"a\nb\", \"find\": \"say('x\\n')\"}", `{"content": "a\nb", "find": "say('x\n')"}`},
		{"other control characters", "{\"content\": \"a\bb\"}", `{"content": "a\bb"}`},
		{"NUL", "{\"content\": \"a\x00b\"}", `{"content": "ab"}`},
		{"one stray quote", `{"content": "a 5" disk", "path": "x"}`, `{"content": "a 5\" disk", "path": "x"}`},
		{"a member of ours in the text", `{"content": "{"path": "y"}", "path": "x"}`, `{"content": "{\"path\": \"y\"}", "path": "x"}`},
		{"what could be the end", `{"content": "a", b "c", "path": "x"}`, `{"content": "a\", b \"c", "path": "x"}`},
		{"quotes escaped and not", `{"content": "f(\"a\") "b" c", "path": "x"}`, `{"content": "f(\"a\") \"b\" c", "path": "x"}`},
		{"stray quotes in a path", `{"path": "a "b" c", "content": "x"}`, `{"path": "a \"b\" c", "content": "x"}`},
		{"escapes beside one of patterns", `{"find": "\bfoo\d"}`, `{"find": "\bfoo\\d"}`},
		{"escape of a shell", `{"find": "\$HOME"}`, `{"find": "\\$HOME"}`},
		{"escaped apostrophe", `{"find": "it\'s"}`, `{"find": "it\\'s"}`},
		{"escape of other languages", `{"find": "\x1b"}`, `{"find": "\\x1b"}`},
		{"malformed character", `{"find": "\u12"}`, `{"find": "\\u12"}`},
		{"half a character", `{"find": "\ud83d"}`, ""},
		{"string without end", "{\"path\": \"a,\n\"content\": \"\"}", "{\"path\": \"a\",\n\"content\": \"\"}"},
		{"comment on what is missing", "{\"path\": \"a\" // ... rest\n}", "{\"path\": \"a\" \n}"},
		{"comment with a member", "{\"path\": \"a\" /* \"content\": \"x\" */}", `{"path": "a" }`},
		{"text that has a member", "root: ./src\n{\"path\": \"a\"}", `{"path": "a"}`},
		{"text on what is missing", "{\"path\": \"a\"}\nThe rest follows.", "{\"path\": \"a\"}\n"},
		{"two values", `{"path": "a"} {"path": "b"}`, ""},
		{"list cut off", `{"root": ".", "files": [{"path": "a"}`, `{"root": ".", "files": [{"path": "a"}]}`},
		{"cut off behind a comma", `{"root": ".",`, `{"root": "."}`},
		{"closed again in a hurry", `{"root": ".", "files": [{"path": "a"},}`, `{"root": ".", "files": [{"path": "a"},]}`},
		{"different values", `{"path": "a", "path": "b"}`, `{"path": "a"}`},
		{"words", `{"path": NaN}`, `{"path": null}`},
		{"a string without quotes", `{"path": src/a.txt}`, `{"path": "src/a.txt"}`},
		{"unknown name", `{size: 1}`, `{"size": 1}`},
		{"no blank between", `{"path": "a""content": ""}`, `{"path": "a","content": ""}`},
		{"no blank for the colon", `{"path""a"}`, `{"path":"a"}`},
		{"apostrophe", `{'path': 'don't'}`, `{"path": 'don't'}`},
		{"a member in other quotes", `{'path': "a, 'content': x"}`, `{"path": "a, 'content': x"}`},
		{"code in backticks", "{\"content\": `a\\n`}", `{"content": "a\n"}`},
		{"typographic text", `{“content”: "it’s"}`, `{"content": "it’s"}`},
		{"blanks in the text as well", "{\u00a0\"content\": \"a\u00a0b\"}", "{ \"content\": \"a\u00a0b\"}"},
		{"escaped once more", `{\"path\": \"a\\n\"}`, `{"path": "a\n"}`},
		{"number", `{"a": 01}`, ""},
	}
	for _, tt := range tests {
		_, diags := ParseAs(tt.src, testNames)
		if !diag.HasErrors(diags) || applyCertain(t, tt.src, diags) != tt.src {
			t.Errorf("%s: something is certain in %q: %v", tt.name, tt.src, diags)
		}
		got := ""
		if len(diags) > 0 && len(diags[0].Fixes) > 0 {
			got = mustApply(t, tt.src, diags[0].Fixes[0].Edits)
		}
		if got != tt.want {
			t.Errorf("%s: offered is %q, want %q\n%v", tt.name, got, tt.want, diags)
		}
	}
}

// One doubtful mistake makes every repair of the structure uncertain.
func TestDoubtSpreads(t *testing.T) {
	for src, certain := range map[string]bool{
		`{path: "a", "content": "x",}`:                      true,
		`{path: "a", "content": "x", "content": "y",}`:      true,
		`{path: "a", "find": "\$", "content": "x",}`:        true,
		`{path: "a", "content": "5" x",}`:                   false,
		"{path: \"a\", \"content\": \"x,\n\"find\": \"\"}":  false,
		`{path: "a", "files": [`:                            false,
		`{path: "a", "content": @}`:                         false,
		`{path: "a"} {"path": "b"}`:                         false,
		"{path: \"a\", // \"content\": \"b\"\n\"find\": 1}": false,
	} {
		_, diags := ParseAs(src, testNames)
		if got := applyCertain(t, src, diags) != src; got != certain {
			t.Errorf("%s: certain is %v: %v", src, got, diags)
		}
	}
}

// Titles show the text that they write, shortened.
func TestTitles(t *testing.T) {
	for src, want := range map[string]string{
		"{\"content\": \"one\ntwo\"}":                    "Write \\n: `one\\ntwo`",
		`{"content": "say "hi" there", "path": "x"}`:     "Escape the quotes: `say \\\"hi\\\" there`",
		`{"find": "\d+"}`:                                `Write \\d`,
		"{\"path\": \"a\" // one\n}":                     "Remove the comment `// one`",
		`{path: "a"}`:                                    "Write `\"path\"`",
		`{"path": 'a.txt'}`:                              `Use double quotes: "a.txt"`,
		`{"root": ".", "files": [{"path": "a"`:           "Insert `}]}` at the end",
		`{"path": "a", "path": "b"}`:                     `Remove the repeated "path"`,
		"{\"content\": \"" + strings.Repeat("é\n", 5000): "Close the string",
	} {
		_, diags := ParseAs(src, testNames)
		if len(diags) == 0 || len(diags[0].Fixes) == 0 {
			if want != "Close the string" {
				t.Errorf("%.40q: no repair in %v", src, diags)
			}
			continue
		}
		if got := diags[0].Fixes[0].Title; got != want {
			t.Errorf("%.40q: %q, want %q", src, got, want)
		}
	}
}

func applyCertain(t interface {
	Helper()
	Fatalf(string, ...any)
}, src string, diags []diag.Diagnostic,
) string {
	t.Helper()
	var edits []text.Edit
	for _, d := range diags {
		for _, f := range d.Fixes {
			if f.Preferred {
				edits = append(edits, f.Edits...)
			}
		}
	}
	return mustApply(t, src, edits)
}

func mustApply(t interface {
	Helper()
	Fatalf(string, ...any)
}, src string, edits []text.Edit,
) string {
	t.Helper()
	out, err := text.Apply(src, edits)
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return out
}
