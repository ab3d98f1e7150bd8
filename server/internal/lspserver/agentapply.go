package lspserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Apply shows the person the changes of an agent's reply, and applies the reply if the person agrees.
func (h *host) Apply(ctx context.Context, r agenttools.Request) (aptix.ApplyResult, error) {
	h.past.Settle(ctx)
	agreed := false
	propose := func(ctx context.Context) (apply.Proposal, error) { return h.propose(ctx, r) }
	o, err := h.change(ctx, apply.Request{Ask: h.askOffer(&agreed, buttonApply, propose), Propose: propose})
	if err == nil && h.offers() && h.currentSettings().AgentsConfirm == settings.ConfirmAlways && nothingLeft(o) {
		o, err = h.offerAgain(ctx, r, o, &agreed)
	}
	answer := resultFor("", o)
	answer.Warnings = append(answer.Warnings, agenttools.LeftOut(o.Reply)...)
	if err == nil {
		err = agenttools.NotWritten(o, agreed)
	}
	h.tellChange(ctx, answer)
	if agreed {
		h.tellNotMade(ctx, answer, err)
	}
	return answer, err
}

// nothingLeft reports whether a reply changes nothing, and the person left out parts of it.
func nothingLeft(o apply.Outcome) bool {
	return o.Refusal == nil && !o.Result.Applied && o.Reply != nil && o.Reply.Skip.Count() > 0 && len(o.Plan.Files) == 0
}

// offerAgain offers a reply again if the only remaining parts are those that the person left out earlier. The person
// can then include them.
func (h *host) offerAgain(ctx context.Context, r agenttools.Request, o apply.Outcome, agreed *bool) (apply.Outcome, error) {
	propose := func(ctx context.Context) (apply.Proposal, error) { return h.propose(ctx, r) }
	shown := o.Proposal
	shown.Question = h.asks(r.Label) + "only the parts that you left out earlier are not applied yet"
	accepted, err := h.askOffer(agreed, buttonApply, propose)(ctx, &shown)
	if err != nil {
		return o, err
	}
	if !accepted || len(shown.Plan.Files) == 0 {
		o.Refusal = &apply.Refusal{Reason: apply.Declined, Message: "cancelled"}
		return o, nil
	}
	return h.change(ctx, apply.Request{Propose: propose, Ask: func(_ context.Context, p *apply.Proposal) (bool, error) {
		*p = shown
		return true, nil
	}})
}

func (h *host) propose(ctx context.Context, r agenttools.Request) (apply.Proposal, error) {
	c, err := h.checkRequest(ctx, r)
	if err != nil {
		return apply.Proposal{}, err
	}
	p := h.proposeReply(c, r.Name(c.Result, h.agent), apply.SourceAgent, h.currentSettings().AgentsConfirm)
	if p.Question != "" {
		p.Question = h.asks(r.Label) + p.Question
	}
	return p, nil
}

// Revert shows the person the changes that reverting an apply would make, and reverts it if the person agrees.
func (h *host) Revert(ctx context.Context, p aptix.RevertParams) (aptix.RevertResult, error) {
	agreed := false
	o, err := h.change(ctx, apply.Request{Ask: h.askOffer(&agreed, buttonRevert, nil), Propose: func(ctx context.Context) (apply.Proposal, error) {
		proposal, w, err := h.proposeRevert(ctx, p, apply.SourceAgent)
		if w != nil {
			proposal.Question = h.asks(proposal.Record.Label) + apply.RevertQuestion(proposal.Plan.Files) + h.endingsWarning(w.Reply)
		}
		return proposal, err
	}})
	if err == nil {
		err = agenttools.NotWritten(o, agreed)
	}
	h.tellChange(ctx, resultFor("", o))
	return o.RevertResult(), err
}

// tellChange reports an agent's change to an editor that itself shows agents' changes (see [Server.offers]). It sends
// nothing to any other editor.
func (h *host) tellChange(ctx context.Context, r aptix.ApplyResult) {
	if r.Applied && h.offers() {
		h.notify(h.editor.AgentChange(context.WithoutCancel(ctx), aptix.AgentChange{Agent: h.agent, ID: r.ID, Message: r.Message}))
	}
}

// tellNotMade tells a person who agreed to a change why the change was not made. Without this message, only the agent
// would learn the reason.
func (h *host) tellNotMade(ctx context.Context, answer aptix.ApplyResult, err error) {
	why := answer.Message
	switch {
	case err != nil:
		why = err.Error()
	case answer.Applied || answer.Verified:
		return
	}
	message := "The offered change was not made: " + why
	if err := h.editor.ShowMessage(context.WithoutCancel(ctx), &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: message}); err != nil {
		h.conn.Log().Warn("the message could not be shown", zap.String("message", message), zap.Error(err))
	}
}

func (h *host) checkRequest(ctx context.Context, r agenttools.Request) (*replies.Reply, error) {
	v, ok := h.view(r.Folder.Dir)
	if !ok {
		return nil, agenttools.Refuse("folder-closed", "nothing was written: the folder %s is no longer open", r.Folder.Dir)
	}
	where := h.checkSettings(v, nil)
	where.Earlier = h.earlier(v)
	result, err := r.Check(ctx, where)
	if err != nil {
		return nil, err
	}
	return &replies.Reply{Result: result, Lines: text.NewLines(result.Documents[0].Text), View: v}, nil
}

// asks returns the beginning of a question: who wants to make which change. If the agent gave no label, the label is
// only the agent's name, and the question names the agent only once.
func (h *host) asks(label string) string {
	who := cmp.Or(h.agent, "An agent")
	if label == "" || label == who {
		return who + " asks: "
	}
	return fmt.Sprintf("%s asks to apply “%s”: ", who, plainName(label))
}

const maxName = 60

// plainName shortens a name to one line of at most maxName characters. An agent chooses its own name, and a long name
// could look like a part of the question.
func plainName(name string) string {
	words := escape.Line(strings.Join(strings.Fields(name), " "))
	if runes := []rune(words); len(runes) > maxName {
		return string(runes[:maxName]) + "…"
	}
	return words
}

// Preview shows the person the changes of a reply, if the editor supports it.
func (h *host) Preview(ctx context.Context, r agenttools.Request) (bool, error) {
	if !h.offers() {
		return false, nil
	}
	c, err := h.checkRequest(ctx, r)
	if err != nil || len(c.Plan.Files) == 0 {
		return false, err
	}
	return true, h.editor.Show(ctx, h.rows(c))
}

// An offer is a change of an agent that waits for the person's answer.
type offer struct {
	*host
	token   string                                        // identifies the offer; "" if no part can be left out
	propose func(context.Context) (apply.Proposal, error) // proposes the change without the parts that are left out

	mu    sync.Mutex
	shown apply.Proposal
}

func (o *offer) checked() *replies.Reply { return o.shown.Writer.(*writer).Reply }

// askOffer returns a function that shows the person an agent's change, asks about it, and stores the answer in *agreed.
// If `ctx` ends because the agent stopped waiting, the question is withdrawn. If `propose` is nil, no part of the
// change can be left out. The button is for editors that do not show offers themselves.
func (h *host) askOffer(agreed *bool, button string, propose func(context.Context) (apply.Proposal, error)) func(context.Context, *apply.Proposal) (bool, error) {
	return func(ctx context.Context, p *apply.Proposal) (accepted bool, err error) {
		if !h.offers() {
			*agreed, err = h.ask(ctx, p, button, p.Reasons)
			return *agreed, err
		}
		o := &offer{host: h, propose: propose, shown: *p}
		if propose != nil {
			o.token = rand.Text()
			h.offered.Store(o.token, o)
			defer h.offered.Delete(o.token)
		}
		*agreed, err = h.editor.Offer(ctx, o.params(""))
		o.mu.Lock()
		defer o.mu.Unlock()
		*p = o.shown
		return *agreed, err
	}
}

// params describes the offer to the editor. `message` explains why the offer still has a part that the person wanted to
// leave out. If there is nothing to show, it is replaced with the reason.
func (o *offer) params(message string) aptix.OfferParams {
	p := aptix.OfferParams{Agent: o.agent, Preview: o.rows(o.checked()), Question: o.shown.Question, Token: o.token, Blocks: []aptix.ListedBlock{}}
	if len(p.Preview.Files) == 0 {
		message = cmp.Or(o.shown.Refused, "All parts of the offered change were left out, so there is nothing to apply")
	}
	p.Preview.Message = escape.Message(message)
	if o.token != "" {
		p.Blocks = o.checked().ListedBlocks()
	}
	return p
}

// offerParts leaves parts of an offered change out, or includes them again. From then on, the offer is the change
// without the left-out parts.
func (s *Server) offerParts(ctx context.Context, p *aptix.OfferPartsParams) (aptix.OfferParams, error) {
	found, ok := s.offered.Load(p.Token)
	if !ok {
		return aptix.OfferParams{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the agent no longer waits for an answer")
	}
	o := found.(*offer)
	o.mu.Lock()
	defer o.mu.Unlock()
	changes, message := p.Changes, ""
	if p.Document != "" {
		at, err := o.checked().PartsAt(p.Document, p.Line, p.File)
		if err != nil {
			return aptix.OfferParams{}, err
		}
		changes, message = at.Parts, at.Message
	}
	for _, change := range changes {
		if err := o.choose(ctx, change); err != nil {
			return aptix.OfferParams{}, err
		}
	}
	return o.params(message), nil
}

// choose leaves a part out, or includes it again, and replaces the proposal that the person sees.
func (o *offer) choose(ctx context.Context, p aptix.SkipParams) error {
	c := o.checked()
	i := slices.IndexFunc(c.Blocks, func(b check.Block) bool { return b.Index == p.Block })
	if i < 0 {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the offer has no block %d", p.Block)
	}
	if err := o.choosePart(ctx, c, c.Blocks[i], p); err != nil {
		return err
	}
	next, err := o.propose(ctx)
	if err == nil {
		o.shown = next
	}
	return err
}
