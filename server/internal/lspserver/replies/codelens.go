package replies

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Lenses returns the code lenses of the document.
func (c *Reply) Lenses() []protocol.CodeLens {
	lenses := []protocol.CodeLens{}
	left := slices.ContainsFunc(c.Blocks, func(b check.Block) bool { return b.State != check.Done })
	// This lens would also apply blocks that are not listed, so it is offered only if the list is complete.
	if n := len(c.Blocks); n >= 2 && left && c.LeftOut == 0 {
		lenses = append(lenses, lens(c, text.Span{}, fmt.Sprintf("Apply all %d Aptix blocks", n), aptix.CommandApply, c.target(nil)))
	}
	for _, b := range c.Blocks {
		if id := c.appliedAs(b); id != "" {
			lenses = append(lenses, appliedLenses(c, b, id)...)
		} else {
			lenses = append(lenses, blockLenses(c, b)...)
		}
		for _, choice := range c.partChoices(b) {
			lenses = append(lenses, lens(c, choice.at, choice.title, aptix.CommandSkip, choice.params))
		}
	}
	for _, u := range c.Unread {
		lenses = append(lenses, lens(c, u.At, "not read: "+u.What, "", nil))
		lenses = append(lenses, problemLenses(c, u.At, c.target(nil))...)
	}
	for _, d := range c.declined() {
		lenses = append(lenses, lens(c, d.Span, copyRequest, aptix.CommandFeedback, c.target(nil)))
	}
	return lenses
}

// LensText returns the text of all code lenses, or "" if there are none.
func (c *Reply) LensText() string {
	if lenses := c.Lenses(); len(lenses) > 0 {
		return string(mustMarshal(lenses))
	}
	return ""
}

// blockLenses returns the lenses on the first line of a block. A block without its end gets no lens for a preview or an
// apply.
func blockLenses(c *Reply, b check.Block) []protocol.CodeLens {
	state := lens(c, b.Open, c.stateText(b), "", nil)
	problems := problemLenses(c, b.Open, c.target(&b.Index))
	if b.State == check.Incomplete {
		return append([]protocol.CodeLens{state}, problems...)
	}
	lenses := []protocol.CodeLens{
		lens(c, b.Open, "Preview", aptix.CommandPreview, c.target(&b.Index)),
		lens(c, b.Open, "Apply Aptix "+b.Format.Noun, aptix.CommandApply, c.target(&b.Index)),
	}
	if slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool {
		return check.ForModel(d) && !d.AskOnly && (d.Severity == diag.Error || d.Asks())
	}) {
		lenses = append(lenses, problems...)
	}
	// The lenses that repair come first, and the state comes last, because a narrow editor cuts off the last lenses.
	if last := len(lenses) - 1; b.State == check.Failed && lenses[last].Command.Command == aptix.CommandFixChat {
		lenses = slices.Insert(lenses[:last], 0, lenses[last])
	}
	if b.State == check.Failed && c.CanFixAndApply(b) {
		lenses = slices.Insert(lenses, 0, lens(c, b.Open, ButtonFix, aptix.CommandApply, aptix.Target{URI: string(c.URI), Block: &b.Index, Fix: true}))
	}
	return append(lenses, state)
}

// problemLenses returns the lenses for problems of a block, or of the whole reply, at a span. In a chat answer, which
// is read-only, they include lenses for corrections, because the editor itself offers no fixes.
func problemLenses(c *Reply, at text.Span, target aptix.Target) []protocol.CodeLens {
	lenses := []protocol.CodeLens{lens(c, at, copyProblems, aptix.CommandFeedback, target)}
	if strings.HasPrefix(string(c.URI), aptix.ChatScheme+":") {
		lenses = append(lenses, lens(c, at, "Send to chat", aptix.CommandSendToChat, target), lens(c, at, "Fix…", aptix.CommandFixChat, target))
	}
	return lenses
}

func appliedLenses(c *Reply, b check.Block, id string) []protocol.CodeLens {
	lenses := []protocol.CodeLens{
		lens(c, b.Open, showChanges, aptix.CommandPreview, aptix.Target{URI: string(c.URI), Block: &b.Index, Applied: id}),
		lens(c, b.Open, "Revert", aptix.CommandRevert, aptix.RevertParams{ID: id}),
	}
	if len(b.LeftOut()) > 0 {
		lenses = append(lenses, problemLenses(c, b.Open, c.target(&b.Index))...)
	}
	return append(lenses, lens(c, b.Open, c.stateText(b), "", nil))
}

const showChanges = "Show Changes"

const (
	copyProblems = "Copy problems for the model"
	copyRequest  = "Copy a request for a full bundle"
)

// lens returns a lens on the first line of a span. If `name` is "", the lens only shows its title.
func lens(c *Reply, span text.Span, title, name string, argument any) protocol.CodeLens {
	end, _ := text.LineEnd(c.Documents[0].Text, span.Start)
	l := protocol.CodeLens{Range: lspconv.Range(c.Lines, text.Span{Start: span.Start, End: end}), Command: protocol.Command{Title: escape.Label(title)}}
	if name != "" {
		l.Command = command(l.Command.Title, name, argument)
	}
	return l
}

// BlockKind is the kind of the actions that do the same as the lenses. They are for people who use the keyboard, and
// for editors without lenses.
const BlockKind protocol.CodeActionKind = "aptix.block"

// BlockActions returns the commands that an editor offers in a block that has the offset `at`.
func (c *Reply) BlockActions(at int) []protocol.CodeAction {
	var actions []protocol.CodeAction
	for _, b := range c.Blocks {
		if at < b.Span.Start || b.Span.End < at {
			continue
		}
		do := func(title, name string, argument any) {
			kind := BlockKind
			actions = append(actions, protocol.CodeAction{Title: title, Kind: &kind, Command: command(title, name, argument)})
		}
		if b.State == check.Failed && c.CanFixAndApply(b) {
			do(ButtonFix, aptix.CommandApply, aptix.Target{URI: string(c.URI), Block: &b.Index, Fix: true})
		}
		if c.Allowed {
			do("Ask about protected files again", aptix.CommandSkip, aptix.SkipParams{URI: string(c.URI), Block: b.Index, Mode: aptix.SkipQuestion})
		}
		if b.State == check.Ready {
			do("Apply block", aptix.CommandApply, c.target(&b.Index))
			do("Preview block", aptix.CommandPreview, c.target(&b.Index))
		}
		if id := c.appliedAs(b); id != "" {
			do(showChanges, aptix.CommandPreview, aptix.Target{URI: string(c.URI), Block: &b.Index, Applied: id})
			do("Revert", aptix.CommandRevert, aptix.RevertParams{ID: id})
		}
		if b.State != check.Incomplete {
			line := lspconv.Position(c.Lines, at).Line
			for _, choice := range c.partChoices(b) {
				first, last := lspconv.Position(c.Lines, choice.at.Start).Line, lspconv.Position(c.Lines, choice.at.End-1).Line
				if first <= line && line <= last {
					do(choice.title, aptix.CommandSkip, choice.params)
				}
			}
		}
	}
	return actions
}

// target returns the target of a command: one block of the document, or all blocks if `block` is nil.
func (c *Reply) target(block *int) aptix.Target {
	return aptix.Target{URI: string(c.URI), Block: block}
}

func command(title, name string, argument any) protocol.Command {
	return protocol.Command{Title: title, Command: name, Arguments: []protocol.LSPAny{mustMarshal(argument)}}
}

func mustMarshal(v any) protocol.LSPAny {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
