package findreplace

import (
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A writer replaces several spans of a text by the same new lines, with minimal edits. A line
// that does not change keeps its own ending, and so does a line that is changed in place. Any
// other new line gets the most frequent ending of the text, or its own ending if the text has
// none.
type writer struct {
	eol   func() text.EOL // returns the ending of the whole text
	lines []string        // the lines to write, with their endings
	edits []text.Edit
}

// rewrite replaces a span of the text by the lines. there is the text in the span.
func (w *writer) rewrite(span text.Span, there string) {
	old := text.SplitLines(there)
	at := span.Start
	i, j := 0, 0 // the number of old and new lines that are done
	for _, run := range runs(old, w.lines) {
		for ; i < run.old; i, j = i+1, j+1 {
			at += len(old[i])
		}
		at = w.change(at, old[i:i+run.deleted], w.lines[j:j+run.inserted])
		i, j = i+run.deleted, j+run.inserted
	}
}

// A run is a place at which lines differ: the number of old lines before it, and the numbers of
// lines that are deleted and inserted there.
type run struct{ old, deleted, inserted int }

// runs compares lines. All line endings count as equal.
func runs(old, new []string) []run {
	var out []run
	at, open := 0, false
	for _, e := range diff.Lines(bare(old), bare(new)) {
		if e.Op == linediff.Match {
			at++
			open = false
			continue
		}
		if !open {
			out = append(out, run{old: at})
			open = true
		}
		if e.Op == linediff.Delete {
			at++
			out[len(out)-1].deleted++
		} else {
			out[len(out)-1].inserted++
		}
	}
	return out
}

func bare(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = text.WithEOL(line, text.LF)
	}
	return out
}

// change replaces the lines old, which begin at offset at, by the lines new. It returns the end
// of the old lines.
func (w *writer) change(at int, old, new []string) int {
	if len(old) == len(new) {
		for i := range old {
			at = w.replace(at, old[i], w.withEnding(new[i], old[i]))
		}
		return at
	}
	var after strings.Builder
	for i, line := range new {
		like := ""
		if i == len(new)-1 && len(old) > 0 {
			like = old[len(old)-1]
		}
		after.WriteString(w.withEnding(line, like))
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

// withEnding returns line with the ending of like, if both have one.
func (w *writer) withEnding(line, like string) string {
	body := text.TrimEOL(line)
	if len(body) == len(line) {
		return line
	}
	if ending := like[len(text.TrimEOL(like)):]; ending != "" {
		return body + ending
	}
	if eol := w.eol(); eol != text.None {
		return body + string(eol)
	}
	return line
}
