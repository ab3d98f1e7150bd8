package rpc

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/parallel"
)

// drainTime limits how long the process waits for cancelled calls before it exits. If a change on disk is still
// incomplete after that, the next start completes or undoes it.
const drainTime = 2 * time.Second

// Options are the options of a connection, apart from its methods.
type Options struct {
	Log *zap.Logger // must not write to the connection's own output

	// Before is called for each call, in the order of the stream, and returns the context in which the call is handled.
	// For example, it can put a snapshot of the documents into the context. Before must not block.
	Before func(context.Context) context.Context

	// Ready is called for each call before the call's handler, and may block. It may be nil.
	Ready func(context.Context)

	// Lost is called after a message from the client was dropped unread. After that, the server's documents may differ
	// from the editor's documents.
	Lost func(reason string)
}

// A Conn is the connection of one client.
type Conn struct {
	rpc    jsonrpc2.Conn
	stream *Stream
	table  *Table
	before func(context.Context) context.Context
	ready  func(context.Context)
	log    *zap.Logger
	logs   *clientLog

	ended   context.Context // done when the connection has nothing more to read or write
	end     context.CancelFunc
	mu      sync.Mutex
	phase   phase
	running map[jsonrpc2.ID]context.CancelFunc // the calls in progress
	idle    chan struct{}                      // created at exit, closed when no call is running
}

type phase int

const (
	fresh        phase = iota // no initialize request has arrived
	initializing              // initialize has arrived, but is not answered yet
	ready
	shutDown
	exited
)

// NewConn prepares a connection over `rwc`, and later closes `rwc`. It reads nothing until [Conn.Run] is called.
func NewConn(rwc io.ReadWriteCloser, table *Table, o Options) *Conn {
	logs := &clientLog{queue: make(chan protocol.LogMessageParams, logQueue), opened: make(chan struct{})}
	c := &Conn{
		table:   table,
		before:  o.Before,
		ready:   o.Ready,
		log:     o.Log.WithOptions(zap.WrapCore(logs.tee)),
		logs:    logs,
		running: map[jsonrpc2.ID]context.CancelFunc{},
	}
	c.ended, c.end = context.WithCancel(context.Background())
	c.stream = New(rwc)
	c.stream.Log, c.stream.Lost, c.stream.Ended = c.log, o.Lost, c.end
	c.rpc = jsonrpc2.NewConn(c.stream, jsonrpc2.WithCodec(codec{}))
	return c
}

// Raw returns the underlying connection, for calls and notifications to the client.
func (c *Conn) Raw() jsonrpc2.Conn { return c.rpc }

// Outlive returns a copy of `ctx` that ends only with the connection, and a function that ends the copy earlier.
func (c *Conn) Outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(c.ended, cancel)
	return ctx, func() { stop(); cancel() }
}

// Log returns the logger, which also sends its entries to the client as window/logMessage.
func (c *Conn) Log() *zap.Logger { return c.log }

// Run serves the client until the client exits or hangs up, or until `ctx` is done. It returns the exit code that LSP
// requires, which is 0 after a shutdown request and otherwise 1.
func (c *Conn) Run(ctx context.Context) (code int) {
	defer c.stream.Close()
	stop := context.AfterFunc(ctx, c.end)
	defer stop()
	go c.logs.forward(c.ended, c.rpc)
	c.rpc.Go(context.WithoutCancel(ctx), c.handle)
	<-c.ended.Done()
	return c.drain()
}

// drain cancels the calls in progress, waits at most drainTime until they end, and returns the exit code.
func (c *Conn) drain() (code int) {
	c.mu.Lock()
	if c.phase < shutDown {
		code = 1
	}
	c.phase = exited
	c.idle = make(chan struct{})
	if len(c.running) == 0 {
		close(c.idle)
	}
	for _, cancel := range c.running {
		cancel()
	}
	c.mu.Unlock()
	select {
	case <-c.idle:
	case <-time.After(drainTime):
		c.log.Warn("calls were still running at exit")
	}
	return code
}

// handle responds to one message. Until it calls Async, it runs on the goroutine that reads the connection, so
// everything before that call happens in the order of the stream.
func (c *Conn) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		// The request's own context is reused after this function, so DetachContext makes a copy that can be kept. An
		// error returned here would close the connection.
		c.notification(jsonrpc2.DetachContext(ctx), req.Method(), req.Params())
		return nil, nil
	}
	run, refused := c.admit(req.Method())
	if run == nil && refused == nil {
		// The response to shutdown must be sent before the exit notification is read, which may follow immediately.
		return nil, nil
	}
	id := req.ID()
	callCtx, cancel := context.WithCancel(c.before(jsonrpc2.DetachContext(ctx)))
	c.begin(id, cancel)
	defer c.finish(id, cancel)
	jsonrpc2.Async(ctx) // starts reading the next message; `req` keeps a copy of its own data
	if refused != nil {
		return nil, refused
	}
	return c.call(callCtx, req.Method(), run, req.Params())
}

// call runs one call and encodes its result. The encoding is inside Guard, because a panic of the library while it
// encodes would close the connection.
func (c *Conn) call(ctx context.Context, method string, run callFunc, params jsonrpc2.RawMessage) (any, error) {
	var answer jsonrpc2.RawMessage
	err := c.Guard(method, func() error {
		if c.ready != nil {
			c.ready(ctx)
		}
		result, err := run(ctx, params)
		if err != nil {
			return err
		}
		answer, err = codec{}.Marshal(result)
		return err
	})
	if method == protocol.MethodInitialize {
		c.initialized(err == nil)
	}
	if err != nil {
		return nil, c.wireError(ctx, method, err)
	}
	return answer, nil
}

// Guard calls `f` and turns a panic, which means a bug in the program, into an InternalError. It logs the panic with
// its stack.
func (c *Conn) Guard(method string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("panic in a handler", zap.String("method", method), zap.Any("panic", r), zap.String("stack", parallel.Stack(r)))
			err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s: internal error: %v (see the Aptix log)", method, r)
		}
	}()
	return f()
}

// wireError returns `err` with the error code that tells the client how to react. An error without a code becomes
// RequestFailed: the request was understood, but the work failed.
func (c *Conn) wireError(ctx context.Context, method string, err error) error {
	if ctx.Err() != nil {
		c.log.Debug("call cancelled", zap.String("method", method), zap.Error(err))
		return protocol.ErrRequestCancelled
	}
	if wire := (*jsonrpc2.Error)(nil); errors.As(err, &wire) {
		shown := *wire
		shown.Message = escape.Message(wire.Message)
		return &shown
	}
	c.log.Error("call failed", zap.String("method", method), zap.Error(err))
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%s", escape.Message(err.Error()))
}

// notification runs one notification. Errors are only logged, because nobody waits for the result.
func (c *Conn) notification(ctx context.Context, method string, params jsonrpc2.RawMessage) {
	err := c.Guard(method, func() error {
		switch method {
		case protocol.MethodCancelRequest:
			return c.cancel(params)
		case protocol.MethodExit:
			c.end()
			return nil
		}
		run, known := c.table.notifications[method]
		if !known || !c.serving() {
			c.log.Debug("notification ignored", zap.String("method", method))
			return nil
		}
		return run(ctx, params)
	})
	if err != nil {
		c.log.Error("notification failed", zap.String("method", method), zap.Error(err))
	}
}
