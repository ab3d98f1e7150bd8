package lspserver

import (
	"slices"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// blockKind is the kind of the actions that do the same as the lenses, for editors without
// lenses and for use by keyboard.
const blockKind protocol.CodeActionKind = "aptix.block"

// blockActions returns the actions of the block whose lines contain an offset, and of the
// block's part at the offset.
func (c *checked) blockActions(at int) []protocol.CodeAction {
	var actions []protocol.CodeAction
	for _, b := range c.Blocks {
		if at < b.Span.Start || b.Span.End < at {
			continue
		}
		if b.State == check.Failed && c.fixable(b) {
			actions = append(actions, c.blockAction(buttonFix, aptix.CommandApply, aptix.Target{URI: string(c.uri), Block: &b.Index, Fix: true}))
		}
		if c.allowed {
			actions = append(actions, c.blockAction("Ask about protected files again", aptix.CommandSkip, aptix.SkipParams{URI: string(c.uri), Block: b.Index, Mode: aptix.SkipQuestion}))
		}
		if b.State == check.Ready {
			actions = append(actions, c.blockAction("Apply block", aptix.CommandApply, aptix.Target{URI: string(c.uri), Block: &b.Index}),
				c.blockAction("Preview block", aptix.CommandPreview, aptix.Target{URI: string(c.uri), Block: &b.Index}))
		}
		if id := c.appliedAs(b); id != "" {
			actions = append(actions, c.blockAction(showChanges, aptix.CommandPreview, aptix.Target{URI: string(c.uri), Block: &b.Index, Applied: id}),
				c.blockAction("Revert", aptix.CommandRevert, aptix.RevertParams{ID: id}))
		}
		if b.State != check.Incomplete {
			actions = append(actions, c.partActions(b, at)...)
		}
	}
	return actions
}

// partActions returns the actions that leave out, or include again, the parts on the line
// of an offset.
func (c *checked) partActions(b check.Block, at int) []protocol.CodeAction {
	line := lspconv.Position(c.lines, at).Line
	offered := c.offered(b)
	var actions []protocol.CodeAction
	for i, p := range b.Parts {
		name := offered(p)
		first, last := lspconv.Position(c.lines, p.At.Start).Line, lspconv.Position(c.lines, p.At.End-1).Line
		if name == "" || line < first || last < line || c.appliedAs(b) != "" && !slices.Contains(c.Skip[b.Index], i) {
			continue
		}
		for _, choice := range c.partChoices(b, i, name) {
			actions = append(actions, c.blockAction(choice.title, aptix.CommandSkip, choice.params))
		}
	}
	return actions
}

func (c *checked) blockAction(title, command string, argument any) protocol.CodeAction {
	kind := blockKind
	return protocol.CodeAction{Title: title, Kind: &kind,
		Command: protocol.Command{Title: title, Command: command, Arguments: []protocol.LSPAny{mustMarshal(argument)}}}
}
