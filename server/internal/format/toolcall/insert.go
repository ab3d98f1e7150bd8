package toolcall

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An insertion is the step that inserts whole lines below a line. Line numbers refer to the text after all earlier
// steps.
type insertion struct {
	After           int    // the line above the new lines, from 1; 0 for the top of the file, -1 for its end
	Lines           string // the last line may lack its ending
	At              text.Span
	LineAt, LinesAt intent.Literal
	LineName        string // the name of the parameter with the line number
	Before          bool   // the call gives the line below the new lines, and 0 means the end of the file
}

func (i insertion) Span() text.Span { return i.At }

func (i insertion) Parts() []text.Span { return []text.Span{i.At} }

func (i insertion) Resolve(on intent.Target) intent.Outcome {
	count := on.Text.LineCount()
	after := i.After
	if after < 0 {
		after = count
	}
	if after > count {
		return intent.Outcome{Problems: []diag.Diagnostic{i.beyond(count)}}
	}
	there := i.present(on.Text, after)
	if there.line > 0 && (on.Applied || there.exactly && text.Passage.Says(i.Lines)) {
		return i.done(on, there.line)
	}
	out := i.put(on.Text, after)
	if d := i.doubt(on, there.line); d != nil {
		out.Problems = append(out.Problems, *d)
	}
	return out
}

func (i insertion) ended() string {
	s := text.WithEOL(i.Lines, text.LF)
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// A presence tells where a file already has the lines of an insertion.
type presence struct {
	line    int  // the number of the first line, from 1; 0 if the file lacks the lines
	exactly bool // the lines are at the place of the insertion
}

// present searches for the new lines at the place of the insertion. If they have more than a few characters, it also
// searches the rest of the file.
func (i insertion) present(t *place.Text, after int) presence {
	first := after
	// The new lines may already be the last lines of the file.
	if i.After < 0 {
		first = max(0, after-strings.Count(i.ended(), "\n"))
	}
	at, want := t.LineStart(first), i.ended()
	w := t.Window(text.Span{Start: at, End: at}, len(want))
	if strings.HasPrefix(w.Text[at-w.At:]+"\n", want) {
		return presence{first + 1, true}
	}
	if !text.Passage.Says(i.Lines) {
		return presence{}
	}
	if all := findreplace.PlacesOfLines(t, want); len(all) > 0 {
		return presence{line: t.LineAt(all[0].Start)}
	}
	return presence{}
}

func (i insertion) done(on intent.Target, line int) intent.Outcome {
	return intent.Outcome{Done: true, Cursor: on.Cursor, Problems: []diag.Diagnostic{diag.New(diag.AlreadyApplied, i.LinesAt.Shown(),
		fmt.Sprintf("the file already has these lines at line %d, so nothing is left to do", line))}}
}

// put inserts the lines with the line endings of the file.
func (i insertion) put(t *place.Text, after int) intent.Outcome {
	at := t.LineStart(after)
	w := t.Window(text.Span{Start: at, End: at}, 0)
	at -= w.At
	place, _ := w.Raw().Span(text.Span{Start: at, End: at})
	eol := cmp.Or(t.EOL(), text.LF)
	added := text.WithEOL(i.ended(), eol)
	// If the last line of the file has no ending, the new last line gets none either.
	if at > 0 && w.Text[at-1] != '\n' {
		// A blank line at the end keeps its ending, because it would be lost otherwise.
		if added = string(eol) + added; !strings.HasSuffix(added, string(eol+eol)) {
			added = strings.TrimSuffix(added, string(eol))
		}
	}
	return intent.Outcome{Edits: []text.Edit{{Span: place, New: added}}, Written: intent.Written{Text: i.Lines, At: i.LinesAt}, Cursor: place.Start + len(added)}
}

func (i insertion) beyond(count int) diag.Diagnostic {
	d := diag.New(diag.InsertLine, i.LineAt.Shown(),
		fmt.Sprintf("`%s` is %d, but the file has only %d lines when this call is made", i.LineName, i.stated(i.After), count))
	d.Fixes = []diag.Fix{{Title: fmt.Sprintf("Insert at the end, after line %d", count), Edits: []text.Edit{i.LineAt.Set(fmt.Sprint(i.stated(count)))}}}
	return d
}

// stated returns the number that the call uses for the place below a line.
func (i insertion) stated(after int) int {
	if i.Before {
		return after + 1
	}
	return after
}

// doubt returns the reason why the place may be wrong, or nil. `line` is the line where the file already has the new
// lines, or 0.
func (i insertion) doubt(on intent.Target, line int) *diag.Diagnostic {
	if line > 0 {
		return new(diag.New(diag.InsertRepeats, i.LinesAt.Shown(),
			fmt.Sprintf("the file already has these lines at line %d; if this call was already applied, another apply would repeat them", line)))
	}
	now, moved := i.moved(on)
	if !moved {
		return nil
	}
	d := new(diag.New(diag.InsertMoved, i.LineAt.Shown(), ""))
	if now < 0 {
		d.Message = fmt.Sprintf("earlier edits of the reply changed the lines at line %d; Aptix assumes that the number refers to the lines after those edits", i.stated(i.After))
		return d
	}
	d.Message = fmt.Sprintf("earlier edits of the reply moved line %d of the file to line %d; Aptix assumes that the number refers to the lines after those edits", i.After, now)
	d.Fixes = []diag.Fix{{Title: fmt.Sprintf("Insert after line %d, which was line %d before the reply", now, i.After), Edits: []text.Edit{i.LineAt.Set(fmt.Sprint(i.stated(now)))}}}
	return d
}

// moved reports whether earlier edits of the reply moved the lines around the place. `now` is the current number of
// the line above the place, or -1 if an earlier edit changed that line.
func (i insertion) moved(on intent.Target) (now int, moved bool) {
	original := on.Before.Original
	if i.After <= 0 || original == nil || i.After > original.LineCount() {
		return 0, false
	}
	above, ok := on.LineNow(i.After)
	if ok && above == i.After {
		return 0, false
	}
	if below, same := on.LineNow(i.After + 1); same && below == i.After+1 {
		return 0, false
	}
	if !ok {
		above = -1
	}
	return above, true
}
