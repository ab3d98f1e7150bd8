// Package rpc is a connection of LSP's base protocol: JSON-RPC messages, each with a
// header, and the methods that answer them. Handlers rely on these promises:
//
//   - Notifications run one after the other, in the order in which they came.
//   - A call runs at the same time as everything that comes after it, but sees
//     what [Options.Before] took at its place in the stream.
//   - A handler that panics or fails answers its own call, and nothing else: only
//     the exit notification, the end of the input, a broken frame header or a
//     message above the limit ends the connection.
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

// Max is the largest message that is read, in bytes.
const Max = 64 << 20

// keepBuffer is the largest read buffer that is kept for the next message, in
// bytes.
const keepBuffer = 1 << 20

// A Stream is a [jsonrpc2.Stream] that differs from jsonrpc2's own in what it
// survives: a message that is no JSON-RPC message is answered and skipped, and does not
// end the connection. A broken header and a message above [Max] do, after an answer: there
// is no telling where the next message begins, or whether the rest of this one ever comes.
//
// It has no ReadFrame on purpose: without, jsonrpc2 reads message by message, and
// batches, which LSP does not have, are refused like any malformed message.
type Stream struct {
	// Log gets each message that is dropped.
	Log *zap.Logger
	// Lost is called, if not nil, with the reason when a message is dropped that may have
	// been a notification.
	Lost func(reason string)
	// Ended is called when nothing more can be read, or nobody reads: more than once,
	// maybe.
	Ended func()

	rwc  io.ReadWriteCloser
	in   *bufio.Reader
	body []byte // of the message last read; jsonrpc2 borrows it until the next Read

	mu sync.Mutex // makes each frame one write
}

// New is the messages on rwc. Its exported fields are set before it is read.
func New(rwc io.ReadWriteCloser) *Stream {
	return &Stream{rwc: rwc, in: bufio.NewReaderSize(rwc, 64<<10)}
}

// Read implements [jsonrpc2.Stream]. Like every read here it ends when the
// stream is closed and not when a context is.
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

// refuse answers a message whose body is not read, and ends the connection. Of its id is
// known what came together with the header.
func (s *Stream) refuse(err error) error {
	if ends(err) || errors.Is(err, io.ErrUnexpectedEOF) {
		return s.fail(err)
	}
	head, _ := s.in.Peek(s.in.Buffered())
	s.drop(head, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%v; the connection ends", err))
	return s.fail(err)
}

// ends reports whether an error is the end of the input.
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

// maxHeader is how many bytes a header may have: a real one has about 80.
const maxHeader = 8 << 10

// header reads a message's header and returns the length of its body in bytes.
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

// rawHeader reads up to and with the empty line that ends a header. It is io.EOF where
// nothing comes any more.
func (s *Stream) rawHeader() ([]byte, error) {
	raw := make([]byte, 0, 128)
	line := 0 // where the last line begins
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

// message reads a body of n bytes; nil for one that was answered and skipped.
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

// drop answers a message that is not heeded, of which head is the beginning.
// What is not surely a call may have been a change to a document.
func (s *Stream) drop(head []byte, reason error) {
	s.Log.Error("a message was dropped", zap.Error(reason))
	id, isCall := callID(head)
	if !isCall && s.Lost != nil {
		s.Lost(reason.Error())
	}
	// A failure to write ends the connection in Write.
	_, _ = s.Write(context.Background(), jsonrpc2.NewResponse(id, nil, reason))
}

// callID finds the id of a call in the beginning of a message. Every client
// known writes id and method in front of params.
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

// wireID reads an id of a message; it is the invalid ID for any other value.
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

// Write implements [jsonrpc2.Stream]. A frame is always written whole, whatever
// becomes of the context: half a frame would break the connection.
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
