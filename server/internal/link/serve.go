package link

import (
	"context"
	"encoding/json"
	"net"
	"sync"

	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

type peer struct {
	*Listener
	greeted *hello // nil until aptix/hello was answered; used only by the goroutine that reads the connection

	mu      sync.Mutex
	running map[jsonrpc2.ID]context.CancelFunc // the calls in progress
}

func (l *Listener) serve(conn *net.UnixConn) {
	defer conn.Close()
	if err := sameUser(conn); err != nil {
		l.log.Error("a connection is refused", zap.Error(err))
		return
	}
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	stream := rpc.New(conn)
	stream.Log, stream.Ended = l.log, cancel
	rpc := jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{}))
	p := &peer{Listener: l, running: map[jsonrpc2.ID]context.CancelFunc{}}
	rpc.Go(ctx, p.handle)
	<-ctx.Done()
	_ = conn.Close() // this ends the reader, which may be waiting
	<-rpc.Done()
}

// handle answers one message. Until it calls Async, it runs on the goroutine that reads the connection, so everything
// before that call happens in the order of the stream.
func (p *peer) handle(ctx context.Context, req *jsonrpc2.Request) (answer any, err error) {
	defer func() {
		if r := recover(); r != nil {
			p.log.Error("panic in a call of an agent", zap.Any("panic", r), zap.String("stack", parallel.Stack(r)))
			err = jsonrpc2.Errorf(jsonrpc2.InternalError, "internal error (see the Aptix log)")
		}
		if !req.IsCall() {
			err = nil // an error returned here would end the connection
		}
	}()
	switch {
	case req.Method() == lsp.MethodCancelRequest:
		p.cancelCall(req.Params())
		return nil, nil
	case !req.IsCall():
		return nil, nil
	case req.Method() == methodHello:
		return p.greet(req.Params())
	case req.Method() != protocol.MethodTool:
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method not found: %s", req.Method())
	case p.greeted == nil:
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s must come first", methodHello)
	}
	call := Call{Roots: p.greeted.Roots}
	// The request's own context is reused after the request, so DetachContext makes a copy.
	callCtx, end := p.begin(jsonrpc2.DetachContext(ctx), req.ID())
	defer end()
	jsonrpc2.Async(ctx) // the server reads the next message during this call; req has a copy of the data
	if err := json.Unmarshal(req.Params(), &call); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "params: %v", err)
	}
	return p.handler(callCtx, call), nil
}

func (p *peer) greet(params []byte) (hello, error) {
	var h hello
	if err := json.Unmarshal(params, &h); err != nil {
		return hello{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "params: %v", err)
	}
	if h.Protocol != version {
		return hello{}, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the editor runs Aptix %s, which does not understand Aptix %s; use the same version for both", p.version, h.Version)
	}
	p.greeted = &h
	return hello{Protocol: version, Version: p.version}, nil
}

func (p *peer) begin(ctx context.Context, id jsonrpc2.ID) (callCtx context.Context, end func()) {
	callCtx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running[id] = cancel
	return callCtx, func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, id)
	}
}

// cancelCall handles $/cancelRequest. A call that is no longer in progress is ignored. The ids come from [Client] and
// are numbers.
func (p *peer) cancelCall(params []byte) {
	var given struct{ ID int64 }
	if json.Unmarshal(params, &given) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel, running := p.running[jsonrpc2.NewNumberID(given.ID)]; running {
		cancel()
	}
}
