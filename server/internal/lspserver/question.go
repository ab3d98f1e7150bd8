package lspserver

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

const (
	buttonApply  = "Apply"
	buttonRevert = "Revert"
	buttonCancel = "Cancel"
)

func (s *Server) askToApply(ctx context.Context, p *apply.Proposal) (bool, error) {
	return s.ask(ctx, p, buttonApply, append(p.Reply.Reasons(), p.Reasons...))
}

func (s *Server) askToRevert(ctx context.Context, p *apply.Proposal) (bool, error) {
	return s.ask(ctx, p, buttonRevert, append(s.endings(p.Writer.(*writer).Reply), p.Reasons...))
}

// ask shows a question in the editor's own dialog, or as a message if the editor has none. It reports whether the
// person chose the button.
func (s *Server) ask(ctx context.Context, p *apply.Proposal, button string, reasons []string) (bool, error) {
	if !s.offers() {
		chosen, err := s.editor.Ask(ctx, protocol.MessageTypeWarning, p.Question, button, buttonCancel)
		return chosen == button, err
	}
	title, _, _ := strings.Cut(p.Question, "\n")
	return s.editor.Question(ctx, aptix.QuestionParams{
		Question: p.Question, Token: s.questions.ask(p), Title: title, Files: check.ReportFiles(p.Plan.Files), Reasons: reasons, Button: button,
	})
}

type question struct{ text, key string }

func questionOf(p *apply.Proposal) question { return question{p.Question, p.Record.Key} }

// questions holds the questions that the person may still answer with yes, for example after a preview. A yes must name
// the question's random token: the text of a question would not do, because a reply can predict it.
type questions struct {
	mu    sync.Mutex
	asked map[string]question
}

// mostQuestions limits how many questions can be open at the same time. If there are more, all earlier questions are
// removed.
const mostQuestions = 100

func (q *questions) ask(p *apply.Proposal) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.asked) >= mostQuestions {
		clear(q.asked)
	}
	token := rand.Text()
	q.asked[token] = questionOf(p)
	return token
}

// agree returns the question that belongs to a token, and removes it, so that the token works only once. If the token
// is unknown, it returns the zero question.
func (q *questions) agree(token string) question {
	q.mu.Lock()
	defer q.mu.Unlock()
	agreed := q.asked[token]
	delete(q.asked, token)
	return agreed
}

// offers reports whether the editor itself shows an agent's change together with the question.
func (s *Server) offers() bool { return s.editor.Options().Offers }

func (s *Server) rows(c *replies.Reply) aptix.PreviewResult {
	return aptix.PreviewResult{Title: c.ChangesTitle(), Files: s.previews.Rows(c.Plan.Files, c.View.Resource)}
}
