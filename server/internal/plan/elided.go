package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// elided handles an item whose text marks the lines that it leaves out. It returns true if it turned the item into an
// edit of the file.
func elided(now version, it *item, m *meter.Meter) bool {
	file, ok := mayElide(now, it, m)
	if !ok {
		return false
	}
	reading := elision.Read(file, it.Content)
	if reading.State == elision.None {
		return false
	}
	it.edits(elidedText{reading, it.Change})
	return true
}

// guessed handles an item whose text cannot be the whole file but can be read as parts of it. It returns true if it
// turned the item into an edit of the file. The person is asked before the edit is applied.
func guessed(now version, it *item, problems []diag.Diagnostic, m *meter.Meter) bool {
	has := func(codes ...diag.Code) bool {
		return slices.ContainsFunc(problems, func(d diag.Diagnostic) bool { return slices.Contains(codes, d.Code) })
	}
	part, lost := it.IsPart || has(diag.FilePart, diag.Omission), has(diag.LinesLost)
	file, ok := mayElide(now, it, m)
	if !ok || !part && !lost && elision.EndsAs(file, it.Content) {
		return false
	}
	reading := elision.Guess(file, it.Content)
	if reading.State == elision.Certain && !it.IsPart {
		// The file already has all lines of this text, so the text is not a changed part of it.
		return false
	}
	if !part && !lost && !losesEnd(file, it.Content, reading) {
		return false
	}
	newEdge := slices.ContainsFunc(reading.Reasons, func(why elision.Reason) bool { return why.Kind == elision.NewEdge && why.Line == 0 })
	begins := len(reading.Parts) == 1 && reading.Parts[0].At == 0 && file.Count() < reading.Parts[0].End+max(reading.Parts[0].End, fewestBelow)
	if reading.State == elision.None || !part && (newEdge || begins) {
		// A text that begins like the file and has most of it, or that begins with a new line, may lack lines on
		// purpose, so it is not read as a part.
		return false
	}
	it.edits(elidedText{reading, it.Change})
	return true
}

// fewestLost is the number of nonblank lines that a text must lack at one end of its file before the person is asked. A
// model may remove fewer lines on purpose, such as an import or the last call.
const fewestLost = 3

// A text that is only the beginning of its file is read as a part if at least fewestBelow more lines of the file
// follow, and at least as many as the text has.
const fewestBelow = 10

// losesEnd reports whether the text of an item lacks so many lines at one end of the file that the person must be
// asked. This is only possible if the text was read as a single part.
func losesEnd(file *place.Lines, content string, reading elision.Reading) bool {
	if len(reading.Parts) != 1 {
		return false
	}
	above, below := 0, 0
	for i := range file.Count() {
		switch {
		case strings.TrimSpace(file.Line(i)) == "":
		case i < reading.Parts[0].At:
			above++
		case i >= reading.Parts[0].End:
			below++
		}
	}
	least := fewestLost
	if elision.IsBlock(content) {
		// A text that is a single definition from the file is rarely meant as the whole file.
		least = 1
	}
	return max(above, below) >= least
}

// mayElide returns the lines of an item's file. It returns false if the item's text has to be the whole file.
func mayElide(now version, it *item, m *meter.Meter) (*place.Lines, bool) {
	if !it.MayBePart || it.Raw || !now.Exists || it.Kind != intent.Write && it.Kind != intent.Replace {
		return nil, false
	}
	s, _, err := text.Decode(now.bytes())
	if err != nil {
		return nil, false
	}
	return place.NewLines(s, place.AfterEOL, m), true
}

func (it *item) edits(step intent.Step) {
	it.Kind, it.MayBePart, it.Steps = intent.Edit, false, []intent.Step{step}
}

// An elidedText is a text that leaves out lines of its file, together with the way in which package elision reads it.
// It is an [intent.Step].
type elidedText struct {
	reading elision.Reading
	change  intent.Change
}

func isGuess(it *item) bool {
	return slices.ContainsFunc(it.Steps, func(s intent.Step) bool { e, ok := s.(elidedText); return ok && e.reading.State == elision.Asks })
}

func (e elidedText) Span() text.Span { return e.change.At }

func (e elidedText) Parts() []text.Span { return e.change.Segments() }

func (e elidedText) Resolve(t intent.Target) intent.Outcome {
	lines := t.Text.Lines(place.AfterEOL)
	var out intent.Outcome
	if e.reading.State == elision.Refused {
		out.Problems = e.refusal(lines)
		return out
	}
	parts := e.Parts()
	for i, p := range e.reading.Parts {
		if len(parts) == len(e.reading.Parts) {
			at := parts[i]
			if t.Skipped[at] {
				continue
			}
			out.Places = append(out.Places, intent.Place{At: at, Target: lines.Span(p.At, p.End-p.At), Done: len(p.Hunks) == 0})
		}
		for _, h := range p.Hunks {
			out.Edits = append(out.Edits, hunkEdit(lines, h, t.Text.EOL()))
		}
	}
	out.Problems = e.doubts(lines)
	return out
}

// hunkEdit returns the edit that makes the change of a hunk in a file. The new lines get the line ending `eol`.
func hunkEdit(lines *place.Lines, h elision.Hunk, eol text.EOL) text.Edit {
	eol = cmp.Or(eol, text.LF)
	e := text.Edit{Span: lines.Span(h.At, h.End-h.At)}
	for _, line := range h.Lines {
		e.New += line + string(eol)
	}
	last := lines.Count() - 1
	open := last >= 0 && text.TrimEOL(lines.Line(last)) == lines.Line(last)
	switch {
	case !open || h.End <= last:
	case h.At == h.End: // the file's last line has no ending
		e.New = string(eol) + strings.TrimSuffix(e.New, string(eol))
	default:
		e.New = strings.TrimSuffix(e.New, string(eol))
	}
	return e
}

// shown returns the span for a problem of a part: the lines of the part if the block contains them exactly, otherwise
// the whole text.
func (e elidedText) shown(part int) text.Span {
	if parts := e.Parts(); len(parts) == len(e.reading.Parts) && part < len(parts) {
		return parts[part]
	}
	return spanOf(e.change.ContentAt, e.change)
}

const mostReasons = 3

func (e elidedText) doubts(lines *place.Lines) []diag.Diagnostic {
	if name := e.misses(lines); name != "" && len(e.reading.Reasons) == 0 {
		return list(new(diag.New(diag.ElisionUnsure, e.shown(0), fmt.Sprintf("the words above name the block %s of %s, and the text would fit there, but Aptix found its place outside of that block; check the place", name, e.change.Path))))
	}
	if len(e.reading.Reasons) == 0 {
		return nil
	}
	d := diag.New(diag.ElisionUnsure, e.shown(e.reading.Reasons[0].Part), "")
	var said []string
	for i, why := range e.reading.Reasons {
		if i < mostReasons {
			said = append(said, why.String())
		}
		if why.Kind == elision.Unclear {
			e.offer(&d, lines, why.Part, e.reading.Parts[why.Part].Others, " instead")
		}
	}
	d.Message = fmt.Sprintf("the text leaves out lines of %s, and Aptix is not certain which ones: %s", e.change.Path, strings.Join(said, "; "))
	return []diag.Diagnostic{d}
}

// misses returns the name of a block that the words above the text name, although the text changes nothing in that
// block. The block must have all lines that the text keeps, so that the text would fit there. misses returns "" if
// there is no such block.
func (e elidedText) misses(lines *place.Lines) (name string) {
	var kept []string
	var hunks []elision.Hunk
	for _, p := range e.reading.Parts {
		at := p.At
		for _, h := range p.Hunks {
			for ; at < h.At; at++ {
				kept = append(kept, lines.Line(at))
			}
			at, hunks = h.End, append(hunks, h)
		}
		for ; at < p.End && len(p.Hunks) > 0; at++ {
			kept = append(kept, lines.Line(at))
		}
	}
	kept = doubt.Telling(strings.Join(kept, ""))
	for i := 0; i < lines.Count() && len(kept) > 0 && len(e.change.About) > 0; i++ {
		words := text.Names(lines.Line(i))
		named := slices.IndexFunc(e.change.About, func(name string) bool { return slices.Contains(words, name) })
		if named < 0 {
			continue
		}
		end := place.BlockEnd(lines, i)
		if slices.ContainsFunc(hunks, func(h elision.Hunk) bool { return i <= h.At && h.At <= end }) {
			return ""
		}
		inside := doubt.Telling(lines.Span(i, end-i).In(lines.Text()))
		if !slices.ContainsFunc(kept, func(line string) bool { return !slices.Contains(inside, line) }) {
			name = e.change.About[named]
		}
	}
	return name
}

// refusal returns an error which says why the text cannot be read as parts of the file, and how to write it instead.
func (e elidedText) refusal(lines *place.Lines) []diag.Diagnostic {
	why := e.reading.Reasons[0]
	d := diag.New(diag.ElisionNoPlace, e.shown(why.Part), fmt.Sprintf("the text leaves out lines of %s: %s", e.change.Path, why))
	if why.Kind == elision.Tied {
		p := e.reading.Parts[why.Part]
		e.offer(&d, lines, why.Part, append([]elision.Place{{At: p.At, End: p.End}}, p.Others...), "")
	}
	return []diag.Diagnostic{d}
}

// offer adds fixes that move a part to other places, by writing lines of the file around the part.
func (e elidedText) offer(d *diag.Diagnostic, lines *place.Lines, part int, places []elision.Place, instead string) {
	d.Lines = append(d.Lines, text.Each(places, func(p elision.Place) int { return p.At + 1 })...)
	if e.change.ContentAt.Span == (text.Span{}) {
		return
	}
	for _, place := range places {
		if s, ok := elision.PutAt(lines, e.change.Content, part, place); ok {
			d.Fixes = append(d.Fixes, diag.Fix{Title: fmt.Sprintf("Put the part at line %d%s", place.At+1, instead), Edits: []text.Edit{e.change.ContentAt.Set(s)}})
		}
	}
}
