package lspserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// check checks the reply that `target` names. The error is InvalidParams if the document is not open or does not have
// the block.
func (s *Server) check(ctx context.Context, snapshot documents.Snapshot, target aptix.Target) (*replies.Reply, error) {
	return s.checkAs(ctx, snapshot, target, false, nil)
}

// checkAs is like check, but leaves out the blocks in `without`. If ownOnly is true, it also leaves out the blocks of
// guest formats (see [check.Document.OwnOnly]).
func (s *Server) checkAs(ctx context.Context, snapshot documents.Snapshot, target aptix.Target, ownOnly bool, without map[int]check.Block) (*replies.Reply, error) {
	doc, err := documentOf(snapshot, target)
	if err != nil {
		return nil, err
	}
	doc.OwnOnly = ownOnly
	c := &replies.Reply{URI: lspconv.Canonical(target.URI), Lines: text.NewLines(doc.Text)}
	if target.Text == nil {
		c.Document = snapshot.Get(c.URI)
	}
	if f, _ := s.homeOf(ctx, snapshot, c.URI, doc); f != nil {
		c.View = f.View(snapshot)
	}
	if target.At != nil {
		target.Block, c.Which = s.blockAt(c, doc, *target.At)
	}
	where := s.checkSettings(c.View, target.Block)
	c.DocPaths = where.DocPath
	where.Nowhere, where.Without = s.folders.Nowhere(c.URI), without
	where.SkipMissing, where.Rest = where.SkipMissing || target.SkipMissing, target.SkipMissing
	result, err := check.Check(ctx, []check.Document{doc}, where)
	if wrong := (*check.NoSuchBlock)(nil); errors.As(err, &wrong) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", wrong)
	}
	if err != nil {
		return nil, err
	}
	c.Result = result
	if c.Allowed = target.Text == nil && agreed(c.Document, result.Blocks); c.Allowed {
		where.AllowProtected = true
		c.Result, err = check.Check(ctx, []check.Document{doc}, where)
	}
	return c, err
}

// documentOf returns the document that `target` names. The error is InvalidParams if the document is not open.
func documentOf(snapshot documents.Snapshot, target aptix.Target) (check.Document, error) {
	if target.Text != nil {
		return check.Document{Name: "-", Text: *target.Text, Reply: true}, nil
	}
	doc := snapshot.Get(lspconv.Canonical(target.URI))
	if doc == nil {
		return check.Document{}, notOpen(target.URI)
	}
	return replies.ForCheck(doc), nil
}

func notOpen(document string) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no document %s is open", document)
}

// blockAt returns the number of the block at a position, or nil if there is none. If the document has several blocks,
// `which` is a prefix for messages, such as "block 2 of 3: ".
func (s *Server) blockAt(c *replies.Reply, doc check.Document, place aptix.Position) (block *int, which string) {
	at := lspconv.Offset(c.Lines, protocol.Position{Line: uint32(max(place.Line, 0)), Character: uint32(max(place.Character, 0))})
	index, count := check.BlockAt(doc, s.checkSettings(c.View, nil).Tree, at)
	if index == 0 {
		return nil, ""
	}
	if count > 1 {
		which = fmt.Sprintf("block %d of %d: ", index, count)
	}
	return &index, which
}

// checkSettings returns the tree, the history and the settings for checking a reply in a folder. If `only` is not nil,
// only the block with that number is checked.
func (s *Server) checkSettings(v workspace.View, only *int) check.Where {
	set := s.currentSettings()
	where := check.Where{Strict: set.Strict, Lint: set.Profile == settings.ProfileSYS004}
	where.SkipMissing, where.ProtectedIs = set.MissingFind == settings.MissingFindSkip, diag.Warning
	if can := s.editor.EditCapabilities(); can != nil {
		where.OneEnding = editor.Yes(can.NormalizesLineEndings)
	}
	if only != nil {
		where.Block = *only
		if *only == 0 {
			// In check.Where, 0 means all blocks, but here it is a number that no block has.
			where.Block = -1
		}
	}
	if v.Folder == nil {
		return where
	}
	where.Tree, where.Base = v.Tree, path.Clean(filepath.ToSlash(v.Dir))
	where.Own = v.Root.PathOf(s.config.StateDir)
	where.DocPath, where.Unsaved = s.folders.DocPaths(v), v.Unsaved
	where.NotebookOpen = func(path string) bool { return v.Notebooks[path] }
	where.Past = check.Past{History: s.config.History, Root: v.Root.Dir()}
	where.Protected = check.Protected(v.Root, set.Protected)
	where.LeftOut = s.leftOutIn(v.Root.Dir())
	return where
}

// recall looks up in the history what was applied (see [replies.Reply.Recall]).
func (s *Server) recall(ctx context.Context, c *replies.Reply) map[int]check.Block {
	settled, err := c.Recall(ctx, s.config.History)
	if err != nil {
		s.config.Log.Warn("the history cannot say what was applied", zap.Error(err))
	}
	return settled
}

// checkWanted is like [Server.check], but leaves out blocks that were applied before, because their problems must not
// prevent an apply of the other blocks. If all blocks were applied, it leaves out none.
func (s *Server) checkWanted(ctx context.Context, snapshot documents.Snapshot, target aptix.Target) (*replies.Reply, error) {
	whole := target
	whole.SkipMissing = false
	c, err := s.check(ctx, snapshot, whole)
	if err != nil || c.Applicable() || len(c.Blocks) == 1 && !target.SkipMissing {
		return c, err
	}
	applied := s.recall(ctx, c)
	if len(applied) == len(c.Blocks) || target.Text != nil {
		applied = nil // without a document, no lens shows that blocks were applied
	}
	return s.checkAs(ctx, snapshot, target, false, applied)
}

// earlier returns [check.Where.Earlier] for a folder of the editor. If the editor has unsaved text of a file, the text
// on disk counts as an earlier text, because a reply may have been made for it.
func (s *Server) earlier(v workspace.View) plan.EarlierFunc {
	before := check.Earlier(s.config.History, v.Root.Dir())
	return func(ctx context.Context, path string) ([]plan.Earlier, error) {
		all, err := before(ctx, path)
		if err != nil || v.Open[path] == nil {
			return all, err
		}
		if saved, err := fs.ReadFile(v.Root.Tree(nil), path); err == nil {
			all = slices.Insert(all, 0, plan.Earlier{Data: string(saved), Name: "the saved file"})
		}
		return all, nil
	}
}
