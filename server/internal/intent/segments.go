package intent

import (
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Segments returns the parts of a whole text that leaves out lines and says so, in the
// block's body. A person can leave some parts out. It returns nil for a text in one piece,
// and if the block does not contain the text as it is.
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
