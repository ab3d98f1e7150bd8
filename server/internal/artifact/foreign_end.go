package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// ForeignEnd describes a text that begins or ends with a line of another notation.
var ForeignEnd = Artifact{
	Ends:    true,
	Name:    "a line of another edit format",
	Differs: "without the line of another edit format",
	Fix:     "Remove the line of another edit format",
	Sure:    true,
	Undo:    unforeign,
	Shows:   func(s string) bool { _, ok := unforeign(s); return ok },
	Prose:   true,
}

const foreignTags = `content|contents|file|file_content|file_contents|file_text|code|code_edit|new_str|old_str|new_string|old_string|replace|search|update|diff|parameter|invoke|function_calls|tool_call|tool_use|answer|document_content|source|write_to_file|create_file|edit_file|edit|[a-z]+:[a-z_]+`

var (
	foreignClose = lazyregexp.New(`^[ \t]*(?:</(` + foreignTags + `)>|(\]\]>)|(EOF|EOT|END_OF_FILE|END OF FILE|HEREDOC|PYEOF|\[/?FILE\])|\*\*\* End (?:Patch|of File)|>{5,9} ?(?:REPLACE|UPDATED|replace)|\*\*\*END\*\*\*)[ \t]*\r?\n?$`)
	foreignOpen  = lazyregexp.New(`^[ \t]*(?:<(` + foreignTags + `)(?: [^<>]*[^<>/])?>|(<!\[CDATA\[)|(?:sudo )?(?:cat|tee) .*<<-? ?['"]?(\w+)['"]?.*|\*\*\* (?:Begin Patch|(?:Add|Update|Create) File: .*)|<{5,9} ?SEARCH)[ \t]*\r?\n?$`)
)

// IsEnd reports whether a line is a fence, or the last line of another notation.
func IsEnd(line string) bool { return foreignClose.MatchString(line) || fenceLine.MatchString(line) }

// unforeign removes lines of another notation from both ends of a text. It removes nothing if the rest contains the
// counterpart of a removed line.
func unforeign(s string) (string, bool) {
	all := text.SplitLines(s)
	from, to := 0, len(all)
	for from < to && (text.IsBlank(all[from]) && from > 0 || foreignOpen.MatchString(all[from])) {
		from++
	}
	for to > from {
		if m := foreignClose.FindStringSubmatch(all[to-1]); m == nil && !(text.IsBlank(all[to-1]) && to < len(all)) {
			break
		}
		to--
	}
	inner := all[from:to]
	body := strings.Join(inner, "")
	if text.IsBlank(body) {
		return s, false
	}
	opened, closed := from > 0, to < len(all)
	for _, line := range all[to:] {
		if m := foreignClose.FindStringSubmatch(line); m != nil && isOpened(body, m) {
			return s, false
		}
	}
	for _, line := range all[:from] {
		m := foreignOpen.FindStringSubmatch(line)
		if m != nil && m[1] != "" && (strings.Contains(body, "</"+m[1]+">") || closed) {
			// Both tags of a pair are in the text, so they belong to the document.
			return s, false
		}
	}
	return body, opened || closed
}

// isOpened reports whether a text opens the element that a line closes. m is the match of foreignClose in that line.
func isOpened(body string, m []string) bool {
	switch {
	case m[1] != "":
		return strings.Contains(body, "<"+m[1])
	case m[2] != "":
		return strings.Contains(body, "<![CDATA[")
	case m[3] != "":
		return strings.Contains(body, "<<") && strings.Contains(body, m[3])
	}
	return false
}

// Fence describes a text with a Markdown fence around it, or at one of its ends.
var Fence = Artifact{
	Signs:   "`~",
	Ends:    true,
	Name:    "a Markdown fence",
	Differs: "without the fence around it",
	Fix:     "Leave out the fence",
	Sure:    true,
	Undo:    unfence,
	Shows:   func(s string) bool { _, ok := unfence(s); return ok },
	Prose:   true,
}

var fenceLine = lazyregexp.New("^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\\w+#.:/=-]*)[^`\r\n]*\r?\n?$")

func unfence(s string) (string, bool) {
	if !strings.Contains(s, "```") && !strings.Contains(s, "~~~") {
		return s, false
	}
	all := text.SplitLines(s)
	var labels []string
	for _, line := range all {
		if m := fenceLine.FindStringSubmatch(line); m != nil {
			labels = append(labels, m[2])
		}
	}
	odd := len(labels)%2 == 1
	// If the first block ends before the next one begins, the fence in the first line does not enclose the text.
	inARow := len(labels) > 2 && labels[1] == "" && labels[2] != ""
	first, last := 0, len(all)-1
	for first < last && text.IsBlank(all[first]) {
		first++
	}
	for last > first && text.IsBlank(all[last]) {
		last--
	}
	opens, closing := fenceLine.MatchString(all[first]), fenceLine.FindStringSubmatch(all[last])
	closes := first < last && closing != nil && closing[2] == ""
	switch {
	case opens && closes && !odd && !inARow:
		return strings.Join(all[first+1:last], ""), true
	case closes && odd && !opens:
		return strings.Join(all[:last], ""), true
	case opens && odd && !inARow:
		return strings.Join(all[first+1:], ""), true
	}
	return s, false
}
