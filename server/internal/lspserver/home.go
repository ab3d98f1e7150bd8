package lspserver

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// home returns the home of an open document, or of a text that does not come from a document. The first call for a text
// without a document returns an empty home, and later calls for the same text return the same home.
func (s *Server) home(snapshot documents.Snapshot, u uri.URI, doc check.Document) *documents.Home {
	if open := snapshot.Get(u); open != nil {
		return &open.About.Home
	}
	known, _ := s.textHomes.LoadOrStore(text.Sum(doc.Text), new(documents.Home))
	return known.(*documents.Home)
}

// homeOf returns the folder to which the paths of a reply are relative, or nil if no folder is open:
//
//   - the workspace folder of the reply's document, or the only folder
//   - if the document is in none of several folders: the folder with most of the files named in the reply, else the
//     folder that the person chose, else the first folder
//
// `unknown` is true if the person must choose.
func (s *Server) homeOf(ctx context.Context, snapshot documents.Snapshot, u uri.URI, doc check.Document) (f *workspace.Folder, unknown bool) {
	f = s.folders.For(u)
	if s.folders.Holds(u) || f == nil || len(s.folders.Opened()) < 2 {
		return f, false
	}
	best, named := s.bestHome(ctx, snapshot, doc)
	home := s.home(snapshot, u, doc)
	if chosen, known := home.Chosen.Load().(uri.URI); best == nil && known {
		best = s.folders.ByURI(chosen)
	}
	if best == nil {
		return f, named
	}
	home.Found.Store(best.URI)
	return best, false
}

// bestHome returns the folder with most of the files named in a reply, or nil if several folders have equally many.
// `named` is true if the reply names any file.
func (s *Server) bestHome(ctx context.Context, snapshot documents.Snapshot, doc check.Document) (best *workspace.Folder, named bool) {
	most := 0
	for _, f := range s.folders.Opened() {
		files, there, err := check.Meets(doc, s.checkSettings(f.View(snapshot), nil))
		if err != nil || ctx.Err() != nil {
			return nil, true
		}
		named = named || files > 0
		switch {
		case there > most:
			best, most = f, there
		case there == most:
			best = nil
		}
	}
	return best, named
}

// settleHome asks the person for the folder of a reply if the server cannot determine it. It returns false if the
// folder is still unknown.
func (s *Server) settleHome(ctx context.Context, target aptix.Target) (bool, error) {
	snapshot, u := s.docs.Snapshot(), lspconv.Canonical(target.URI)
	doc, err := documentOf(snapshot, target)
	if err != nil {
		return false, err
	}
	if _, unknown := s.homeOf(ctx, snapshot, u, doc); !unknown {
		return true, nil
	}
	byTitle, titles := map[string]*workspace.Folder{}, []string{}
	for _, f := range s.folders.Opened() {
		title := escape.Label(f.Names()[0])
		if byTitle[title] != nil {
			title = escape.Label(f.Dir)
		}
		byTitle[title], titles = f, append(titles, title)
	}
	chosen, err := s.editor.Ask(ctx, protocol.MessageTypeWarning, whichFolder, titles...)
	if err != nil || byTitle[chosen] == nil {
		return false, err
	}
	home := s.home(snapshot, u, doc)
	home.Chosen.Store(byTitle[chosen].URI)
	s.touch()
	return true, nil
}

const noFolder = "No folder was chosen"

const whichFolder = "Which folder is this reply for? Neither the location of the document nor the paths in the reply show it."
