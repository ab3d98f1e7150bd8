package mdblock

import "testing"

func TestCloseCall(t *testing.T) {
	const call = "<write_to_file>\n<path>a.md</path>\n<content>\n'''\nmake\n'''\n\n''''\n</content>\n</write_to_file>\n"
	runClosing(t, []closingCase{
		{"fences as content", "'''xml\n" + call + "'''\ntext\n", []found{{"xml", call, true}}},
		{"without a fence", call + "\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"without its end", "'''xml\n<write_to_file>\n<content>\n'''\n", []found{{"xml", "<write_to_file>\n<content>\n", true}}},
		{"another one before its end", "'''xml\n<write_to_file>\n<content>\n'''\n" + call, []found{{"xml", "<write_to_file>\n<content>\n", true}}},
		{"prose", "<write_to_file> writes.\n\n'''go\nx\n'''\n\n</write_to_file>\n", []found{{"go", "x\n", true}}},
	})
}

func TestCallEnd(t *testing.T) {
	for doc, want := range map[string]struct {
		end    int
		closed bool
	}{
		"<apply_diff><path>a</path></apply_diff> x":       {39, true},
		"<apply_diff>\n<path>a</path>\n\n</apply_diff>\n": {42, true},
		"<apply_diff>\nx</apply_diff>\n":                  {28, false}, // a text may contain the tag
		"<apply_diff>\n<apply_diff>\n":                    {13, false},
		"<apply_diff>":                                    {12, false},
	} {
		if end, closed := CallEnd(doc, 0); end != want.end || closed != want.closed {
			t.Errorf("%q ends at %d, closed %v, want %d, %v", doc, end, closed, want.end, want.closed)
		}
	}
}

func TestMarkedEnd(t *testing.T) {
	for doc, want := range map[string]int{
		"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nx": 43,
		"<<<<<<< SEARCH\na\n":                               17,
		"<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n":               17,
		"*** Begin Patch\n*** End Patch\nx":                 30,
		"x\n":                                               0,
	} {
		if end, ok := MarkedEnd(doc, 0); end != want || ok != (want > 0) {
			t.Errorf("%q ends at %d, %v, want %d", doc, end, ok, want)
		}
	}
}
