package hunk

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (w *work) hasBare() bool {
	return slices.ContainsFunc(w.Lines, func(l Line) bool { return l.Bare })
}

// lostSpaces puts a space before each context line. A hunk whose context lines all lost their space is indented one
// column less than the file. lostSpaces returns nil if no line can have lost a space.
func (w *work) lostSpaces() *work {
	v := w.rewritten(func(l *Line) bool {
		lost := l.Op == ' ' && !l.Bare && !l.At.Empty()
		if lost {
			l.Text = " " + l.Text
		}
		return lost
	})
	if v != nil {
		v.respaced = true
	}
	return v
}

// rewritten applies `change` to each line. It returns nil if `change` returns false for every line.
func (w *work) rewritten(change func(l *Line) bool) *work {
	h := *w.Hunk
	h.Lines = slices.Clone(h.Lines)
	changed := false
	for i := range h.Lines {
		changed = change(&h.Lines[i]) || changed
	}
	if !changed {
		return nil
	}
	v := *w
	v.Hunk = &h
	v.before, v.after = sides(h.Lines)
	return &v
}

// PlainSign returns the sign for which a character at the start of a bare line stands, and the size of that
// character in bytes. Word processors and web pages write such dashes, plus signs and spaces. PlainSign returns 0 if
// there is none.
func (l Line) PlainSign() (sign byte, size int) {
	r, size := utf8.DecodeRuneInString(l.Text)
	plain := artifact.PlainText(string(r))
	if !l.Bare || size == 1 || len(plain) != 1 || !strings.Contains("+- ", plain) {
		return 0, 0
	}
	return plain[0], size
}

// mayChange reports whether a line is added or removed, perhaps only by its [Line.PlainSign].
func (l Line) mayChange() bool {
	sign, _ := l.PlainSign()
	return l.Op != ' ' || sign == '+' || sign == '-'
}

// plainSigns writes the [Line.PlainSign] of each line. It returns nil if no line changes.
func (w *work) plainSigns() *work {
	v := w.rewritten(func(l *Line) bool {
		sign, size := l.PlainSign()
		if sign != 0 {
			l.Op, l.Text, l.Bare = sign, l.Text[size:], false
		}
		return sign != 0
	})
	if v != nil {
		v.resigned = true
	}
	return v
}

// loosened drops the empty lines at the end of a hunk: perhaps they only separate the hunk from the text below. The
// header may count them nevertheless: a program that splits a file at its newlines counts an empty line after the last
// one. loosened returns nil if the hunk ends with no such line, or has no other lines.
func (w *work) loosened() *work {
	h := *w.Hunk
	for len(h.Lines) > 0 && h.Lines[len(h.Lines)-1].Op == ' ' && h.Lines[len(h.Lines)-1].At.Empty() {
		h.Lines = h.Lines[:len(h.Lines)-1]
		h.Loose++
	}
	if len(h.Lines) == len(w.Lines) || len(h.Lines) == 0 {
		return nil
	}
	v := *w
	v.Hunk = &h
	v.before, v.after = sides(h.Lines)
	return &v
}

// withSpaces restores the lost spaces before context lines. It puts the hunk at the only place of the restored
// lines, which must be the only one at any level.
func (r *run) withSpaces(w *work) bool {
	v := w.lostSpaces()
	if v == nil || !r.nearly(v, place.Exact) || v.verdict == place.Ambiguous {
		return false
	}
	places, ok := r.find(v.before.lines, place.Spacing, func(at int) bool { return r.mayPut(v, at) })
	if v.verdict != place.Done && (!ok || len(places) != 1) {
		return false
	}
	if v.verdict == place.Applies {
		v.verdict = place.Near
	}
	*w = *v
	return true
}

// spacesAreLost reports whether a hunk certainly lost the spaces before its context lines: a line in any hunk of
// the file lacks its ` `, `+` or `-`, or this hunk removes a line, which matches the file with its indentation. In a
// hunk that only adds lines, the smaller indentation may be intended.
func (r *run) spacesAreLost(w *work) bool {
	return slices.ContainsFunc(w.Lines, removes) || slices.ContainsFunc(r.all, (*work).hasBare)
}

// mayBeContext reports whether the `+` or `-` of a line may be a character of the file, because the line is a
// context line that lost its space.
func (r *run) mayBeContext(w *work) bool {
	return slices.ContainsFunc(w.Lines, func(l Line) bool {
		if l.Op == ' ' {
			return false
		}
		places, ok := r.find([]string{string(l.Op) + l.Text}, place.TrailingSpace, func(int) bool { return true })
		return len(places) > 0 || !ok
	})
}

func (r *run) unsigned(w *work) []diag.Diagnostic {
	var fixes []diag.Fix
	if w.verdict == place.Near {
		if f, ok := r.fit(w, w.at, w.level); ok {
			fixes = r.fitFixes(w, f)
		}
	}
	if i := slices.IndexFunc(w.Lines, func(l Line) bool { return l.Bare }); i >= 0 && w.restored != nil && w.restored.Preferred {
		return []diag.Diagnostic{diag.New(diag.GitLineStart, w.Lines[i].At, "the context lines begin with line numbers instead of a space", *w.restored)}
	}
	var ds []diag.Diagnostic
	for _, l := range w.Lines {
		if l.Op != ' ' || !l.Bare && (w.hasBare() || l.At.Empty()) {
			continue
		}
		d := diag.New(diag.GitLineStart, l.At, "the line does not begin with ` `, `+`, `-` or `\\`, as every line of a hunk must; if it is a context line, write a space before it", fixes...)
		if !l.Bare {
			d.Message = "context lines have lost their leading space"
		}
		switch {
		case l.Bare && strings.Trim(l.Text, ".… \t\r\n") == "" && strings.TrimSpace(l.Text) != "":
			d.Message = "the line leaves out lines of the file, which a hunk cannot do; begin a new hunk here"
			d.Fixes = []diag.Fix{{Title: "Write @@ @@", Edits: []text.Edit{{Span: l.At, New: "@@ @@"}}, Preferred: true}}
		case w.restored != nil:
			d.Fixes = []diag.Fix{*w.restored}
		case fixes == nil:
			d.Fixes = []diag.Fix{w.signFix()}
		}
		if ds = append(ds, d); len(ds) > maxTold || !l.Bare {
			break
		}
	}
	return ds
}

// maxTold is the largest number of lines of one hunk that are reported one by one.
const maxTold = 20

// signFix returns the fix for a hunk without a place in which lines lack ` `, `+` or `-`.
func (w *work) signFix() diag.Fix {
	bare := text.Only(w.Lines, func(l Line) bool { return l.Bare })
	return diag.Fix{Title: "Write a space before each line without a sign", Edits: text.Each(bare, func(l Line) text.Edit { return text.Insertion(l.At.Start, " ") })}
}

// tail returns the diagnostic for lines below a hunk that is complete by the counts in its header.
func (r *run) tail(w *work) diag.Diagnostic {
	first := w.Lines[w.Tail]
	for _, l := range w.Lines[w.Tail:] {
		if first = l; !l.At.Empty() {
			break
		}
	}
	last := w.Lines[len(w.Lines)-1]
	header := strings.TrimRight(fmt.Sprintf("@@ -%d,%d +%d,%d @@ %s", w.Old.Start, w.before.count(), w.New.Start, w.after.count(), w.Section), " ")
	return diag.New(diag.GitLinesAfterHunk, text.Span{Start: first.At.Start, End: last.At.End},
		"according to the counts in its header, the hunk above is complete, so git would silently ignore these lines; remove them, or make them part of the hunk",
		diag.Fix{Title: "Remove the lines", Edits: []text.Edit{{Span: text.Span{Start: first.At.Start, End: w.At.End}}}},
		diag.Fix{Title: "Make the lines part of the hunk", Edits: []text.Edit{{Span: w.Header, New: header}}})
}
