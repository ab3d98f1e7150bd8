package lspserver

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func noBlock(c *checked) string {
	return "No Aptix block found: " + escape.Message(c.NoBlock())
}

// notShown says how many blocks of a reply are missing in a preview, and why. It returns "" if none is missing.
func (c *checked) notShown() string {
	left := text.Count(c.Blocks, func(b check.Block) bool { return b.State == check.Failed || b.State == check.Incomplete })
	if left == 0 || len(c.Blocks) == left {
		return ""
	}
	return fmt.Sprintf("%d of %s cannot be applied, so this preview may be incomplete: %s", left, format.Count(len(c.Blocks), "block"), problems(c))
}
