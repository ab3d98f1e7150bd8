package findreplace

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type scoped struct {
	found
	done *text.Span // the result, if the scope has it instead of the find; or nil
}

func among(places []text.Span, decided bool) scoped {
	return scoped{found: found{places: places, decided: decided}}
}

func (p passage) narrow(on intent.Target) scoped {
	all := p.places
	if p.edit.AtEnd {
		lf := on.Text.LF()
		within := func(s text.Span) bool { return text.IsBlank(lf[s.End:]) }
		if all = text.Only(all, within); len(all) == 0 {
			return p.elsewhere(on.Text, p.places, within, "`*** End of File` says that the lines end the file, but other lines follow; check the place")
		}
	}
	if len(p.edit.Anchors) > 0 {
		return p.anchored(on, all)
	}
	if at, ok := p.stated(on, all); ok && len(all) > 1 {
		return among([]text.Span{at}, true)
	}
	return among(p.ordered(on, all), p.edit.AtEnd)
}

// stated returns the place at the line number in the block, which counts lines of the file before the reply. It
// returns false if the find is no longer there, or is also at the same line number of the current file.
func (p passage) stated(on intent.Target, open []text.Span) (text.Span, bool) {
	if p.edit.Line == 0 {
		return text.Span{}, false
	}
	now, ok := on.LineNow(p.edit.Line)
	if !ok {
		return text.Span{}, false
	}
	var at, other text.Span
	for _, place := range open {
		switch on.Text.LineAt(place.Start) {
		case now:
			at = place
		case p.edit.Line:
			other = place
		}
	}
	return at, !at.Empty() && other.Empty()
}

// elsewhere resolves a find that occurs only outside of its scope. The edit is done if the scope has the result.
// Otherwise, the person is asked about all places.
func (p passage) elsewhere(t *place.Text, all []text.Span, within func(text.Span) bool, message string) scoped {
	if results := text.Only(p.results(t), within); len(results) > 0 {
		return scoped{done: &results[0]}
	}
	return scoped{found: found{places: all, doubt: p.outside(message)}}
}

// results returns the places of the replacement, or nil if the replacement could be in the file by accident.
func (p passage) results(t *place.Text) []text.Span {
	c := p.replacement().passage().Change
	if c.OnlyShortens() || !c.Shows() && !strings.Contains("\n"+c.New, "\n"+c.Old) {
		return nil
	}
	return PlacesOfLines(t, p.Replace)
}

// ordered returns the places below the preceding edit or, if there are none, all places.
func (p passage) ordered(on intent.Target, all []text.Span) []text.Span {
	if !p.edit.InOrder || len(all) < 2 {
		return all
	}
	below := text.Only(all, func(s text.Span) bool {
		w := on.Text.Window(s, 0)
		raw, _ := w.Raw().Span(s.Shift(-w.At))
		return raw.Start >= on.Cursor
	})
	if len(below) == 0 {
		return all
	}
	return below
}

func (p passage) outside(message string) *diag.Diagnostic {
	at := p.FindAt.Span
	if anchors := p.edit.Anchors; len(anchors) > 0 {
		at = anchors[len(anchors)-1].At
	}
	return new(diag.New(diag.ScopeMissed, at, message))
}

// anchored returns the places in the block of code that begins at the innermost anchor or, if there are none, the
// places below that anchor.
func (p passage) anchored(on intent.Target, all []text.Span) scoped {
	lines := place.NewLines(on.Text.LF(), place.AfterEOL, on.Text.Meter())
	blocks := []place.Block{{End: lines.Count()}}
	for _, a := range p.edit.Anchors {
		if blocks = place.BlocksOf(lines, a.Text, blocks); len(blocks) == 0 {
			return scoped{found: found{places: all, doubt: p.outside("the hunk belongs below a line " + quoted(a.Text) + ", but the part of the file that the `@@` lines name has no such line; correct these lines")}}
		}
	}
	blocks = place.Join(blocks)
	within := func(blocks []place.Block) func(text.Span) bool {
		return func(s text.Span) bool { return place.Within(blocks, lines.At(s.Start)) }
	}
	if inner := text.Only(all, within(blocks)); len(inner) > 0 {
		return among(inner, true)
	}
	last := quoted(p.edit.Anchors[len(p.edit.Anchors)-1].Text)
	below := text.Only(all, within([]place.Block{{First: blocks[0].First, End: lines.Count()}}))
	if len(below) == 0 {
		return p.elsewhere(on.Text, all, within(blocks), "the lines are in the file, but not below "+last)
	}
	if len(p.results(on.Text)) > 0 {
		return p.elsewhere(on.Text, below, within(blocks), "the lines are below "+last+", but outside the block that this line begins, and the file has the result, too")
	}
	return among(below, len(below) < len(all))
}

func quoted(s string) string { return "`" + strings.TrimSpace(s) + "`" }
