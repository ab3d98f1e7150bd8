package lspserver

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/past"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *Server) revertCommand(ctx context.Context, raw json.RawMessage) (aptix.RevertResult, error) {
	var p aptix.RevertParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return aptix.RevertResult{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes {id, merge}: %v", aptix.CommandRevert, err)
	}
	r, err := s.revert(ctx, p)
	s.tell(ctx, r.Verified, r.Message, err)
	return r, err
}

func (s *Server) revert(ctx context.Context, p aptix.RevertParams) (aptix.RevertResult, error) {
	o, err := s.change(ctx, apply.Request{Ask: s.askToRevert, Propose: func(ctx context.Context) (apply.Proposal, error) {
		proposal, w, err := s.proposeRevert(ctx, p, apply.SourceEditor)
		if w != nil {
			proposal.Question = s.revertQuestion(w.Reply, p.Asked)
		}
		return proposal, err
	}})
	o.Result = resultFor("Not reverted: ", o)
	r := o.RevertResult()
	if err == nil && r.Applied && p.Part != nil {
		err = s.leaveOutUndone(ctx, p.ID, p.Part.Path)
	}
	return r, err
}

// leaveOutUndone is called after a person undid the change of single parts in a file. It leaves these parts out of all
// open replies, so that another apply does not make the change again.
func (s *Server) leaveOutUndone(ctx context.Context, id, path string) error {
	snapshot := s.docs.Snapshot()
	for u := range snapshot.All() {
		c, err := s.check(ctx, snapshot, aptix.Target{URI: string(u)})
		if err != nil || c.View.Folder == nil {
			// The document is not a reply, or its reply is for another workspace.
			continue
		}
		s.recall(ctx, c)
		i := slices.IndexFunc(c.Plan.Files, func(f plan.File) bool {
			return f.Path == path && (f.Operation == plan.Modify || f.Operation == plan.Create)
		})
		if i < 0 {
			continue
		}
		f := c.Plan.Files[i]
		for _, b := range c.Blocks {
			if a, ok := c.ApplyOf(b); !ok || a.ID != id {
				continue
			}
			left := slices.Clone(c.Skip[b.Index])
			for _, hunk := range diff.Runs(replies.ShownText(f.Before), replies.ShownText(f.After)) {
				left = append(left, c.Making(b, path, hunk, f.Operation == plan.Create)...)
			}
			slices.Sort(left)
			if left = slices.Compact(left); len(left) == len(c.Skip[b.Index]) {
				continue
			}
			if err := s.leaveOut(ctx, c, b, history.LeftOut{Parts: left, Missing: c.Missing[b.Index]}); err != nil {
				return err
			}
		}
	}
	return nil
}

// proposeRevert plans a revert of files that may be open in the editor. The writer is nil if nothing can be written.
func (s *Server) proposeRevert(ctx context.Context, params aptix.RevertParams, source string) (apply.Proposal, *writer, error) {
	s.past.Settle(ctx)
	record, err := s.past.ToRevert(ctx, params.ID)
	if err != nil {
		return apply.Proposal{}, nil, err
	}
	if params.Part != nil {
		if record, err = apply.Part(record, *params.Part); err != nil {
			return apply.Proposal{}, nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
		}
	}
	if record.Reverted {
		p, err := apply.RevertOf(ctx, record, nil, nil, params.Merge, source)
		return p, nil, err
	}
	f := s.folders.At(record.Root)
	if f == nil {
		p := apply.Proposal{Refused: "Not reverted: " + record.Root + " is not open in this window"}
		p.Record.Undoes = record.ID
		return p, nil, nil
	}
	c := &replies.Reply{View: f.View(s.docs.Snapshot()), Result: &check.Result{}}
	p, err := apply.RevertOf(ctx, record, nil, c.View.Tree, params.Merge || params.Part != nil, source)
	p.Record.Part = params.Part != nil
	if err != nil {
		return p, nil, err
	}
	c.Plan = p.Plan
	w := s.writerFor(c, "Reverted ")
	p.Writer = w
	if no := s.refusesRevert(p, w); no != "" {
		p.Refused = "Not reverted: " + no
	}
	if p.Refused != "" || len(p.Plan.Files) == 0 {
		return p, nil, nil
	}
	return p, w, nil
}

// refusesRevert returns the reason why a revert is refused, or "".
func (s *Server) refusesRevert(p apply.Proposal, w *writer) string {
	switch snapshot := s.docs.Snapshot(); {
	case s.untrusted():
		return "nothing is changed in a workspace that is not trusted"
	case snapshot.Broken != "":
		return "the server lost track of open documents (" + snapshot.Broken + "); restart it"
	case p.Refused != "":
		return past.Conflicts(p.Conflicts)
	}
	return cmp.Or(lost(w.Reply), w.Refusal())
}

// revertQuestion returns the question to the person, or "" if none is needed. If `asked` is true, the editor has
// already asked whether to revert, so the question is only about facts that the editor lacks.
func (s *Server) revertQuestion(c *replies.Reply, asked bool) string {
	warning := s.endingsWarning(c)
	if warning == "" && (asked || s.currentSettings().Confirm != settings.ConfirmAlways) {
		return ""
	}
	return apply.RevertQuestion(c.Plan.Files) + warning
}

// endingsWarning returns the sentence about line endings in a question, or "" if none is needed.
func (s *Server) endingsWarning(c *replies.Reply) string {
	warning := ""
	for _, reason := range s.endings(c) {
		warning += "\n• " + reason
	}
	return warning
}

func (s *Server) endings(c *replies.Reply) []string {
	found := []string{}
	can := s.editor.EditCapabilities()
	for _, f := range c.Plan.Files {
		if can != nil && editor.Yes(can.NormalizesLineEndings) && f.Operation == plan.Modify && (text.MixedEOL(f.Before.Data) || text.MixedEOL(f.After.Data)) {
			found = append(found, f.Path+" has mixed line endings, and this editor would make them all the same; `aptix revert` on the command line keeps them")
		}
	}
	return found
}
