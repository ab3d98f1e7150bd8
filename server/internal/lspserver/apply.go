package lspserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/engine"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
)

const (
	buttonApply  = "Apply"
	buttonCancel = "Cancel"
)

// apply plans what target names against the open documents, asks where it must,
// has the editor make one workspace edit, and looks whether every file stands as
// planned (ARCHITECTURE.md, "Editor apply").
func (s *Server) apply(ctx context.Context, target aptix.Target) (aptix.ApplyResult, error) {
	s.applying.Lock()
	defer s.applying.Unlock()
	c, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	if no := s.refusal(c); no != "" {
		return refused(c, no), nil
	}
	if len(c.Plan.Files) == 0 {
		r := refused(c, "Nothing to change: "+summary(c.Result))
		r.Verified = true
		return r, nil
	}
	if s.mustAsk(c) {
		if c, err = s.ask(ctx, target, c); err != nil || c == nil {
			return refused(c, "Not applied: cancelled, or something changed meanwhile"), err
		}
	}
	return s.perform(ctx, c)
}

// refusal says why a reply cannot be applied; "" where it can.
func (s *Server) refusal(c *checked) string {
	snapshot := s.docs.Snapshot()
	switch {
	case s.untrusted():
		return "Nothing is applied in a workspace that is not trusted"
	case snapshot.Broken != "":
		return "The server lost track of open documents (" + snapshot.Broken + "); restart it"
	case c.doc != nil && c.doc.Broken != "":
		return "The server lost track of this document (" + c.doc.Broken + "); close and open it again"
	case c.Declined:
		return "The reply says that no safe edit can be made; ask for a full file bundle instead"
	case len(c.Blocks) == 0:
		return "No Aptix block found"
	case !c.Applicable():
		return "Not applied: " + problems(c.Result)
	}
	for _, f := range c.Plan.Files {
		if doc := c.view.open[f.Path]; doc != nil && doc.Broken != "" {
			return fmt.Sprintf("The server lost track of %s (%s); close and open it again", f.Path, doc.Broken)
		}
	}
	return ""
}

// problems is the count of errors and the first of them.
func problems(r *engine.Result) string {
	for _, b := range r.Blocks {
		for _, d := range b.Diagnostics {
			if d.Severity == diag.Error {
				return fmt.Sprintf("%s; the first: %s", summary(r), d.Message)
			}
		}
	}
	return "a block is incomplete: still being written, or cut off"
}

func (s *Server) untrusted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options.Trusted != nil && !*s.options.Trusted
}

func (s *Server) mustAsk(c *checked) bool {
	return c.Warnings() || s.currentSettings().Confirm == settings.ConfirmAlways
}

// ask shows the warnings and waits for the person. Documents may change while it
// does: then the answer was about something else, and counts for nothing. Nil
// is a no.
func (s *Server) ask(ctx context.Context, target aptix.Target, c *checked) (*checked, error) {
	chosen, err := s.client.Ask(ctx, protocol.MessageTypeWarning, question(c.Result), buttonApply, buttonCancel)
	if err != nil || chosen != buttonApply {
		return nil, err
	}
	now, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil || s.refusal(now) != "" || question(now.Result) != question(c.Result) || !samePlan(now.Plan, c.Plan) {
		return nil, err
	}
	return now, nil
}

func question(r *engine.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Apply %s?", summary(r))
	for _, block := range r.Blocks {
		for _, d := range block.Diagnostics {
			if d.Severity == diag.Warning {
				b.WriteString("\n• " + d.Message)
			}
		}
	}
	return b.String()
}

func samePlan(a, b plan.Plan) bool {
	if len(a.Files) != len(b.Files) {
		return false
	}
	for i := range a.Files {
		if a.Files[i] != b.Files[i] {
			return false
		}
	}
	return true
}

// manyFiles is from how many files on an apply shows progress, with a button
// that cancels it until the editor is asked for the edit.
const manyFiles = 100

// perform makes the edit and deals with what became of it.
func (s *Server) perform(ctx context.Context, c *checked) (aptix.ApplyResult, error) {
	if len(c.Plan.Files) >= manyFiles {
		shown, progress := s.progress.Begin(ctx, label(c))
		defer progress.End(ctx)
		ctx = shown
	}
	made, err := c.view.root.MakeDirs(created(c.Plan.Files))
	// Those that end up empty go: the edit was refused, or taken back.
	defer c.view.root.RemoveDirs(made)
	if err != nil {
		return refused(c, err.Error()), nil
	}
	answer, err := s.edit(ctx, c.view, label(c), c.Plan.Files)
	if err != nil {
		return refused(c, err.Error()), nil
	}
	ctx = context.WithoutCancel(ctx)
	seen := s.verify(ctx, c.view.folder, c.Plan.Files, answer.Applied)
	if answer.Applied && seen.partial(s.opensTouched()) || !answer.Applied && seen.any(stands, begun) {
		return s.rollBack(ctx, c, seen, reason(answer)), nil
	}
	if !answer.Applied {
		return refused(c, "The editor refused the change: "+reason(answer)), nil
	}
	return s.applied(ctx, c, seen), nil
}

// created are the paths of new files.
func created(files []plan.File) []string {
	var paths []string
	for _, f := range files {
		if f.Operation == plan.Create {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// edit asks the editor for one workspace edit. A failure of the editor is an
// answer too: something may have been done. An error is an edit that the editor
// was not asked for.
func (s *Server) edit(ctx context.Context, v view, label string, files []plan.File) (*protocol.ApplyWorkspaceEditResult, error) {
	edit, err := workspaceEdit(v, label, files)
	if err != nil {
		return nil, err
	}
	params, err := edit.Params(s.editCapabilities())
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// From here on it cannot be cancelled: what the editor does has to be known.
	answer, err := s.client.ApplyEdit(context.WithoutCancel(ctx), params)
	if err != nil {
		s.conn.Log().Error("the editor failed to apply an edit", zap.Error(err))
		return &protocol.ApplyWorkspaceEditResult{FailureReason: new(err.Error())}, nil
	}
	return answer, nil
}

// applied is the result of an edit that stays.
func (s *Server) applied(ctx context.Context, c *checked, seen sights) aptix.ApplyResult {
	r := result(c)
	r.Applied, r.Verified, r.ID = true, seen.all(stands), uuid.Must(uuid.NewV7()).String()
	r.Left = seen.paths(differs)
	r.Message = "Applied " + filesText(c.Plan.Files)
	switch {
	case len(r.Left) > 0:
		r.Message += "; edited by somebody else meanwhile: " + strings.Join(r.Left, ", ")
	case !r.Verified:
		r.Message += "; not verified, as the editor does not show the server: " + strings.Join(seen.paths(unseen, begun, unchanged), ", ")
	}
	s.remember(ctx, c, r.ID)
	return r
}

// remember records an apply. Without history it is no less applied.
func (s *Server) remember(ctx context.Context, c *checked, id string) {
	if s.config.History == nil {
		return
	}
	err := engine.Record(context.WithoutCancel(ctx), s.config.History, c.view.root.Dir(), id, "lsp", c.Documents[0].Name, c.Result)
	if err != nil {
		s.conn.Log().Error("applied, but not remembered", zap.Error(err))
	}
}

// rollBack takes back what a partial edit did, and nothing that somebody else
// did since.
func (s *Server) rollBack(ctx context.Context, c *checked, seen sights, why string) aptix.ApplyResult {
	r := refused(c, "The editor made only a part of the change ("+why+"); ")
	r.Left = seen.paths(differs)
	var back []plan.File
	for _, f := range seen.files(stands, begun) {
		back = append(back, f.Invert())
	}
	if s.takeBack(ctx, c, back) {
		r.RolledBack = true
		r.Message += "that part was taken back"
	} else {
		r.Left = append(r.Left, seen.paths(stands, begun)...)
		r.Message += "it could not be taken back"
	}
	if len(r.Left) > 0 {
		r.Message += "; left as they are: " + strings.Join(r.Left, ", ")
	}
	return r
}

func (s *Server) takeBack(ctx context.Context, c *checked, back []plan.File) bool {
	now := c.view.folder.view(s.docs.Snapshot())
	if _, err := s.edit(ctx, now, "Undo "+label(c), back); err != nil {
		s.conn.Log().Error("a partial edit could not be taken back", zap.Error(err))
		return false
	}
	return s.verify(ctx, now.folder, back, true).all(stands)
}

func (s *Server) editCapabilities() *protocol.WorkspaceEditClientCapabilities {
	if can := s.capabilities().Workspace; can != nil {
		return can.WorkspaceEdit
	}
	return nil
}

func (s *Server) opensTouched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options.OpensTouched
}

func label(c *checked) string { return "Aptix: " + filesText(c.Plan.Files) }

func reason(answer *protocol.ApplyWorkspaceEditResult) string {
	if answer.FailureReason != nil && *answer.FailureReason != "" {
		return *answer.FailureReason
	}
	return "it gave no reason"
}

// result is an answer in which nothing was done yet.
func result(c *checked) aptix.ApplyResult {
	r := aptix.ApplyResult{Files: []aptix.File{}, Left: []string{}}
	if c != nil && c.Result != nil {
		r.Files = engine.ReportFiles(c.Plan.Files)
	}
	return r
}

func refused(c *checked, message string) aptix.ApplyResult {
	r := result(c)
	r.Message = message
	return r
}
