package lsptest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// patience is the longest time that a test waits. After this time, the test fails instead of
// hanging. With the race detector on a slow machine, a large reply takes half a minute.
func (c *Client) patience() time.Duration { return 2*time.Minute + 100*c.Slow }

// A Client is the editor's side of a connection. Set its exported fields before Initialize.
type Client struct {
	Editor *Editor

	// Capabilities are sent to the server. New sets the capabilities of VS Code.
	Capabilities protocol.ClientCapabilities
	// Options are the initializationOptions; nil for none.
	Options any
	// NoFolder starts the server without a workspace folder.
	NoFolder bool
	// Settings maps sections to the answers of workspace/configuration.
	Settings map[string]any
	// Choose returns the button that the person chooses in a window/showMessageRequest, or ""
	// for none. If it is nil, the person chooses none.
	Choose func(*protocol.ShowMessageRequestParams) string
	// NoQuestions makes the editor answer window/showMessageRequest as if it did not know the
	// request.
	NoQuestions bool
	// NoProgress makes the editor answer window/workDoneProgress/create in the same way.
	NoProgress bool
	// Slow is the time that the editor takes for each step: before it carries out a request,
	// before it answers, and before it reports what an edit changed.
	Slow time.Duration
	// Documents is true if the editor answers aptix/documents.
	Documents bool
	// Handle answers calls that the editor itself does not answer. It may be nil.
	Handle func(method string, params json.RawMessage) (any, error)

	t    testing.TB
	conn io.ReadWriteCloser
	exit chan int // the exit code of the server

	over    atomic.Bool // the test has ended, so nothing more can be reported
	writing sync.Mutex

	mu       sync.Mutex
	lastID   int
	waiting  map[string]chan message // our calls that have no answer yet, by id
	received []Received
	arrived  chan struct{} // closed when the next message arrives
}

// A Received is a message from the server: a notification, or a call that the editor
// answered.
type Received struct {
	Method string
	Params json.RawMessage
}

// Start runs `serve` as the server of an editor whose workspace is dir. `serve` must return its exit code when its
// input ends.
func Start(t testing.TB, dir string, serve func(io.ReadWriteCloser) int) *Client {
	t.Helper()
	client, server := newPipe()
	c := &Client{
		t: t, conn: client, exit: make(chan int, 1),
		Capabilities: vscode(),
		waiting:      map[string]chan message{},
		arrived:      make(chan struct{}),
	}
	c.Editor = newEditor(c, dir)
	go func() { c.exit <- serve(server) }()
	go c.read()
	t.Cleanup(func() {
		c.over.Store(true)
		c.conn.Close()
	})
	return c
}

// Initialize does the handshake of LSP. The editor's folder is the only workspace folder.
func (c *Client) Initialize() *protocol.InitializeResult {
	c.t.Helper()
	folder := protocol.WorkspaceFolder{URI: fileURI(c.Editor.Dir), Name: "workspace"}
	params := &protocol.InitializeParams{Capabilities: c.Capabilities}
	if !c.NoFolder {
		//lint:ignore SA1019 VS Code sends it as well
		params.RootURI = &folder.URI
		params.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{folder})
	}
	if c.Options != nil {
		raw, err := json.Marshal(c.Options)
		if err != nil {
			c.t.Fatal(err)
		}
		params.InitializationOptions = raw
	}
	var result protocol.InitializeResult
	c.MustCall(protocol.MethodInitialize, params, &result)
	c.Notify(protocol.MethodInitialized, &protocol.InitializedParams{})
	return &result
}

// Exit shuts down the server and returns its exit code.
func (c *Client) Exit() int {
	c.t.Helper()
	time.Sleep(2 * c.Slow) // the server may still send something
	c.MustCall(protocol.MethodShutdown, nil, nil)
	c.Notify(protocol.MethodExit, nil)
	return c.ExitCode()
}

// ExitCode waits for the server to end.
func (c *Client) ExitCode() int {
	c.t.Helper()
	select {
	case code := <-c.exit:
		return code
	case <-time.After(c.patience()):
		c.t.Fatal("the server does not end")
		return -1
	}
}

// HangUp closes the connection without a message.
func (c *Client) HangUp() { c.conn.Close() }

// Dies declares that the server will end without a message. After this call, it is not an error if
// nothing can be sent to the server.
func (c *Client) Dies() { c.over.Store(true) }

// Call sends a call and waits for its answer. If the server answers with an error, the error is
// an [*Error].
func (c *Client) Call(method string, params, result any) error {
	return c.Go(method, params).Wait(result)
}

// MustCall does the same as Call, and fails the test if the answer is an error.
func (c *Client) MustCall(method string, params, result any) {
	c.t.Helper()
	if err := c.Call(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// A Pending is a call that has no answer yet.
type Pending struct {
	ID     int
	method string
	c      *Client
	answer chan message
}

// Go sends a call and does not wait for the answer.
func (c *Client) Go(method string, params any) *Pending {
	c.mu.Lock()
	c.lastID++
	p := &Pending{ID: c.lastID, method: method, c: c, answer: make(chan message, 1)}
	c.waiting[fmt.Sprint(p.ID)] = p.answer
	c.mu.Unlock()
	if c.Editor != nil {
		c.Editor.beforeCall()
	}
	raw, err := encode(params)
	if err == nil {
		err = c.send(message{ID: json.RawMessage(fmt.Sprint(p.ID)), Method: method, Params: raw})
	}
	if err != nil {
		p.answer <- message{Error: &Error{Message: err.Error()}}
	}
	return p
}

// Cancel asks the server to cancel the call. The server still answers the call.
func (p *Pending) Cancel() {
	p.c.Notify(protocol.MethodCancelRequest, json.RawMessage(fmt.Sprintf(`{"id":%d}`, p.ID)))
}

// Wait waits for the answer and reads it into result.
func (p *Pending) Wait(result any) error {
	select {
	case m := <-p.answer:
		if m.Error != nil {
			return m.Error
		}
		return decode(m.Result, result)
	case <-time.After(p.c.patience()):
		return fmt.Errorf("no answer to %s", p.method)
	}
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.t.Helper()
	raw, err := encode(params)
	if err == nil {
		err = c.send(message{Method: method, Params: raw})
	}
	if err != nil && !c.over.Load() {
		c.t.Errorf("%s: %v", method, err)
	}
}

// Raw writes bytes to the server unchanged, even if they are not a frame.
func (c *Client) Raw(b []byte) {
	c.t.Helper()
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.conn.Write(b); err != nil {
		c.t.Errorf("write: %v", err)
	}
}

// Frame writes body as one frame, even if it is not valid JSON.
func (c *Client) Frame(body string) {
	c.t.Helper()
	c.Raw(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (c *Client) send(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return writeFrame(c.conn, body)
}

// read reads the messages from the server until the server closes the connection.
func (c *Client) read() {
	in := bufio.NewReader(c.conn)
	for {
		body, err := readFrame(in)
		if err != nil {
			c.endOfStream(err)
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.t.Errorf("the server sent no JSON: %v", err)
			return
		}
		switch {
		case m.Method != "" && m.ID != nil:
			go c.answer(m)
		case m.Method != "":
			c.record(Received{m.Method, m.Params})
		default:
			c.deliver(m)
		}
	}
}

// endOfStream makes all calls fail that have no answer yet.
func (c *Client) endOfStream(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, answer := range c.waiting {
		delete(c.waiting, id)
		answer <- message{Error: &Error{Message: "the server hung up: " + err.Error()}}
	}
}

// deliver passes an answer to the call that waits for it. If no call waits for it, the answer is
// recorded under the method "".
func (c *Client) deliver(m message) {
	c.mu.Lock()
	answer := c.waiting[string(m.ID)]
	delete(c.waiting, string(m.ID))
	c.mu.Unlock()
	if answer != nil {
		answer <- m
		return
	}
	raw, _ := json.Marshal(m)
	c.record(Received{"", raw})
}

func (c *Client) record(r Received) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, r)
	close(c.arrived)
	c.arrived = make(chan struct{})
}

// Received returns all messages with a method that the server has sent so far.
func (c *Client) Received(method string) []json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []json.RawMessage
	for _, r := range c.received {
		if r.Method == method {
			all = append(all, r.Params)
		}
	}
	return all
}

// Await waits until the server has sent a message with a method for which ok returns true, and
// returns the message.
func Await[P any](c *Client, method string, ok func(*P) bool) *P {
	c.t.Helper()
	var found *P
	c.until(method, func(all []Received) bool {
		for _, r := range all {
			p := new(P)
			if r.Method == method && decode(r.Params, p) == nil && ok(p) {
				found = p
				return true
			}
		}
		return false
	})
	return found
}

// AwaitDiagnostics waits until ok returns true for the diagnostics that the server last published for a file. `path` is
// that of [Editor.URI].
func (c *Client) AwaitDiagnostics(path string, ok func([]protocol.Diagnostic) bool) []protocol.Diagnostic {
	c.t.Helper()
	u := c.Editor.URI(path)
	var last protocol.PublishDiagnosticsParams
	c.until("diagnostics of "+path, func(all []Received) bool {
		for _, r := range slices.Backward(all) {
			var p protocol.PublishDiagnosticsParams
			if r.Method == protocol.MethodTextDocumentPublishDiagnostics && decode(r.Params, &p) == nil && p.URI == u {
				last = p
				return ok(p.Diagnostics)
			}
		}
		return false
	})
	return last.Diagnostics
}

// until waits until ok returns true for the messages that the server has sent so far.
func (c *Client) until(what string, ok func(all []Received) bool) {
	c.t.Helper()
	timeout := time.After(c.patience())
	for {
		c.mu.Lock()
		all, arrived := c.received, c.arrived
		c.mu.Unlock()
		if ok(all) {
			return
		}
		select {
		case <-arrived:
		case <-timeout:
			c.t.Fatalf("the server did not send what was awaited: %s", what)
		}
	}
}

var errNotSupported = errors.New("method not supported by this editor")
