// Package rpc implements connections of LSP's base protocol: JSON-RPC messages, each with a header, and the methods
// that handle them. Handlers rely on these promises:
//
//   - Notifications run one after the other, in the order in which they arrive.
//   - A call runs concurrently with everything that comes after it, but sees the state that [Options.Before] recorded when
//     the call arrived.
//   - If a handler panics or fails, only its own call is affected.
//   - A malformed message does not end the connection, but a broken header or a message above the limit does.
package rpc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// Max limits the size of a message that is read, in bytes.
const Max = 64 << 20

const keepBuffer = 1 << 20

// A Stream is a [jsonrpc2.Stream] that survives more mistakes than the streams of jsonrpc2. If a message is not a
// JSON-RPC message, the stream sends an error, skips the message and continues. After a broken header or a message
// above [Max], the beginning of the next message is unknown, so the stream sends an error and ends the connection.
//
// A Stream deliberately has no method ReadFrame, so jsonrpc2 reads message by message. A batch counts as a malformed
// message, because LSP has no batches.
type Stream struct {
	// Log gets an entry for each dropped message.
	Log *zap.Logger
	// Lost is called with the reason after a message was dropped that may have been a notification. It may be nil.
	Lost func(reason string)
	// Ended is called when nothing more can be read, or when the other end no longer reads. It may be called several
	// times.
	Ended func()

	rwc  io.ReadWriteCloser
	in   *bufio.Reader
	body []byte // body of the latest message; jsonrpc2 uses it until the next Read

	mu sync.Mutex // held during a write, so that each frame is written as a whole
}

// New returns a stream of the messages on `rwc`. The exported fields must be set before the stream is read.
func New(rwc io.ReadWriteCloser) *Stream {
	return &Stream{rwc: rwc, in: bufio.NewReaderSize(rwc, 64<<10)}
}

// Read implements [jsonrpc2.Stream]. It ignores the context: only closing the stream ends a Read that waits.
func (s *Stream) Read(context.Context) (jsonrpc2.Message, int64, error) {
	for {
		n, err := s.header()
		if err == nil && n > Max {
			err = fmt.Errorf("message of %d bytes is too large; the limit is %d bytes", n, Max)
		}
		if err != nil {
			return nil, 0, s.refuse(err)
		}
		msg, err := s.message(n)
		if err != nil {
			return nil, 0, s.fail(err)
		}
		if msg != nil {
			return msg, n, nil
		}
	}
}

// refuse sends an error for a message without reading its body, and ends the connection. It finds the id of the message
// only if the id arrived together with the header.
func (s *Stream) refuse(err error) error {
	if ends(err) || errors.Is(err, io.ErrUnexpectedEOF) {
		return s.fail(err)
	}
	head, _ := s.in.Peek(s.in.Buffered())
	s.drop(head, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%v; the connection ends", err))
	return s.fail(err)
}

// ends reports whether an error only means that there is no more input.
func ends(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) || errors.Is(err, net.ErrClosed)
}

func (s *Stream) fail(err error) error {
	if !ends(err) {
		s.Log.Error("the connection is broken", zap.Error(err))
	}
	s.Ended()
	return err
}

// maxHeader limits the size of a header, in bytes. An ordinary header has about 80.
const maxHeader = 8 << 10

func (s *Stream) header() (int64, error) {
	raw, err := s.rawHeader()
	if err != nil {
		return 0, err
	}
	fields, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(raw))).ReadMIMEHeader()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(fields.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("message header has Content-Length %q, expected a number of bytes", fields.Get("Content-Length"))
	}
	return n, nil
}

// rawHeader reads up to and including the empty line that ends a header. The error is io.EOF if the input has ended.
func (s *Stream) rawHeader() ([]byte, error) {
	raw := make([]byte, 0, 128)
	line := 0 // start of the last line
	for {
		b, err := s.in.ReadByte()
		switch raw = append(raw, b); {
		case errors.Is(err, io.EOF) && len(raw) > 1:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case b == '\n' && len(bytes.TrimRight(raw[line:], "\r\n")) == 0:
			return raw, nil
		case len(raw) > maxHeader:
			return nil, fmt.Errorf("message header has more than %d bytes", maxHeader)
		case b == '\n':
			line = len(raw)
		}
	}
}

// message reads a body of `n` bytes. If the body is not a valid message, it sends an error and returns nil.
func (s *Stream) message(n int64) (jsonrpc2.Message, error) {
	if int64(cap(s.body)) < n || cap(s.body) > max(keepBuffer, int(n)) {
		s.body = make([]byte, n)
	}
	s.body = s.body[:n]
	if _, err := io.ReadFull(s.in, s.body); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	msg, err := jsonrpc2.DecodeMessage(s.body)
	if err != nil {
		s.drop(s.body, fmt.Errorf("malformed message of %d bytes: %w", n, err))
		return nil, nil
	}
	return msg, nil
}

// drop sends an error for a message instead of handling it. `head` is the beginning of the message. Unless the message
// is certainly a call, it may have changed a document, so drop calls Lost.
func (s *Stream) drop(head []byte, reason error) {
	s.Log.Error("a message was dropped", zap.Error(reason))
	id, isCall := callID(head)
	if !isCall && s.Lost != nil {
		s.Lost(reason.Error())
	}
	// If this fails, Write ends the connection.
	_, _ = s.Write(context.Background(), jsonrpc2.NewResponse(id, nil, reason))
}

// callID finds the id of a call at the beginning of a message. All known clients write id and method before params.
func callID(head []byte) (id jsonrpc2.ID, isCall bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(head))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return jsonrpc2.ID{}, false
	}
	method := false
	for !id.IsValid() || !method {
		token, err := dec.ReadToken()
		if err != nil || token.Kind() != '"' {
			return jsonrpc2.ID{}, false
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return jsonrpc2.ID{}, false
		}
		method = method || name == "method"
		if name == "id" {
			id = wireID(value)
		}
	}
	return id, true
}

func wireID(value jsontext.Value) jsonrpc2.ID {
	if value.Kind() == '"' {
		s, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return jsonrpc2.ID{}
		}
		return jsonrpc2.NewStringID(string(s))
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return jsonrpc2.ID{}
	}
	return jsonrpc2.NewNumberID(n)
}

// Write implements [jsonrpc2.Stream]. It always writes a whole frame, even if the context is done, because a part of a
// frame would break the connection.
func (s *Stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	body := jsonrpc2.AppendMessage(nil, msg)
	frame := append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...)
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.rwc.Write(frame)
	if err != nil {
		s.Ended()
	}
	return int64(n), err
}

// Close implements [jsonrpc2.Stream].
func (s *Stream) Close() error { return s.rwc.Close() }
