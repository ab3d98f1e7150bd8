package elision

import (
	"strings"
	"testing"
)

func TestPlaceholders(t *testing.T) {
	for _, line := range []string{
		"// ... rest of code unchanged", "// ...", "# ...", "/* ... */", "{/* ... existing code ... */}", "<rest of file>",
		"# existing code", "# rest of the file remains the same", "// (existing code)", "<!-- ... rest of the page ... -->",
		"// ... existing methods of UserService ...", "... rest unchanged ...", "[rest of the file unchanged]", "-- remaining lines unchanged",
		"# previous code here", "// ... previous code ...", "// other methods stay", "/* other styles go here */", "// Original implementation as before",
		"# all the other functions here", "# above code stays as is", "// earlier imports remain here", "// your code here", "-- other definitions stay as they were",
		"<!-- original content here -->", "// Your other methods go here", "// other imports and types here", "// other routes...", "{/* ... other components ... */}",
		"# No changes below this line", "// no further changes here", "// Existing imports", "# … (unchanged)", "// same as before", "// omitted for brevity",
		"// (unchanged)", "# [omitted]", "[truncated]", "(continued in the next message)", "<snip>", "[... output truncated ...]",
	} {
		if !IsPlaceholder(line) {
			t.Errorf("%q is none, and should be", line)
		}
	}
	for _, line := range []string{
		"// previous code", "// other methods", "# other imports here are slow", "// the original code is here: https://example.com/a", "// other functions in this file", "// see the code above",
		"// your function is called here", "// restore the previous content", "// original content of the buffer", "# previous line", "// other fields", "// above methods are not safe",
		"<!-- Your content here -->", "// Put your code here", "#other .code .stays {", "# other, code, here", "// earlier versions of this function stay", "return previous code here",
		"// other methods on this Cache.", "// your context code and your io.", "// other code may wait here", "// the other lines come here from the parser", "const other = [methods, here]",
		"// no changes", "# no changes below are lost", "// do not edit below this line", "// no changes here yet, see above",
		"", "...", "return rest", "// the rest parameter collects arguments", "# existing users keep their login", "const rest = [...args]",
		"[...rest]", "// TODO: handle existing rows", "// see docs", "# same", "{...rest}", "<Rest />", "(...)", "// existing", "* item",
		"// remaining: " + strings.Repeat("x", 200), "{ rest: true }",
		"(truncated: bool)", "[truncated, n]", "<Truncated />", "(this is a sentence in which something was omitted)",
	} {
		if IsPlaceholder(line) {
			t.Errorf("%q is a placeholder, and should be none", line)
		}
	}
}
