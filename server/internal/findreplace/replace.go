// Package findreplace implements the two steps that replace one text of a file with another, and that several
// formats share: a [Replacement] replaces a literal text, and [WholeLines] replaces whole lines. It also makes the
// fixes for a find that is missing from its file.
package findreplace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Limit determines how many occurrences of a text are replaced (rule S4).
type Limit int

const (
	Once Limit = iota // the first occurrence, with a warning if there are several
	All
	Only    // the only occurrence; several occurrences are an error
	InLines // all occurrences, but at most one on each line; several on one line are an error
)

// A Replacement is the step that replaces a nonempty Find with Replace. Both texts are literal, except that LF, CRLF
// and CR in Find match any line ending.
//
// A replacement can be repeated without effect, even if Replace contains Find: an occurrence of Find that overlaps
// an occurrence of Replace counts as already replaced.
type Replacement struct {
	Find, Replace     string
	Limit             Limit
	Count             int       // the number of occurrences in the block, for [All]; 0 if it gives none
	At                text.Span // in the block's body
	FindAt, ReplaceAt intent.Literal
	Law               place.Law
	// Writes both texts in one edit, for blocks that do not separate them; nil for other blocks.
	Both Writer
	// The block's names for the two texts, for messages; "" stands for `find` and `replace`.
	FindName, ReplaceName string
}

// A Writer writes a find and a replacement together, for example as the lines of a hunk. Each Writer is plain data.
type Writer interface {
	WriteBoth(find, replace string) text.Edit
}

// Span implements [intent.Step].
func (r Replacement) Span() text.Span { return r.At }

// Parts implements [intent.Step]. A person cannot leave out a part of a replacement.
func (Replacement) Parts() []text.Span { return nil }

// Resolve implements [intent.Step].
func (r Replacement) Resolve(on intent.Target) intent.Outcome { return r.lf().outcome(on) }

// A found holds the places at which a file has the text to find. One of them is replaced.
type found struct {
	places  []text.Span      // in the text with LF endings, at least one, from top to bottom
	decided bool             // something other than the find shows that the first place is the right one
	doubt   *diag.Diagnostic // the reason to ask about all of the places, or nil
}

func (r Replacement) lf() replacement {
	lf := replacement{Replacement: r, find: text.WithEOL(r.Find, text.LF), replace: text.WithEOL(r.Replace, text.LF)}
	lf.FindName, lf.ReplaceName = cmp.Or(r.FindName, "`find`"), cmp.Or(r.ReplaceName, "`replace`")
	lf.keepsFind = lf.find != "" && strings.Contains(lf.replace, lf.find)
	if r.Law == place.WholeLines {
		lf.keepsFind = lf.keepsFind && lf.find != lf.replace && strings.Contains("\n"+lf.replace, "\n"+lf.find)
	}
	return lf
}

// A replacement is a [Replacement] whose texts have LF endings.
type replacement struct {
	Replacement
	find, replace string
	keepsFind     bool // replace contains find, so a place of find may already be replaced
}

// maxPlaces is the largest number of places to examine. With more, nothing is certain.
const maxPlaces = 100

func (r replacement) outcome(on intent.Target) intent.Outcome {
	places := r.Law.Find(on.Text, r.find, maxPlaces)
	if r.Limit == InLines {
		r.Limit = All
		for i := 1; i < len(places); i++ {
			if len(places) == maxPlaces || on.Text.LineAt(places[i].Start) == on.Text.LineAt(places[i-1].Start) {
				r.Limit = Only
			}
		}
	}
	switch {
	case len(places) == 0:
		return r.missing(on)
	case r.Count > 0 && len(places) != r.Count:
		return intent.Outcome{Problems: []diag.Diagnostic{r.ambiguous(on, places, places)}, Unmet: r.find + "\n" + r.replace}
	case r.Limit == All && len(places) > 1:
		return r.everywhere(on.Text)
	}
	return r.among(on, found{places: places})
}

// among makes the replacement at the first place that is not replaced yet. If this may be the wrong place, the
// person is asked.
func (r replacement) among(on intent.Target, f found) intent.Outcome {
	t, open := on.Text, r.open(on.Text, f.places)
	if pad := r.passage().Padding(); len(open) == 0 && r.Limit != All && !on.Applied && pad != "" {
		// Blank lines around a passage do not prove an earlier apply, because most passages have them.
		if open = f.places; !text.IsBlank(pad) {
			f.doubt = cmp.Or(f.doubt, r.padded(on.Text, open[0]))
		}
	}
	switch {
	case len(open) == 0:
		return r.done(t, f.places[0])
	case r.Limit == Only && len(f.places) > 1:
		return intent.Outcome{Problems: []diag.Diagnostic{r.ambiguous(on, f.places, open)}, Unmet: r.find + "\n" + r.replace}
	case on.Applied && len(open) < len(f.places):
		return r.done(t, f.places[0])
	case on.Applied && r.Limit != All:
		if at, ok := r.Law.FirstOutside(t, r.replace, text.Span{}); ok {
			// An earlier apply replaced the first occurrence, and the others are not meant.
			return r.done(t, at)
		}
	}
	// A place that is shorter than the find is at the end of a file without a final newline.
	if open[0].Len() < len(r.find) {
		if r = r.unended(); r.replace == "" && open[0].Start > 0 {
			// The last lines are deleted, so the line above becomes the last one, without a newline either.
			r.find, open[0].Start = "\n"+r.find, open[0].Start-1
		}
	}
	w := r.around(t, open[0].Start, len(r.find))
	starts := []int{open[0].Start - w.At}
	out := r.at(t, open[0], intent.Outcome{Edits: r.edits(w, starts), Written: r.written()})
	switch {
	case len(out.Edits) == 0:
		out.Done = true
		out.Problems = []diag.Diagnostic{diag.New(diag.FindEqualsReplace, r.FindAt.Span, fmt.Sprintf("%s and %s are the same, so nothing changes", r.FindName, r.ReplaceName))}
	case len(f.places) > 1 && !(f.decided && len(open) == 1):
		out.Problems = []diag.Diagnostic{r.ambiguous(on, f.places, open)}
	case f.doubt != nil:
		out.Problems = []diag.Diagnostic{*f.doubt}
	case r.find != "":
		out.Problems = r.doubts(w, starts)
	}
	return out
}

func (r replacement) unended() replacement {
	r.find, r.replace = strings.TrimSuffix(r.find, "\n"), strings.TrimSuffix(r.replace, "\n")
	if lines := text.SplitLines(r.Replace); len(lines) > 0 {
		r.Replace = r.Replace[:len(r.Replace)-len(lines[len(lines)-1])] + text.TrimEOL(lines[len(lines)-1])
	}
	return r
}

// at adds the place of a replacement of whole lines to `out`, for formats whose edits must be in order. It leaves
// any other replacement alone.
func (r replacement) at(t *place.Text, at text.Span, out intent.Outcome) intent.Outcome {
	if r.Law != place.WholeLines {
		return out
	}
	w := t.Window(at, 0)
	raw, _ := w.Raw().Span(at.Shift(-w.At))
	out.Cursor = raw.End
	for _, e := range out.Edits {
		out.Cursor += len(e.New) - e.Span.Len()
	}
	out.Places = []intent.Place{{At: r.At, Target: raw, Done: len(out.Edits) == 0}}
	return out
}

func (r replacement) passage() place.Passage {
	return place.Passage{Change: place.Change{Old: r.find, New: r.replace, Everywhere: r.Limit == All}, Law: r.Law, OldName: r.FindName, NewName: r.ReplaceName}
}

func (r replacement) missing(on intent.Target) intent.Outcome {
	p := r.passage()
	p.Known = on.Applied
	f := p.Judge(on.Text)
	if f.Verdict == place.Done {
		return r.done(on.Text, f.At)
	}
	return r.notFound(on, f)
}

// around returns the window of a place, with as much text on each side as the find and the replacement have.
func (r replacement) around(t *place.Text, at, size int) place.Window {
	return t.Window(text.Span{Start: at, End: at + size}, len(r.replace)+len(r.find))
}

// The costs of replacing all occurrences, in units of the meter.
const (
	eachSearched = 2   // for each byte of the text
	eachFound    = 32  // for each occurrence of the replacement
	eachReplaced = 256 // for each place that is replaced
)

func (r replacement) everywhere(t *place.Text) intent.Outcome {
	w := t.Whole()
	starts, done := r.all(w.Text, t.Meter())
	if len(starts) == 0 {
		return r.done(t, text.Span{Start: done, End: done + len(r.find)})
	}
	if !t.Meter().Pay(eachReplaced * len(starts)) {
		return intent.Outcome{}
	}
	return intent.Outcome{Edits: r.edits(w, starts), Written: r.written(), Problems: r.doubts(w, starts)}
}

func (r replacement) written() intent.Written {
	return intent.Written{Text: r.Replace, At: r.ReplaceAt}
}

// open returns the places that are not replaced yet: they overlap no occurrence of the replacement.
func (r replacement) open(t *place.Text, places []text.Span) []text.Span {
	if !r.keepsFind {
		return places
	}
	replaced := r.Law.Find(t, r.replace, maxPlaces)
	return slices.DeleteFunc(slices.Clone(places), func(at text.Span) bool {
		return slices.ContainsFunc(replaced, at.Overlaps)
	})
}

// all returns the occurrences to replace, from left to right and without overlap. `done` is the first that is
// already replaced, or -1.
func (r replacement) all(s string, m *meter.Meter) (starts []int, done int) {
	var replaced []int
	if r.keepsFind {
		replaced = place.Occurrences(s, r.replace)
	}
	m.Pay(eachSearched*len(s) + eachFound*len(replaced))
	done = -1
	end := 0 // the end of the last occurrence to replace
	for _, at := range place.Occurrences(s, r.find) {
		for len(replaced) > 0 && replaced[0]+len(r.replace) <= at {
			replaced = replaced[1:]
		}
		switch {
		case at < end:
		case len(replaced) == 0 || replaced[0] >= at+len(r.find):
			starts, end = append(starts, at), at+len(r.find)
		case done < 0:
			done = at
		}
	}
	return starts, done
}

func (r replacement) edits(w place.Window, starts []int) []text.Edit {
	raw := w.Raw()
	// Few lines need the dominant line ending, which takes a pass over the whole text.
	eol := sync.OnceValue(func() text.EOL { return cmp.Or(w.EOL(), text.DominantEOL(r.Replace)) })
	out := writer{eol: eol, lines: text.SplitLines(r.Replace)}
	for _, start := range starts {
		out.rewrite(raw.Span(text.Span{Start: start, End: start + len(r.find)}))
	}
	return out.edits
}

func (r replacement) done(t *place.Text, at text.Span) intent.Outcome {
	return r.at(t, at, intent.Outcome{Done: true, Problems: []diag.Diagnostic{diag.New(diag.AlreadyApplied, r.FindAt.Span, fmt.Sprintf("line %d of the file already has the replacement, so nothing is left to do", t.LineAt(at.Start)))}})
}

// padded warns about a replacement that only adds brackets around a find, if the file already has them there.
func (r replacement) padded(t *place.Text, at text.Span) *diag.Diagnostic {
	return new(diag.New(diag.FindAmbiguous, r.FindAt.Span,
		fmt.Sprintf("%s is in the file on line %d, and %s only adds brackets, which the file already has there, so the change may already have been made; check whether it was", r.FindName, t.LineAt(at.Start), r.ReplaceName)))
}

// ambiguous returns the diagnostic for a find with several places, some of which are open. It is an error if the
// find must be unique or its count is wrong, otherwise a warning.
func (r replacement) ambiguous(on intent.Target, places, open []text.Span) diag.Diagnostic {
	d := diag.Diagnostic{Span: r.FindAt.Span, Severity: diag.Warning, Code: diag.FindAmbiguous}
	number, how := fmt.Sprint(len(places)), "extend it until it is unique, or say \"limit\": \"all\""
	if len(places) == maxPlaces {
		number = "at least " + number
	}
	if r.Law == place.WholeLines {
		how = "add lines above or below until it is unique"
	}
	switch {
	case r.Count > 0:
		d.Severity = diag.Error
		d.Message = fmt.Sprintf("%s occurs %s times in the file, on %s, but the block says %d times", r.FindName, number, lines(on.Text, places), r.Count)
	case r.Limit == Only:
		d.Severity = diag.Error
		d.Message = fmt.Sprintf("%s occurs %s times in the file, on %s, but must occur exactly once; extend it until it is unique", r.FindName, number, lines(on.Text, places))
	case len(open) < len(places):
		d.Message = fmt.Sprintf("%s is in the file on %s, but another place already has the replacement, so the change may already have been made; check whether it was", r.FindName, lines(on.Text, open))
	default:
		d.Message = fmt.Sprintf("%s occurs %s times in the file, on %s; only the first is replaced: %s", r.FindName, number, lines(on.Text, places), how)
	}
	if keeps(on) && r.Count == 0 {
		d.Suggest = r.suggestOne(on.Text, open)
	}
	return d
}

func lines(t *place.Text, places []text.Span) string {
	const most = 10
	var list []string
	for i, at := range places[:min(len(places), most+1)] {
		if i == most {
			list = append(list, "…")
		} else if line := fmt.Sprint(t.LineAt(at.Start)); len(list) == 0 || list[len(list)-1] != line {
			list = append(list, line)
		}
	}
	if len(list) == 1 {
		return "line " + list[0]
	}
	return "lines " + strings.Join(list, ", ")
}

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
