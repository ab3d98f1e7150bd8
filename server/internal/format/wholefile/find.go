package wholefile

import (
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// find claims the files of a document. They are edits only if at least one of them is
// unmistakable. The others are then edits, too, or errors, and none is ignored.
func find(d format.Document) []*format.Region {
	found := entries(d.Text, d.Fences, func(f *format.Region) bool { return d.IsTaken(f.Span) })
	if found = proven(found, d); len(found) == 0 || !settle(found, d) {
		return nil
	}
	var regions []*format.Region
	for i, e := range found {
		switch {
		case i > 0 && e.fence != nil && found[i-1].fence == e.fence:
			r := regions[len(regions)-1]
			r.Shared = append(r.Shared.([]entry), e.alone())
		case e.verbatim(d.Text) && e.problem != several:
			r := format.Piece(d.Text, e.at, !e.open && (e.fence == nil || e.fence.Closed))
			r.Shared = []entry{e.shift(e.at.Start)}
			regions = append(regions, r)
		default:
			regions = append(regions, &format.Region{Block: e.fence.Block, Shared: []entry{e.alone()}})
		}
	}
	return regions
}

// alone returns the entry for the text of its fence alone, which does not contain the path.
func (e entry) alone() entry {
	e.path.span, e.to.span, e.line = zero, zero, zero
	e.content, e.at = e.part, text.Span{End: len(e.fence.Body)}
	if e.problem == several {
		e.at = e.part
	}
	return e
}
