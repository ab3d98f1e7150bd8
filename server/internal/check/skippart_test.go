package check

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/history"
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
		docs, where := []Document{{Name: "reply.md", Text: reply}}, Where{Tree: tree}
		r, err := Check(t.Context(), docs, where)
		if err != nil {
			t.Fatal(err)
		}
		left := map[string]history.LeftOut{r.Blocks[0].TextKey(): {Parts: c.skip}}
		where.LeftOut = func(context.Context) (map[string]history.LeftOut, error) { return left, nil }
		if r, err = Check(t.Context(), docs, where); err != nil {
			t.Fatal(err)
		}
		if len(r.Plan.Files) != 1 || r.Plan.Files[0].After.Data != c.want {
			t.Errorf("without %v: %+v, parts %+v, %v", c.skip, r.Plan.Files, r.Blocks[0].Parts, r.Blocks[0].Diagnostics)
		}
	}
}
