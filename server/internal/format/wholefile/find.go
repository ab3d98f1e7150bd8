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
	for _, e := range found {
		if !e.verbatim(d.Text) {
			r := &format.Region{Block: e.fence.Block, Shared: []entry{e.alone()}}
			regions = append(regions, r)
			continue
		}
		r := format.Piece(d.Text, e.at, !e.open && (e.fence == nil || e.fence.Closed))
		r.Shared = []entry{e.shift(e.at.Start)}
		regions = append(regions, r)
	}
	return regions
}

// alone returns the entry for the text of its fence alone, which does not contain the path.
func (e entry) alone() entry {
	e.path.span, e.to.span, e.line = zero, zero, zero
	e.content.Start, e.content.End = e.skip, len(e.fence.Body)
	e.at = text.Span{End: len(e.fence.Body)}
	return e
}
