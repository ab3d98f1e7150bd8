package plan

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
)

func TestPlaceholders(t *testing.T) {
	for _, line := range []string{
		"// ... rest of code unchanged", "// ...", "# ...", "/* ... */", "{/* ... existing code ... */}", "<rest of file>",
		"# existing code", "# rest of the file remains the same", "// (existing code)", "<!-- ... rest of the page ... -->",
		"// ... existing methods of UserService ...", "... rest unchanged ...", "[rest of the file unchanged]", "-- remaining lines unchanged",
		"// Existing imports", "# … (unchanged)", "// same as before", "// omitted for brevity",
	} {
		if !isPlaceholder(line) {
			t.Errorf("%q is none, and should be", line)
		}
	}
	for _, line := range []string{
		"", "...", "return rest", "// the rest parameter collects arguments", "# existing users keep their login", "const rest = [...args]",
		"[...rest]", "// TODO: handle existing rows", "// see docs", "# same", "{...rest}", "<Rest />", "(...)", "// existing", "* item",
		"// remaining: " + strings.Repeat("x", 200), "{ rest: true }",
	} {
		if isPlaceholder(line) {
			t.Errorf("%q is a placeholder, and should be none", line)
		}
	}
}

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
