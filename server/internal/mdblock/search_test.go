package mdblock

import "testing"

func TestMarkOf(t *testing.T) {
	for line, want := range map[string]Mark{
		"<<<<<<< SEARCH": SearchMark, "<<<<< SEARCH": SearchMark, "<<<<<<<<< SEARCH  ": SearchMark, "<<<<<<< SEARCH>": SearchMark,
		"<<<<<<< ORIGINAL": SearchMark, "------- SEARCH": SearchMark,
		"=======": DivideMark, "=====": DivideMark, "========= ": DivideMark,
		">>>>>>> REPLACE": ReplaceMark, ">>>>>>> UPDATED": ReplaceMark, "+++++++ REPLACE": ReplaceMark,
		"<<<< SEARCH": NoMark, "<<<<<<<<<< SEARCH": NoMark, "<<<<<<< HEAD": NoMark, " <<<<<<< SEARCH": NoMark, "<<<<<<< SEARCH x": NoMark,
		"====": NoMark, "==========": NoMark, "======= x": NoMark, `\=======`: NoMark, "<<<<<<< search": NoMark,
		">>>>>>> branch": NoMark, "": NoMark, ">>>>>>>": NoMark, "------- REPLACE": NoMark,
	} {
		if got := MarkOf(line); got != want {
			t.Errorf("%q is %d, want %d", line, got, want)
		}
	}
}

func TestCloseSearch(t *testing.T) {
	const pair = "<<<<<<< SEARCH\na\n'''\n=======\n'''\nb\n>>>>>>> REPLACE\n"
	runClosing(t, []closingCase{
		{"a fence in both texts", "'''py\n" + pair + "'''\ntext\n", []found{{"py", pair, true}}},
		{"under a tag of ours", "'''json\n" + pair + "'''\n", []found{{"json", pair, true}}},
		{"below a path", "'''\n\na.py\n" + pair + "'''\n", []found{{"", "\na.py\n" + pair, true}}},
		{"not below other text", "'''\na.py\nb\n" + pair + "'''\n", []found{{"", "a.py\nb\n<<<<<<< SEARCH\na\n", true}, {"", "b\n>>>>>>> REPLACE\n", true}}},
		{"two blocks", "'''\n" + pair + pair + "'''\n", []found{{"", pair + pair, true}}},
		{"no last mark", "'''\n<<<<<<< SEARCH\na\n=======\nb\n'''\ntext\n", []found{{"", "<<<<<<< SEARCH\na\n=======\nb\n", true}}},
		{"the last mark is that of the next block", "'''\n<<<<<<< SEARCH\na\n=======\nb\n'''\n\n'''\n" + pair + "'''\n",
			[]found{{"", "<<<<<<< SEARCH\na\n=======\nb\n", true}, {"", pair, true}}},
		{"without a fence", pair + "\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"without a fence and a last mark", "<<<<<<< SEARCH\n'''\na\n'''\n", []found{{"", "a\n", true}}},
		{"in a comment", "<!--\n<<<<<<< SEARCH\n-->\n'''\n=======\n'''\n>>>>>>> REPLACE\n", []found{{"", "=======\n", true}}},
		{"in a list, content at the margin", "1. Do\n\n   '''\n" + pair + "   '''\n", []found{{"", pair, true}}},
	})
}
