package rpc

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

type (
	callFunc         func(ctx context.Context, params jsonrpc2.RawMessage) (any, error)
	notificationFunc func(ctx context.Context, params jsonrpc2.RawMessage) error
)

// A Table has the methods that a server handles, apart from shutdown, exit and $/cancelRequest, which the connection
// itself handles. A Table must be complete before [Conn.Run] is called.
type Table struct {
	calls         map[string]callFunc
	notifications map[string]notificationFunc
}

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{calls: map[string]callFunc{}, notifications: map[string]notificationFunc{}}
}

// OnCall registers `f` for calls of `method`. If the params cannot be decoded as P, the client gets InvalidParams. If
// `f` returns an error other than a [jsonrpc2.Error], the client gets RequestFailed. Strings in the params share memory
// with the whole message, so `f` must clone strings that it keeps.
func OnCall[P, R any](t *Table, method string, f func(context.Context, *P) (R, error)) {
	t.calls[method] = func(ctx context.Context, params jsonrpc2.RawMessage) (any, error) {
		p := new(P)
		if err := decode(params, p); err != nil {
			return nil, err
		}
		return f(ctx, p)
	}
}

// OnNotification registers `f` for notifications of `method`. An error of `f` is only logged. `f` must not block,
// because nothing else is read while it runs.
func OnNotification[P any](t *Table, method string, f func(context.Context, *P) error) {
	t.notifications[method] = func(ctx context.Context, params jsonrpc2.RawMessage) error {
		p := new(P)
		if err := decode(params, p); err != nil {
			return err
		}
		return f(ctx, p)
	}
}

// decode reads `params` into `p`. If `p` is a *struct{}, it ignores `params`.
func decode(params jsonrpc2.RawMessage, p any) error {
	if _, none := p.(*struct{}); none {
		return nil
	}
	if len(params) == 0 {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "params are missing")
	}
	if err := protocol.Unmarshal(params, p); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "params: %v", err)
	}
	return nil
}

// Marshal encodes `v` with the union types of LSP. [protocol.Marshal] would give the same result, but it would add an
// encoder for every message of LSP, which makes the program 0.8 MB larger.
func Marshal(v any) ([]byte, error) {
	return json.Marshal(v, jsontext.AllowInvalidUTF8(true))
}

// A codec encodes payloads with the union types of LSP. It passes a [jsonrpc2.RawMessage] on unchanged.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		if raw == nil {
			return []byte("null"), nil
		}
		return raw, nil
	}
	return Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// admit finds the handler of a call and advances the phase of the connection. Calls must be admitted in the order of
// the stream. If admit returns neither a function nor an error, the call was the shutdown request and needs no more
// work.
func (c *Conn) admit(method string) (run callFunc, refused error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if refused := c.phase.refuses(method); refused != nil {
		return nil, refused
	}
	switch method {
	case protocol.MethodInitialize:
		c.phase = initializing
	case protocol.MethodShutdown:
		c.phase = shutDown
		return nil, nil
	}
	run, known := c.table.calls[method]
	if !known {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method not found: %s", method)
	}
	return run, nil
}

func (p phase) refuses(method string) error {
	initialize := method == protocol.MethodInitialize
	switch {
	case p >= shutDown:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the server is shut down")
	case initialize && p != fresh:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "initialize may be sent only once")
	case !initialize && p < ready:
		return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "initialize has not been answered yet")
	}
	return nil
}

// initialized ends the initializing phase. It must be called before the response is sent. Otherwise a client could
// receive the response while the server still refuses calls.
func (c *Conn) initialized(ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != initializing {
		return
	}
	if !ok {
		c.phase = fresh
		return
	}
	c.phase = ready
	close(c.logs.opened)
}

// serving reports whether the connection is in the phase in which notifications are handled. LSP requires the server to
// drop them in all other phases.
func (c *Conn) serving() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.phase == ready
}

func (c *Conn) begin(id jsonrpc2.ID, cancel context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[id] = cancel
	if c.phase == exited {
		cancel()
	}
}

func (c *Conn) finish(id jsonrpc2.ID, cancel context.CancelFunc) {
	cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, id)
	if c.idle != nil && len(c.running) == 0 {
		select {
		case <-c.idle:
		default:
			close(c.idle)
		}
	}
}

// cancel handles $/cancelRequest. A call that is no longer in progress is not an error, because its response and the
// cancellation may have been sent at the same time.
func (c *Conn) cancel(params jsonrpc2.RawMessage) error {
	var p protocol.CancelParams
	if err := decode(params, &p); err != nil {
		return err
	}
	var id jsonrpc2.ID
	switch v := p.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(v))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(v))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, running := c.running[id]; running {
		cancel()
	}
	return nil
}
