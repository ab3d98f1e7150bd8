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
	return lf.outcome(on, newView(on.Text.String()))
}

// A replacement is a Replacement with LF for all line endings.
type replacement struct {
	Replacement
	find, replace string
	keepsFind     bool // replace contains find
}

func (r replacement) outcome(t intent.Target, v view) intent.Outcome {
	first := locate.Index(v.text, r.find)
	if first < 0 {
		return r.notThere(t, v)
	}
	if r.Limit == All {
		starts, done := r.all(v.text)
		if len(starts) == 0 {
			return r.done(v, done)
		}
		return intent.Outcome{Edits: r.edits(v, starts), Problems: r.doubts(v, starts)}
	}
	if r.isDone(v.text, first) {
		return r.done(v, first)
	}
	if t.Applied {
		if at := standing(v.text, r.replace, nil); at >= 0 {
			return r.done(v, at) // the first was replaced then, and the next ones are not meant
		}
	}
	problems := r.ambiguous(v, first)
	switch {
	case len(problems) == 0:
		problems = r.doubts(v, []int{first})
	case keeps(t):
		problems[0].Suggest = r.suggestOne(t.Text.String())
	}
	return intent.Outcome{Edits: r.edits(v, []int{first}), Problems: problems}
}

// isDone reports whether the find at start is the work of an earlier application.
func (r replacement) isDone(s string, start int) bool {
	if !r.keepsFind {
		return false
	}
	reach := len(r.replace) - 1 // an occurrence of replace in this window laps over the find
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

// edits replaces the occurrences that start at the given offsets of the view.
func (r replacement) edits(v view, starts []int) []text.Edit {
	back := v.backward()
	w := writer{view: v, lines: text.SplitLines(r.Replace)}
	for _, start := range starts {
		span := text.Span{Start: back.offset(start), End: back.offset(start + len(r.find))}
		w.rewrite(span)
	}
	return w.edits
}

func (r replacement) done(v view, start int) intent.Outcome {
	return intent.Outcome{Done: true, Problems: []diag.Diagnostic{{
		Span: r.FindAt.Span, Severity: diag.Info, Code: diag.AlreadyApplied,
		Message: fmt.Sprintf("line %d of the file holds the replacement already; nothing is left to do", v.line(start)),
	}}}
}

// ambiguous warns where the find at first is not the only one.
func (r replacement) ambiguous(v view, first int) []diag.Diagnostic {
	rest := v.text[first+len(r.find):]
	if locate.Index(rest, r.find) < 0 {
		return nil
	}
	return []diag.Diagnostic{{
		Span: r.FindAt.Span, Severity: diag.Warning, Code: diag.FindAmbiguous,
		Message: fmt.Sprintf("`find` is in the file %d times, on lines %s; only the first is replaced: extend it until it is unique, or say \"limit\": \"all\"", 1+strings.Count(rest, r.find), r.lines(v, first)),
	}}
}

// lines lists the lines of the first occurrences.
func (r replacement) lines(v view, first int) string {
	const most = 10
	var list []string
	line, counted := 1, 0
	for at := first; ; {
		line, counted = line+lineEndings(v.text[counted:at]), at
		list = append(list, fmt.Sprint(line))
		i := strings.Index(v.text[at+len(r.find):], r.find)
		if i < 0 {
			return strings.Join(list, ", ")
		}
		if len(list) == most {
			return strings.Join(list, ", ") + ", …"
		}
		at += len(r.find) + i
	}
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
