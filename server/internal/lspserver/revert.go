package lspserver

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
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
	w, err := s.findWayBack(ctx, p)
	if err != nil || w.done != nil {
		return w.answer(), err
	}
	if asked := s.revertQuestion(w.c, p.Asked); asked != "" {
		if w, err = s.askRevert(ctx, asked, p, w); err != nil || w.done != nil {
			return w.answer(), err
		}
	}
	return s.takeBack(ctx, w, apply.SourceEditor)
}

// A wayBack is how an apply is taken back.
type wayBack struct {
	record history.Apply
	back   apply.Reversal
	c      *checked
	// done is the answer where nothing is to be written; nil where something is.
	done *aptix.RevertResult
}

func (w wayBack) answer() aptix.RevertResult {
	if w.done == nil {
		return aptix.RevertResult{}
	}
	return *w.done
}

// ends is a way on which nothing is written.
func (w wayBack) ends(message string, verified bool) wayBack {
	r := revertResult(w.record, w.back.Conflicts, result(nil))
	r.Message, r.Verified = message, verified
	w.done = &r
	return w
}

// findWayBack plans a revert against the open documents.
func (s *Server) findWayBack(ctx context.Context, p aptix.RevertParams) (w wayBack, err error) {
	s.settleHistory(ctx)
	if w.record, err = s.toRevert(ctx, p.ID); err != nil {
		return w, err
	}
	if w.record.Reverted {
		return w.ends("It was reverted already", true), nil
	}
	f := s.folderAt(w.record.Root)
	if f == nil {
		return w.ends("Not reverted: "+w.record.Root+" is not open in this window", false), nil
	}
	if w.back, w.c, err = s.wayBack(ctx, f, w.record, p.Merge); err != nil {
		return w, err
	}
	if no := s.refusesRevert(w.back, p.Merge, w.c); no != "" {
		return w.ends("Not reverted: "+no, false), nil
	}
	if len(w.c.Plan.Files) == 0 {
		err := s.config.History.MarkReverted(ctx, w.record.ID)
		s.tellHistory(ctx)
		return w.ends("Nothing to change: the files stand as before", true), err
	}
	return w, nil
}

// takeBack goes the way. source is who asked for it.
func (s *Server) takeBack(ctx context.Context, w wayBack, source string) (aptix.RevertResult, error) {
	r, err := s.perform(ctx, w.c, w.back.Record("", source))
	return revertResult(w.record, w.back.Conflicts, r), err
}

// toRevert is the apply that is meant, with its contents: the latest that is in force
// for "".
func (s *Server) toRevert(ctx context.Context, id string) (history.Apply, error) {
	if id != "" || s.config.History == nil {
		return s.recorded(ctx, id)
	}
	applies, err := s.applies(ctx, "")
	if err != nil {
		return history.Apply{}, err
	}
	for _, a := range applies {
		if !a.Reverted && a.Undoes == "" {
			return s.recorded(ctx, a.ID)
		}
	}
	return history.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "nothing was applied that could be reverted")
}

// wayBack plans the way back against the open documents. Its plan is empty where there
// is none.
func (s *Server) wayBack(ctx context.Context, f *folder, record history.Apply, merge bool) (apply.Reversal, *checked, error) {
	c := &checked{view: f.view(s.docs.Snapshot()), Result: &check.Result{}}
	back, err := apply.Revert(ctx, record, c.view.tree)
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
func (s *Server) refusesRevert(back apply.Reversal, merge bool, c *checked) string {
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
// ask. One who asked elsewhere is only told what they could not know.
func (s *Server) revertQuestion(c *checked, asked bool) string {
	warning := s.endingsWarning(c)
	if warning == "" && (asked || s.currentSettings().Confirm != settings.ConfirmAlways) {
		return ""
	}
	return "Revert " + filesText(c.Plan.Files) + "?" + warning
}

// endingsWarning names the files whose line endings the editor would change.
func (s *Server) endingsWarning(c *checked) string {
	warning := ""
	can := s.editCapabilities()
	for _, f := range c.Plan.Files {
		if can != nil && isTrue(can.NormalizesLineEndings) && f.Operation == plan.Modify && (text.MixedEOL(f.Before.Data) || text.MixedEOL(f.After.Data)) {
			warning += "\n• " + f.Path + " has mixed line endings, which this editor makes all alike; `aptix revert` on the command line keeps them"
		}
	}
	return warning
}

// askRevert waits for the person. A yes counts for what was asked about, and nothing
// else: documents may change while the question stands.
func (s *Server) askRevert(ctx context.Context, question string, p aptix.RevertParams, w wayBack) (wayBack, error) {
	no := w.ends("Not reverted: cancelled, or something changed meanwhile", false)
	chosen, err := s.client.Ask(ctx, protocol.MessageTypeWarning, question, buttonRevert, buttonCancel)
	if err != nil || chosen != buttonRevert {
		return no, err
	}
	now, err := s.findWayBack(ctx, p)
	if err != nil || now.done != nil || now.record.ID != w.record.ID || !samePlan(now.c.Plan, w.c.Plan) {
		return no, err
	}
	return now, nil
}

func revertResult(record history.Apply, conflicts []apply.Conflict, r aptix.ApplyResult) aptix.RevertResult {
	return aptix.RevertResult{Applied: r.Applied, Verified: r.Verified, RolledBack: r.RolledBack, ID: r.ID, Reverts: record.ID,
		Files: r.Files, Left: r.Left, Conflicts: apply.ReportConflicts(conflicts), Message: r.Message, Lasting: r.Lasting, Warnings: r.Warnings}
}
