package mdblock

import "testing"

type closingCase struct {
	name, doc string
	want      []found
}

func runClosing(t *testing.T, cases []closingCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { checkFound(t, ticks(c.doc), ticked(c.want)) })
	}
}

func TestCloseJSON(t *testing.T) {
	const later = "text\n'''json\n{\"b\": 1}\n'''\n"
	laterFound := found{"json", "{\"b\": 1}\n", true}
	runClosing(t, []closingCase{
		{"plain", "'''json\n{\"a\": \"'''\"}\n'''\n", []found{{"json", "{\"a\": \"'''\"}\n", true}}},
		{"not JSON at all", "'''json\nhello \"world\n'''\n" + later, []found{{"json", "hello \"world\n", true}, laterFound}},
		{"no string open, brackets open: closes", "'''json\n{\"a\": [\n'''\n" + later, []found{{"json", "{\"a\": [\n", true}, laterFound}},
		{"a raw string with a bare pair", "'''json\n{\"a\": \"x\n'''\ncode\n'''\n\"}\n'''\n" + later,
			[]found{{"json", "{\"a\": \"x\n'''\ncode\n'''\n\"}\n", true}, laterFound}},
		{"a raw string with a tagged pair", "'''json\n{\"a\": \"x\n'''go\ncode\n'''\n\"}\n'''\n" + later,
			[]found{{"json", "{\"a\": \"x\n'''go\ncode\n'''\n\"}\n", true}, laterFound}},
		{"a raw string with blocks like ours", "'''json\n{\"a\": \"x\n'''json\n{ \\\"b\\\": 1 }\n'''\ny\n'''patch\n--- a\n+++ b\n'''\n\"}\n'''\n",
			[]found{{"json", "{\"a\": \"x\n'''json\n{ \\\"b\\\": 1 }\n'''\ny\n'''patch\n--- a\n+++ b\n'''\n\"}\n", true}}},
		{"one fence in a raw string", "'''json\n{\"a\": \"x\n'''\ny\"}\n'''\n" + later,
			[]found{{"json", "{\"a\": \"x\n'''\ny\"}\n", true}, laterFound}},
		{"a comment with a quote", "'''jsonc\n{\"a\": 1 // don't say \"x\n}\n'''\n" + later,
			[]found{{"jsonc", "{\"a\": 1 // don't say \"x\n}\n", true}, laterFound}},
		{"a comment of several lines", "'''jsonc\n/* \"\n\" { */ {\"a\": \"x\n'''\n\"}\n'''\n",
			[]found{{"jsonc", "/* \"\n\" { */ {\"a\": \"x\n'''\n\"}\n", true}}},
		{"an escaped quote", "'''json\n{\"a\": \"x\\\"\n'''\n\"}\n'''\n", []found{{"json", "{\"a\": \"x\\\"\n'''\n\"}\n", true}}},
		{"a fence in Python's quotes", "'''json\n{\"a\": \"\"\"say \"x\"\n'''\ny\n'''\n\"\"\"}\n'''\n" + later,
			[]found{{"json", "{\"a\": \"\"\"say \"x\"\n'''\ny\n'''\n\"\"\"}\n", true}, laterFound}},
		{"equals for a colon", "'''json\n{\"a\" = \"x\n'''\n\"}\n'''\n" + later,
			[]found{{"json", "{\"a\" = \"x\n'''\n\"}\n", true}, laterFound}},
		{"a stray quote", "'''json\n{\"a\": \"say \"hi\"}\n'''\n" + later, []found{{"json", "{\"a\": \"say \"hi\"}\n", true}, laterFound}},
		{"a stray quote in both of two blocks", "'''json\n{\"a\": [\"say \"hi\"]}\n'''\n'''json\n{\"a\": [\"say \"hi\"]}\n'''\n",
			[]found{{"json", "{\"a\": [\"say \"hi\"]}\n", true}, {"json", "{\"a\": [\"say \"hi\"]}\n", true}}},
		{"a lost closing quote", "'''json\n{\"a\": \"x}\n'''\n" + later, []found{{"json", "{\"a\": \"x}\n", true}, laterFound}},
		{"a lost closing quote, then a patch", "'''json\n{\"a\": \"x}\n'''\n'''patch\n--- a/x\n+++ b/x\n'''\n",
			[]found{{"json", "{\"a\": \"x}\n", true}, {"patch", "--- a/x\n+++ b/x\n", true}}},
		{"a later block of ours is stronger than a string that fits", "'''json\n{\"a\": \"x}\n'''\n'''patch\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-y\n+\"}\n'''\n",
			[]found{{"json", "{\"a\": \"x}\n", true}, {"patch", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-y\n+\"}\n", true}}},
		{"a lost closing quote at the end of the reply", "'''json\n{\"a\": \"x}\n'''\nDone.\n", []found{{"json", "{\"a\": \"x}\n", true}}},
		{"the string ends but the JSON does not", "'''json\n{\"a\": \"x\n'''\n\"\n'''\n", []found{{"json", "{\"a\": \"x\n", true}, {"", "", false}}},
		{"brackets that do not pair", "'''json\n{\"a\": \"x\n'''\n\"]\n'''\n", []found{{"json", "{\"a\": \"x\n", true}, {"", "", false}}},
		{"still writing a string with a tagged fence", "'''json\n{\"a\": \"x\n'''go\ncode\n'''\nmore", []found{{"json", "{\"a\": \"x\n'''go\ncode\n'''\nmore", false}}},
		{"still writing a string with a bare fence", "'''json\n{\"a\": \"x\n'''\ncode", []found{{"json", "{\"a\": \"x\n", true}}},
		{"Markdown with quotes that are not escaped", "'''json\n{\"a\": \"x\n'''go\np(\"q\")\n'''\ny\n'''go\nr\n'''\n\"}\n'''\n" + later,
			[]found{{"json", "{\"a\": \"x\n'''go\np(\"q\")\n'''\ny\n'''go\nr\n'''\n\"}\n", true}, laterFound}},
		{"a longer fence ends it as any other", "''''json\n{\"a\": \"\n'''\n\"}\n''''\n", []found{{"json", "{\"a\": \"\n'''\n\"}\n", true}}},
		{"no tag, JSON", "'''\n\n{\"a\": \"\n'''\n\"}\n'''\n", []found{{"", "\n{\"a\": \"\n'''\n\"}\n", true}}},
		{"another tag", "'''js\n{\"a\": \"\n'''\n\"}\n", []found{{"js", "{\"a\": \"\n", true}}},
		{"in a quote", "> '''json\n> {\"a\": \"\n> '''\n> \"}\n> '''\n", []found{{"json", "{\"a\": \"\n'''\n\"}\n", true}}},
		{"the container ends first", "> '''json\n> {\"a\": \"\n> '''\n\n\"}\n'''\n", []found{{"json", "{\"a\": \"\n", true}, {"", "", false}}},
	})
}

func TestClosePatch(t *testing.T) {
	const head = "--- a/x\n+++ b/x\n"
	runClosing(t, []closingCase{
		{"fences in all kinds of lines", "'''patch\n" + head + "@@ -1,3 +1,3 @@\n '''\n-'''go\n+'''js\n '''\n'''\ntext\n",
			[]found{{"patch", head + "@@ -1,3 +1,3 @@\n '''\n-'''go\n+'''js\n '''\n", true}}},
		{"left open above another block", "'''patch\n" + head + "@@ -1 +1 @@\n-a\n+b\ntext\n'''sh\nls\n'''\n",
			[]found{{"patch", head + "@@ -1 +1 @@\n-a\n+b\ntext\n", false}, {"sh", "ls\n", true}}},
		{"left open with a wrong count above one of ours", "'''patch\n" + head + "@@ -1,9 +1,9 @@\n-a\n+b\ntext\n'''json\n{}\n'''\n",
			[]found{{"patch", head + "@@ -1,9 +1,9 @@\n-a\n+b\ntext\n", false}, {"json", "{}\n", true}}},
		{"behind two and three blanks", "'''diff\n" + head + "@@ -1,2 +1,2 @@\n  '''\n   '''\n'''\n",
			[]found{{"diff", head + "@@ -1,2 +1,2 @@\n  '''\n   '''\n", true}}},
		{"behind a blank, the hunk being done", "'''patch\n" + head + "@@ -1 +1 @@\n-a\n+b\n '''\ntext\n",
			[]found{{"patch", head + "@@ -1 +1 @@\n-a\n+b\n", true}}},
		{"behind a blank, before any hunk", "'''patch\n" + head + " '''\ntext\n", []found{{"patch", head, true}}},
		{"bare, the count being too large", "'''patch\n" + head + "@@ -1,9 +1,9 @@\n-a\n+b\n'''\ntext\n",
			[]found{{"patch", head + "@@ -1,9 +1,9 @@\n-a\n+b\n", true}}},
		{"a context line without its blank", "'''patch\n" + head + "@@ -1,3 +1,3 @@\na\n\n '''\n'''\n",
			[]found{{"patch", head + "@@ -1,3 +1,3 @@\na\n\n '''\n", true}}},
		{"the count too large, closed behind a blank, a block below", "'''patch\n" + head + "@@ -1,9 +1,9 @@\n-a\n '''\ntext\n'''json\n{}\n'''\n",
			[]found{{"patch", head + "@@ -1,9 +1,9 @@\n-a\n", true}, {"json", "{}\n", true}}},
		{"a count beyond all numbers", "'''patch\n" + head + "@@ -1,99999999999999999999 +1 @@\n '''\n'''\n",
			[]found{{"patch", head + "@@ -1,99999999999999999999 +1 @@\n '''\n", true}}},
		{"no-newline markers are not counted", "'''patch\n" + head + "@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n+b\n '''\n'''\n",
			[]found{{"patch", head + "@@ -1,2 +1,2 @@\n-a\n\\ No newline at end of file\n+b\n '''\n", true}}},
		{"no counts, all lines a hunk's", "'''patch\n" + head + "@@ ... @@\n '''\n-a\n '''\n'''\n",
			[]found{{"patch", head + "@@ ... @@\n '''\n-a\n '''\n", true}}},
		{"no counts, another file below", "'''patch\n" + head + "@@ ... @@\n '''\n-a\ndiff --git a/y b/y\nindex 1..2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n'''\n",
			[]found{{"patch", head + "@@ ... @@\n '''\n-a\ndiff --git a/y b/y\nindex 1..2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", true}}},
		{"no header of a hunk", "'''patch\n" + head + " '''\n-a\n+b\n'''\ntext\n", []found{{"patch", head + " '''\n-a\n+b\n", true}}},
		{"the other shape", "'''\n*** Begin Patch\n*** Update File: x\n '''\n-a\n+b\n*** End Patch\n'''\ntext\n",
			[]found{{"", "*** Begin Patch\n*** Update File: x\n '''\n-a\n+b\n*** End Patch\n", true}}},
		{"added lines that look like a header", "'''patch\n" + head + "@@ -1,2 +1,2 @@\n-a\n+++ b\n '''\n'''\n", []found{{"patch", head + "@@ -1,2 +1,2 @@\n-a\n+++ b\n '''\n", true}}},
		{"no counts, text below", "'''patch\n" + head + "@@ ... @@\n-a\n '''\ntext\n'''\ncode\n'''\n",
			[]found{{"patch", head + "@@ ... @@\n-a\n", true}, {"", "code\n", true}}},
		{"no counts, nothing below", "'''patch\n" + head + "@@ @@\n-a\n '''\n", []found{{"patch", head + "@@ @@\n-a\n", true}}},
		{"cut off in a hunk", "'''patch\n" + head + "@@ -1,4 +1,4 @@\n '''\n-a\n", []found{{"patch", head + "@@ -1,4 +1,4 @@\n '''\n-a\n", false}}},
		{"no tag", "'''\ndiff --git a/x b/x\n" + head + "@@ -1,2 +1,2 @@\n '''\n-a\n+b\n'''\n",
			[]found{{"", "diff --git a/x b/x\n" + head + "@@ -1,2 +1,2 @@\n '''\n-a\n+b\n", true}}},
		{"no tag and no header of a patch", "'''\n--- a\n@@ -1,2 +1,2 @@\n '''\n", []found{{"", "--- a\n@@ -1,2 +1,2 @@\n", true}}},
		{"in a list", "- '''patch\n  " + "--- a/x\n  +++ b/x\n  @@ -1,2 +1,2 @@\n   '''\n   b\n  '''\n",
			[]found{{"patch", head + "@@ -1,2 +1,2 @@\n '''\n b\n", true}}},
	})
}

func TestCloseAP(t *testing.T) {
	const head = "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nx.md\na1b2c3d4 REPLACE\na1b2c3d4 snippet\n"
	runClosing(t, []closingCase{
		{"fences in a value before other directives", "'''ap\n" + head + "'''\nx\n'''\na1b2c3d4 content\ny\n'''\ntext\n",
			[]found{{"ap", head + "'''\nx\n'''\na1b2c3d4 content\ny\n", true}}},
		{"the last value", "'''ap\n" + head + "x\na1b2c3d4 content\n'''sh\n'''\ntext\n",
			[]found{{"ap", head + "x\na1b2c3d4 content\n'''sh\n", true}}},
		{"the last value with a fence inside", "'''ap\n" + head + "x\na1b2c3d4 content\n'''sh\ny\n'''\nz\n'''\ntext\n",
			[]found{{"ap", head + "x\na1b2c3d4 content\n'''sh\ny\n'''\nz\n", true}}},
		{"after END", "'''ap\n" + head + "x\na1b2c3d4 content\ny\na1b2c3d4 END\ntext\n'''json\n{}\n'''\n",
			[]found{{"ap", head + "x\na1b2c3d4 content\ny\na1b2c3d4 END\ntext\n", false}, {"json", "{}\n", true}}},
		{"the last value opens a fence, and a pair is below", "'''ap\n" + head + "x\na1b2c3d4 content\n'''sh\n'''\ntext\n'''\ncode\n'''\n",
			[]found{{"ap", head + "x\na1b2c3d4 content\n'''sh\n", true}, {"", "code\n", true}}},
		{"the last value opens a fence, and a block of ours is below", "'''ap\n" + head + "x\na1b2c3d4 content\n'''sh\n'''\ntext\n'''json\n{}\n'''\n",
			[]found{{"ap", head + "x\na1b2c3d4 content\n'''sh\n", true}, {"json", "{}\n", true}}},
		{"END", "'''ap\na1b2c3d4 AP 3.2\na1b2c3d4 FILE\nx\na1b2c3d4 CREATE\na1b2c3d4 content\n'''\ny\n'''\na1b2c3d4 END\n'''\na1b2c3d4 content\n",
			[]found{{"ap", "a1b2c3d4 AP 3.2\na1b2c3d4 FILE\nx\na1b2c3d4 CREATE\na1b2c3d4 content\n'''\ny\n'''\na1b2c3d4 END\n", true}}},
		{"no value is open", "'''ap\na1b2c3d4 AP 3.1\na1b2c3d4 FILE\nx\na1b2c3d4 DELETE\n'''\na1b2c3d4 content\n",
			[]found{{"ap", "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nx\na1b2c3d4 DELETE\n", true}}},
		{"two patches with one ID", "'''ap\n" + head + "x\n'''\ntext\n'''ap\n" + head + "y\n'''\n",
			[]found{{"ap", head + "x\n", true}, {"ap", head + "y\n", true}}},
		{"a patch in two blocks", "'''ap\n" + head + "x\n'''\ntext\n'''ap\na1b2c3d4 content\ny\n'''\n",
			[]found{{"ap", head + "x\n", true}, {"ap", "a1b2c3d4 content\ny\n", true}}},
		{"a second block whose directives have the first one's ID", "'''ap\n" + head + "x\n'''\ntext\n'''\n00000000 AP 3.1\na1b2c3d4 content\ny\n'''\n",
			[]found{{"ap", head + "x\n", true}, {"", "00000000 AP 3.1\na1b2c3d4 content\ny\n", true}}},
		{"patches of others in a value", "'''ap\n" + head + "'''ap\n00000000 AP 3.1\n'''\n'''ap\n00000001 AP 3.1\n'''\na1b2c3d4 content\ny\n'''\n",
			[]found{{"ap", head + "'''ap\n00000000 AP 3.1\n'''\n'''ap\n00000001 AP 3.1\n'''\na1b2c3d4 content\ny\n", true}}},
		{"an ID inside a line", "'''ap\n" + head + "x\n'''\nsee a1b2c3d4 content\na1b2c3d4x\n", []found{{"ap", head + "x\n", true}}},
		{"no header", "'''ap\na1b2c3d4 FILE\nx\na1b2c3d4 content\n'''\na1b2c3d4 END\n'''\n",
			[]found{{"ap", "a1b2c3d4 FILE\nx\na1b2c3d4 content\n'''\na1b2c3d4 END\n", true}}},
		{"no tag, behind a comment", "'''\n# a patch\n" + head + "'''\na1b2c3d4 content\ny\n'''\n",
			[]found{{"", "# a patch\n" + head + "'''\na1b2c3d4 content\ny\n", true}}},
		{"cut off", "'''ap\n" + head + "x\n", []found{{"ap", head + "x\n", false}}},
	})
}

func TestContentAtTheMargin(t *testing.T) {
	runClosing(t, []closingCase{
		{"a list item, closed at the margin", "1. Do:\n\n   '''json\n{\n  \"a\": 1\n}\n'''\n\n2. Then\n", []found{{"json", "{\n  \"a\": 1\n}\n", true}}},
		{"closed where it was opened", "1. Do:\n   '''json\n{\n  \"a\": 1\n}\n   '''\n2. Then\n", []found{{"json", "{\n  \"a\": 1\n}\n", true}}},
		{"an item in an item", "- a\n  - b\n    '''patch\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n    '''\n", []found{{"patch", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", true}}},
		{"the content in the outer item", "- a\n  - '''json\n  {}\n  '''\n- '''go\n  x\n  '''\n", []found{{"json", "{}\n", true}, {"go", "x\n", true}}},
		{"ap", "- '''ap\na1b2c3d4 AP 3.1\na1b2c3d4 FILE\nx\n'''\n", []found{{"ap", "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nx\n", true}}},
		{"no tag", "- '''\n\n{}\n'''\n", []found{{"", "\n{}\n", true}}},
		{"still being written", "- '''json\n{\"a\":", []found{{"json", "{\"a\":", false}}},
		{"in a quote, which goes on", "> - '''json\n> {}\n> '''\n", []found{{"json", "{}\n", true}}},
		{"a quote is never left", "> '''json\n{}\n'''\n", []found{{"json", "", false}, {"", "", false}}},
		{"another language", "- '''go\n{}\n'''\n", []found{{"go", "", false}, {"", "", false}}},
		{"content of another family", "- '''json\ndiff --git a/x b/x\n'''\n", []found{{"json", "", false}, {"", "", false}}},
		{"text at the margin", "- '''json\nand so on\n", []found{{"json", "", false}}},
		{"only later lines at the margin", "- '''json\n  {\n\"a\": 1}\n", []found{{"json", "{\n", false}}},
	})
}

func TestReadingAheadIsBounded(t *testing.T) {
	doc := ticks("'''json\n{\"a\": \"\n'''\n\"}\n'''\n")
	s := &scanner{doc: doc, budget: -1}
	s.step(newCursor(doc, 0))
	if got := s.found[0].Body; got != "{\"a\": \"\n" {
		t.Errorf("with nothing left to read ahead, the body is %q; CommonMark has only the first two lines", got)
	}
}
