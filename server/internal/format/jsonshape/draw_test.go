package jsonshape_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// scraps are texts that often occur in files of real projects and are difficult to write in JSON.
var scraps = []string{
	"import re\n", "package main\n\n", "def f(a, b):\n    return a + b\n", "\treturn nil, fmt.Errorf(\"open %q: %w\", name, err)\n",
	"print(\"hello, world\")\n", "x = {\"key\": \"value\", \"path\": \"src/a.ts\"}\n", "const re = /^\\d+\\.\\w*$/g;\n", "s.split(\"\\n\")\n", "say('a\\n')\n",
	"re.sub(r\"\\bfoo\\b\", \"\", s)\n", "echo \"$HOME\" | sed 's/\\(a\\)/\\1/'\n", "C:\\new\\table\\dir\n", "// it's a comment, isn't it\n", "# don't\n",
	"{\n  \"name\": \"x\",\n  \"files\": [\"dist\"],\n  \"version\": \"1.0.0\"\n}\n", "{\"root\": \".\", \"files\": [{\"path\": \"b.txt\", \"content\": \"y\"}]}\n",
	"# Title\n\n```sh\nls \"$1\"\n```\n\nText.\n", "<a href=\"https://example.org/?a=1&b=2\">it’s “here” — é…</a>\n", "if (a[\"b\"] == \"}\") { return [\"]\", \"{\"]; }\n",
	"\\begin{document}\n\\alpha \\nabla \\frac{a}{b}\n\\end{document}\n", "a,b;c:d\n", "\"", "\"\"", "'", "`${x}`", "\\", "\\\"", "{", "}", "[", "]", ",", ":", " ", "\n", "\n\n", "\t", "\t\t", "    ",
	"f(\"a\", \"b\")", "[\"x\", \"y\"]", "\", \"", "\"}, {\"", "\"operation\": \"delete\"", "\"content\": \"", "5\" disk", "word", "日本語", "😀", "\u00a0", "\r\n", "\b", "\x1b[31m", "\u2028",
	"fmt.Println(\"a\\tb\", `c`)\n", "printf(\"%s\\n\", \"\\\"q\\\"\");\n", "\"\"\"Doc.\"\"\"\n", "x = \"\"\n", "join(\", \")", "/* c */ // d\n", "../a\n", "true, false, null\n", "key: value\n", "it's\n",
	"func main() {\n\tfmt.Println(\"hi\")\n}\n", "class A {\n  constructor() { this.x = 'y'; }\n}\n", "SELECT \"a\" FROM t WHERE b = 'c';\n", "\\d", "/\\n+/g", "[^\\n]*", "(\\r?\\n)", "'\\n'.join(x)", "\"a\\n\" +", "\\s+", "\\$", "\\'", "\\u00e9", "</script>", "export default {\n  path: 'x',\n};\n",
	"'''Doc.'''\n", "class A:\n    \"\"\"Doc.\"\"\"\n    path: str\n", "\"\"", "\"\"\"", "x = \"\"\"\n",
	"\"path\" = \"x\"\n", "path = \"x\"\ncontent = \"y\"\n", "f(\"a\", \"path\" => \"b\")\n", "\"find\" = ", "{\"limit\" -> 3}\n",
}

// usual are the most frequent contents.
var usual = []string{
	"import os\n", "import { a } from './a';\n\n", "package main\n\n", "const x = 1;\n", "func main() {\n\tfmt.Println(\"hi\")\n}\n", "def f(a, b):\n    return a + b\n\n",
	"class A {\n  constructor() {\n    this.x = 'y';\n  }\n}\n", "print(\"hello, world\")\n", "// it's a comment\n", "# Title\n\nSome text, and more.\n\n", "if (x) {\n  return y;\n}\n",
	"x = {\"key\": \"value\"}\n", "<div class=\"a\">\n  <p>Text</p>\n</div>\n", "name: value\nlist:\n  - a\n  - b\n", "\tif err != nil {\n\t\treturn err\n\t}\n", "  foo(\"a\", \"b\");\n",
	"SELECT a FROM t WHERE b = 'c';\n", "const s = `a ${b}`;\n", "{\n  \"name\": \"x\",\n  \"version\": \"1.0.0\"\n}\n", "export default f;\n", "const re = /\\d+\\.\\w*$/;\n", "printf(\"a\\n\");\n",
}

func drawText(r *rand.Rand) string {
	var b strings.Builder
	list := usual
	if r.IntN(3) == 0 {
		list = scraps
	}
	for range 1 + r.IntN(5) {
		b.WriteString(list[r.IntN(len(list))])
	}
	if r.IntN(3) == 0 {
		return strings.TrimRight(b.String(), "\n")
	}
	return b.String()
}

var paths = []string{"a.txt", "src/main.go", "docs/read me.md", "src/é.ts", "tests/a_test.py", "package.json"}

func drawMeaning(r *rand.Rand) meaning {
	m := meaning{Root: pick(r, ".", ".", ".", "./src")}
	n := 1 + r.IntN(3)
	if r.IntN(3) == 0 {
		return drawLines(r)
	}
	if r.IntN(2) == 0 {
		for range n {
			m.Files = append(m.Files, drawFile(r))
		}
		return m
	}
	for range n {
		e := fileEntry{Path: pick(r, paths...)}
		if r.IntN(2) == 0 {
			e.replacement = drawReplacement(r)
		} else {
			e.Replacements = drawReplacements(r)
		}
		m.Patches = append(m.Patches, e)
	}
	return m
}

// drawLines draws a line patch.
func drawLines(r *rand.Rand) meaning {
	m := meaning{Root: "."}
	for i := range 1 + r.IntN(2) {
		e := fileEntry{DocPath: fmt.Sprintf("project/%d/%s", i, pick(r, "a.txt", "src/main.go", "docs/é.md")), FileLabel: pick(r, "", "Why it is.", "The \"x\" of it's"),
			OriginalSha256: strings.Repeat(pick(r, "87428fc522803d31", "0123456789abcdef"), 4)}
		line := 0
		for range 1 + r.IntN(3) {
			c := lineChange{Operation: pick(r, "insert", "replace", "delete"), Description: pick(r, "", "", "It's \"better\", so.")}
			if c.Operation == "insert" {
				c.AfterLine, c.NewLines = line, drawList(r)
			} else {
				c.StartLine, c.ExpectedOriginalLines = line+1, drawList(r)
				line += len(c.ExpectedOriginalLines)
				c.EndLine = line
			}
			if c.Operation == "replace" {
				c.NewLines = drawList(r)
			}
			line += r.IntN(5)
			e.Changes = append(e.Changes, c)
		}
		m.Files = append(m.Files, e)
	}
	return m
}

// drawList draws a list of lines.
func drawList(r *rand.Rand) []string {
	lines := strings.FieldsFunc(drawText(r), func(c rune) bool { return c == '\n' || c == '\r' })
	return append(lines, pick(r, "", "}", "\treturn nil"))
}

func drawFile(r *rand.Rand) fileEntry {
	e := fileEntry{Path: pick(r, paths...), Operation: pick(r, "", "create", "create", "replace", "delete", "patch")}
	switch e.Operation {
	case "delete":
	case "patch":
		e.Patches = drawReplacements(r)
	default:
		e.Content = drawText(r)
	}
	return e
}

func drawReplacements(r *rand.Rand) []replacement {
	var list []replacement
	for range 1 + r.IntN(2) {
		list = append(list, drawReplacement(r))
	}
	return list
}

func drawReplacement(r *rand.Rand) replacement {
	return replacement{Find: cmp.Or(drawText(r), "x"), Replace: drawText(r), Limit: pick(r, "", "once", "all")}
}

// write returns the block as tokens, in one of several layouts.
func write(r *rand.Rand, m meaning) []token {
	w := writer{r: r, indent: pick(r, "  ", "    ", "\t", ""), ascii: r.IntN(5) == 0}
	members := []member{}
	if m.Files != nil && m.Files[0].DocPath != "" {
		members = append(members, member{"batchLabel", "Add it"})
	} else if m.Root != "." || r.IntN(4) > 0 {
		members = append(members, member{"root", m.Root})
	}
	if m.Files != nil {
		members = append(members, member{"files", m.Files})
	} else {
		members = append(members, member{"patches", m.Patches})
	}
	if r.IntN(10) == 0 && len(members) == 2 {
		members[0], members[1] = members[1], members[0]
	}
	w.object(members)
	return w.tokens
}

type writer struct {
	r      *rand.Rand
	tokens []token
	indent string
	depth  int
	ascii  bool // characters beyond ASCII are escaped
}

type member struct {
	name  string
	value any
}

func (w *writer) put(kind byte, s string) { w.tokens = append(w.tokens, token{kind: kind, text: s}) }

func (w *writer) line() {
	if w.indent != "" {
		w.put(' ', "\n"+strings.Repeat(w.indent, w.depth))
	}
}

func (w *writer) object(members []member) {
	w.put('{', "{")
	w.depth++
	for i, m := range members {
		if i > 0 {
			w.put(',', ",")
			if w.indent == "" {
				w.put(' ', " ")
			}
		}
		w.line()
		w.put('n', `"`+m.name+`"`)
		w.put(':', ":")
		w.put(' ', " ")
		w.value(m)
	}
	w.depth--
	w.line()
	w.put('}', "}")
}

func (w *writer) value(m member) {
	switch v := m.value.(type) {
	case string:
		w.tokens = append(w.tokens, token{kind: 's', text: w.quote(v), value: v, owner: m.name})
	case []fileEntry:
		list(w, v, fileMembers)
	case []replacement:
		list(w, v, replacementMembers)
	case []lineChange:
		list(w, v, changeMembers)
	case int:
		w.put('x', strconv.Itoa(v))
	case []string:
		w.strings(m.name, v)
	}
}

func list[T any](w *writer, items []T, members func(T) []member) {
	w.put('[', "[")
	w.depth++
	for i, item := range items {
		if i > 0 {
			w.put(',', ",")
		}
		w.line()
		w.object(members(item))
	}
	w.depth--
	w.line()
	w.put(']', "]")
}

func (w *writer) strings(owner string, items []string) {
	w.put('[', "[")
	w.depth++
	for i, s := range items {
		if i > 0 {
			w.put(',', ",")
		}
		w.line()
		w.tokens = append(w.tokens, token{kind: 's', text: w.quote(s), value: s, owner: owner})
	}
	w.depth--
	w.line()
	w.put(']', "]")
}

func changeMembers(c lineChange) []member {
	members := []member{{"operation", c.Operation}}
	if c.Description != "" {
		members = append(members, member{"description", c.Description})
	}
	if c.Operation == "insert" {
		return append(members, member{"afterLine", c.AfterLine}, member{"newLines", c.NewLines})
	}
	members = append(members, member{"startLine", c.StartLine}, member{"endLine", c.EndLine}, member{"expectedOriginalLines", c.ExpectedOriginalLines})
	if c.Operation == "replace" {
		members = append(members, member{"newLines", c.NewLines})
	}
	return members
}

func fileMembers(e fileEntry) []member {
	if e.DocPath != "" {
		members := []member{{"docPath", e.DocPath}, {"originalSha256", e.OriginalSha256}}
		if e.FileLabel != "" {
			members = append(members, member{"fileLabel", e.FileLabel})
		}
		return append(members, member{"changes", e.Changes})
	}
	members := []member{{"path", e.Path}}
	if e.Operation != "" {
		members = append(members, member{"operation", e.Operation})
	}
	switch {
	case e.Patches != nil:
		members = append(members, member{"patches", e.Patches})
	case e.Replacements != nil:
		members = append(members, member{"replacements", e.Replacements})
	case e.Find != "":
		members = append(members, replacementMembers(e.replacement)...)
	case e.Operation != "delete":
		members = append(members, member{"content", e.Content})
	}
	return members
}

func replacementMembers(r replacement) []member {
	members := []member{{"find", r.Find}, {"replace", r.Replace}}
	if r.Limit != "" {
		members = append(members, member{"limit", r.Limit})
	}
	return members
}

func (w *writer) quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	out := strings.TrimSuffix(b.String(), "\n")
	if w.ascii {
		out = strings.NewReplacer("é", `\u00e9`, "’", `\u2019`, "“", `\u201c`, "😀", `\ud83d\ude00`).Replace(out)
	}
	return out
}
