// Package findreplace implements the literal find/replace step that several formats share,
// and the fixes for a find that is not in its file.
package findreplace

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limit determines how many occurrences of a text are replaced (rule S4).
type Limit int

// The limits.
const (
	Once Limit = iota // the first occurrence
	All
	Only // the only occurrence; if there are several, that is an error
)

// A Replacement is the step that replaces a nonempty Find by Replace. Both are literal, except
// that line endings match freely: LF, CRLF and CR in Find are equivalent, and each matches any
// ending as a whole.
//
// A replacement is idempotent, even if Replace contains Find. In that case, an occurrence of Find
// that overlaps an occurrence of Replace is the result of an earlier application.
type Replacement struct {
	Find, Replace     string
	Limit             Limit
	At                text.Span // span in the block's body
	FindAt, ReplaceAt intent.Literal
	// WholeLines reports whether Find consists of whole lines, so that it does not match inside a
	// line.
	WholeLines bool
	// Both writes the two texts in one edit, for a block that does not separate them. It is nil for
	// other blocks.
	Both Writer
	// The block's names for the two texts; "" for `find` and `replace`.
	FindName, ReplaceName string
}

// A Writer writes a find and a replacement together in a block, such as the lines of a
// hunk. It is data.
type Writer interface {
	WriteBoth(find, replace string) text.Edit
}

// Span implements [intent.Step].
func (r Replacement) Span() text.Span { return r.At }

// Parts implements [intent.Step]. A replacement has no parts.
func (Replacement) Parts() []text.Span { return nil }

// Resolve implements [intent.Step].
func (r Replacement) Resolve(on intent.Target) intent.Outcome { return r.lf().outcome(on) }

// ResolveMissing does the same as [Replacement.Resolve] if the rules of the block's format do not
// find the text. The result is either done, or a problem with its fixes.
func (r Replacement) ResolveMissing(on intent.Target) intent.Outcome {
	lf := r.lf()
	f := lf.judgeMissing(on.Text)
	if f.verdict == locate.Done {
		return lf.done(on.Text, f.at)
	}
	return lf.notThere(on, f)
}

// Doubts warns about a replacement at a place that matches the find but may not be the intended
// one. place is an offset in the text with LF endings.
func (r Replacement) Doubts(t *locate.Text, place int) []diag.Diagnostic {
	lf := r.lf()
	w := lf.around(t, place, len(lf.find))
	return lf.doubts(w, []int{place - w.At})
}

// law returns the law by which the find has its places.
func (r replacement) law() place.Law {
	if r.WholeLines {
		return place.WholeLines
	}
	return place.Literal
}

func (r Replacement) lf() replacement {
	lf := replacement{Replacement: r, find: text.WithEOL(r.Find, text.LF), replace: text.WithEOL(r.Replace, text.LF)}
	lf.FindName, lf.ReplaceName = cmp.Or(r.FindName, "`find`"), cmp.Or(r.ReplaceName, "`replace`")
	lf.keepsFind = strings.Contains(lf.replace, lf.find)
	return lf
}

// A replacement is a [Replacement] whose texts have LF endings.
type replacement struct {
	Replacement
	find, replace string
	keepsFind     bool // replace contains find
}

// A finding is the result of a search for a find.
type finding struct {
	verdict locate.Verdict
	at      int         // the place of the find, or of its result if Done; the first of several
	left    int         // number of places before at that are results of an earlier application
	next    int         // the second occurrence; -1 if there is none
	places  []text.Span // the approximate places

	was place.Restored // the replacement as it was before an artifact, if it certainly applies; otherwise By is nil
}

// judge searches for the find and decides the verdict.
func (r replacement) judge(on intent.Target) finding {
	t := on.Text
	first := t.Index(r.find, 0)
	if first < 0 {
		return r.judgeMissing(t)
	}
	f := finding{verdict: locate.Applies, at: first, next: t.Index(r.find, first+len(r.find))}
	switch {
	case r.Limit == All && f.next >= 0:
		return f
	case r.Limit == Only:
		if f.next = t.Index(r.find, first+1); f.next >= 0 {
			f.verdict = r.judgeSeveral(t)
			return f
		}
	}
	if f.at, f.left = r.open(t, first); f.at < 0 || f.left > 0 && on.Applied {
		f.verdict, f.at = locate.Done, first
		return f
	}
	if on.Applied && r.Limit != All {
		if at, ok := r.law().Stands(t, r.replace, text.Span{}); ok {
			return finding{verdict: locate.Done, at: at.Start} // an earlier application replaced the first occurrence, and the others are not meant
		}
	}
	if f.next >= 0 {
		f.verdict = locate.Ambiguous
	}
	return f
}

// judgeSeveral decides about several occurrences of a find that must be unique. The replacement
// is done if each occurrence is the result of an earlier application.
func (r replacement) judgeSeveral(t *locate.Text) locate.Verdict {
	if open, _ := r.all(t.LF(), t.Meter()); len(open) == 0 {
		return locate.Done
	}
	return locate.Ambiguous
}

func (r replacement) judgeMissing(t *locate.Text) finding {
	f := finding{places: r.places(t)}
	if len(f.places) > 0 {
		f.verdict = locate.Near
	}
	if at, ok := r.law().Done(t, r.change()); ok {
		f.verdict, f.at = locate.Done, at.Start
	}
	if f.verdict == locate.Missing {
		f.was, _ = place.Restore(t.Meter(), r.change(), artifact.Sure(), func(was place.Restored) bool { return was.Sure && r.restores(t, was, &f) })
	}
	return f
}

// restores reports whether a restored replacement is done or applies at exactly one place.
func (r replacement) restores(t *locate.Text, was place.Restored, f *finding) bool {
	if at, ok := r.law().Done(t, was.Change); ok {
		f.verdict, f.at = locate.Done, at.Start
		return true
	}
	found := r.law().Find(t, was.Old, 2)
	if len(found) != 1 {
		return false
	}
	_, stands := r.law().Stands(t, was.New, found[0])
	return !stands
}

func (r replacement) change() place.Change {
	return place.Change{Old: r.find, New: r.replace, Everywhere: r.Limit == All}
}

// outcome acts on the verdict. If there are several places for a replacement that is made once,
// it takes the first and asks.
func (r replacement) outcome(on intent.Target) intent.Outcome {
	f := r.judge(on)
	switch f.verdict {
	case locate.Done:
		return r.done(on.Text, f.at)
	case locate.Missing, locate.Near:
		return r.notThere(on, f)
	}
	if r.Limit == All && f.next >= 0 {
		return r.everywhere(on.Text)
	}
	if r.Limit == Only && f.verdict == locate.Ambiguous {
		return intent.Outcome{Problems: []diag.Diagnostic{r.ambiguous(on, f)}, Unmet: r.find + "\n" + r.replace}
	}
	w := r.around(on.Text, f.at, len(r.find))
	starts := []int{f.at - w.At}
	out := intent.Outcome{Edits: r.edits(w, starts), Written: r.written()}
	if f.verdict == locate.Applies {
		out.Problems = r.doubts(w, starts)
	} else {
		out.Problems = []diag.Diagnostic{r.ambiguous(on, f)}
	}
	return out
}

// around returns a place with as much text around it as the replacement needs.
func (r replacement) around(t *locate.Text, at, size int) locate.Window {
	return t.Window(text.Span{Start: at, End: at + size}, len(r.replace)+len(r.find))
}

// The costs of replacing all occurrences of a find, in units.
const (
	eachSearched = 2   // for each byte of the text
	eachFound    = 32  // for each place
	eachReplaced = 256 // for each place that is replaced
)

// everywhere replaces all occurrences in a text.
func (r replacement) everywhere(t *locate.Text) intent.Outcome {
	w := t.Whole()
	starts, done := r.all(w.Text, t.Meter())
	if len(starts) == 0 {
		return r.done(t, done)
	}
	if !t.Meter().Pay(eachReplaced * len(starts)) {
		return intent.Outcome{}
	}
	return intent.Outcome{Edits: r.edits(w, starts), Written: r.written(), Problems: r.doubts(w, starts)}
}

func (r replacement) written() intent.Written {
	return intent.Written{Text: r.Replace, At: r.ReplaceAt}
}

// open returns the first occurrence of the find, from offset from on, that is not the result of
// an earlier application. It returns -1 if there is none. left is the number of occurrences
// before it.
func (r replacement) open(t *locate.Text, from int) (at, left int) {
	for at = from; r.keepsFind && at >= 0; at = t.Index(r.find, at+len(r.find)) {
		if w := r.around(t, at, len(r.find)); !r.isDone(w.Text, at-w.At) {
			break
		}
		left++
	}
	return at, left
}

// isDone reports whether the find at start is the result of an earlier application.
func (r replacement) isDone(s string, start int) bool {
	if !r.keepsFind {
		return false
	}
	reach := len(r.replace) - 1 // only in these bytes can an occurrence of replace overlap the find
	return strings.Contains(s[max(0, start-reach):min(len(s), start+len(r.find)+reach)], r.replace)
}

// all returns every occurrence to replace, from left to right and without overlap. done is the
// first occurrence that was already replaced.
func (r replacement) all(s string, m *meter.Meter) (starts []int, done int) {
	var replaced []int
	if r.keepsFind {
		replaced = locate.Occurrences(s, r.replace)
	}
	m.Pay(eachSearched*len(s) + eachFound*len(replaced))
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
		at = replaced[0] + len(r.replace) // this occurrence overlaps all that come before its end
		if done < 0 {
			done = i
		}
	}
}

// edits returns the edits that replace the occurrences at some offsets of the window.
func (r replacement) edits(w locate.Window, starts []int) []text.Edit {
	raw := w.Raw()
	out := writer{eol: w.EOL, lines: text.SplitLines(r.Replace)}
	for _, start := range starts {
		out.rewrite(raw.Span(text.Span{Start: start, End: start + len(r.find)}))
	}
	return out.edits
}

func (r replacement) done(t *locate.Text, at int) intent.Outcome {
	return intent.Outcome{Done: true, Problems: []diag.Diagnostic{{
		Span: r.FindAt.Span, Severity: diag.Info, Code: diag.AlreadyApplied,
		Message: fmt.Sprintf("line %d of the file already has the replacement, so nothing is left to do", t.LineAt(at)),
	}}}
}

// ambiguous reports a find that occurs more than once: as an error if the find must be unique,
// otherwise as a warning.
func (r replacement) ambiguous(on intent.Target, f finding) diag.Diagnostic {
	d := diag.Diagnostic{Span: r.FindAt.Span, Severity: diag.Warning, Code: diag.FindAmbiguous,
		Message: fmt.Sprintf("%s occurs %d times in the file, on %s; only the first is replaced: extend it until it is unique, or say \"limit\": \"all\"", r.FindName, 1+on.Text.Count(r.find, f.next), r.lines(on.Text, f.at))}
	if r.Limit == Only {
		d = diag.Diagnostic{Span: r.FindAt.Span, Severity: diag.Error, Code: diag.FindAmbiguous,
			Message: fmt.Sprintf("%s occurs %d times in the file, on %s, but must occur exactly once; extend it until it is unique", r.FindName, 1+on.Text.Count(r.find, f.next), r.lines(on.Text, f.at))}
	}
	if f.left > 0 && r.Limit != Only {
		d.Message = fmt.Sprintf("%s is in the file on %s, but an earlier place already has the replacement, so the change may already be made", r.FindName, r.lines(on.Text, f.at))
	}
	if keeps(on) {
		d.Suggest = r.suggestOne(on.Text)
	}
	return d
}

// lines lists the line numbers of the first occurrences, each line once.
func (r replacement) lines(t *locate.Text, first int) string {
	const most = 10
	var list []string
	for i, at := range t.All(r.find, first, most+1) {
		if i == most {
			list = append(list, "…")
		} else if line := fmt.Sprint(t.LineAt(at)); len(list) == 0 || list[len(list)-1] != line {
			list = append(list, line)
		}
	}
	if len(list) == 1 {
		return "line " + list[0]
	}
	return "lines " + strings.Join(list, ", ")
}

// shown returns the first nonblank line of s, shortened if it is long.
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
