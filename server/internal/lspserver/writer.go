package lspserver

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
)

// A writer is the [apply.Writer] of a checked reply, or of a revert.
type writer struct {
	*editor.Writer
	*checked
	server *Server
}

// writerFor returns the writer for the plan of c. The text `did` begins the message after a change, such as "Applied ".
func (s *Server) writerFor(c *checked, did string) *writer {
	return &writer{s.editor.Writer(c.view, c.Plan, c.changesAfter(did)), c, s}
}

// Guards returns the state folder, which must not be changed, and a function that finds protected files by the editor's
// settings.
func (w *writer) Guards() (string, check.ProtectedFunc) {
	return w.server.config.StateDir, check.Protected(w.checked.view.Root, w.server.currentSettings().Protected)
}

// Write makes the change. The person's agreement to changes of protected files ends with it.
func (w *writer) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	r, err := w.Writer.Write(ctx, id, p, ready)
	if r.Applied {
		w.server.agreements.change(w.uri, w.Blocks, false)
	}
	return r, err
}
