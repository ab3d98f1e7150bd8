package mdblock

import "testing"

func TestPage(t *testing.T) {
	for _, test := range []struct{ name, doc, body, open string }{
		{"up to a sentence", "Look:\n\npython\nCopy code\na = 1\n\nb = 2\n\nThis is all that has to change.\n", "a = 1\n\nb = 2\n", "python\nCopy code"},
		{"up to the end", "python\nCopy\nEdit\na = 1\n", "a = 1\n", "python\nCopy\nEdit"},
		{"a last line alone", "python\nCopy\na = 1\n\nmain()\n", "a = 1\n\nmain()\n", "python\nCopy"},
		{"without a last line ending", "Rust\nCopy\nlet a = 1;", "let a = 1;", "Rust\nCopy"},
		{"blank lines around labels", "C++\n\nCopy code\n\n\nint a;\n", "int a;\n", "C++\n\nCopy code"},
		{"a sentence inside code", "python\nCopy code\n\"\"\"\nThis is the text of a string.\n\"\"\"\n", "\"\"\"\nThis is the text of a string.\n\"\"\"\n", "python\nCopy code"},
		{"below a list item", "1. Create a.py\npython\nCopy code\na = 1\n\nb = 2\n", "a = 1\n\nb = 2\n", "python\nCopy code"},
		{"up to a sentence directly below", "python\nCopy code\na = 1\nThis is all that has to change.\n", "a = 1\n", "python\nCopy code"},
		{"CRLF", "python\r\nCopy code\r\na = 1\r\n\r\nThis is all that has to change.\r\n", "a = 1\r\n", "python\r\nCopy code"},
	} {
		found := Find(test.doc)
		if len(found) == 0 {
			t.Errorf("%s: found no block", test.name)
			continue
		}
		if b := found[0]; !b.Page || !b.Closed || b.Body != test.body || b.Open.In(test.doc) != test.open {
			t.Errorf("%s: found %q below %q", test.name, b.Body, b.Open.In(test.doc))
		}
	}
}

func TestPageTitles(t *testing.T) {
	found := Find("a.py\n\npython\nCopy\na = 1\n\nb.py\n\npython\nCopy\nb = 1\n")
	if len(found) != 2 || found[0].Body != "a = 1\n" || found[1].Body != "b = 1\n" {
		t.Errorf("found %+v", found)
	}
}

func TestPageSteps(t *testing.T) {
	found := Find("1. Create a.py\npython\nCopy\na = 1\n2. Update b.py\npython\nCopy\nb = 1\nThis keeps the other parts.\n3. Run it:\nbash\nCopy\nmake\n")
	if len(found) != 3 || found[0].Body != "a = 1\n" || found[1].Body != "b = 1\n" || found[2].Body != "make\n" {
		t.Errorf("found %+v", found)
	}
}

func TestNoPage(t *testing.T) {
	for _, doc := range []string{
		"python\n\nimport a\n",                 // no button
		"Copy\na = 1\n",                        // no language
		"I like\npython\nand more.\n",          // prose
		"json\nCopy code\n{\"a\": 1}\n",        // JSON is found by itself
		"python\nCopy code\n",                  // no code
		"python\nCopy\na.py\n```\nb\n```\n",    // above a fence
		"text\nCopy code\nAny words at all.\n", // no code
		"```\npython\nCopy code\na = 1\n```\n", // in a fence
	} {
		for _, b := range Find(doc) {
			if b.Page {
				t.Errorf("%q: found %q", doc, b.Body)
			}
		}
	}
}
