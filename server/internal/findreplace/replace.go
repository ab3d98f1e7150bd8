// Package findreplace has the editors that several formats share.
package findreplace

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limit says how many occurrences of a text are replaced (rule S4).
type Limit int

// The limits.
const (
	Once Limit = iota // the first one
	All
)

// A Replacement is the step that replaces Find, which is not empty, by Replace. Both
// are literal; only line endings are matched freely: LF, CRLF and CR in Find are the
// same, and match any of them as a whole.
//
// What it does stays done: applied to its own result, it changes nothing where
// Replace contains Find. There, an occurrence of Find that an occurrence of Replace
// holds, or overlaps, is what an earlier application left.
type Replacement struct {
	Find, Replace     string
	Limit             Limit
	At                text.Span // in the block's body
	FindAt, ReplaceAt intent.Literal
}

// Span implements [intent.Step].
func (r Replacement) Span() text.Span { return r.At }

// Parts implements [intent.Step]: there are none.
func (Replacement) Parts() []text.Span { return nil }

// Resolve implements [intent.Step].
func (r Replacement) Resolve(on intent.Target) intent.Outcome {
	lf := replacement{Replacement: r, find: text.WithEOL(r.Find, text.LF), replace: text.WithEOL(r.Replace, text.LF)}
	lf.keepsFind = strings.Contains(lf.replace, lf.find)
	return lf.outcome(on)
}

// A replacement is a Replacement with LF for all line endings.
type replacement struct {
	Replacement
	find, replace string
	keepsFind     bool // replace contains find
}

func (r replacement) outcome(t intent.Target) intent.Outcome {
	first := t.Text.Index(r.find, 0)
	if first < 0 {
		return r.notThere(t)
	}
	second := t.Text.Index(r.find, first+len(r.find))
	if r.Limit == All && second >= 0 {
		return r.everywhere(t.Text.Whole())
	}
	w := r.around(t.Text, first, len(r.find))
	start := first - w.At
	if r.isDone(w.Text, start) {
		return r.done(w, start)
	}
	if t.Applied && r.Limit == Once {
		if at := put(t.Text, r.replace, nil); at >= 0 {
			return r.doneAt(t.Text, at) // the first was replaced then, and the next ones are not meant
		}
	}
	out := intent.Outcome{Edits: r.edits(w, []int{start})}
	if second < 0 || r.Limit == All {
		out.Problems = r.doubts(w, []int{start})
		return out
	}
	d := r.ambiguous(t.Text, first, second)
	if keeps(t) {
		d.Suggest = r.suggestOne(t.Text)
	}
	out.Problems = []diag.Diagnostic{d}
	return out
}

// around is the text around a place, as far as it matters to the replacement.
func (r replacement) around(t *locate.Text, at, size int) locate.Window {
	return t.Window(text.Span{Start: at, End: at + size}, len(r.replace)+len(r.find))
}

// everywhere replaces all occurrences in a text.
func (r replacement) everywhere(w locate.Window) intent.Outcome {
	starts, done := r.all(w.Text)
	if len(starts) == 0 {
		return r.done(w, done)
	}
	return intent.Outcome{Edits: r.edits(w, starts), Problems: r.doubts(w, starts)}
}

// isDone reports whether the find at start is the work of an earlier application.
func (r replacement) isDone(s string, start int) bool {
	if !r.keepsFind {
		return false
	}
	reach := len(r.replace) - 1 // an occurrence of replace in these bytes overlaps the find
	return strings.Contains(s[max(0, start-reach):min(len(s), start+len(r.find)+reach)], r.replace)
}

// all finds every occurrence to replace, from left to right without overlap. Done
// is the first one that was replaced before.
func (r replacement) all(s string) (starts []int, done int) {
	var replaced []int
	if r.keepsFind {
		replaced = locate.Occurrences(s, r.replace)
	}
	done = -1
	for at := 0; ; {
		i := strings.Index(s[at:], r.find)
		if i < 0 {
			return starts, done
		}
		i += at
		for len(replaced) > 0 && replaced[0]+len(r.replace) <= i {
			replaced = replaced[1:]
		}
		if len(replaced) == 0 || replaced[0] >= i+len(r.find) {
			starts = append(starts, i)
			at = i + len(r.find)
			continue
		}
		for len(replaced) > 1 && replaced[1] < i+len(r.find) {
			replaced = replaced[1:]
		}
		at = replaced[0] + len(r.replace) // all before laps over it too
		if done < 0 {
			done = i
		}
	}
}

// edits replaces the occurrences that start at the given offsets of the window.
func (r replacement) edits(w locate.Window, starts []int) []text.Edit {
	raw := w.Raw()
	out := writer{eol: w.EOL, lines: text.SplitLines(r.Replace)}
	for _, start := range starts {
		out.rewrite(raw.Span(text.Span{Start: start, End: start + len(r.find)}))
	}
	return out.edits
}

// doneAt is [replacement.done] for an offset of the whole text.
func (r replacement) doneAt(t *locate.Text, at int) intent.Outcome {
	w := t.Window(text.Span{Start: at, End: at}, 0)
	return r.done(w, at-w.At)
}

func (r replacement) done(w locate.Window, start int) intent.Outcome {
	return intent.Outcome{Done: true, Problems: []diag.Diagnostic{{
		Span: r.FindAt.Span, Severity: diag.Info, Code: diag.AlreadyApplied,
		Message: fmt.Sprintf("line %d of the file holds the replacement already; nothing is left to do", w.Line(start)),
	}}}
}

// ambiguous warns of a find that occurs more than once.
func (r replacement) ambiguous(t *locate.Text, first, second int) diag.Diagnostic {
	return diag.Diagnostic{
		Span: r.FindAt.Span, Severity: diag.Warning, Code: diag.FindAmbiguous,
		Message: fmt.Sprintf("`find` is in the file %d times, on lines %s; only the first is replaced: extend it until it is unique, or say \"limit\": \"all\"", 1+t.Count(r.find, second), r.lines(t, first)),
	}
}

// lines lists the lines of the first occurrences.
func (r replacement) lines(t *locate.Text, first int) string {
	const most = 10
	var list []string
	for _, at := range t.All(r.find, first, most+1) {
		if len(list) == most {
			return strings.Join(list, ", ") + ", …"
		}
		list = append(list, fmt.Sprint(t.LineAt(at)))
	}
	return strings.Join(list, ", ")
}

// shown is the first line of s that says something, cut where it is long.
func shown(s string) string {
	const most = 60
	s = strings.TrimSpace(s)
	line, _, more := strings.Cut(s, "\n")
	if runes := []rune(line[:min(len(line), 4*most+4)]); len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	if more {
		return fmt.Sprintf("%q…", line)
	}
	return fmt.Sprintf("%q", line)
}
