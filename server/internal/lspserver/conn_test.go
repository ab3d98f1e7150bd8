package lspserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// The codes of JSON-RPC and LSP 3.18.
const (
	methodNotFound       = -32601
	invalidRequest       = -32600
	invalidParams        = -32602
	internalError        = -32603
	serverNotInitialized = -32002
	requestFailed        = -32803
	requestCancelled     = -32800
)

// A server is a small language server: the documents and the connection that the RPC methods of these tests share.
type server struct {
	table *rpc.Table
	docs  *documents.Set
	conn  *rpc.Conn
	logs  *observer.ObservedLogs
}

type named struct {
	Name string `json:"name"`
}

// before lets other goroutines run before it takes the snapshot. If the reader went on in the meantime, the snapshot
// would have later changes.
func (s *server) before(ctx context.Context) context.Context {
	for range 10 {
		runtime.Gosched()
	}
	return s.docs.Before(ctx)
}

// start runs a server with the methods that add registers, and an editor connected to it.
func start(t *testing.T, add func(*server)) (*lsptest.Client, *server) {
	t.Helper()
	core, logs := observer.New(zap.DebugLevel)
	s := &server{table: rpc.NewTable(), docs: documents.New(), logs: logs}
	s.docs.Register(s.table)
	rpc.OnCall(s.table, protocol.MethodInitialize, func(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error) {
		return &protocol.InitializeResult{}, nil
	})
	ready := make(chan struct{})
	client := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		s.conn = rpc.NewConn(rwc, s.table, rpc.Options{Log: zap.New(core), Before: s.before, Lost: s.docs.Lost})
		if add != nil {
			add(s)
		}
		close(ready)
		return s.conn.Run(context.Background())
	})
	<-ready
	return client, s
}

func wantCode(t *testing.T, err error, code int) {
	t.Helper()
	var answer *lsptest.Error
	if !errors.As(err, &answer) || answer.Code != code {
		t.Errorf("error is %v, want code %d", err, code)
	}
}

// await waits for a signal, and fails the test if the server never gives it.
func await(t *testing.T, signal <-chan struct{}) {
	t.Helper()
	select {
	case <-signal:
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing happens")
	}
}

// echo sends a call that shows that the connection still works.
func echo(s *server) {
	rpc.OnCall(s.table, "test/echo", func(_ context.Context, p *named) (*named, error) { return p, nil })
}

func wantAlive(t *testing.T, c *lsptest.Client) {
	t.Helper()
	var got named
	c.MustCall("test/echo", named{"Ä"}, &got)
	if got.Name != "Ä" {
		t.Errorf("echo is %q", got.Name)
	}
}

func TestCallsSeeDocumentsOfTheirPlaceInTheStream(t *testing.T) {
	const rounds = 2000
	release := make(chan struct{})
	c, _ := start(t, func(s *server) {
		rpc.OnCall(s.table, "test/text", func(ctx context.Context, p *named) (*named, error) {
			<-release // no call looks at the text before all changes have arrived
			return &named{documents.SnapshotOf(ctx).Get(uri.URI(p.Name)).Text}, nil
		})
	})
	c.Initialize()
	c.Editor.OpenText("a.md", "markdown", "")
	u := string(c.Editor.URI("a.md"))
	var calls []*lsptest.Pending
	for i := range rounds {
		c.Editor.Type("a.md", protocol.TextEdit{Range: at(0, 2*i, 2*i), NewText: fmt.Sprintf("%d ", i%10)})
		calls = append(calls, c.Go("test/text", named{u}))
	}
	close(release)
	want := strings.Repeat("0 1 2 3 4 5 6 7 8 9 ", rounds/10)
	for i, call := range calls {
		var got named
		if err := call.Wait(&got); err != nil {
			t.Fatal(err)
		}
		if got.Name != want[:2*(i+1)] {
			t.Fatalf("call %d saw %d characters", i, len(got.Name))
		}
	}
}

func at(line, from, to int) protocol.Range {
	return protocol.Range{
		Start: protocol.Position{Line: uint32(line), Character: uint32(from)},
		End:   protocol.Position{Line: uint32(line), Character: uint32(to)},
	}
}

func TestNotificationsRunInOrderAndAlone(t *testing.T) {
	var running, wrong atomic.Int32
	next := 0
	c, _ := start(t, func(s *server) {
		echo(s)
		rpc.OnNotification(s.table, "test/count", func(_ context.Context, n *int) error {
			if running.Add(1) != 1 || *n != next {
				wrong.Add(1)
			}
			next++
			running.Add(-1)
			return errors.New("and errors are survived")
		})
	})
	c.Initialize()
	for i := range 3000 {
		c.Notify("test/count", i)
		if i%3 == 0 {
			c.Go("test/echo", named{"x"})
		}
	}
	wantAlive(t, c)
	if n := wrong.Load(); n > 0 {
		t.Errorf("%d notifications were out of order", n)
	}
}

type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("boom in the answer") }

func TestPanicsAreAnsweredAndSurvived(t *testing.T) {
	c, s := start(t, func(s *server) {
		echo(s)
		rpc.OnCall(s.table, "test/panic", func(context.Context, *struct{}) (any, error) { panic("boom") })
		rpc.OnCall(s.table, "test/explosive", func(context.Context, *struct{}) (any, error) { return explosive{}, nil })
		rpc.OnNotification(s.table, "test/panicToo", func(context.Context, *struct{}) error { panic("boom") })
	})
	c.Initialize()
	wantCode(t, c.Call("test/panic", nil, nil), internalError)
	wantAlive(t, c)
	wantCode(t, c.Call("test/explosive", nil, nil), internalError)
	wantAlive(t, c)
	c.Notify("test/panicToo", nil)
	wantAlive(t, c)
	panics := s.logs.FilterMessage("panic in a handler").All()
	if len(panics) != 3 {
		t.Fatalf("%d panics were logged, want 3", len(panics))
	}
	if stack, _ := panics[0].ContextMap()["stack"].(string); !strings.Contains(stack, "conn_test.go") {
		t.Errorf("the stack does not show the place: %s", stack)
	}
}

func TestErrorsHaveTheCodeThatClientsActOn(t *testing.T) {
	c, _ := start(t, func(s *server) {
		echo(s)
		rpc.OnCall(s.table, "test/io", func(context.Context, *struct{}) (any, error) { return nil, errors.New("disk full") })
	})
	c.Initialize()
	wantCode(t, c.Call("test/unknown", nil, nil), methodNotFound)
	wantCode(t, c.Call("test/io", nil, nil), requestFailed)
	wantCode(t, c.Call("test/echo", json.RawMessage(`{"name":3}`), nil), invalidParams)
	wantCode(t, c.Call("test/echo", nil, nil), invalidParams)
	c.Notify("test/unknown", nil)
	c.Notify("$/unknown", nil)
	c.Notify(protocol.MethodCancelRequest, json.RawMessage(`{"id":99999}`))
	c.Notify(protocol.MethodCancelRequest, json.RawMessage(`{"id":{}}`))
	c.Notify(protocol.MethodTextDocumentDidOpen, json.RawMessage(`[1]`))
	wantAlive(t, c)
}

func TestCancel(t *testing.T) {
	begun := make(chan struct{}, 2)
	c, _ := start(t, func(s *server) {
		echo(s)
		rpc.OnCall(s.table, "test/wait", func(ctx context.Context, _ *struct{}) (any, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return nil, fmt.Errorf("reading a.txt: %w", ctx.Err())
		})
		rpc.OnCall(s.table, "test/waitAndSucceed", func(ctx context.Context, _ *struct{}) (named, error) {
			<-ctx.Done()
			return named{"done all the same"}, nil
		})
	})
	c.Initialize()
	first := c.Go("test/wait", nil)
	first.Cancel()
	wantCode(t, first.Wait(nil), requestCancelled)
	finished := c.Go("test/waitAndSucceed", nil)
	finished.Cancel()
	if err := finished.Wait(nil); err != nil {
		t.Errorf("a call that succeeded although it was cancelled: %v", err)
	}
	c.Frame(`{"jsonrpc":"2.0","id":"a string","method":"test/wait"}`)
	await(t, begun)
	await(t, begun)
	c.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a string"}}`)
	answer := lsptest.Await(c, "", func(m *rawAnswer) bool { return string(m.ID) == `"a string"` })
	if answer.Error.Code != requestCancelled {
		t.Errorf("answer is %+v", answer)
	}
	wantAlive(t, c)
}

// rawAnswer is the answer to a frame that a test wrote itself, with its own id.
type rawAnswer struct {
	ID    json.RawMessage `json:"id"`
	Error lsptest.Error   `json:"error"`
}

func TestMalformedMessagesAreAnsweredAndSkipped(t *testing.T) {
	for _, body := range []string{
		`{`, ``, `null`, `[]`, `[{"jsonrpc":"2.0","id":1,"method":"test/echo"}]`, `{"jsonrpc":"1.0","method":"x"}`,
		`{"jsonrpc":"2.0","method":3}`, `{"jsonrpc":"2.0","id":{},"method":"test/echo"}`, "\xff\xfe", `{"jsonrpc":"2.0"}`,
	} {
		t.Run(body, func(t *testing.T) {
			c, s := start(t, echo)
			c.Initialize()
			c.Frame(body)
			answer := lsptest.Await(c, "", func(*rawAnswer) bool { return true })
			if answer.Error.Code == 0 {
				t.Errorf("answer is %+v", answer)
			}
			wantAlive(t, c)
			if s.docs.Snapshot().Broken == "" {
				t.Error("nobody was told that a message was lost")
			}
		})
	}
}

// A message above the limit is answered, and then ends the connection at once, without waiting for the rest of the
// message. The answer has the message's id if the id arrived together with the header.
func TestOversizedMessageEndsTheConnection(t *testing.T) {
	for head, id := range map[string]string{
		"Content-Length: 67108865\r\n\r\n" + `{"jsonrpc":"2.0","extra":{"id":7},"id":"big","method":"test/echo","params":{`: `"big"`,
		"Content-Length: 67108865\r\n\r\n" + `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"id":1,`:         "null",
		"Content-Length: 1000000000000\r\n\r\n":        "null",
		"Content-Length: 99999999999999999999\r\n\r\n": "null",
		"Content-Type: " + strings.Repeat("a", 9000):   "null",
	} {
		c, _ := start(t, echo)
		c.Initialize()
		c.Raw([]byte(head))
		answer := lsptest.Await(c, "", func(m *rawAnswer) bool { return string(m.ID) == id })
		if answer.Error.Code != invalidRequest || !strings.HasSuffix(answer.Error.Message, "the connection ends") {
			t.Errorf("%.60q: the answer is %+v", head, answer.Error)
		}
		if code := c.ExitCode(); code != 1 {
			t.Errorf("%.60q: the server ended with %d", head, code)
		}
	}
}

func TestLargeFrameUnderTheLimit(t *testing.T) {
	c, _ := start(t, echo)
	c.Initialize()
	var got named
	want := named{strings.Repeat("0123456789", 1<<18)}
	c.MustCall("test/echo", want, &got)
	if got != want {
		t.Errorf("%d bytes came back, want %d", len(got.Name), len(want.Name))
	}
}
