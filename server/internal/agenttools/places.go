package agenttools

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// places describes positions in a reply. It indexes the reply only once, however many
// positions it describes.
type places struct {
	single bool // the reply has one block
	lines  *text.Lines
}

// prefix returns the prefix that tells a message's reader its position in the reply.
func (p *places) prefix(doc string, b *check.Block, offset int) string {
	if b.Format.Where != nil && !b.Fenced {
		if at, ok := b.BodyOffset(offset); ok {
			if where := b.Format.Where(b.Region, at); where != "" {
				return where + ": "
			}
		}
	}
	if p.lines == nil {
		p.lines = text.NewLines(doc)
	}
	line := fmt.Sprintf("line %d: ", p.lines.Position(offset).Line+1)
	if p.single {
		return line
	}
	return fmt.Sprintf("block %d, %s", b.Index, line)
}
