package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
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

// fewestReplaced is how many lines that say something a stand-in has to be there for.
const fewestReplaced = 4

// standIn is the first line of a content, from 0, that is the only one in place of several lines
// of the file, and a comment that speaks of what is left out, in whatever words, with these lines;
// below 0 for none.
func standIn(old, content []string, runs []diff.Run) (at int, lost diff.Run) {
	for _, run := range runs {
		if saying(old[run.OldStart:run.OldEnd]) < fewestReplaced || saying(content[run.NewStart:run.NewEnd]) != 1 {
			continue
		}
		for i := run.NewStart; i < run.NewEnd; i++ {
			line := strings.TrimSpace(content[i])
			if saysMore(line) && intent.SpeaksOfRest(line) {
				return i, run
			}
		}
	}
	return -1, lost
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
