package intent

import (
	"strings"
	"testing"
)

func TestPlaceholders(t *testing.T) {
	for _, line := range []string{
		"// ... rest of code unchanged", "// ...", "# ...", "/* ... */", "{/* ... existing code ... */}", "<rest of file>",
		"# existing code", "# rest of the file remains the same", "// (existing code)", "<!-- ... rest of the page ... -->",
		"// ... existing methods of UserService ...", "... rest unchanged ...", "[rest of the file unchanged]", "-- remaining lines unchanged",
		"// Existing imports", "# … (unchanged)", "// same as before", "// omitted for brevity",
	} {
		if !IsPlaceholder(line) {
			t.Errorf("%q is none, and should be", line)
		}
	}
	for _, line := range []string{
		"", "...", "return rest", "// the rest parameter collects arguments", "# existing users keep their login", "const rest = [...args]",
		"[...rest]", "// TODO: handle existing rows", "// see docs", "# same", "{...rest}", "<Rest />", "(...)", "// existing", "* item",
		"// remaining: " + strings.Repeat("x", 200), "{ rest: true }",
	} {
		if IsPlaceholder(line) {
			t.Errorf("%q is a placeholder, and should be none", line)
		}
	}
}

func TestLeftOut(t *testing.T) {
	old := []string{"a", "// ... kept ...", "b", "c"}
	for want, replacement := range map[string][]string{
		"// ... rest unchanged": {"a", "\t// ... rest unchanged"},
		"":                      {"a", "// ... kept ..."},
	} {
		if got := LeftOut(old, replacement); got != want {
			t.Errorf("%q: %q, want %q", replacement, got, want)
		}
	}
	if got := LeftOut(old[:2], []string{"a", "// ... rest unchanged"}); got != "" {
		t.Errorf("no line fewer: %q", got)
	}
}
