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

func TestMarks(t *testing.T) {
	for doc, want := range map[string]struct {
		mark  Mark
		whole bool
		end   int
	}{
		"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nx": {SearchMark, true, 43},
		"<<<<<<< SEARCH\na\n":                               {SearchMark, false, 17},
		"<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n":               {SearchMark, false, 17},
		"*** Begin Patch\n*** End Patch\nx":                 {PatchMark, true, 30},
		"@@ -1 +1 @@\n-a\n+b\n-c\n":                         {HunkMark, true, 18},
		"<file path=\"a.b\">\n{\n</file>\n":                 {FileMark, true, 28},
		"<change>\n<file>a.b</file>\n":                      {CallMark, false, 26},
		"<change>\n<change>\n":                              {CallMark, false, 9},
		"<<<< search\n":                                     {LikeMark, false, 12},
		"*** Update File: a\n@@\n":                          {SectionMark, false, 19},
		"<b>\n{\n":                                          {TagMark, false, 4},
		"[1\n":                                              {ValueMark, false, 3},
	} {
		marks := Read(doc).Marks
		if m := marks[0]; m.Mark != want.mark || m.Whole != want.whole || m.Span().End != want.end {
			t.Errorf("%q has %v first, want %v", doc, m, want)
		}
	}
	for _, doc := range []string{"x\n", "=======\n", "~~~\n{\n~~~\n", "  {\n"} {
		if marks := Read(doc).Marks; marks != nil {
			t.Errorf("%q has %v", doc, marks)
		}
	}
}
