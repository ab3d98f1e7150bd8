package findreplace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxKept limits the bytes of texts that diagnostics keep for a later search. Each step over a
// file may have another text of it.
const maxKept = 256 << 20

// keeps reports whether a diagnostic keeps the text of a target for a later search.
func keeps(t intent.Target) bool { return t.Text.Len()*(1+len(t.Before.Steps)) <= maxKept }

// notThere reports a find that the file does not contain. Another step may have changed it, or it
// may never have existed. notThere takes at most linear time in the text and leaves searches to
// [diag.Diagnostic.Suggest].
func (r replacement) notThere(t intent.Target, f finding) intent.Outcome {
	d := diag.Diagnostic{Span: r.FindAt.Span, Severity: diag.Error, Code: diag.FindNotFound}
	so := "so nothing of the reply is applied"
	if t.SkipMissing {
		d.Severity, so = diag.Warning, "so this replacement is left out"
	}
	if by, ok := consumer(t, r.find); ok {
		d.Code = diag.FindConsumed
		d.Message = fmt.Sprintf("%s was in the file until %s changed that text, %s; look for the text as it is after that change (looked for %s)", r.FindName, stepName(by, t.Before.Block), so, shown(r.find))
	} else {
		if fix, ok := r.certain(t.Text, f); ok && !t.Applied && !DependsOn(cmp.Or(f.was.Old, r.find), t.Before.Unmet) {
			d.Fixes = []diag.Fix{fix}
		}
		d.Message = fmt.Sprintf("%s is not in the file, %s; %scopy the text exactly as the file has it (looked for %s)", r.FindName, so, r.hint(t.Text, f.places), shown(r.find))
		d.Passage = r.find
	}
	if len(d.Fixes) == 0 && keeps(t) {
		d.Suggest = r.suggest(t.Text)
	}
	return intent.Outcome{Problems: []diag.Diagnostic{d}, Unmet: r.find + "\n" + r.replace}
}

// DependsOn reports whether a find shares a distinctive line with earlier steps that found no
// place. [intent.Before] lists these. The find may depend on the results of those steps.
func DependsOn(find string, unmet []string) bool {
	if len(unmet) == 0 {
		return false
	}
	own := map[string]bool{}
	for line := range strings.SplitSeq(find, "\n") {
		if line = strings.TrimSpace(line); text.Shared.Says(line) {
			own[line] = true
		}
	}
	for _, s := range unmet {
		for line := range strings.SplitSeq(s, "\n") {
			if own[strings.TrimSpace(line)] {
				return true
			}
		}
	}
	return false
}

// places returns the matches of the find apart from white space at line ends. If there are
// none, it also ignores indentation.
func (r replacement) places(t *locate.Text) []text.Span { return r.law().Near(t, r.find) }

// near returns the text around a place, and the place in it. The text is long enough to
// show the indentation and earlier replacements.
func (r replacement) near(t *locate.Text, place text.Span) (locate.Window, text.Span) {
	w := t.Window(place, window+2*(len(r.find)+len(r.replace)))
	return w, place.Shift(-w.At)
}

// squeezed returns s without white space.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// hint describes similar text in the file, if such text is quickly found.
func (r replacement) hint(t *locate.Text, places []text.Span) string {
	switch {
	case len(places) > 1:
		return fmt.Sprintf("except for white space, it occurs %s, first on line %d; ", times(len(places)), t.LineAt(firstText(t, places[0])))
	case len(places) == 1:
		return fmt.Sprintf("except for white space, it is on line %d; ", t.LineAt(firstText(t, places[0])))
	}
	if line, there, want, ok := parting(t, r.find); ok {
		return fmt.Sprintf("the file has the other lines, but its line %d is %s, and %s has %s; ", line, shown(there), r.FindName, shown(want))
	}
	return ""
}

func times(n int) string {
	if n >= 50 {
		return "many times"
	}
	return fmt.Sprintf("%d times", n)
}

// firstText returns the offset of the first nonblank line in a span.
func firstText(t *locate.Text, span text.Span) int {
	w := t.Window(span, 0)
	s := span.Shift(-w.At).In(w.Text)
	return span.Start + len(s) - len(strings.TrimLeft(s, " \t\n"))
}

// anchors is the number of lines of a find that are looked up to find its first difference from
// the file.
const anchors = 3

// parting looks for one of the longest lines of find in t. It extends the match to both sides
// while the lines are equal apart from white space, and returns the first lines that differ.
func parting(t *locate.Text, find string) (line int, there, want string, ok bool) {
	lines := trimmed(strings.Split(find, "\n"))
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(lines[j]) - len(lines[i]) })
	for _, anchor := range order[:min(len(order), anchors)] {
		if !text.Passage.Says(lines[anchor]) {
			continue
		}
		at := t.Index(lines[anchor], 0)
		if at < 0 {
			continue
		}
		line = t.LineAt(at)
		reach := 2*len(find) + 1000
		w := t.Window(text.Span{Start: at, End: at}, reach)
		s := w.Text
		at -= w.At
		below := strings.Split(s[at:min(len(s), at+reach)], "\n")
		if i := differing(lines[anchor:], below); i > 0 {
			return line + i, below[i], lines[anchor+i], true
		}
		up, above := slices.Clone(lines[:anchor+1]), strings.Split(s[max(0, at-reach):at], "\n")
		slices.Reverse(up)
		slices.Reverse(above)
		if i := differing(up, above); i > 0 {
			return line - i, above[i], up[i], true
		}
		return 0, "", "", false
	}
	return 0, "", "", false
}

// differing returns the index of the first line that differs, apart from white space. The first
// lines are equal. It returns 0 if no line differs, or if the differing line of want is blank.
// The last line of there does not count, because it may be cut off.
func differing(want, there []string) int {
	for i := 1; i < min(len(want), len(there)-1); i++ {
		if strings.TrimSpace(there[i]) != want[i] {
			if want[i] == "" {
				return 0
			}
			return i
		}
	}
	return 0
}

// consumer returns an earlier step of the reply that changed the text which contained find.
func consumer(t intent.Target, find string) (intent.Earlier, bool) {
	if t.Before.Original == nil {
		return intent.Earlier{}, false
	}
	at := t.Before.Original.Index(find, 0)
	if at < 0 {
		return intent.Earlier{}, false
	}
	w := t.Before.Original.Window(text.Span{Start: at, End: at + len(find)}, 0)
	span, _ := w.Raw().Span(text.Span{Start: at, End: at + len(find)}.Shift(-w.At))
	for _, step := range t.Before.Steps {
		shift := 0
		for _, e := range step.Edits {
			switch {
			case e.Span.Start < span.End && span.Start < e.Span.End:
				return step, true
			case e.Span.End <= span.Start:
				shift += len(e.New) - e.Span.Len()
			}
		}
		span = span.Shift(shift)
	}
	return intent.Earlier{}, false
}

func stepName(e intent.Earlier, block int) string {
	if e.Block != block {
		return fmt.Sprintf("replacement %d for this file in block %d", e.Number, e.Block)
	}
	return fmt.Sprintf("replacement %d for this file in this block", e.Number)
}
