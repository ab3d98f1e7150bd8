package findreplace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A WholeLines is a step that replaces the lines of its find with other lines. A person can leave out only the whole
// step. A block whose marks can be paired in several ways has several readings, and the reading whose find is in the
// file applies.
type WholeLines struct {
	Readings []Reading // at least one, from the shortest find to the longest
	Scope
	At text.Span // in the block's body

	FindName, ReplaceName string // the words of the block for the two texts, for messages
}

// A Scope limits where in the file the find of an edit may be.
type Scope struct {
	Line    int      // the line of the find in the file before the reply, from 1; 0 if unknown
	Anchors []Anchor // lines above the place, the outermost first
	AtEnd   bool     // the find must end the file
	InOrder bool     // the edits of the file must be in order, from top to bottom
	// Lines with an empty find are added at the end of the file; otherwise, an empty find is for a new file.
	Appends bool
}

// An Anchor is a line of the file. The edit must be below it, in the block of code that the line begins.
type Anchor struct {
	Text string
	At   text.Span // in the block's body
}

// A Reading is one way to read a block. Both texts are whole lines, but the last line may lack its ending. If Find
// is empty, Replace becomes the text of a missing or empty file, unless Scope.Appends is true.
type Reading struct {
	Find, Replace     string
	FindAt, ReplaceAt intent.Literal
	Both              Writer // as in [Replacement]
}

func (e WholeLines) Span() text.Span { return e.At }

func (e WholeLines) Parts() []text.Span { return []text.Span{e.At} }

func (e WholeLines) Resolve(on intent.Target) intent.Outcome {
	var there []passage
	for _, r := range e.Readings {
		if !r.pay(on) {
			break
		}
		if p := (passage{Reading: r, edit: e}).in(on.Text); len(p.places) > 0 {
			there = append(there, p)
		}
	}
	if len(there) == 0 {
		return e.nowhere(on)
	}
	longest := there[len(there)-1]
	if len(there) == 1 && longest.FindAt == e.Readings[0].FindAt && len(e.Readings) > 1 {
		// A later line of equals signs may be the divider. If the file has the result of that reading, the edit is
		// done.
		if out := e.nowhere(on); out.Done {
			return out
		}
	} else if len(there) == 1 {
		return longest.resolve(on)
	}
	out := longest.resolve(on)
	out.Problems = append(out.Problems, diag.Diagnostic{Span: longest.FindAt.Span, Severity: diag.Warning, Code: diag.SearchDivider,
		Message: fmt.Sprintf("the block has %d `=======` lines; this text is read as %s, because the file has this text", len(e.Readings), e.FindName)})
	return out
}

// nowhere resolves an edit of which no find is in the file.
func (e WholeLines) nowhere(on intent.Target) intent.Outcome {
	var outs []intent.Outcome
	for _, r := range slices.Backward(e.Readings) {
		if !r.pay(on) {
			break
		}
		out := passage{Reading: r, edit: e}.missing(on)
		if out.Done {
			return out
		}
		outs = append(outs, out)
	}
	if len(outs) == 1 {
		return outs[0]
	}
	last := e.Readings[len(e.Readings)-1]
	return intent.Outcome{Unmet: last.Find + "\n" + last.Replace, Problems: []diag.Diagnostic{diag.New(diag.SearchDivider, last.FindAt.Span,
		fmt.Sprintf("the block has %d `=======` lines, but the file does not have the text above any of them; copy the lines that you want to replace, exactly as they are in the file", len(e.Readings)))}}
}

// eachByte is the cost of each byte of a reading, in units of the meter: its texts are copied with other line
// endings, and their lines are counted. A block has as many readings as dividers.
const eachByte = 16

func (r Reading) pay(on intent.Target) bool {
	return on.Text.Meter().Pay(eachByte * (len(r.Find) + len(r.Replace)))
}

type passage struct {
	Reading
	edit   WholeLines
	places []text.Span // whole lines of the text with LF endings
}

func (p passage) in(t *place.Text) passage {
	if p.Find != "" {
		p.places = PlacesOfLines(t, p.Find)
	} else if end := len(t.LF()); p.edit.Appends {
		p.places = []text.Span{{Start: end, End: end}}
	} else if t.Len() == 0 {
		p.places = []text.Span{{}}
	}
	return p
}

// PlacesOfLines returns at most 100 places of whole lines in a text. They may overlap.
func PlacesOfLines(t *place.Text, lines string) []text.Span {
	const most = 100
	return place.WholeLines.Find(t, text.WithEOL(lines, text.LF), most)
}

func (p passage) resolve(on intent.Target) intent.Outcome {
	if p.Find == "" && p.edit.Appends {
		return p.appended(on)
	}
	scope := p.narrow(on)
	if scope.done != nil {
		return p.replacement().done(on.Text, *scope.done)
	}
	return p.replacement().among(on, scope.found)
}

func unended(lines string) string {
	return strings.TrimSuffix(strings.TrimSuffix(lines, "\n"), "\r")
}

func (p passage) missing(on intent.Target) intent.Outcome {
	if p.Find == "" {
		return p.notEmpty(on.Text)
	}
	out := p.replacement().missing(on)
	if !out.Done {
		out.Cursor = on.Cursor
	}
	return out
}

// notEmpty resolves an edit whose empty find says that the file is new, although the file already has lines.
func (p passage) notEmpty(t *place.Text) intent.Outcome {
	if text.Ended(t.LF()) == text.Ended(text.WithEOL(p.Replace, text.LF)) {
		return p.replacement().done(t, text.Span{End: len(t.LF())})
	}
	return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.SearchEmpty, p.FindAt.Span,
		fmt.Sprintf("%s is empty, as for a new file, but the file exists and has lines; copy the lines to replace, or a line next to which the new lines belong", p.edit.FindName))}}
}

func (p passage) replacement() replacement {
	replace := text.Ended(p.Replace)
	if p.Find == "" {
		replace = p.Replace
	}
	return Replacement{Find: text.Ended(p.Find), Replace: replace, At: p.edit.At, FindAt: p.FindAt, ReplaceAt: p.ReplaceAt, Both: p.Both,
		Law: place.WholeLines, FindName: p.edit.FindName, ReplaceName: p.edit.ReplaceName}.lf()
}

func (p passage) appended(on intent.Target) intent.Outcome {
	t := on.Text
	lf := t.LF()
	added := text.Ended(text.WithEOL(p.Replace, text.LF))
	ends := strings.HasSuffix("\n"+text.Ended(lf), "\n"+added)
	result := text.Span{Start: max(0, len(lf)-len(added)), End: len(lf)}
	if ends && (on.Applied || place.Says(added)) {
		return p.replacement().done(t, result)
	}
	at := text.Span{Start: t.Len(), End: t.Len()}
	eol := cmp.Or(t.EOL(), text.LF)
	lines := text.WithEOL(text.Ended(p.Replace), eol)
	if lf != "" && unended(lf) == lf {
		lines = string(eol) + unended(lines)
	}
	out := intent.Outcome{Edits: []text.Edit{{Span: at, New: lines}}, Written: intent.Written{Text: p.Replace, At: p.ReplaceAt}, Cursor: at.Start + len(lines), Places: []intent.Place{{At: p.edit.At, Target: at}}}
	if ends {
		out.Problems = []diag.Diagnostic{diag.New(diag.InsertRepeats, p.FindAt.Span,
			fmt.Sprintf("the file already ends with these lines, starting at line %d; if this edit was already applied, applying it again would repeat them", t.LineAt(result.Start)))}
	} else if lf != "" && !p.edit.AtEnd {
		out.Problems = []diag.Diagnostic{diag.New(diag.PatchAppends, p.FindAt.Span, "the hunk only adds lines and does not say where they belong, so they are appended to the file")}
	}
	return out
}
