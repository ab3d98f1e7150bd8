package lspserver

import (
	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// blockKind is the kind of the actions that repeat the lenses, for editors without lenses and for
// use by keyboard.
const blockKind protocol.CodeActionKind = "aptix.block"

// blockActions returns the actions of the block whose lines contain an offset, and of the
// block's part at the offset.
func (c *checked) blockActions(at int) []protocol.CodeAction {
	var actions []protocol.CodeAction
	for _, b := range c.Blocks {
		if at < b.Span.Start || b.Span.End < at {
			continue
		}
		do := func(title, name string, argument any) {
			kind := blockKind
			actions = append(actions, protocol.CodeAction{Title: title, Kind: &kind, Command: command(title, name, argument)})
		}
		if b.State == check.Failed && c.fixable(b) {
			do(buttonFix, aptix.CommandApply, c.fix(b))
		}
		if c.allowed {
			do("Ask about protected files again", aptix.CommandSkip, aptix.SkipParams{URI: string(c.uri), Block: b.Index, Mode: aptix.SkipQuestion})
		}
		if b.State == check.Ready {
			do("Apply block", aptix.CommandApply, c.target(&b.Index))
			do("Preview block", aptix.CommandPreview, c.target(&b.Index))
		}
		if id := c.appliedAs(b); id != "" {
			do(showChanges, aptix.CommandPreview, c.appliedBlock(b, id))
			do("Revert", aptix.CommandRevert, aptix.RevertParams{ID: id})
		}
		if b.State != check.Incomplete {
			line := lspconv.Position(c.lines, at).Line
			for _, choice := range c.partChoices(b) {
				first, last := lspconv.Position(c.lines, choice.at.Start).Line, lspconv.Position(c.lines, choice.at.End-1).Line
				if first <= line && line <= last {
					do(choice.title, aptix.CommandSkip, choice.params)
				}
			}
		}
	}
	return actions
}

// target returns a block of the document as the target of a command, or all blocks for nil.
func (c *checked) target(block *int) aptix.Target {
	return aptix.Target{URI: string(c.uri), Block: block}
}

// fix returns the target whose certain fixes are made first.
func (c *checked) fix(b check.Block) aptix.Target {
	return aptix.Target{URI: string(c.uri), Block: &b.Index, Fix: true}
}

// appliedBlock returns the target that shows what the apply with an id did.
func (c *checked) appliedBlock(b check.Block, id string) aptix.Target {
	return aptix.Target{URI: string(c.uri), Block: &b.Index, Applied: id}
}
