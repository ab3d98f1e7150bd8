package hunk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (r *run) problems(w *work) []diag.Diagnostic {
	switch {
	case w.verdict != place.Done && w.verdict != place.Applies && (w.hasBare() || w.respaced):
		return r.unsigned(w)
	case w.Tail > 0 && w.verdict != place.Done && !(w.verdict == place.Near && w.level == place.Exact):
		return []diag.Diagnostic{r.tail(w)}
	}
	switch w.verdict {
	case place.Applies:
		return r.doubts(w)
	case place.Near:
		return []diag.Diagnostic{r.misfit(w)}
	case place.Ambiguous:
		return []diag.Diagnostic{r.ambiguous(w)}
	case place.Done:
		return []diag.Diagnostic{w.says(diag.Info, diag.AlreadyApplied, "the file already has the result of this hunk at line %d; the hunk is left out", w.at+1)}
	}
	if w.before.count() == 0 {
		return []diag.Diagnostic{r.nowhere(w)}
	}
	d := r.notFound(w)
	d.Passage = w.before.text
	return []diag.Diagnostic{d}
}

func (r *run) allDone() []diag.Diagnostic {
	i := slices.IndexFunc(r.all, func(w *work) bool { return !w.skipped })
	if i < 0 {
		return nil
	}
	return []diag.Diagnostic{r.all[i].says(diag.Info, diag.AlreadyApplied, "the file already has the result of all hunks, starting at line %d", r.all[i].at+1)}
}

// says returns a diagnostic at the header of a hunk, or at its first line.
func (w *work) says(s diag.Severity, code diag.Code, format string, args ...any) diag.Diagnostic {
	at := w.Header
	if at.Empty() && len(w.Lines) > 0 {
		at = w.Lines[0].At
	}
	return diag.Diagnostic{Span: at, Severity: s, Code: code, Message: fmt.Sprintf(format, args...)}
}

func (r *run) doubts(w *work) []diag.Diagnostic {
	switch {
	case w.doneToo:
		d := w.says(diag.Warning, diag.HunkStandsAlready, "this hunk applies at line %d, but the file already has the hunk's result at the line that the header names; if this hunk was already applied, leave it out", w.at+1)
		d.Fixes = []diag.Fix{{Title: "Leave the hunk out", Edits: []text.Edit{{Span: w.At}}}}
		return []diag.Diagnostic{d}
	case w.moved:
		d := w.says(diag.Info, diag.HunkMoved, "this hunk is applied at line %d, the only place that has its lines, but its header says %s", w.at+1, w.headerSays())
		if f, ok := r.fit(w, w.at, place.Exact); ok {
			d.Fixes = []diag.Fix{r.fix(w, f, fmt.Sprintf("Correct the header to line %d", w.at+1))}
		}
		return []diag.Diagnostic{d}
	case w.headed >= 0 && !r.hasProof:
		d := w.says(diag.Warning, diag.HunkByNumber, "the line number puts this hunk at line %d; its header names %q, which is further down, and the hunk also fits there, at line %d; check the place", w.at+1, w.Section, w.headed+1)
		if f, ok := r.fit(w, w.headed, place.Exact); ok {
			fix := r.fix(w, f, fmt.Sprintf("Correct the header to line %d", w.headed+1))
			fix.Preferred = false // the section in the header may be wrong instead
			d.Fixes = []diag.Fix{fix}
		}
		return []diag.Diagnostic{d}
	case w.before.count() == 0 && r.src.Count() > 0 && !(r.proven && w.Old.Start == w.at):
		return []diag.Diagnostic{w.says(diag.Warning, diag.HunkByNumber, "this hunk has no context: only its line number says that it goes %s, and nothing shows that it was made for this file; check the place", r.placeAbove(w.at))}
	}
	return nil
}

// headerSays names the wrong line number in a hunk's header: the old one, or the new one if the old one is right.
func (w *work) headerSays() string {
	if w.Old.Start == w.at+1 {
		return fmt.Sprintf("line %d of the result", w.New.Start)
	}
	return fmt.Sprintf("line %d", w.Old.Start)
}

func (r *run) placeAbove(at int) string {
	if at == 0 {
		return "at the top of the file"
	}
	return fmt.Sprintf("after line %d, %s", at, shown(r.src.Line(at-1)))
}

func (r *run) misfit(w *work) diag.Diagnostic {
	d := r.misfitMessage(w)
	if w.elsewhere >= 0 {
		d.Message += fmt.Sprintf("; the file has the result at line %d, so the hunk may already be applied there", w.elsewhere+1)
	}
	if f, ok := r.fit(w, w.at, w.level); ok {
		if line := w.repeats(); line != nil {
			f.certain = false
			d.Message += fmt.Sprintf("; the hunk adds %s twice, but the header counts that line once", shown(line.Text))
		}
		d.Fixes = r.fitFixes(w, f)
		if !f.certain {
			d.Lines = []int{w.at + 1}
		}
	}
	return d
}

func (r *run) misfitMessage(w *work) diag.Diagnostic {
	line := w.at + 1
	switch {
	case w.proven != nil && len(w.places) > 1:
		return w.says(diag.Error, diag.HunkAmbiguous, "the file has the lines of this hunk at %s, but the result matches the `index` line only at line %d", r.lines(w.places), line)
	case w.resigned:
		return w.says(diag.Error, diag.GitLineStart, "lines of the hunk begin with characters that only look like `-`, `+` or a space; write the plain characters")
	case w.torn >= 0:
		d := w.says(diag.Error, diag.HunkNewline, "the marker for a missing newline follows a line that is not the last one; remove the marker")
		d.Span = w.Lines[w.torn].At
		return d
	case w.level > place.Exact:
		i, k := r.firstDifference(w, w.at)
		d := w.says(diag.Error, diag.HunkDiffers, "the hunk expects %s, but line %d of the file is %s", quoted(w.Lines[i].Text), k+1, quoted(r.src.Line(k)))
		d.Span = w.Lines[i].At
		return d
	case !w.Numbered:
		return w.says(diag.Error, diag.HunkUnnumbered, "the hunk has no line numbers; the file has its lines only at line %d", line)
	case w.miscounts():
		return w.says(diag.Error, diag.HunkCounts, "the header counts %d lines before and %d after, but the hunk has %d and %d", w.Old.Count, w.New.Count, w.before.count(), w.after.count())
	case r.begins(w) && r.image.line(w.at) != 0:
		return w.says(diag.Error, diag.HunkNeedsContext, "according to its header, the hunk is at the top of the file, but the file has these lines at line %d", line)
	case !endsLine(w.after) && endsLine(w.before):
		return w.says(diag.Error, diag.HunkNewline, "the hunk says that the file ends without a newline here, but line %d of the file follows", w.at+w.before.count()+1)
	}
	return w.says(diag.Error, diag.HunkNeedsContext, "this hunk ends without context, as if it were at the end of the file, but its lines begin at line %d, with more lines below them", line)
}

// repeats returns the last added line that repeats the added line above it, if the counts in the header are right
// without such lines. Otherwise, it returns nil.
func (w *work) repeats() (line *Line) {
	extra := 0
	for i := 1; i < len(w.Lines); i++ {
		if l := &w.Lines[i]; l.Op == '+' && w.Lines[i-1].Op == '+' && l.Text == w.Lines[i-1].Text && text.HasWord(l.Text) {
			extra, line = extra+1, l
		}
	}
	if !w.Numbered || w.before.count() != w.Old.Count || w.after.count() != w.New.Count+extra {
		return nil
	}
	return line
}

// firstDifference returns the first line of the hunk that differs from the source, and the line of the source there.
// If none differs, it returns the first old line.
func (r *run) firstDifference(w *work, at int) (line, source int) {
	first, k := -1, at
	for i, l := range w.Lines {
		if l.Op == '+' {
			continue
		}
		if k >= r.src.Count() || k < 0 {
			return i, min(max(k, 0), r.src.Count()-1)
		}
		if r.src.Line(k) != l.Text {
			return i, k
		}
		if first < 0 {
			first = i
		}
		k++
	}
	return first, at
}

func (r *run) fitFixes(w *work, f fitted) []diag.Fix {
	title := fmt.Sprintf("Rewrite the hunk for line %d", f.at+1)
	if f.why != "" {
		title += " (" + f.why + ")"
	}
	if f.open < 0 {
		return []diag.Fix{r.fix(w, f, title)}
	}
	other := r.otherEnd(f)
	fixes := []diag.Fix{r.fix(w, f, title+", and keep the end of the file")}
	if r.gitTakes(other) {
		word := "with"
		if endingOf(other.lines[f.open].Text) == "" {
			word = "without"
		}
		fixes = append(fixes, r.fix(w, other, fmt.Sprintf("%s, %s a newline at its end", title, word)))
	}
	return fixes
}

func (r *run) fix(w *work, f fitted, title string) diag.Fix {
	return diag.Fix{Title: title, Edits: r.rewrite(w, f), Preferred: f.certain}
}

func (r *run) ambiguous(w *work) diag.Diagnostic {
	if w.tooMany {
		return w.says(diag.Error, diag.HunkAmbiguous, "the place of this hunk is not certain, because too many lines of the file are similar to its lines; add context that occurs only once")
	}
	places := w.places[:min(len(w.places), maxPlaces)]
	d := w.says(diag.Error, diag.HunkAmbiguous, "the file has the lines of this hunk at %s; %s", r.lines(w.places), namesNone(w))
	d.Lines = text.Each(places, func(at int) int { return at + 1 })
	for _, at := range places[:min(len(places), maxFixes)] {
		if f, ok := r.fit(w, at, w.level); ok {
			fix := r.fix(w, f, fmt.Sprintf("Apply the hunk at line %d", at+1))
			fix.Preferred = false
			d.Fixes = append(d.Fixes, fix)
		}
	}
	return d
}

// maxFixes is the largest number of places that a person gets to choose from.
const maxFixes = 8

func namesNone(w *work) string {
	if !w.Numbered {
		return "write line numbers, or context that occurs only once"
	}
	return fmt.Sprintf("its header says line %d, where the hunk does not fit; write the right line numbers, or more context", w.Old.Start)
}

func (r *run) lines(places []int) string {
	parts := text.Each(places[:min(len(places), maxPlaces)], func(at int) string { return fmt.Sprint(at + 1) })
	if len(places) > maxPlaces {
		return "lines " + strings.Join(parts, ", ") + ", and others"
	}
	last := len(parts) - 1
	return "lines " + strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// changesNothing returns the diagnostic of an empty hunk. The fix that removes the hunk is certain if another hunk
// remains and no line lost its `+` or `-`: the `index` line proves the result without the hunk, or the counts in the
// header are right and the file has the lines.
func (r *run) changesNothing(h Hunk) diag.Diagnostic {
	w := newWork(h, r.t.EndingsUnknown)
	n := len(h.Lines)
	complete := h.Numbered && h.Old.Count == n && h.New.Count == n && !w.hasBare() && h.Tail == 0 && r.has(w)
	d := w.says(diag.Error, diag.GitHunkEmpty, "the hunk changes nothing: no line begins with `+` or `-`")
	if !complete && !r.hasProof {
		d.Message += ", and these marks may have been lost"
	}
	d.Fixes = []diag.Fix{{Title: "Remove the hunk", Edits: []text.Edit{{Span: h.At}}, Preferred: len(r.all) > 0 && (complete || r.hasProof)}}
	return d
}

func (r *run) has(w *work) bool {
	places, ok := r.find(w.before.lines, place.Exact, func(int) bool { return true })
	return ok && len(places) > 0
}

func (r *run) nowhere(w *work) diag.Diagnostic {
	switch {
	case len(w.Lines) == 0:
		return w.says(diag.Error, diag.GitHunkEmpty, "the hunk changes nothing: its only line is empty, and the marker below says that this line has no ending")
	case r.opt.WholeFile:
		return w.says(diag.Error, diag.HunkNotFound, "the hunk creates the file, which already exists and is not empty")
	case !w.Numbered:
		return w.says(diag.Error, diag.HunkUnnumbered, "the hunk only adds lines, but neither line numbers nor context say where; add the lines around them as context")
	case r.wasEmpty():
		return w.says(diag.Error, diag.HunkNotFound, "the `index` line says that the hunk adds lines to an empty file, but the file has %d lines", r.src.Count())
	case r.creates(w):
		return w.says(diag.Error, diag.HunkNotFound, "the hunk creates the file, which already exists and is not empty")
	case r.zero:
		return w.says(diag.Error, diag.HunkNotFound, "the hunk adds lines after line %d, but the file has only %d lines", w.Old.Start, r.src.Count())
	}
	d := w.says(diag.Error, diag.HunkNeedsContext, "the hunk only adds lines and has no context, so git would append them to the file; add the lines around them as context")
	at, ok := r.named(w)
	if !ok {
		return d
	}
	if f, ok := r.fit(w, at, place.Exact); ok {
		f.certain = false
		d.Fixes = []diag.Fix{r.fix(w, f, "Add the lines "+r.placeAbove(at))}
	}
	return d
}

func shown(line string) string { return "`" + text.Cut(bodyOf(line), 80) + "`" }

func quoted(line string) string { return fmt.Sprintf("%q", text.Cut(line, 120)) }
