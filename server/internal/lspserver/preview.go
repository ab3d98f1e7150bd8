package lspserver

import (
	"cmp"
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/past"
	"github.com/aptix-dev/aptix/server/internal/lspserver/previews"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// A showing is a set of changes to show to a person: the changes of a plan, or of an earlier apply. Its PreviewResult
// has no files until [Server.inDocuments] adds them.
type showing struct {
	aptix.PreviewResult
	files    []plan.File
	resource func(path string) string // returns the URI of a file, given its path
}

// toShow returns the changes for a preview of `target`. If `target` names an earlier apply, or if an earlier apply has
// made all changes, it returns the changes of that apply.
func (s *Server) toShow(ctx context.Context, target aptix.Target) (showing, error) {
	if target.Applied != "" {
		return s.applied(ctx, target.Applied)
	}
	if settled, err := s.settleHome(ctx, target); err != nil || !settled {
		return showing{PreviewResult: aptix.PreviewResult{Message: noFolder}}, err
	}
	c, err := s.checkWanted(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return showing{}, err
	}
	s.recall(ctx, c)
	if id := c.AppliedWhole(); id != "" {
		return s.applied(ctx, id)
	}
	p := showing{PreviewResult: aptix.PreviewResult{Title: c.PreviewTitle(), Message: escape.Message(c.NotShown())}, files: c.Plan.Files, resource: c.View.Resource}
	if len(p.files) == 0 {
		p.Message = escape.Message(cmp.Or(s.refusal(c), "Nothing to change: "+c.Summary()))
	}
	p.Ways, err = s.ways(ctx, target, c)
	return p, err
}

func (s *Server) applied(ctx context.Context, id string) (showing, error) {
	record, err := s.past.Recorded(ctx, id)
	if err != nil {
		return showing{}, err
	}
	shown := aptix.PreviewResult{Title: "Aptix: " + escape.Line(record.Label), Message: apply.Omitted(record), Applied: true}
	return showing{shown, apply.ChangedFiles(record), past.Resources(record.Root)}, nil
}

// historyFiles handles aptix/historyFiles: it stores the texts of the files before and after an apply as virtual
// documents.
func (s *Server) historyFiles(ctx context.Context, p *aptix.HistoryFilesParams) (aptix.PreviewResult, error) {
	if !p.Revert {
		shown, err := s.applied(ctx, p.ID)
		return s.inDocuments(shown), err
	}
	record, err := s.past.Recorded(ctx, p.ID)
	if err != nil {
		return aptix.PreviewResult{}, err
	}
	files, clashes, message, err := s.past.WouldRevert(ctx, record, p.Merge)
	if err != nil {
		return aptix.PreviewResult{}, err
	}
	shown := aptix.PreviewResult{Title: "Aptix: revert " + escape.Line(record.Label), Message: escape.Message(message)}
	back := showing{shown, files, past.Resources(record.Root)}
	r := s.inDocuments(back)
	for _, base := range s.previews.Rows(clashes, back.resource) {
		for i := range r.Files {
			if r.Files[i].Resource == base.Resource {
				r.Files[i].Base = base.Left
			}
		}
	}
	return r, nil
}

func (s *Server) preview(ctx context.Context, target *aptix.Target) (aptix.PreviewResult, error) {
	p, err := s.toShow(ctx, *target)
	if err != nil {
		return aptix.PreviewResult{}, err
	}
	return s.inDocuments(p), nil
}

func (s *Server) inDocuments(p showing) aptix.PreviewResult {
	p.Files = []aptix.PreviewFile{}
	if len(p.files) > 0 {
		p.Files = s.previews.Rows(p.files, p.resource)
	}
	return p.PreviewResult
}

func (s *Server) content(_ context.Context, p *aptix.ContentParams) (aptix.ContentResult, error) {
	u, err := uri.Parse(p.URI)
	if err != nil {
		return aptix.ContentResult{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	if shown, ok := s.previews.Text(u); ok {
		return aptix.ContentResult{Text: shown}, nil
	}
	return aptix.ContentResult{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the preview %s is gone; open it again", p.URI)
}

// showPreview handles aptix.preview for an editor without its own preview. It writes a patch into a file, and makes the
// editor show that file.
func (s *Server) showPreview(ctx context.Context, target aptix.Target) (any, error) {
	p, err := s.toShow(ctx, target)
	if err != nil {
		return nil, err
	}
	if len(p.files) == 0 {
		return nil, s.editor.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: p.Message})
	}
	file, err := previews.WritePatch(p.files)
	if err != nil {
		return nil, err
	}
	if can := s.editor.Capabilities().Window; can != nil && can.ShowDocument != nil && can.ShowDocument.Support {
		if u, ok := lspconv.URI(file); ok {
			_, err := s.editor.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: u})
			return nil, err
		}
	}
	return nil, s.editor.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "The preview is in " + file})
}
