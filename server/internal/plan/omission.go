package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// What a placeholder begins with: a comment, markup, a bracket, an ellipsis.
var (
	comments = []string{"//", "#", "/*", "<!--", "{/*", "--", ";", "%", "(*"}
	brackets = []string{"<", "[", "(", "{", "...", "…", "*"}
)

// These words say that something is left out, and those are said with them.
var (
	leavesOut = wordSet("rest remaining remainder existing unchanged omitted unmodified truncated snip snipped same")
	fillWords = wordSet(`the of is are as in on for and with no all other others your this that above below before here
		stays stay remains remain kept keep continues continue everything else previous previously original code file
		content contents implementation method methods function functions import imports class body component logic
		line lines section sections part parts change changes from brevity unaltered`)
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// isPlaceholder reports whether a line is one by which a model leaves out what it
// does not want to repeat, such as `// ... rest of code unchanged`, `# existing
// code` or `<rest of file>`. With an ellipsis it may name things; without one it
// may say nothing else.
func isPlaceholder(line string) bool {
	comment := hasAnyPrefix(line, comments)
	if len(line) > 160 || !comment && !hasAnyPrefix(line, brackets) {
		return false
	}
	dots := strings.Contains(line, "...") || strings.Contains(line, "…")
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(words) == 0 {
		return comment && dots
	}
	said, only := false, true
	for _, word := range words {
		said = said || leavesOut[word]
		only = only && (leavesOut[word] || fillWords[word])
	}
	return said && (only && len(words) > 1 || comment && dots)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// omission warns where content that would replace a longer file has a
// placeholder: the lines in its place would be lost.
func omission(before string, c intent.Change) []diag.Diagnostic {
	old, content := text.SplitLines(before), text.SplitLines(c.Content)
	if len(old) <= len(content) {
		return nil
	}
	i := placeholder(old, content)
	if i < 0 {
		return nil
	}
	return []diag.Diagnostic{{Span: spanOf(c.ContentAt, c), Severity: diag.Warning, Code: diag.Omission,
		Message: fmt.Sprintf("line %d of the content, %q, is a placeholder for code that was left out: %s would be lost; ask for the whole file, or for a patch",
			i+1, strings.TrimSpace(content[i]), lostLines(old, content))}}
}

// placeholder is the first line of a content, from 0, that is a placeholder and none of the
// file's own lines; below 0 for none.
func placeholder(old, content []string) int {
	known := map[string]bool{}
	for _, line := range old {
		known[strings.TrimSpace(line)] = true
	}
	return slices.IndexFunc(content, func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && !known[line] && isPlaceholder(line)
	})
}

// lostLines names the lines of a file that are not in the content that would
// replace it: how many, and the first run of them.
func lostLines(old, content []string) string {
	lost := lacking(old, content)
	if len(lost) == 1 {
		return fmt.Sprintf("line %d of the file", lost[0]+1)
	}
	run := 1
	for run < len(lost) && lost[run] == lost[run-1]+1 {
		run++
	}
	return fmt.Sprintf("%d lines of the file, lines %d to %d among them,", len(lost), lost[0]+1, lost[run-1]+1)
}
