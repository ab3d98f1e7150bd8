package plan

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// excerpt reports what shows that a text is only a part of the file that it would replace: a
// placeholder, or that the middle of the file, an end of it or less would stay.
func excerpt(before string, c intent.Change) []diag.Diagnostic {
	old, content := text.SplitLines(before), text.SplitLines(c.Content)
	if i := placeholder(old, content); i >= 0 {
		lost := lacking(old, content)
		switch {
		case len(lost) > 0:
			return omitted(c, content, i, ": "+lineRanges(lost)+" of "+c.Path+" would be lost; ask for the whole file, or for a patch")
		case strings.ContainsFunc(content[i], unicode.IsLetter):
			return omitted(c, content, i, "; ask for the whole file, or for a patch")
		}
	}
	runs := diff.Runs(text.WithEOL(before, text.LF), text.WithEOL(c.Content, text.LF))
	gone := goneLines(old, content, runs)
	if i, lost := standIn(old, content, runs); i >= 0 {
		return omitted(c, content, i, fmt.Sprintf(": lines %d to %d of %s would be lost; ask for the whole file, or for a patch", lost.OldStart+1, lost.OldEnd, c.Path))
	}
	if len(gone) == 0 {
		return nil
	}
	ends := lostEnds(old, content, runs, c.Path)
	if why := ends.middle(old, content); why != "" && keepsLines(old, runs) {
		return []diag.Diagnostic{{Span: spanOf(intent.Literal{}, c), Severity: diag.Error, Code: diag.FilePart,
			Message: fmt.Sprintf("%s: the text is a part of %s, and %s would go; send the whole file, or an edit of these lines", why, c.Path, lineRanges(gone))}}
	}
	if 2*len(gone) <= len(old) && !ends.many(old) {
		return nil
	}
	return []diag.Diagnostic{{Span: spanOf(intent.Literal{}, c), Severity: diag.Warning, Code: diag.LinesLost,
		Message: fmt.Sprintf("%d of the %d lines of %s would go, %s; the text may show only a part of the file", len(gone), len(old), c.Path, lineRanges(gone))}}
}

// keepsLines reports whether a line of a file stays: a text without any is no part of it.
func keepsLines(old []string, runs []diff.Run) bool {
	changed := 0
	for _, r := range runs {
		changed += r.OldEnd - r.OldStart
	}
	return changed < len(old)
}

// lacking are the lines of a file, from 0, that a content has nowhere.
func lacking(old, content []string) []int {
	stays := map[string]bool{}
	for _, line := range content {
		stays[strings.TrimSpace(line)] = true
	}
	var lost []int
	for i, line := range old {
		if !stays[strings.TrimSpace(line)] {
			lost = append(lost, i)
		}
	}
	return lost
}

// newExcerpt reports a placeholder in a text for which there is no file: nothing has what it
// leaves out. An ellipsis alone may be meant.
func newExcerpt(now version, c intent.Change) []diag.Diagnostic {
	if !c.MayBePart || now.Exists {
		return nil
	}
	content := text.SplitLines(c.Content)
	i := placeholder(nil, content)
	if i < 0 || !strings.ContainsFunc(content[i], unicode.IsLetter) {
		return nil
	}
	return omitted(c, content, i, ", and there is no "+c.Path+" that has it; check the path, or ask for the whole file")
}

func omitted(c intent.Change, content []string, at int, so string) []diag.Diagnostic {
	return []diag.Diagnostic{{Span: spanOf(c.ContentAt, c), Severity: diag.Error, Code: diag.Omission,
		Message: fmt.Sprintf("line %d of the text, %q, is a placeholder for what was left out%s", at+1, strings.TrimSpace(content[at]), so)}}
}

// changed is how alike two lines must be for one to be the other, changed.
const changed = 0.5

// goneLines are the lines of a file, from 0, that a content has no more, not even changed.
func goneLines(old, content []string, runs []diff.Run) []int {
	var gone []int
	for _, run := range runs {
		next := run.NewStart
		for i := run.OldStart; i < run.OldEnd; i++ {
			at := next
			for at < min(run.NewEnd, next+mostCompared) && locate.Alike(old[i], content[at]) < changed {
				at++
			}
			if at < min(run.NewEnd, next+mostCompared) {
				next = at + 1
			} else {
				gone = append(gone, i)
			}
		}
	}
	return gone
}

// mostCompared is with how many lines one that goes is compared.
const mostCompared = 50

// lineRanges names lines, which count from 0, as a person counts them: "lines 3 to 9 and 12".
func lineRanges(lines []int) string {
	const most = 8
	var parts []string
	for i := 0; i < len(lines); {
		from := i
		for i++; i < len(lines) && lines[i] == lines[i-1]+1; i++ {
		}
		if len(parts) == most {
			parts = append(parts, fmt.Sprintf("%d more", len(lines)-from))
			break
		}
		part := fmt.Sprint(lines[from] + 1)
		if i-from > 1 {
			part = fmt.Sprintf("%d to %d", lines[from]+1, lines[i-1]+1)
		}
		parts = append(parts, part)
	}
	noun := "lines"
	if len(lines) == 1 {
		noun = "line"
	}
	if n := len(parts); n > 1 {
		parts = []string{strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]}
	}
	return noun + " " + parts[0]
}
