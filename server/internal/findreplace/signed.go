package findreplace

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Sides returns the lines of a hunk before and after the change. `signed` is false if a line does not begin with `
// `, `+` or `-`.
func Sides(lines []string, eol string) (old, new string, signed bool) {
	var before, after strings.Builder
	signed = true
	for _, raw := range lines {
		if !strings.HasSuffix(raw, "\n") {
			raw += eol
		}
		switch {
		// An empty line is a context line that lost its space.
		case text.TrimEOL(raw) == "":
			before.WriteString(raw)
			after.WriteString(raw)
		case raw[0] == ' ':
			before.WriteString(raw[1:])
			after.WriteString(raw[1:])
		case raw[0] == '-':
			before.WriteString(raw[1:])
		case raw[0] == '+':
			after.WriteString(raw[1:])
		case strings.HasPrefix(raw, `\ No newline`):
		default:
			signed = false
		}
	}
	return before.String(), after.String(), signed
}

// A HunkWriter writes a find and its replacement as the lines of a hunk.
type HunkWriter struct {
	Span text.Span
	EOL  string
}

func (h HunkWriter) WriteBoth(find, replace string) text.Edit {
	return text.Edit{Span: h.Span, New: HunkLines(find, replace, h.EOL)}
}

// HunkLines returns the lines of a hunk that turns find into replace. Both texts have LF endings; each line of the
// hunk ends with `eol`.
func HunkLines(find, replace, eol string) string {
	var b strings.Builder
	for _, e := range diff.Lines(text.SplitLines(text.Ended(find)), text.SplitLines(text.Ended(replace))) {
		b.WriteString(diff.Signs[e.Op] + text.TrimEOL(cmp.Or(e.X, e.Y)) + eol)
	}
	return b.String()
}
