package lspserver

import (
	"context"
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

// Progresses are the pieces of work that the editor shows progress of. They
// answer window/workDoneProgress/cancel.
type Progresses struct {
	client Client

	mu      sync.Mutex
	last    int
	running map[string]context.CancelFunc // by token
}

// NewProgresses serves the client's cancel button through table.
func NewProgresses(client Client, table *rpc.Table) *Progresses {
	p := &Progresses{client: client, running: map[string]context.CancelFunc{}}
	rpc.OnNotification(table, protocol.MethodWindowWorkDoneProgressCancel, p.cancel)
	return p
}

func (p *Progresses) cancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	token, _ := params.Token.(protocol.String)
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel, running := p.running[string(token)]; running {
		cancel()
	}
	return nil
}

// Progress is one piece of work.
type Progress struct {
	all    *Progresses
	token  string
	shown  bool
	cancel context.CancelFunc
}

// Begin shows title with a cancel button, which cancels the context returned.
// Where the client shows no progress the work goes on without. End must be
// called.
func (p *Progresses) Begin(ctx context.Context, title string) (context.Context, *Progress) {
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	p.last++
	one := &Progress{all: p, token: "aptix-" + strconv.Itoa(p.last), cancel: cancel}
	p.running[one.token] = cancel
	p.mu.Unlock()
	err := p.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(one.token)})
	one.shown = err == nil
	cancellable := true
	one.send(ctx, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: escape.Label(title), Cancellable: &cancellable})
	return ctx, one
}

// shownAfter is how long the editor is waited for before that is shown.
const shownAfter = time.Second

type giveUpKey struct{}

// giveUp has the caller of a change wait no longer.
func giveUp(ctx context.Context) { ctx.Value(giveUpKey{}).(context.CancelFunc)() }

// showWaiting shows that the editor is waited for, when that takes long, with a button by which the caller of the change waits no
// longer. The function that it returns ends that.
func (s *Server) showWaiting(ctx context.Context) (end func()) {
	ended := make(chan struct{})
	s.beside(func() {
		select {
		case <-time.After(shownAfter):
		case <-ended:
			return
		}
		shown, progress := s.progress.Begin(ctx, "Aptix: waiting for the editor")
		defer progress.End(ctx)
		select {
		case <-shown.Done():
			giveUp(ctx)
		case <-ended:
		}
	})
	return func() { close(ended) }
}

// End takes the progress off the screen.
func (o *Progress) End(ctx context.Context) {
	o.send(context.WithoutCancel(ctx), &protocol.WorkDoneProgressEnd{Kind: "end"})
	o.all.mu.Lock()
	delete(o.all.running, o.token)
	o.all.mu.Unlock()
	o.cancel()
}

// send tells the client. Progress is a comfort: that it cannot be shown is no
// reason to fail.
func (o *Progress) send(ctx context.Context, value any) {
	if !o.shown {
		return
	}
	raw, err := rpc.Marshal(value)
	if err != nil {
		return
	}
	_ = o.all.client.Progress(ctx, &protocol.ProgressParams{Token: protocol.String(o.token), Value: raw})
}
