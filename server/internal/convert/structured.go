package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A patchEntry is an entry whose members are all in one object (rule S1).
type patchEntry struct {
	Path    string `json:"path"`
	Find    string `json:"find"`
	Replace string `json:"replace"`
	Limit   string `json:"limit"`
}

// structured returns a writer of replacements of whole lines. Each find is unique in the file after
// all earlier entries. If careful is true, finds are longer, so that none of the entries would
// change the final file.
func structured(careful bool) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var entries []patchEntry
		for _, f := range files {
			before, after, err := edited(Structured, f)
			if err != nil {
				return "", err
			}
			made, why := replacements(before, after, careful, m)
			if why != "" {
				return "", &CannotError{Structured, f.Path, why}
			}
			for _, e := range made {
				e.Path, e.Limit = f.Path, "once"
				entries = append(entries, e)
			}
		}
		return pretty(struct {
			Root    string       `json:"root"`
			Patches []patchEntry `json:"patches"`
		}{".", entries}), nil
	}
}

// edited returns the texts of an edited file before and after the change. If anything else happens
// to the file, it returns an error, because the format has only edits.
func edited(to Format, f plan.File) (before, after string, err error) {
	why := regular(f)
	switch {
	case why != "":
	case f.Operation != plan.Modify:
		why = fmt.Sprintf("the format cannot %s files", f.Operation)
	default:
		before, after, why = texts(f)
	}
	if why != "" {
		return "", "", &CannotError{to, f.Path, why}
	}
	return before, after, nil
}

// A replacer finds the replacements for the hunks of one file.
type replacer struct {
	script
	ids     lineIDs
	mixed   bool // the file has several kinds of line endings, and the ending of a new line depends on all lines
	careful bool
}

// replacements returns the replacements that turn one text into another, in order. If this is
// impossible, it returns the reason.
func replacements(before, after string, careful bool, m *meter.Meter) (entries []patchEntry, why string) {
	r := replacer{script: newScript(before, after, m), careful: careful}
	r.ids = newLineIDs(r.new.bodies, r.old.bodies)
	r.mixed = text.MixedEOL(before) || text.MixedEOL(after) || text.DominantEOL(before) != text.DominantEOL(after)
	for _, h := range r.hunks {
		e, ok := r.replacement(h)
		if !ok || m.Spent() {
			return nil, r.why(h)
		}
		entries = append(entries, e)
	}
	return entries, ""
}

// mostGrowth limits the number of lines that are added to a find to make it safe.
const mostGrowth = 8

// replacement returns the entry for a hunk. The entry has as few lines around the hunk as are
// needed to make the find unique and unambiguous.
func (r replacer) replacement(h hunk) (found patchEntry, ok bool) {
	ids := hunkIDs{r.ids, h.NewStart, h.OldStart}
	from, to := h.NewStart, h.NewStart+h.OldEnd-h.OldStart
	up, down := from, ids.len()-to
	above, below, can := unique(r.meter, ids, from, to, up, down)
	for more := 1; can && (!ok || more <= mostGrowth); more *= 2 {
		for _, grow := range [][2]int{{0, 0}, {0, more}, {more, 0}} {
			above, below := min(above+grow[0], up), min(below+grow[1], down)
			e := r.entry(h, above, below)
			for _, e := range []patchEntry{withoutEnding(e), e} {
				if e.Find == "" || !r.applies(e, h, above, below) {
					continue
				}
				if !r.careful || r.meter.Pay(eachRested*len(r.new.Body)) && leavesUnchanged(e, r.new.Body) {
					return e, true
				}
				if !ok {
					found, ok = e, true
				}
			}
		}
		if above == up && below == down {
			break
		}
		above, below = min(above+more, up), min(below+more, down)
	}
	return found, ok
}

// entry returns the entry that replaces the lines of a hunk. The entry also has the given numbers
// of unchanged lines above and below the hunk.
func (r replacer) entry(h hunk, above, below int) patchEntry {
	head := strings.Join(r.new.lines[h.NewStart-above:h.NewStart], "")
	tail := strings.Join(r.old.lines[h.OldEnd:h.OldEnd+below], "")
	return patchEntry{
		Find:    head + strings.Join(r.old.lines[h.OldStart:h.OldEnd], "") + tail,
		Replace: head + strings.Join(r.new.lines[h.NewStart:h.NewEnd], "") + tail,
	}
}

// withoutEnding removes the line ending at the end of both texts of an entry. It removes nothing if
// one of the texts is only a line ending.
func withoutEnding(e patchEntry) patchEntry {
	for _, eol := range []text.EOL{text.CRLF, text.LF, text.CR} {
		find, ok1 := strings.CutSuffix(e.Find, string(eol))
		replace, ok2 := strings.CutSuffix(e.Replace, string(eol))
		if ok1 && ok2 && find != "" && replace != "" {
			return patchEntry{Find: find, Replace: replace}
		}
	}
	return e
}

// applies reports whether an entry turns the text before a hunk into exactly the text after it,
// without any diagnostic.
func (r replacer) applies(e patchEntry, h hunk, above, below int) bool {
	w := r.whole(h)
	if !r.mixed {
		w = r.window(h, above, below, len(e.Find)+len(e.Replace))
	}
	if !r.meter.Pay(eachLine * len(w.before())) {
		return false
	}
	out := findreplace.Replacement{Find: e.Find, Replace: e.Replace}.Resolve(intent.Target{Text: locate.NewText(w.before())})
	if len(out.Problems) > 0 {
		return false
	}
	got, err := text.Apply(w.before(), out.Edits)
	return err == nil && got == w.after() && r.meter.Pay((len(r.new.Body)+len(r.old.Body))/searched) && !w.misses(e.Find)
}

const (
	searched   = 2 // the number of bytes of a searched text that cost one unit
	eachRested = 2 // cost, in units, of each byte of a text that an entry must leave unchanged
)

// leavesUnchanged reports whether an entry leaves a text unchanged.
func leavesUnchanged(e patchEntry, s string) bool {
	find := text.WithEOL(e.Find, text.LF)
	return !strings.Contains(text.WithEOL(s, text.LF), find) ||
		len(findreplace.Replacement{Find: e.Find, Replace: e.Replace}.Resolve(intent.Target{Text: locate.NewText(s)}).Edits) == 0
}

// why returns the reason why a hunk cannot be replaced.
func (r replacer) why(h hunk) string {
	switch {
	case r.old.Body == "":
		return "it is empty, so there is nothing to find"
	case slices.Equal(r.old.bodies[h.OldStart:h.OldEnd], r.new.bodies[h.NewStart:h.NewEnd]):
		return fmt.Sprintf("the ending of line %d changes, but this format ignores line endings", h.NewStart+1)
	case text.MixedEOL(r.old.Body):
		return fmt.Sprintf("its lines have different endings, and no find and replace gives line %d the right one", h.NewStart+1)
	}
	return fmt.Sprintf("no find and replace expresses the change of line %d exactly", h.NewStart+1)
}
