package wholelines

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// appended puts the lines at the end of the text, as the format asks for.
func (p passage) appended(on intent.Target) intent.Outcome {
	t := on.Text
	lf := t.LF()
	added := text.Ended(text.WithEOL(p.Replace, text.LF))
	ends := strings.HasSuffix("\n"+text.Ended(lf), "\n"+added)
	result := text.Span{Start: max(0, len(lf)-len(added)), End: len(lf)}
	if ends && (on.Applied || place.Says(added)) {
		return p.done(t, result)
	}
	at := text.Span{Start: t.Len(), End: t.Len()}
	eol := cmp.Or(t.EOL(), text.LF)
	lines := text.WithEOL(text.Ended(p.Replace), eol)
	if lf != "" && unended(lf) == lf {
		lines = string(eol) + unended(lines)
	}
	out := intent.Outcome{Edits: []text.Edit{{Span: at, New: lines}}, Written: intent.Written{Text: p.Replace, At: p.ReplaceAt}, Cursor: at.Start + len(lines), Places: []intent.Place{{At: p.edit.At, Target: at}}}
	if ends {
		out.Problems = []diag.Diagnostic{{Span: p.FindAt.Span, Severity: diag.Warning, Code: diag.InsertRepeats,
			Message: fmt.Sprintf("the file already ends with these lines, from line %d on: if they were added before, they would now be there twice", t.LineAt(result.Start))}}
	} else if lf != "" && !p.edit.AtEnd {
		out.Problems = []diag.Diagnostic{{Span: p.FindAt.Span, Severity: diag.Warning, Code: diag.PatchAppends,
			Message: "the hunk only adds lines and does not say where; they go to the end of the file"}}
	}
	return out
}
