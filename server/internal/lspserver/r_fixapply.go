package lspserver

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
)

const buttonFix = "Fix and Apply"

// fixable reports whether blocks can be fixed and applied in one step. It returns false if a part of a block is left
// out: that choice is recorded under the block's text, which a fix changes, so the part would be applied in spite of
// the choice.
func (c *checked) fixable(blocks ...check.Block) bool {
	for _, b := range blocks {
		if len(c.Skip[b.Index])+len(c.Missing[b.Index]) > 0 || b.State == check.Failed && !b.Fixable() {
			return false
		}
	}
	return true
}

func (c *checked) repairs() []string {
	const most = 10
	var all []string
	for _, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			if i := slices.IndexFunc(d.Fixes, func(f diag.Fix) bool { return f.Preferred }); i >= 0 {
				all = append(all, "Repaired: "+escape.Line(d.Fixes[i].Title))
			}
		}
	}
	if n := len(all) - most; n > 0 {
		all = append(all[:most], fmt.Sprintf("and %d more repairs", n))
	}
	return all
}
