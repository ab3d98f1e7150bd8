package lspserver

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// keptPreviews limits how many previews can be open at the same time. The texts of older previews are dropped.
const keptPreviews = 8

type previews struct {
	mu    sync.Mutex
	last  int
	texts map[int]map[string]string // keys: the number of the preview, then the URI; value: the text
}

// A showing is a set of changes to show to a person: the changes of a plan, or of an earlier apply. Its PreviewResult
// has no files yet: [Server.inDocuments] adds them.
type showing struct {
	aptix.PreviewResult
	files    []plan.File
	resource func(path string) string // returns the URI of a file, given its path
}

// toShow returns the changes for a preview of target. If target asks for an earlier apply, or if nothing is left to do,
// it returns the changes of the earlier apply.
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
	record, err := s.recorded(ctx, id)
	if err != nil {
		return showing{}, err
	}
	shown := aptix.PreviewResult{Title: "Aptix: " + escape.Line(record.Label), Message: apply.Omitted(record), Applied: true}
	return showing{shown, apply.ChangedFiles(record), resourceIn(record.Root)}, nil
}

// resourceIn returns a function from the path of a file to its URI. The paths are relative to a root of the history.
func resourceIn(root string) func(path string) string {
	return func(rel string) string {
		u, _ := lspconv.URI(filepath.Join(root, filepath.FromSlash(rel)))
		return string(u)
	}
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
		p.Files = s.virtual(p.files, p.resource)
	}
	return p.PreviewResult
}

// virtual stores the two sides of each file as virtual documents, and returns the rows of a diff editor. resource
// turns the path of a file into its URI.
func (s *Server) virtual(files []plan.File, resource func(path string) string) []aptix.PreviewFile {
	texts, rows := map[string]string{}, []aptix.PreviewFile{}
	id := s.previews.keep(texts)
	for _, f := range files {
		left, right := replies.ShownText(f.Before), replies.ShownText(f.After)
		// If only the executable bit differs, the texts show the permissions.
		if left == right && f.Operation == plan.Modify {
			left, right = fmt.Sprintf("(mode %v)\n%s", f.Before.Mode.Perm(), left), fmt.Sprintf("(mode %v)\n%s", f.After.Mode.Perm(), right)
		}
		rows = append(rows, aptix.PreviewFile{
			Resource: resource(f.Target()),
			Left:     put(texts, id, "before", f.Path, f.Before, left),
			Right:    put(texts, id, "after", f.Target(), f.After, right),
		})
	}
	return rows
}

// put stores one side of a file as a virtual document and returns the URI. It returns "" if the file does not exist on
// that side. VS Code shows two sides with different paths as a rename, so both sides must have the same path unless the
// file is renamed.
func put(texts map[string]string, id int, side, path string, c text.Content, shown string) string {
	if !c.Exists {
		return ""
	}
	name, err := uri.From(uri.Components{Scheme: aptix.PreviewScheme, Path: "/" + path, Query: fmt.Sprintf("%d-%s", id, side)})
	if err != nil {
		// This never happens, because any path is valid in a URI after a slash.
		panic(err)
	}
	u := string(name)
	texts[u] = shown
	return u
}

// keep stores the texts of a new preview and drops the texts of the oldest one. It returns the number of the new
// preview.
func (p *previews) keep(texts map[string]string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	p.texts[p.last] = texts
	delete(p.texts, p.last-keptPreviews)
	return p.last
}

func (s *Server) content(_ context.Context, p *aptix.ContentParams) (aptix.ContentResult, error) {
	u, err := uri.Parse(p.URI)
	if err != nil {
		return aptix.ContentResult{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	s.previews.mu.Lock()
	defer s.previews.mu.Unlock()
	for _, texts := range s.previews.texts {
		if shown, ok := texts[string(u)]; ok {
			return aptix.ContentResult{Text: shown}, nil
		}
	}
	return aptix.ContentResult{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the preview %s is gone; open it again", p.URI)
}

// showPreview handles aptix.preview for an editor that has no preview of its own. It writes a patch into a file, and
// asks the editor to show that file.
func (s *Server) showPreview(ctx context.Context, target aptix.Target) (any, error) {
	p, err := s.toShow(ctx, target)
	if err != nil {
		return nil, err
	}
	if len(p.files) == 0 {
		return nil, s.editor.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: p.Message})
	}
	file, err := writePatch(p.files)
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

func writePatch(files []plan.File) (string, error) {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.Unified())
	}
	file, err := os.CreateTemp("", "aptix-*.diff")
	if err != nil {
		return "", err
	}
	defer file.Close()
	_, err = file.WriteString(b.String())
	return file.Name(), err
}
