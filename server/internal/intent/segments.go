package intent

import (
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Segments returns the parts of a whole text that says where it leaves out lines, as spans of the
// block's body. A person can skip some of the parts. It returns nil if the text is in one piece,
// or if the block does not contain it literally.
func (c Change) Segments() []text.Span {
	if !c.MayBePart || c.ContentAt.Span.Len() != len(c.Content) {
		return nil
	}
	parts := elision.Segments(c.Content)
	if len(parts) < 2 {
		return nil
	}
	for i := range parts {
		parts[i] = parts[i].Shift(c.ContentAt.Span.Start)
	}
	return parts
}
