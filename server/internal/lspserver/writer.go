package lspserver

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

// A writer is the [apply.Writer] of a checked reply, or of a revert.
type writer struct {
	*editor.Writer
	*replies.Reply
	server *Server
}

// writerFor returns the writer for the plan of c. The text `did` begins the message after a change, such as "Applied ".
func (s *Server) writerFor(c *replies.Reply, did string) *writer {
	return &writer{s.editor.Writer(c.View, c.Plan, c.ChangesAfter(did)), c, s}
}

// Guards returns the state folder, which must not be changed, and a function that finds protected files by the editor's
// settings.
func (w *writer) Guards() (string, check.ProtectedFunc) {
	return w.server.config.StateDir, check.Protected(w.Reply.View.Root, w.server.currentSettings().Protected)
}

// Write makes the change. The person's agreement to changes of protected files ends with it.
func (w *writer) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	r, err := w.Writer.Write(ctx, id, p, ready)
	if r.Applied && w.Document != nil {
		agree(w.Document, w.Blocks, false)
	}
	return r, err
}
