package lspserver

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *Server) codeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	if !s.currentSettings().CodeLens {
		return lenses, nil
	}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return lenses, err
	}
	if n := len(c.Blocks); n >= 2 && c.LeftOut == 0 { // "all blocks" would include blocks that are not shown
		lenses = append(lenses, lens(c, text.Span{}, fmt.Sprintf("Apply all %d Aptix blocks", n), aptix.CommandApply, nil))
	}
	for _, b := range c.Blocks {
		if id := c.appliedAs(b); id != "" {
			lenses = append(lenses, appliedLenses(c, b, id)...)
			lenses = append(lenses, partLenses(c, b, true)...)
			continue
		}
		lenses = append(lenses, blockLenses(c, b)...)
		lenses = append(lenses, partLenses(c, b, false)...)
	}
	if c.Declined {
		lenses = append(lenses, lens(c, c.DeclinedAt, "Copy a request for a full bundle", aptix.CommandFeedback, nil))
	}
	return lenses, nil
}

// blockLenses returns the lenses on a block's first line. A block that is still being
// written can be neither previewed nor applied.
func blockLenses(c *checked, b check.Block) []protocol.CodeLens {
	state := lens(c, b.Open, c.stateText(b), "", nil)
	if b.State == check.Incomplete {
		return []protocol.CodeLens{state}
	}
	lenses := []protocol.CodeLens{
		lens(c, b.Open, "Preview", aptix.CommandPreview, &b.Index),
		lens(c, b.Open, "Apply Aptix "+b.Format.Noun, aptix.CommandApply, &b.Index),
		state,
	}
	if b.State == check.Failed && c.fixable(b) {
		fix := lens(c, b.Open, buttonFix, aptix.CommandApply, nil)
		fix.Command.Arguments = []protocol.LSPAny{mustMarshal(aptix.Target{URI: string(c.uri), Block: &b.Index, Fix: true})}
		lenses = slices.Insert(lenses, 0, fix) // at the front, because a narrow editor cuts off the last lenses
	}
	if b.State == check.Failed || slices.ContainsFunc(diag.Doubts(b.Diagnostics), func(d diag.Diagnostic) bool { return !d.AskOnly }) {
		lenses = append(lenses, lens(c, b.Open, copyProblems, aptix.CommandFeedback, &b.Index))
		if isChat(c.uri) {
			lenses = append(lenses,
				lens(c, b.Open, "Send to chat", aptix.CommandSendToChat, &b.Index),
				lens(c, b.Open, "Fix…", aptix.CommandFixChat, &b.Index))
		}
	}
	return lenses
}

// appliedLenses returns the lenses of a block that was applied, which has nothing left to
// apply.
func appliedLenses(c *checked, b check.Block, id string) []protocol.CodeLens {
	show := lens(c, b.Open, showChanges, aptix.CommandPreview, nil)
	show.Command.Arguments = []protocol.LSPAny{mustMarshal(aptix.Target{URI: string(c.uri), Block: &b.Index, Applied: id})}
	revert := lens(c, b.Open, "Revert", aptix.CommandRevert, nil)
	revert.Command.Arguments = []protocol.LSPAny{mustMarshal(aptix.RevertParams{ID: id})}
	return []protocol.CodeLens{
		show,
		revert,
		lens(c, b.Open, c.stateText(b), "", nil),
	}
}

const showChanges = "Show Changes"

const copyProblems = "Copy problems for the model"

// lens returns a lens on the first line of span. Without a command, it only shows text.
func lens(c *checked, span text.Span, title, command string, block *int) protocol.CodeLens {
	end, _ := text.LineEnd(c.Documents[0].Text, span.Start)
	l := protocol.CodeLens{
		Range:   lspconv.Range(c.lines, text.Span{Start: span.Start, End: end}),
		Command: protocol.Command{Title: escape.Label(title), Command: command},
	}
	if command != "" {
		l.Command.Arguments = []protocol.LSPAny{mustMarshal(aptix.Target{URI: string(c.uri), Block: block})}
	}
	return l
}
