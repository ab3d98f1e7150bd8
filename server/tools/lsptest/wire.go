// Package lsptest is an editor for tests. It speaks JSON-RPC over pipes without any code of the
// server. It has buffers and a folder on disk. It carries out workspace/applyEdit like VS Code, or
// as badly as a test asks for.
package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"

	"go.lsp.dev/protocol"
)

// A message is any JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// An Error is the error that a response reports.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

func writeFrame(w io.Writer, body []byte) error {
	_, err := w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...))
	return err
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, n)
	_, err = io.ReadFull(r, body)
	return body, err
}

// encode returns v as JSON, whether or not its type is one of LSP. It returns nil for nil.
func encode(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// decode reads raw into v, which may be nil.
func decode(raw json.RawMessage, v any) error {
	if v == nil || len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return protocol.Unmarshal(raw, v)
}

// A pipe is one end of a connection.
type pipe struct {
	io.Reader
	io.Writer
	close func() error
}

func (p pipe) Close() error { return p.close() }

// newPipe returns a connection without buffers. If one side does not read, the other side blocks,
// as with a full pipe between processes.
func newPipe() (client, server io.ReadWriteCloser) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	client = pipe{fromServer, toServer, func() error { fromServer.Close(); return toServer.Close() }}
	server = pipe{fromClient, toClient, func() error { fromClient.Close(); return toClient.Close() }}
	return client, server
}
