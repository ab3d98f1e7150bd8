package plan

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
)

func TestOmission(t *testing.T) {
	before := "a\nb\nc\nd\n"
	for content, want := range map[string]string{
		"a\n// ... rest unchanged\n": `line 2 of the content, "// ... rest unchanged", is a placeholder for code that was left out: 3 lines of the file, lines 2 to 4 among them, would be lost`,
		"a\n// ...\nc\nd\ne\nf\n":    "", // longer than the file: nothing says that lines go
		"a\nb\n":                     "",
	} {
		found := omission(before, intent.Change{Content: content})
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%q: %q", content, got)
		}
	}
	if found := omission("// ...\nb\nc\n", intent.Change{Content: "// ...\nb\n"}); len(found) != 0 {
		t.Errorf("a line of the file itself: %v", found)
	}
}
