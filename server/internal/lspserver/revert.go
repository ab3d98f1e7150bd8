package lspserver

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/engine"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const buttonRevert = "Revert"

func (s *Server) revertCommand(ctx context.Context, raw json.RawMessage) (aptix.RevertResult, error) {
	var p aptix.RevertParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return aptix.RevertResult{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes {id, merge}: %v", aptix.CommandRevert, err)
	}
	return s.revert(ctx, p)
}

// revert takes an apply back through the editor, as an apply is made.
func (s *Server) revert(ctx context.Context, p aptix.RevertParams) (aptix.RevertResult, error) {
	s.applying.Lock()
	defer s.applying.Unlock()
	s.settleHistory(ctx)
	apply, err := s.toRevert(ctx, p.ID)
	if err != nil {
		return aptix.RevertResult{}, err
	}
	if apply.Reverted {
		return notReverted(apply, nil, "It was reverted already", true), nil
	}
	f := s.folderAt(apply.Root)
	if f == nil {
		return notReverted(apply, nil, "Not reverted: "+apply.Root+" is not open in this window", false), nil
	}
	back, c, err := s.wayBack(ctx, f, apply, p.Merge)
	if err != nil {
		return aptix.RevertResult{}, err
	}
	if no := s.refusesRevert(back, p.Merge, c); no != "" {
		return notReverted(apply, back.Conflicts, "Not reverted: "+no, false), nil
	}
	if len(c.Plan.Files) == 0 {
		err := s.config.History.MarkReverted(ctx, apply.ID)
		s.tellHistory(ctx)
		return notReverted(apply, back.Conflicts, "Nothing to change: the files stand as before", true), err
	}
	if asked := s.revertQuestion(c); asked != "" {
		yes, err := s.askRevert(ctx, asked, f, apply, p.Merge, c)
		if err != nil || !yes {
			return notReverted(apply, back.Conflicts, "Not reverted: cancelled, or something changed meanwhile", false), err
		}
		c.view = f.view(s.docs.Snapshot())
	}
	r, err := s.perform(ctx, c, back.Record("", engine.SourceEditor))
	return revertResult(apply, back.Conflicts, r), err
}

// toRevert is the apply that is meant, with its contents: the latest that is in force
// for "".
func (s *Server) toRevert(ctx context.Context, id string) (store.Apply, error) {
	if id != "" || s.config.History == nil {
		return s.recorded(ctx, id)
	}
	applies, err := s.applies(ctx, "")
	if err != nil {
		return store.Apply{}, err
	}
	for _, a := range applies {
		if !a.Reverted && a.Undoes == "" {
			return s.recorded(ctx, a.ID)
		}
	}
	return store.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "nothing was applied that could be reverted")
}

// wayBack plans the way back against the open documents. Its plan is empty where there
// is none.
func (s *Server) wayBack(ctx context.Context, f *folder, apply store.Apply, merge bool) (engine.Reversal, *checked, error) {
	c := &checked{view: f.view(s.docs.Snapshot()), Result: &engine.Result{}}
	back, err := engine.Revert(ctx, apply, c.view.tree)
	if err != nil {
		return back, nil, err
	}
	c.Plan = back.Plan
	if len(back.Conflicts) > 0 {
		c.Plan = plan.Plan{}
		if merge {
			c.Plan, _ = back.Merged()
		}
	}
	return back, c, nil
}

// refusesRevert says why nothing is written; "" where it is.
func (s *Server) refusesRevert(back engine.Reversal, merge bool, c *checked) string {
	_, mergeable := back.Merged()
	switch snapshot := s.docs.Snapshot(); {
	case s.untrusted():
		return "nothing is changed in a workspace that is not trusted"
	case snapshot.Broken != "":
		return "the server lost track of open documents (" + snapshot.Broken + "); restart it"
	case len(back.Conflicts) > 0 && !(merge && mergeable):
		return conflictsText(back)
	}
	return lost(c)
}

// revertQuestion is what the person is asked before; "" where there is nothing to
// ask.
func (s *Server) revertQuestion(c *checked) string {
	question := ""
	can := s.editCapabilities()
	for _, f := range c.Plan.Files {
		if can != nil && isTrue(can.NormalizesLineEndings) && f.Operation == plan.Modify && (text.MixedEOL(f.Before.Data) || text.MixedEOL(f.After.Data)) {
			question += "\n• " + f.Path + " has mixed line endings, which this editor makes all alike; `aptix revert` on the command line keeps them"
		}
	}
	if question == "" && s.currentSettings().Confirm != settings.ConfirmAlways {
		return ""
	}
	return "Revert " + filesText(c.Plan.Files) + "?" + question
}

// askRevert waits for the person. A yes counts for what was asked about, and nothing
// else: documents may change while the question stands.
func (s *Server) askRevert(ctx context.Context, question string, f *folder, apply store.Apply, merge bool, c *checked) (bool, error) {
	chosen, err := s.client.Ask(ctx, protocol.MessageTypeWarning, question, buttonRevert, buttonCancel)
	if err != nil || chosen != buttonRevert {
		return false, err
	}
	_, now, err := s.wayBack(ctx, f, apply, merge)
	return err == nil && samePlan(now.Plan, c.Plan) && lost(now) == "", err
}

func notReverted(apply store.Apply, conflicts []engine.Conflict, message string, verified bool) aptix.RevertResult {
	r := revertResult(apply, conflicts, result(nil))
	r.Message, r.Verified = message, verified
	return r
}

func revertResult(apply store.Apply, conflicts []engine.Conflict, r aptix.ApplyResult) aptix.RevertResult {
	return aptix.RevertResult{Applied: r.Applied, Verified: r.Verified, RolledBack: r.RolledBack, ID: r.ID, Reverts: apply.ID,
		Files: r.Files, Left: r.Left, Conflicts: engine.ReportConflicts(conflicts), Message: r.Message, Lasting: r.Lasting}
}
