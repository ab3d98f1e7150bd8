package editor

import (
	"context"
	"strconv"
	"time"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

func (e *Editor) cancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	token, _ := params.Token.(protocol.String)
	e.mu.Lock()
	defer e.mu.Unlock()
	if cancel, running := e.running[string(token)]; running {
		cancel()
	}
	return nil
}

// A Progress is one task whose progress is shown.
type Progress struct {
	editor *Editor
	token  string
	shown  bool
	cancel context.CancelFunc
}

// Begin shows a title and a cancel button, which cancels the returned context. If the client cannot show progress, the
// work goes on without it. The caller must call End.
func (e *Editor) Begin(ctx context.Context, title string) (context.Context, *Progress) {
	ctx, cancel := context.WithCancel(ctx)
	e.mu.Lock()
	e.begun++
	one := &Progress{editor: e, token: "aptix-" + strconv.Itoa(e.begun), cancel: cancel}
	e.running[one.token] = cancel
	e.mu.Unlock()
	err := e.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(one.token)})
	one.shown = err == nil
	cancellable := true
	one.send(ctx, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: escape.Label(title), Cancellable: &cancellable})
	return ctx, one
}

// shownAfter is how long the server waits for the editor before the person sees a notification about it.
const shownAfter = time.Second

type giveUpKey struct{}

// WithGiveUp returns a copy of `ctx` for a change. `giveUp` is called if the person no longer wants to wait for the
// editor.
func WithGiveUp(ctx context.Context, giveUp context.CancelFunc) context.Context {
	return context.WithValue(ctx, giveUpKey{}, giveUp)
}

func giveUp(ctx context.Context) { ctx.Value(giveUpKey{}).(context.CancelFunc)() }

// ShowWaiting shows, after some time, a notification that the server waits for the editor. Its button ends the wait
// (see [WithGiveUp]). `end` removes the notification.
func (e *Editor) ShowWaiting(ctx context.Context) (end func()) {
	ended := make(chan struct{})
	go func() {
		_ = e.conn.Guard("notification", func() error { e.offerToGiveUp(ctx, ended); return nil })
	}()
	return func() { close(ended) }
}

// offerToGiveUp shows the notification until `ended` is closed.
func (e *Editor) offerToGiveUp(ctx context.Context, ended <-chan struct{}) {
	select {
	case <-time.After(shownAfter):
	case <-ended:
		return
	}
	shown, progress := e.Begin(ctx, "Aptix: waiting for the editor")
	defer progress.End(ctx)
	select {
	case <-shown.Done():
		// Because `ctx` has not ended, the person ended the wait.
		if ctx.Err() == nil {
			giveUp(ctx)
		}
	case <-ended:
	}
}

// End removes the progress from the screen.
func (o *Progress) End(ctx context.Context) {
	o.send(context.WithoutCancel(ctx), &protocol.WorkDoneProgressEnd{Kind: "end"})
	o.editor.mu.Lock()
	delete(o.editor.running, o.token)
	o.editor.mu.Unlock()
	o.cancel()
}

// send sends a progress notification to the client. It ignores errors, because the work does not depend on the
// notification.
func (o *Progress) send(ctx context.Context, value any) {
	if !o.shown {
		return
	}
	raw, err := rpc.Marshal(value)
	if err != nil {
		return
	}
	_ = o.editor.Progress(ctx, &protocol.ProgressParams{Token: protocol.String(o.token), Value: raw})
}
