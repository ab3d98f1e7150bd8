package mdblock

import "testing"

func TestCloseTagged(t *testing.T) {
	const (
		open = "<file path=\"a.md\">\n'''\nmake\n"
		file = open + "</file>\n"
		doc  = "<document index=\"1\">\n<source>a.md</source>\n'''\nmake\n</document>\n"
	)
	runClosing(t, []closingCase{
		{"a fence that is not closed in it", "'''xml\n" + file + "'''\ntext\n", []found{{"xml", file, true}}},
		{"below a tag around files", "'''\n<files>\n" + file + "</files>\n'''\n", []found{{"", "<files>\n" + file + "</files>\n", true}}},
		{"without a fence", file + "\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"a document", doc + "'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"not closed", open + "\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"another document", "<document>\n\n'''go\nx\n'''\n</document>\n", []found{{"go", "x\n", true}}},
		{"no path", "<file>\n\n'''go\nx\n'''\n</file>\n", []found{{"go", "x\n", true}}},
		{"a path of a template", "<file path=\"${p}\">\n\n'''go\nx\n'''\n</file>\n", []found{{"go", "x\n", true}}},
	})
}

func TestTagged(t *testing.T) {
	for lines, want := range map[[6]string]int{ // maps lines to the number of lines after which the file is complete; 0 for never
		{`<file path="a">`}: 0,
		{`<file path="a.b">`, "x", "</file>", "</file>"}:                                  3,
		{`<file path="a.b">`, `<file name="c.d">`, "</file>", "</file>"}:                  4,
		{`<file path="a.b">`, `<file name="c.d">x</file>`, "</file>", "</file>"}:          3,
		{`<file path="a.b">`, `    </file>`, "</document>", "</file>"}:                    4,
		{`<file path="a.b"><![CDATA[`, "</file>", "x]]>", "y", "]]>", "</file>"}:          6,
		{`<file path="a.b">`, "", "<![CDATA[x", "]]>", "", "</file>"}:                     6,
		{`<file path="a.b">`, "<![CDATA[x", "]]></file>"}:                                 3,
		{`<file path="a.b">`, "x", "<![CDATA[", "</file>"}:                                4,
		{`<file path="a.b">`, "<![CDATA[", "]]>", "x", "</file>", "</file>"}:              0,
		{`<document index="1">`, "", "<source>a.b</source>", "<document>", "</document>"}: 0,
		{`<document>`, "<source>a.b</source>", "</file>", "</document>"}:                  4,
		{`<document>`, "<source>https://a.b</source>", "</document>"}:                     0,
	} {
		got := 0
		e := BeginsTagged(lines[0])
		for i := 1; e != nil && i < len(lines); i++ {
			if e.Read(lines[i]) {
				if e.Whole() {
					got = i + 1
				}
				break
			}
		}
		if got != want {
			t.Errorf("%q is whole after %d lines, want %d", lines, got, want)
		}
	}
	for line, want := range map[string]string{
		`<file path="a b.txt" new>`: "a b.txt", `<file name='x/y' path=a.b/c>`: "a.b/c", `<file path=a.b/>`: "a.b", `<file path="">`: "",
		`<file path="...">`: "", `<file path="file">`: "", `<file path="Makefile">`: "Makefile", `<filepath="a.b">`: "", `<file path="a.b"`: "",
		`<file paths="a.b">`: "", `<file path="https://a.b">`: "",
	} {
		tag, ok := OpeningTag(line)
		if got := tag.Path.In(line); ok != (want != "") || ok && got != want {
			t.Errorf("%s: path %q, %v, want %q", line, got, ok, want)
		}
	}
}
