package lspserver

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/engine"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/workspace"
)

// checked is what the engine says of one document at one snapshot.
type checked struct {
	*engine.Result
	uri   uri.URI
	doc   *Document // nil for a text that is in no document
	lines *text.Lines
	view  view // its folder is nil where none is open
}

// check asks the engine about what target names. A document that is not open,
// and a block that it does not have, are InvalidParams.
func (s *Server) check(ctx context.Context, snapshot Snapshot, target aptix.Target) (*checked, error) {
	c := &checked{uri: uri.URI(target.URI)}
	doc := engine.Document{Name: path.Base(target.URI), Format: engine.Markdown}
	if target.Text != nil {
		doc.Text, doc.Name, doc.Format = *target.Text, "-", ""
	} else {
		c.doc = snapshot.Get(c.uri)
		if c.doc == nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no document %s is open", target.URI)
		}
		doc.Text = c.doc.Text
		if isWhole(c.doc) {
			doc.Format = ""
		}
	}
	c.lines = text.NewLines(doc.Text)
	if f := s.folderOf(c.uri); f != nil {
		c.view = f.view(snapshot)
	}
	result, err := engine.Check(ctx, []engine.Document{doc}, s.where(c.view, target.Block))
	if wrong := (*engine.NoSuchBlock)(nil); errors.As(err, &wrong) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", wrong)
	}
	c.Result = result
	return c, err
}

func (s *Server) where(v view, only *int) engine.Where {
	set := s.currentSettings()
	where := engine.Where{Strict: set.Strict, Lint: set.Profile == settings.ProfileSYS004, ProtectedIs: diag.Warning}
	if can := s.editCapabilities(); can != nil {
		where.OneEnding = isTrue(can.NormalizesLineEndings)
	}
	if only != nil {
		where.Block = *only
		if *only == 0 {
			where.Block = -1 // blocks are counted from 1
		}
	}
	if v.folder == nil {
		return where
	}
	where.Tree, where.Base = v.tree, v.base()
	where.Protected = func(ctx context.Context, paths []string) (map[string]bool, error) {
		return workspace.ProtectedAmong(ctx, v.root.Dir(), paths)
	}
	if s.config.History != nil {
		where.Remembered = engine.Remembered(s.config.History, v.root.Dir(), v.tree)
	}
	return where
}

// replyLanguages are the languages of documents in which replies are looked for.
// Source files are not: what a comment or a string of theirs quotes is no reply.
var replyLanguages = []string{"markdown", "plaintext", "text", "mdx", "rmd", "quarto", "prompt", "instructions", "chatagent", "skill"}

// isReply reports whether a document may hold blocks.
func isReply(doc *Document) bool {
	return slices.Contains(replyLanguages, doc.LanguageID) || isWhole(doc)
}

// isWhole reports whether a document may be one block as a whole.
func isWhole(doc *Document) bool {
	return strings.HasSuffix(strings.ToLower(string(doc.URI)), ".aptix.json") || strings.HasPrefix(string(doc.URI), "untitled:")
}
