package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A spot is a place of a header that has one of the section's names.
type spot struct {
	name
	old  bool
	file bool // of a `---` or `+++` line
}

// set writes a name there.
func (s spot) set(prefix, value string) text.Edit {
	raw := prefix + value
	if s.bare {
		raw = value
	}
	if s.file && s.stamp == "" {
		return text.Edit{Span: s.at, New: fileLine(raw)}
	}
	return text.Edit{Span: s.at, New: Quote(raw)}
}

// spots are all names of a section's header, from top to bottom; those of
// `/dev/null` left out.
func (s *section) spots() []spot {
	var spots []spot
	add := func(n name, old, file bool) {
		if n.ok() && !n.devNull && !(n.bare && (n.line == s.oldName.line && s.oldName.ok() || n.line == s.newName.line && s.newName.ok())) {
			spots = append(spots, spot{n, old, file})
		}
	}
	if s.gitNamesOK {
		add(s.gitOld, true, false)
		add(s.gitNew, false, false)
	}
	add(s.from, true, false)
	add(s.to, false, false)
	add(s.oldName, true, true)
	add(s.newName, false, true)
	return spots
}

// literal is the old or the new path of the section. As several lines have it, it
// covers all of them, and its Encode writes them all; the last one is shown.
func (s *section) literal(old bool) intent.Literal {
	var spots []spot
	for _, spot := range s.spots() {
		if !s.moves() || spot.old == old {
			spots = append(spots, spot)
		}
	}
	if len(spots) == 0 {
		return intent.Literal{Span: s.header()}
	}
	span := spots[0].at
	for _, spot := range spots {
		span.Start, span.End = min(span.Start, spot.at.Start), max(span.End, spot.at.End)
	}
	names := s.names
	return intent.Literal{Span: span, Name: spots[len(spots)-1].at, Encode: func(value string) string { return encode(s.body, span, spots, names, value) }}
}

// encode is what span holds with value written in all spots.
func encode(body string, span text.Span, spots []spot, names pair, value string) string {
	var edits []text.Edit
	for _, spot := range spots {
		prefix := names.newPrefix
		if spot.old {
			prefix = names.oldPrefix
		}
		e := spot.set(prefix, value)
		edits = append(edits, text.Edit{Span: e.Span.Shift(-span.Start), New: e.New})
	}
	written, err := text.Apply(span.In(body), edits)
	if err != nil {
		return strings.Clone(span.In(body)) // spots do not overlap
	}
	return written
}
