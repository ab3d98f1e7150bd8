package plan

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// buttonLines are the buttons that web pages have above code, one of which copies it. The name of a
// language may be above them.
var buttonLines = lazyregexp.New(`^(?:[\w+#.-]{1,20}[ \t]*\r?\n)?(?:(?:Edit|Run|Wrap|Download|Collapse|Expand)[ \t]*\r?\n)*(?:Copy|Copy code|Copy ?Edit|Copied!?)[ \t]*\r?\n(?:(?:Edit|Run|Wrap|Download|Collapse|Expand)[ \t]*\r?\n)*`)

// buttons is how many bytes of a text are the buttons that it begins with; 0 for none, and for a
// text that has nothing else.
func buttons(s string) int {
	n := len(buttonLines.FindString(s))
	if strings.TrimSpace(s[n:]) == "" {
		return 0
	}
	return n
}

// copiedButtons warns of the buttons above a whole text, unless the file begins with them. The fix
// that leaves them out is certain where the file begins with the line below them (rule R54).
func copiedButtons(now version, c intent.Change) []diag.Diagnostic {
	n := buttons(c.Content)
	if n == 0 {
		return nil
	}
	rest, certain := strings.TrimLeft(c.Content[n:], "\r\n"), false
	if now.Exists {
		before, _, err := text.Decode(now.bytes())
		if before = strings.TrimPrefix(before, "\ufeff"); err != nil || buttons(before) > 0 {
			return nil
		}
		certain = strings.TrimSpace(firstLine(rest)) != "" && firstLine(before) == firstLine(rest)
	}
	d := diag.Diagnostic{Span: spanOf(c.ContentAt, c), Severity: diag.Warning, Code: diag.CopiedText, Message: buttonsMessage(c.Content, n)}
	if c.ContentAt.Span != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: "Leave out the buttons", Edits: []text.Edit{c.ContentAt.Set(plainSpaces(rest))}, Preferred: certain}}
	}
	return []diag.Diagnostic{d}
}

func firstLine(s string) string {
	end, _ := text.LineEnd(s, 0)
	return s[:end]
}

func buttonsMessage(s string, n int) string {
	return fmt.Sprintf("the text begins with %q, the buttons of a web page from which it was copied", strings.Join(strings.Fields(s[:n]), " "))
}
