package findreplace

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A writer replaces spans of a text with the same new lines, by minimal edits. A line keeps its ending if it stays
// or is changed in place. Any other line gets the most frequent ending of the text, or of the new lines if the text
// has none.
type writer struct {
	eol   func() text.EOL // returns the ending for any other new line
	lines []string        // with their endings
	edits []text.Edit
}

// rewrite replaces a span of the text, which is now `found`, with the lines.
func (w *writer) rewrite(span text.Span, found string) {
	old := text.SplitLines(found)
	at, i := span.Start, 0 // the end of the old lines that are finished, and their number
	for _, run := range diff.RunsOf(bare(old), bare(w.lines)) {
		for ; i < run.OldStart; i++ {
			at += len(old[i])
		}
		at, i = w.change(at, old[run.OldStart:run.OldEnd], w.lines[run.NewStart:run.NewEnd]), run.OldEnd
	}
}

func bare(lines []string) []string {
	return text.Each(lines, func(line string) string { return text.WithEOL(line, text.LF) })
}

// change replaces old lines from an offset with new lines. It returns the end of the old lines.
func (w *writer) change(at int, old, new []string) int {
	if len(old) == len(new) {
		for i := range old {
			at = w.replace(at, old[i], diff.WithEnding(new[i], old[i], w.eol))
		}
		return at
	}
	var after strings.Builder
	for i, line := range new {
		like := ""
		if i == len(new)-1 && len(old) > 0 {
			like = old[len(old)-1]
		}
		after.WriteString(diff.WithEnding(line, like, w.eol))
	}
	return w.replace(at, strings.Join(old, ""), after.String())
}

func (w *writer) replace(at int, before, after string) int {
	head, tail := diff.Common(before, after)
	w.edits = append(w.edits, text.Edit{
		Span: text.Span{Start: at + head, End: at + len(before) - tail},
		New:  after[head : len(after)-tail],
	})
	return at + len(before)
}

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
