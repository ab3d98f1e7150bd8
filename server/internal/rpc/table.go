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
