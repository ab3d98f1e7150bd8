package check

import (
	"context"
	"testing"
	"testing/fstest"
)

// A person can leave out one part of a text that leaves out lines of its file.
func TestSkipAPartOfAnElidedText(t *testing.T) {
	tree := fstest.MapFS{"src/a.py": {Data: []byte("import os\n\nhost = 'a'\nport = 80\nkind = 3\n\nprint(port)\nprint(kind)\n\ndef stop():\n    return 3\n    # end of stop\n")}}
	reply := "`src/a.py`\n```\n...\nhost = 'a'\nport = 8080\nkind = 3\n# ... existing code ...\ndef stop():\n    return 4\n    # end of stop\n```\n"
	for _, c := range []struct {
		skip []int
		want string
	}{
		{nil, "import os\n\nhost = 'a'\nport = 8080\nkind = 3\n\nprint(port)\nprint(kind)\n\ndef stop():\n    return 4\n    # end of stop\n"},
		{[]int{1}, "import os\n\nhost = 'a'\nport = 80\nkind = 3\n\nprint(port)\nprint(kind)\n\ndef stop():\n    return 4\n    # end of stop\n"},
		{[]int{2}, "import os\n\nhost = 'a'\nport = 8080\nkind = 3\n\nprint(port)\nprint(kind)\n\ndef stop():\n    return 3\n    # end of stop\n"},
	} {
		r, err := Check(context.Background(), []Document{{Name: "reply.md", Text: reply}}, Where{Tree: tree, Choice: Choice{Skip: Skip{1: c.skip}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Plan.Files) != 1 || r.Plan.Files[0].After.Data != c.want {
			t.Errorf("without %v: %+v, parts %+v, %v", c.skip, r.Plan.Files, r.Blocks[0].Parts, r.Blocks[0].Diagnostics)
		}
	}
}
