package lspserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A leftOut stores which parts of blocks a person left out. It is used only if there is no history.
type leftOut struct {
	mu     sync.Mutex
	chosen map[string]map[string]history.LeftOut // keys: the root, then [check.Block.TextKey]
}

// choices returns the parts that are left out of each block of the replies for a root. The key is
// [check.Block.TextKey].
func (l *leftOut) choices(root string) map[string]history.LeftOut {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.chosen[root])
}

func (l *leftOut) put(root, block string, left history.LeftOut) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.chosen[root] == nil {
		l.chosen[root] = map[string]history.LeftOut{}
	}
	l.chosen[root][block] = left
}

// leftOutIn returns [check.Choice.LeftOut] for the workspace at `root`.
func (s *Server) leftOutIn(root string) func(context.Context) (map[string]history.LeftOut, error) {
	if s.config.History != nil {
		return check.LeftOut(s.config.History, root)
	}
	return func(context.Context) (map[string]history.LeftOut, error) { return s.leftOut.choices(root), nil }
}

// leaveOut stores which parts of a block are left out, until the person changes this, and updates the editor.
func (s *Server) leaveOut(ctx context.Context, c *replies.Reply, b check.Block, left history.LeftOut) error {
	root := c.View.Root.Dir()
	if s.config.History == nil {
		s.leftOut.put(root, b.TextKey(), left)
	} else if err := s.config.History.LeaveOut(ctx, root, b.TextKey(), left); err != nil {
		return err
	}
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return nil
}

// agreed reports whether the person agreed that all these blocks of a document may write protected files without a
// question. An agreement is for the exact text inside a block. It ends when the block is applied, or when the document
// is closed.
func agreed(doc *documents.Document, blocks []check.Block) bool {
	return len(blocks) > 0 && !slices.ContainsFunc(blocks, func(b check.Block) bool {
		_, agreed := doc.About.Agreed.Load(b.Body)
		return !agreed
	})
}

// agree records whether blocks of a document may write protected files without a question.
func agree(doc *documents.Document, blocks []check.Block, agreed bool) {
	for _, b := range blocks {
		if agreed {
			doc.About.Agreed.Store(b.Body, true)
		} else {
			doc.About.Agreed.Delete(b.Body)
		}
	}
}

func (s *Server) skipPart(ctx context.Context, argument json.RawMessage) error {
	var p aptix.SkipParams
	if err := json.Unmarshal(argument, &p); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes {uri, block, part, mode}: %v", aptix.CommandSkip, err)
	}
	if p.Mode == aptix.SkipNoQuestion || p.Mode == aptix.SkipQuestion {
		return s.allowProtected(ctx, p.URI, p.Mode == aptix.SkipNoQuestion)
	}
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{URI: p.URI, Block: &p.Block})
	if err != nil {
		return err
	}
	if c.View.Folder == nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no folder is open, so there is nothing to leave out")
	}
	if p.Mode == aptix.SkipMissing || p.Mode == aptix.SkipRequired {
		return s.skipMissing(ctx, c, p)
	}
	return s.choosePart(ctx, c, c.Blocks[0], p)
}

// choosePart leaves a part of a checked block out, or includes it again.
func (s *Server) choosePart(ctx context.Context, c *replies.Reply, b check.Block, p aptix.SkipParams) error {
	left, err := c.Choice(b, p)
	if err != nil {
		return err
	}
	return s.leaveOut(ctx, c, b, history.LeftOut{Parts: left, Missing: c.Missing[b.Index]})
}

// allowProtected records whether the person agrees that the current blocks of a document may write protected files. If
// a block is added later, the person is asked about all blocks again.
func (s *Server) allowProtected(ctx context.Context, document string, allowed bool) error {
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{URI: document})
	if err != nil {
		return err
	}
	agree(c.Document, c.Blocks, allowed)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return nil
}

// skipMissing sets whether a replacement is left out if the text that it replaces is not in the file.
func (s *Server) skipMissing(ctx context.Context, c *replies.Reply, p aptix.SkipParams) error {
	b := c.Blocks[0]
	if steps := len(b.Steps()); p.Part < 0 || p.Part >= steps {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d replacements, but none with the index %d", p.Block, steps, p.Part)
	}
	left := slices.DeleteFunc(slices.Clone(c.Missing[b.Index]), func(i int) bool { return i == p.Part })
	if p.Mode == aptix.SkipMissing {
		left = append(left, p.Part)
	}
	return s.leaveOut(ctx, c, b, history.LeftOut{Parts: c.Skip[b.Index], Missing: left})
}

// keepLeftOut stores which replacements an apply left out, so that the document still names them.
func (s *Server) keepLeftOut(ctx context.Context, c *replies.Reply) error {
	for _, b := range c.Blocks {
		out := b.LeftOut()
		if len(out) == 0 {
			continue
		}
		steps := text.Each(out, func(d diag.Diagnostic) int { step, _ := b.StepOf(d); return step })
		if err := s.leaveOut(ctx, c, b, history.LeftOut{Parts: c.Skip[b.Index], Missing: steps}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) refreshLenses(ctx context.Context) {
	if can := s.editor.Capabilities().Workspace; can != nil && can.CodeLens != nil && editor.Yes(can.CodeLens.RefreshSupport) {
		s.notify(s.editor.CodeLensRefresh(ctx))
	}
}
