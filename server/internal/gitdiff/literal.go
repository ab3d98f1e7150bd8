package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A spot is a place in a header that contains one of the section's names.
type spot struct {
	name
	old  bool
	file bool // the spot is on a `---` or `+++` line
}

// set returns the edit that writes a name at the spot.
func (s spot) set(prefix, value string) text.Edit {
	raw := prefix + value
	if s.bare {
		raw = value
	}
	if s.file && s.stamp == "" {
		return text.Edit{Span: s.at, New: diff.NameInLine(raw)}
	}
	return text.Edit{Span: s.at, New: diff.QuoteName(raw)}
}

// spots returns the places of all names in a section's header, from top to bottom, except
// `/dev/null`.
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

// literal returns the literal of the section's old or new path. If several lines contain the
// path, the span covers all of them, and a fix changes them all; diagnostics underline the last
// one.
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
	span, quoted := spots[0].at, false
	for _, spot := range spots {
		quoted = quoted || strings.HasPrefix(spot.at.In(s.body), `"`)
		span.Start, span.End = min(span.Start, spot.at.Start), max(span.End, spot.at.End)
	}
	return intent.Literal{Span: span, Name: spots[len(spots)-1].at, As: headerNames{span.In(s.body), span.Start, spots, s.names}, Quoted: quoted}
}

// A headerNames is the notation of a path that several lines of a header contain.
type headerNames struct {
	text  string // the lines that contain the path
	start int    // offset of text in the body
	spots []spot
	names pair
}

// Write implements [intent.Notation].
func (h headerNames) Write(value string) string {
	var edits []text.Edit
	for _, spot := range h.spots {
		prefix := h.names.newPrefix
		if spot.old {
			prefix = h.names.oldPrefix
		}
		e := spot.set(prefix, value)
		edits = append(edits, text.Edit{Span: e.Span.Shift(-h.start), New: e.New})
	}
	written, err := text.Apply(h.text, edits)
	if err != nil {
		return strings.Clone(h.text) // this cannot happen, because spots do not overlap
	}
	return written
}

// verbatim is the notation of content that no fix changes.
type verbatim string

// Write implements [intent.Notation].
func (v verbatim) Write(string) string { return string(v) }
