package lspserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
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
	s.settleHistory(ctx)
	c, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	if no := s.refusal(c); no != "" {
		return refused(c, no), nil
	}
	if len(c.Plan.Files) == 0 {
		return s.nothingToDo(ctx, c), nil
	}
	if s.mustAsk(c) {
		if c, err = s.ask(ctx, target, c); err != nil || c == nil {
			return refused(c, "Not applied: cancelled, or something changed meanwhile"), err
		}
	}
	return s.perform(ctx, c, history.Apply{Key: c.Key, Label: replyLabel(c), Source: apply.SourceEditor})
}

// nothingToDo is the answer to a reply whose edits all stand.
func (s *Server) nothingToDo(ctx context.Context, c *checked) aptix.ApplyResult {
	s.identify(ctx, c)
	r := refused(c, "Nothing to change: "+c.summary())
	r.Verified, r.Batches = true, c.Batches()
	return r
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
		return "Not applied: " + problems(c)
	}
	return lost(c)
}

// lost says which file of a plan cannot be edited, as its text is not known; "" for
// none.
func lost(c *checked) string {
	for _, f := range plan.Paths(c.Plan.Files) {
		switch doc := c.view.open[f.Path]; {
		case doc == nil:
		case doc.Broken != "":
			return fmt.Sprintf("The server lost track of %s (%s); close and open it again", f.Path, doc.Broken)
		case doc.overtaken():
			return fmt.Sprintf("Another program changed %s, and the editor does not show that yet; look at the file and try again", f.Path)
		}
	}
	return ""
}

// problems is the count of errors and the first of them.
func problems(c *checked) string {
	for _, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			if d.Severity == diag.Error {
				return fmt.Sprintf("%s; the first: %s", c.summary(), d.Message)
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
	chosen, err := s.client.Ask(ctx, protocol.MessageTypeWarning, question(c), buttonApply, buttonCancel)
	if err != nil || chosen != buttonApply {
		return nil, err
	}
	now, err := s.check(ctx, s.docs.Snapshot(), target)
	if err != nil || s.refusal(now) != "" || question(now) != question(c) || !samePlan(now.Plan, c.Plan) {
		return nil, err
	}
	return now, nil
}

func question(c *checked) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Apply %s?", c.summary())
	for _, block := range c.Blocks {
		for _, d := range block.Diagnostics {
			if d.Severity == diag.Warning {
				b.WriteString("\n• " + d.Message)
			}
		}
	}
	return b.String()
}

func samePlan(a, b plan.Plan) bool {
	return slices.Equal(a.Files, b.Files) && slices.Equal(a.Prune, b.Prune)
}

// manyFiles is from how many files on an apply shows progress, with a button
// that cancels it until the editor is asked for the edit.
const manyFiles = 100

// perform makes the change, and the history say so as record does: key, label, source
// and what it undoes. The history is told before: so a crash in between is known of.
func (s *Server) perform(ctx context.Context, c *checked, record history.Apply) (aptix.ApplyResult, error) {
	if len(c.Plan.Files) >= manyFiles {
		shown, progress := s.progress.Begin(ctx, label(c))
		defer progress.End(ctx)
		ctx = shown
	}
	d := divide(c.Plan, s.operations())
	if open := d.openElsewhere(c.view); open != "" {
		return refused(c, open+" is open in an editor, which cannot make this change; close it and apply again"), nil
	}
	set, why := s.behind(ctx, record.Source, c)
	switch {
	case why != "" && record.Undoes != "":
		return refused(c, "Not reverted: "+why), nil
	case why != "":
		return refused(c, "Not applied: "+why), nil
	case set == nil:
		return s.make(ctx, c, d, record), nil
	}
	saved := c.savedBefore()
	r := s.make(ctx, c, d, record)
	if !r.Applied {
		return r, nil
	}
	for _, w := range s.upload(ctx, set, record.Source, c, saved) {
		r.Message += "; " + w.Message
		r.Warnings = append(r.Warnings, w)
	}
	return r, nil
}

// make makes a change in the way that it was divided, and has the history say so.
func (s *Server) make(ctx context.Context, c *checked, d division, record history.Apply) aptix.ApplyResult {
	record.ID, record.Root = uuid.Must(uuid.NewV7()).String(), c.view.root.Dir()
	s.identify(ctx, c)
	record.Batches = c.Applying()
	pending, err := apply.Begin(ctx, s.config.History, record, c.Plan, c.view.root.Tree(nil))
	if err != nil {
		s.conn.Log().Error("going on without history", zap.Error(err))
	}
	r := s.attempt(ctx, &attempt{Server: s, checked: c, division: d, record: record, pending: pending})
	if !r.Applied {
		s.forget(ctx, pending)
	}
	return r
}

// identify gives line patches their ids. Without what the history says, those of one
// that is done are new.
func (s *Server) identify(ctx context.Context, c *checked) {
	if err := c.Identify(ctx, s.config.History, c.view.root.Dir()); err != nil {
		s.conn.Log().Error("cannot read the ids of line patches", zap.Error(err))
	}
}

// attempt deals with what becomes of a change.
func (s *Server) attempt(ctx context.Context, a *attempt) (r aptix.ApplyResult) {
	// Those that end up empty go: the edit was refused, or taken back.
	made, err := a.view.root.MakeDirs(created(a.editor))
	defer a.view.root.RemoveDirs(made)
	if err != nil {
		return refused(a.checked, err.Error())
	}
	a.made = made
	if a.folders, err = a.write(ctx, a.record.ID, a.disk); err != nil {
		return refused(a.checked, err.Error())
	}
	a.folders.Made = append(a.folders.Made, made...)
	return a.run(ctx)
}

// created are the paths of new files.
func created(files []plan.File) []string {
	var paths []string
	for _, f := range files {
		if f.Operation == plan.Create || f.Operation == plan.Rename {
			paths = append(paths, f.Target())
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

func (s *Server) editCapabilities() *protocol.WorkspaceEditClientCapabilities {
	if can := s.capabilities().Workspace; can != nil {
		return can.WorkspaceEdit
	}
	return nil
}

// operations are those on files that the editor can do.
func (s *Server) operations() []protocol.ResourceOperationKind {
	if can := s.editCapabilities(); can != nil {
		return can.ResourceOperations
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
		r.Files = check.ReportFiles(c.Plan.Files)
	}
	return r
}

func refused(c *checked, message string) aptix.ApplyResult {
	r := result(c)
	r.Message = message
	return r
}
