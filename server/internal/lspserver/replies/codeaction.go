package replies

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// FixAll is the kind of the action that makes all certain repairs.
const FixAll protocol.CodeActionKind = "source.fixAll.aptix"

// QuickFixes returns the fixes of every diagnostic that touches the span `at`.
func (c *Reply) QuickFixes(ctx context.Context, at text.Span) []protocol.CodeAction {
	var actions []protocol.CodeAction
	for _, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			if d.Span.End < at.Start || at.End < d.Span.Start {
				continue
			}
			for _, fix := range d.AllFixes(ctx) {
				actions = append(actions, c.quickFix(d, fix))
			}
			actions = append(actions, c.leaveOut(b, d)...)
			actions = append(actions, c.allow(b, d)...)
		}
	}
	for _, u := range c.Unread {
		if u.At.End < at.Start || at.End < u.At.Start {
			continue
		}
		for _, fix := range u.Diagnostic.Fixes {
			actions = append(actions, c.quickFix(u.Diagnostic, fix))
		}
	}
	return actions
}

// leaveOut returns the action for a diagnostic about a replacement whose old text is not in the file. The action leaves
// the replacement out or, if it is left out already, includes it again.
func (c *Reply) leaveOut(b check.Block, d diag.Diagnostic) []protocol.CodeAction {
	step, ok := b.StepOf(d)
	if !ok || c.Document == nil {
		return nil
	}
	title, mode := "Leave this replacement out", aptix.SkipMissing
	if slices.Contains(c.Missing[b.Index], step) {
		title, mode = "Include this replacement again", aptix.SkipRequired
	}
	return []protocol.CodeAction{c.commandFix(title, aptix.CommandSkip, aptix.SkipParams{URI: string(c.URI), Block: b.Index, Part: step, Mode: mode}, c.diagnostic(d))}
}

// allow returns the action by which the person agrees, for this reply only, to changes of protected files.
func (c *Reply) allow(b check.Block, d diag.Diagnostic) []protocol.CodeAction {
	if d.Code != diag.PathProtected || c.Document == nil {
		return nil
	}
	return []protocol.CodeAction{c.commandFix("Allow for this reply", aptix.CommandSkip, aptix.SkipParams{URI: string(c.URI), Block: b.Index, Mode: aptix.SkipNoQuestion}, c.diagnostic(d))}
}

// commandFix returns a quick-fix that runs a command instead of editing a document. The editor offers this quick-fix
// for the diagnostics in `fixes`.
func (c *Reply) commandFix(title, name string, argument any, fixes ...protocol.Diagnostic) protocol.CodeAction {
	kind := protocol.CodeActionKindQuickFix
	return protocol.CodeAction{Title: title, Kind: &kind, Diagnostics: fixes, Command: command(title, name, argument)}
}

// CopyActions returns the actions that copy all problems as text to send to the model. There is one action for each
// block with a problem that touches the span `at`, and one for the whole reply if the span touches an unread part, or a
// refusal by the model.
func (c *Reply) CopyActions(at text.Span) []protocol.CodeAction {
	var actions []protocol.CodeAction
	add := func(title string, of *int, ds ...diag.Diagnostic) {
		isHere := func(d diag.Diagnostic) bool { return at.Start <= d.Span.End && d.Span.Start <= at.End }
		if here := text.Each(text.Only(ds, isHere), c.diagnostic); len(here) > 0 {
			actions = append(actions, c.commandFix(title, aptix.CommandFeedback, c.target(of), here...))
		}
	}
	for _, b := range c.Blocks {
		add(copyProblems, &b.Index, slices.DeleteFunc(slices.Clone(b.Diagnostics), func(d diag.Diagnostic) bool { return !check.ForModel(d) })...)
	}
	add(copyProblems, nil, c.unread()...)
	add(copyRequest, nil, c.declined()...)
	return actions
}

func (c *Reply) quickFix(d diag.Diagnostic, fix diag.Fix) protocol.CodeAction {
	a := c.Action(fix.Title, protocol.CodeActionKindQuickFix, fix.Edits)
	a.Diagnostics = []protocol.Diagnostic{c.diagnostic(d)}
	a.IsPreferred = &fix.Preferred
	return a
}

// Action returns an action that edits the reply itself. The edits are for the version that was checked.
func (c *Reply) Action(title string, kind protocol.CodeActionKind, edits []text.Edit) protocol.CodeAction {
	change := lspconv.DocumentEdit(c.URI, &c.Document.Version, c.Lines, edits)
	return protocol.CodeAction{Title: escape.Label(title), Kind: &kind,
		Edit: &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{change}}}
}

// ButtonFix is the title of the lens, and of the button, that repair and apply a reply.
const ButtonFix = "Fix and Apply"

// CanFixAndApply reports whether blocks can be fixed and applied in one step. It returns false if a part of a block is
// left out: that choice is recorded under the block's text, which a fix changes, so the part would be applied in spite
// of the choice.
func (c *Reply) CanFixAndApply(blocks ...check.Block) bool {
	return !slices.ContainsFunc(blocks, func(b check.Block) bool {
		return len(c.Skip[b.Index])+len(c.Missing[b.Index]) > 0 || b.State == check.Failed && !b.Fixable()
	})
}

// Repairs returns the titles of the first certain fixes and the number of further fixes, for the question whether to
// apply the reply.
func (c *Reply) Repairs() []string {
	const most = 10
	var all []string
	for _, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			if fix, ok := diag.Certain(d.Fixes); ok {
				all = append(all, "Repaired: "+escape.Line(fix.Title))
			}
		}
	}
	return text.AtMost(all, most, "and %d more repairs")
}
