package shell

import (
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// plainQuotes returns the edits that write plain quotes instead of typographic ones, and plain dashes where an
// option begins. It returns none for a script with a here-document, whose text may have such characters on purpose.
func plainQuotes(body string) (edits []text.Edit) {
	if text.IsASCII(body) || strings.Contains(body, "<<") {
		return nil
	}
	above := ' '
	for i, c := range body {
		plain := artifact.Plain(c)
		if plain == "'" || plain == `"` || plain == "-" && unicode.IsSpace(above) {
			edits = append(edits, text.Edit{Span: text.Span{Start: i, End: i + len(string(c))}, New: plain})
		}
		above = c
	}
	return edits
}

// plain returns the region with plain quotes, if more commands can be read that way, or nil.
func plain(r *format.Region, p format.Parsed) (of *format.Region, edits []text.Edit) {
	edits = plainQuotes(r.Body)
	if len(edits) == 0 {
		return nil, nil
	}
	body, err := text.Apply(r.Body, edits)
	if err != nil {
		return nil, nil
	}
	with := *r
	with.Body = body
	if q := read(&with); q.Readable <= p.Readable || diag.HasErrors(q.Diagnostics) {
		return nil, nil
	}
	return &with, edits
}
