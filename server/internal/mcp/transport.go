package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxFrame is the size of the longest message from an agent, in bytes. A patch of a large file fits in it.
const maxFrame = 64 << 20

// A Lines is a transport with one message per line. Unlike the library's transport, it answers a line that is not a
// message with an error and reads on, because one bad line must not end the calls that are in progress.
type Lines struct {
	Reader io.ReadCloser
	Writer io.Writer
}

func (t Lines) Connect(ctx context.Context) (sdk.Connection, error) {
	out := &lockedWriter{w: t.Writer}
	in := struct {
		io.Reader
		io.Closer
	}{&lineReader{in: bufio.NewReader(t.Reader), out: out}, t.Reader}
	c, err := (&sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: -1}).Connect(ctx) // lineReader has a separate limit
	return connection{c}, err
}

// A connection cuts off the text of each error, because the library repeats names and arguments of any length.
type connection struct{ sdk.Connection }

func (c connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if r, ok := message.(*jsonrpc.Response); ok && r.Error != nil && len(r.Error.Error()) > maxError {
		bounded := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text.Cut(r.Error.Error(), maxError)}
		if e := new(jsonrpc.Error); errors.As(r.Error, &e) {
			bounded.Code = e.Code
		}
		message = &jsonrpc.Response{ID: r.ID, Error: bounded}
	}
	return c.Connection.Write(ctx, message)
}

// A lockedWriter writes whole messages, from several goroutines.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *lockedWriter) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(message)
}

func (*lockedWriter) Close() error { return nil }

// A lineReader reads the messages of a client. It skips each line that is not a message, and writes an error for it.
type lineReader struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // messages that were read from the client, but not yet from this reader
}

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.line()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var refused *jsonrpc.Error
			if r.rest, refused = messages(line); refused != nil {
				if err := r.refuse(refused); err != nil {
					return 0, err
				}
			}
		}
		if err != nil && len(r.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// line returns the next line. It cuts off a line that is too long, which is then no valid message.
func (r *lineReader) line() (line []byte, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line) <= maxFrame {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// messages returns the messages on a line, each on a line of its own. Only an old version of the protocol has several
// messages on a line, as an array.
func messages(line []byte) ([]byte, *jsonrpc.Error) {
	if len(line) > maxFrame {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the message is too long"}
	}
	if !json.Valid(line) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not valid JSON; each message must be on a line of its own"}
	}
	batch := []json.RawMessage{line}
	if line[0] == '[' {
		_ = json.Unmarshal(line, &batch)
	}
	var all []byte
	for _, message := range batch {
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the line is not a message of JSON-RPC 2.0"}
		}
		all = append(append(all, message...), '\n')
	}
	if len(batch) == 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the array of messages is empty"}
	}
	return all, nil
}

// refuse writes an error for a line that is not a message. The error has no id.
func (r *lineReader) refuse(e *jsonrpc.Error) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": e})
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(answer, '\n'))
	return err
}

// maxError is the length at which the text of an error is cut off, in bytes.
const maxError = 300
