package lspserver

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/chat"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
)

const maxRepairs = 2

func (s *Server) chatCheck(ctx context.Context, p *aptix.ChatDraft) (aptix.ChatCheck, error) {
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{Text: &p.Text})
	if err != nil || len(c.Blocks) == 0 {
		return aptix.ChatCheck{}, err
	}
	answer := aptix.ChatCheck{Blocks: len(c.Blocks), Status: c.draftStatus()}
	if !p.Complete {
		return answer, nil
	}
	if !c.Applicable() && p.Repairs < maxRepairs {
		answer.Feedback = c.Feedback(ctx)
	}
	answer.Open = c.Blocks[len(c.Blocks)-1].State == check.Incomplete
	answer.Note = c.draftNote(p.Repairs, answer.Feedback != "")
	return answer, nil
}

// draftStatus describes the blocks of an answer that is still being written, for example `2 blocks, 1 error…`.
func (c *checked) draftStatus() string {
	errors := 0
	for _, b := range c.Blocks {
		if b.State == check.Failed {
			errors += countOf(b.Diagnostics, diag.Error)
		}
	}
	status := format.Count(len(c.Blocks), "block")
	if errors > 0 {
		status += ", " + format.Count(errors, "error")
	}
	return status + "…"
}

// draftNote describes a complete answer in Markdown: what it changes or what is wrong with it, and whether the model
// is asked to correct it.
func (c *checked) draftNote(repairs int, again bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Aptix: %s**", c.summary())
	if repairs > 0 {
		fmt.Fprintf(&b, " after %s", format.Count(repairs, "correction"))
	}
	switch {
	case again:
		fmt.Fprintf(&b, ". The model is asked to correct its answer (%d of %d):\n", repairs+1, maxRepairs)
	case !c.Applicable():
		b.WriteString(":\n")
	case len(c.Doubts()) > 0:
		b.WriteString(". Aptix asks before it applies this:\n")
	}
	for _, reason := range c.draftReasons() {
		b.WriteString("\n- " + escape.Markdown(reason))
	}
	return b.String() + "\n\n"
}

// draftReasons returns the errors of an answer or, if there are none, its doubts.
func (c *checked) draftReasons() []string {
	if c.Applicable() {
		return c.Reasons()
	}
	var reasons []string
	for _, b := range c.Blocks {
		if b.State == check.Incomplete {
			reasons = append(reasons, fmt.Sprintf("block %d is not complete", b.Index))
		}
		for _, d := range b.Diagnostics {
			if d.Severity == diag.Error && b.State == check.Failed {
				reasons = append(reasons, d.Message)
			}
		}
	}
	if most := 5; len(reasons) > most {
		reasons = append(reasons[:most], fmt.Sprintf("and %d more", len(reasons)-most))
	}
	return reasons
}

func (s *Server) chatAnswer(ctx context.Context, p *aptix.ChatSession) (aptix.ChatAnswer, error) {
	last, err := chat.LastAnswer(p.JSON)
	if err != nil {
		return aptix.ChatAnswer{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	if last == nil {
		return aptix.ChatAnswer{State: aptix.ChatComplete, Message: "This chat has no answer yet."}, nil
	}
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{Text: &last.Text})
	if err != nil {
		return aptix.ChatAnswer{}, err
	}
	a := aptix.ChatAnswer{ID: last.ID, State: last.State, Blocks: len(c.Blocks)}
	switch {
	case last.State == aptix.ChatStreaming:
		a.Message = "The last answer is not complete yet."
	case len(c.Blocks) == 0 && !c.Declined:
		a.Message = "The last answer has no Aptix block."
	case last.State == aptix.ChatStopped:
		a.Text, a.Message = last.Text, "The last answer was stopped before its end. It may lack edits."
	default:
		a.Text = last.Text
	}
	return a, nil
}
