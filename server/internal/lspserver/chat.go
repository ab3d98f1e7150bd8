package lspserver

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/chat"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/prompt"
)

func (s *Server) chatCheck(ctx context.Context, p *aptix.ChatDraft) (aptix.ChatCheck, error) {
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{Text: &p.Text})
	if err != nil || len(c.Blocks) == 0 {
		return aptix.ChatCheck{}, err
	}
	answer := aptix.ChatCheck{Blocks: len(c.Blocks), Status: c.DraftStatus()}
	if !p.Complete {
		return answer, nil
	}
	if !c.Applicable() && p.Repairs < replies.MaxRepairs {
		answer.Feedback = c.Feedback(ctx)
	}
	answer.Open = c.Blocks[len(c.Blocks)-1].State == check.Incomplete
	answer.Note = c.DraftNote(p.Repairs, answer.Feedback != "")
	return answer, nil
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

// Limits of the messages to a model, in bytes. A token counts as two bytes, because it is at least that long except in
// rare texts.
const (
	bytesOfToken = 2
	leastBudget  = 16 << 10 // the smallest budget, also for a model of unknown size
	mostBudget   = 512 << 10
)

var chatFormats = map[string]string{"": "bundle", "bundle": "bundle", "patch": "structured", "git": "git", "ap": "ap"}

const commandFix = "fix"

func (s *Server) chatPrompt(ctx context.Context, p *aptix.ChatAsk) (aptix.ChatPrompt, error) {
	// The settings list protected files, which must not be sent.
	s.awaitSettings(ctx)
	// An answer of the model is applied in this folder.
	v := workspace.View{Folder: s.folders.For("")}
	if v.Folder == nil {
		return noPrompt("Open a folder first: there are no files that an answer could change."), nil
	}
	v = v.Folder.View(s.docs.Snapshot())
	ask := prompt.Ask{Format: chatFormats[p.Command], Prompt: p.Prompt, History: p.History, Budget: min(max(p.MaxInputTokens*bytesOfToken, leastBudget), mostBudget)}
	files := chatFiles{server: s, view: v}
	switch {
	case p.Command == commandFix:
		c, none, err := s.toCorrect(ctx, p)
		if err != nil || none != nil {
			return *none, err
		}
		correction(ctx, c, &ask)
		for _, b := range c.Blocks {
			for _, f := range b.Files {
				files.addExisting(f.Path)
			}
		}
	case ask.Format == "":
		return aptix.ChatPrompt{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q", p.Command)
	}
	files.addNamed(p)
	if err := files.read(ctx); err != nil {
		return aptix.ChatPrompt{}, err
	}
	ask.Files = files.found
	messages, left, err := ask.Messages()
	if err != nil {
		return noPrompt(escape.Markdown("Nothing was sent: " + err.Error() + ".")), nil
	}
	for _, f := range left {
		files.leave(f.Path, "the request would be too long")
	}
	return aptix.ChatPrompt{Messages: messages, Files: files.uris(left), Note: files.note()}, nil
}

func noPrompt(note string) aptix.ChatPrompt {
	return aptix.ChatPrompt{Messages: []aptix.ChatMessage{}, Files: []string{}, Note: note}
}

// toCorrect returns the check of the answer that /fix corrects. If there is nothing to correct, it returns a prompt
// without messages instead.
func (s *Server) toCorrect(ctx context.Context, p *aptix.ChatAsk) (*replies.Reply, *aptix.ChatPrompt, error) {
	none := noPrompt("This chat has no answer to correct.")
	text, err := answerToCorrect(p)
	if err != nil {
		return nil, &none, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	if text == "" {
		return nil, &none, nil
	}
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{Text: &text})
	switch {
	case err != nil:
		return nil, &none, err
	case len(c.Blocks) == 0 && !c.Declined:
		none.Note = "The last answer has no Aptix block."
		return nil, &none, nil
	case c.Feedback(ctx) == "":
		none.Note, none.Answer = "The last answer has no problems: "+escape.Markdown(c.Summary())+".", text
		return nil, &none, nil
	}
	return c, nil, nil
}

// answerToCorrect returns the last finished answer in the chat, by any participant. If the request has no exported chat
// session, it returns the last answer of Aptix's own participant.
func answerToCorrect(p *aptix.ChatAsk) (string, error) {
	if p.Session.JSON != "" {
		last, err := chat.LastEnded(p.Session.JSON)
		if err != nil || last == nil {
			return "", err
		}
		return last.Text, nil
	}
	for _, m := range slices.Backward(p.History) {
		if m.Role == aptix.ChatAssistant {
			return m.Text, nil
		}
	}
	return "", nil
}

// correction fills `ask` with a request for a corrected answer. The request is for the format of the first failed
// block, or of the first block if none failed, or for a bundle if there is no block.
func correction(ctx context.Context, c *replies.Reply, ask *prompt.Ask) {
	ask.History, ask.Answer = nil, c.Documents[0].Text
	ask.Prompt = strings.TrimSpace(c.Feedback(ctx) + "\n" + ask.Prompt)
	ask.Format = chatFormats[""]
	if len(c.Blocks) > 0 {
		wrong := slices.IndexFunc(c.Blocks, func(b check.Block) bool { return b.State == check.Failed })
		ask.Format = c.Blocks[max(wrong, 0)].Format.Name
	}
}
