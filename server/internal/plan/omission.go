package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
		return line != "" && !known[line] && intent.IsPlaceholder(line)
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
