package lspserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
)

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
