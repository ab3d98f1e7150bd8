package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// noWidth are the characters that cannot be seen and that copies from web pages have. The joiners
// of emoji and of other scripts are none of them.
var noWidth = strings.NewReplacer("\u200b", "", "\u2060", "", "\ufeff", "")

var webCharacters = []string{"\u00a0", "\u200b", "\u2060", "\ufeff"}

// copied warns of a whole text that begins with the buttons of a web page, and of one with no-break
// spaces in an indentation, or with characters of no width, unless the file has such ones: they come
// from a web page, and no program wants them.
// The fix is certain for a file that is there (rules R50 and R54).
func copied(now version, c intent.Change) []diag.Diagnostic {
	if found := copiedButtons(now, c); found != nil {
		return found
	}
	mark := strings.HasPrefix(c.Content, "\ufeff")
	content := strings.TrimPrefix(c.Content, "\ufeff")
	plain := plainSpaces(content)
	if plain == content {
		return nil
	}
	if now.Exists {
		before, _, err := text.Decode(now.bytes())
		if before = strings.TrimPrefix(before, "\ufeff"); err != nil || plainSpaces(before) != before {
			return nil
		}
	}
	d := diag.Diagnostic{Span: spanOf(c.ContentAt, c), Severity: diag.Warning, Code: diag.CopiedText,
		Message: fmt.Sprintf("line %d of the text has no-break spaces for its indentation, or a character that cannot be seen, as copies from a web page do", firstOther(content, plain))}
	if c.ContentAt.Span != (text.Span{}) {
		if mark {
			plain = "\ufeff" + plain
		}
		d.Fixes = []diag.Fix{{Title: "Write plain spaces", Edits: []text.Edit{c.ContentAt.Set(plain)}, Preferred: now.Exists}}
	}
	return []diag.Diagnostic{d}
}

// copiedEdits warns of the same in what a step writes into a file that has none of it. Where an edit
// begins within a line, what it begins with is no indentation. ok: the step writes such text, so that
// the file has it from then on, and no later step needs a look.
func copiedEdits(t *locate.Text, step intent.Step, edits []text.Edit) (problems []diag.Diagnostic, ok bool) {
	warning := diag.Diagnostic{Span: step.Span(), Severity: diag.Warning, Code: diag.CopiedText,
		Message: "the new lines have no-break spaces for their indentation, or a character that cannot be seen, as copies from a web page do; the file has none"}
	for _, e := range edits {
		added := e.New
		if e.Span.Start > 0 && !strings.ContainsRune("\r\n", rune(t.ByteAt(e.Span.Start-1))) {
			added = strings.TrimLeft(added, "\u00a0")
		}
		if t.Len() == 0 {
			if n := buttons(e.New); n > 0 {
				warning.Message = buttonsMessage(e.New, n)
				return list(&warning), true
			}
		}
		if plainSpaces(added) == added {
			continue
		}
		if before := t.String(); plainSpaces(before) != before {
			return nil, true
		}
		return list(&warning), true
	}
	return nil, false
}

// plainSpaces is a text with spaces for the no-break spaces that lines begin with, and without
// characters of no width.
func plainSpaces(s string) string {
	if !slices.ContainsFunc(webCharacters, func(c string) bool { return strings.Contains(s, c) }) { // a tenth of a large bundle's time else
		return s
	}
	s = noWidth.Replace(s)
	var b strings.Builder
	for _, line := range text.SplitLines(s) {
		rest := strings.TrimLeft(line, " \t\u00a0")
		b.WriteString(strings.ReplaceAll(line[:len(line)-len(rest)], "\u00a0", " "))
		b.WriteString(rest)
	}
	return b.String()
}

// firstOther is the first line, from 1, in which two texts differ.
func firstOther(a, b string) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return 1 + strings.Count(text.WithEOL(a[:i], text.LF), "\n")
}
