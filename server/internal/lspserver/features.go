package lspserver

import (
	"context"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

// These handlers show a checked reply as package replies describes it. They change nothing.

func (s *Server) codeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	if !s.currentSettings().CodeLens {
		return []protocol.CodeLens{}, nil
	}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return []protocol.CodeLens{}, err
	}
	return c.Lenses(), nil
}

// mentionAt returns the mention at a position. It returns false if the position is not inside a block, or if the format
// of the block has no mention at the position.
func (s *Server) mentionAt(ctx context.Context, p protocol.TextDocumentPositionParams) (replies.Mention, bool, error) {
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return replies.Mention{}, false, err
	}
	m, ok := c.MentionAt(p.Position)
	return m, ok, nil
}

func (s *Server) hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	m, ok, err := s.mentionAt(ctx, p.TextDocumentPositionParams)
	if err != nil || !ok {
		return nil, err
	}
	shows := s.editor.Options().HoverProblems && s.underlines(m.Reply)
	return m.Hover(shows, s.hasSchemas(m.Document)), nil
}

// definition handles textDocument/definition. A path leads to its file. A part of a block, a text to find or a
// replacement leads to its place in the file.
func (s *Server) definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	m, ok, err := s.mentionAt(ctx, p.TextDocumentPositionParams)
	if err != nil || !ok || m.View.Folder == nil {
		return nil, err
	}
	can := s.editor.Capabilities().TextDocument
	return m.Definition(can != nil && can.Definition != nil && editor.Yes(can.Definition.LinkSupport)), nil
}

func (s *Server) documentSymbol(ctx context.Context, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	symbols := protocol.DocumentSymbolSlice{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if c != nil {
		symbols = append(symbols, c.Outlines()...)
	}
	can := s.editor.Capabilities().TextDocument
	if can != nil && can.DocumentSymbol != nil && editor.Yes(can.DocumentSymbol.HierarchicalDocumentSymbolSupport) {
		return symbols, nil
	}
	return replies.Flat(p.TextDocument.URI, symbols, ""), nil
}

func (s *Server) foldingRange(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	folds := []protocol.FoldingRange{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return folds, err
	}
	return append(folds, c.Folds()...), nil
}

func (s *Server) blocks(ctx context.Context, p *aptix.BlocksParams) (aptix.Blocks, error) {
	listed := aptix.Blocks{Blocks: []aptix.ListedBlock{}, Unread: []aptix.ListedUnread{}}
	u := lspconv.Canonical(p.URI)
	if documents.SnapshotOf(ctx).Get(u) == nil {
		return listed, notOpen(p.URI)
	}
	c, err := s.shownReply(ctx, u)
	if err != nil || c == nil {
		return listed, err
	}
	listed.Blocks = append(listed.Blocks, c.ListedBlocks()...)
	for _, u := range c.Unread {
		listed.Unread = append(listed.Unread, aptix.ListedUnread{Text: u.What, Asks: u.Diagnostic.Asks(), Line: u.Line - 1})
	}
	return listed, nil
}

func (s *Server) partsAt(ctx context.Context, p *aptix.PartsAtParams) (aptix.PartsAt, error) {
	if p.Target.Text != nil {
		return aptix.PartsAt{Parts: []aptix.SkipParams{}, Message: "Open the reply as a document to skip parts of it"}, nil
	}
	c, err := s.checkWanted(ctx, s.docs.Snapshot(), p.Target)
	if err != nil {
		return aptix.PartsAt{}, err
	}
	return c.PartsAt(p.Document, p.Line, p.File)
}

// address handles the request aptix/address about a text that has code blocks but no edits. If the request chooses no
// files, the result lists the files to which each code block may belong. Otherwise, the result is a copy of the text,
// in which a new line above each chosen block names the block's file. The formats then decide whether the code is a
// whole file or a part of a file.
func (s *Server) address(ctx context.Context, p *aptix.AddressParams) (aptix.AddressResult, error) {
	c, err := s.check(ctx, documents.SnapshotOf(ctx), p.Target)
	r := aptix.AddressResult{Blocks: []aptix.Unaddressed{}}
	if err != nil || len(c.Blocks) > 0 || c.View.Folder == nil {
		return r, err
	}
	if len(p.Chosen) > 0 {
		r.Text, err = c.Addressed(p.Chosen)
		return r, err
	}
	r.Blocks = append(r.Blocks, c.Unaddressed(ctx)...)
	return r, nil
}

// menuTime limits the time for finding the fixes of a menu. A menu that lacks a suggestion is better than a late menu.
const menuTime = 2 * time.Second

func (s *Server) codeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CodeAction, error) {
	actions := []protocol.CodeAction{}
	c, err := s.shownReply(ctx, p.TextDocument.URI)
	if err != nil || c == nil {
		return actions, err
	}
	if wanted(p.Context.Only, protocol.CodeActionKindQuickFix) {
		ctx, cancel := context.WithTimeout(ctx, menuTime)
		defer cancel()
		at := lspconv.Span(c.Lines, p.Range)
		actions = append(actions, c.QuickFixes(ctx, at)...)
		merges, clash, err := c.MergeActions(ctx, at, s.checkSettings(c.View, nil), s.earlier)
		if clash {
			s.touch()
		}
		if err != nil {
			return nil, err
		}
		actions = append(actions, merges...)
		actions = append(actions, c.CopyActions(at)...)
	}
	if wanted(p.Context.Only, replies.BlockKind) {
		actions = append(actions, c.BlockActions(lspconv.Offset(c.Lines, p.Range.Start))...)
	}
	if len(p.Context.Only) > 0 && wanted(p.Context.Only, replies.FixAll) {
		all, err := s.fixAll(ctx, c)
		if err != nil {
			return nil, err
		}
		actions = append(actions, all...)
	}
	return actions, nil
}

// wanted reports whether `kind` is in the list `only`, or is a subkind of a kind in the list. A dot separates a kind
// from its subkind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == kind || strings.HasPrefix(string(kind), string(o)+".") || o == ""
	})
}

// fixAll returns the action that makes all certain repairs, or nil if none is needed. It finds them in rounds, because
// a repair may reveal the next problem.
func (s *Server) fixAll(ctx context.Context, c *replies.Reply) ([]protocol.CodeAction, error) {
	repaired, err := check.Repair(ctx, c.Documents, s.checkSettings(c.View, nil))
	if err != nil {
		return nil, err
	}
	edits := diff.Edits(c.Documents[0].Text, repaired.Documents[0].Text)
	if len(edits) == 0 {
		return nil, nil
	}
	return []protocol.CodeAction{c.Action("Aptix: Make all repairs that are certain", replies.FixAll, edits)}, nil
}
