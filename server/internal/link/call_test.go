package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

type (
	ctx    = context.Context
	result = protocol.ToolResult
)

func TestCall(t *testing.T) {
	state, ws := folder(t), folder(t)
	listen(t, state, echo, ws)
	c := dial(t, state, ws)
	large := `{"text":"` + strings.Repeat("ä", 1<<20) + `"}`
	for _, arguments := range []string{`{"a":[1,"ü"]}`, large} {
		answer, err := c.Call(t.Context(), protocol.ToolParams{Name: "aptix_check", Arguments: json.RawMessage(arguments)}, "Claude <x>")
		must(t, err)
		var got struct {
			Name, Agent string
			Arguments   json.RawMessage
			Roots       []string
		}
		must(t, json.Unmarshal(answer.Result, &got))
		if !answer.Successful || got.Name != "aptix_check" || got.Agent != "Claude <x>" || len(got.Roots) != 1 || got.Roots[0] != ws || string(got.Arguments) != arguments {
			t.Errorf("it came back as %.200s", answer.Result)
		}
	}
}

func TestOtherProcesses(t *testing.T) {
	needs.Sockets(t)
	state, ws := folder(t), folder(t)
	_, end := process(t, state, ws)
	out, err := inRole(t, "call", state, ws).Output()
	if err != nil || !strings.Contains(string(out), `"agent":"another process"`) {
		t.Errorf("%s, %v", out, err)
	}
	end()
	if left := files(t, state); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// waiting returns a handler whose calls end when they are cancelled. begun and ended get a
// signal for each call.
func waiting() (handler Handler, begun, ended chan struct{}) {
	begun, ended = make(chan struct{}, 9), make(chan struct{}, 9)
	return func(ctx context.Context, c Call) result {
		if c.Name != "stand" {
			return echo(ctx, c)
		}
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return echo(ctx, c)
	}, begun, ended
}

// await waits for a signal, and fails the test if none comes.
func await(t *testing.T, signal <-chan struct{}) {
	t.Helper()
	select {
	case <-signal:
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing happens")
	}
}

func TestCancel(t *testing.T) {
	state, ws := folder(t), folder(t)
	handler, begun, ended := waiting()
	l := listen(t, state, handler, ws)
	c := dial(t, state, ws)
	stand := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := c.Call(ctx, protocol.ToolParams{Name: "stand"}, "")
			done <- err
		}()
		await(t, begun)
		return done
	}
	t.Run("the agent gives up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := stand(ctx)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		await(t, ended)
		if _, err := c.Call(t.Context(), protocol.ToolParams{Name: "x"}, ""); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
	t.Run("the agent hangs up", func(t *testing.T) {
		done := stand(t.Context())
		c.Close()
		if err := <-done; err == nil {
			t.Error("the call has an answer")
		}
		await(t, ended)
	})
	t.Run("the editor goes", func(t *testing.T) {
		c = dial(t, state, ws)
		done := stand(t.Context())
		l.Close()
		await(t, ended)
		<-done // the agent may still get an answer
	})
}

func TestManyAtOnce(t *testing.T) {
	state, ws := folder(t), folder(t)
	listen(t, state, echo, ws)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			c, err := Dial(t.Context(), state, "test", ws)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for j := range 20 {
				name := fmt.Sprint(i, "-", j)
				answer, err := c.Call(t.Context(), protocol.ToolParams{Name: name}, "")
				if err != nil || !strings.Contains(string(answer.Result), name) {
					t.Errorf("%s: %s, %v", name, answer.Result, err)
				}
			}
		})
	}
	all.Wait()
}

func TestPanicIsAnswered(t *testing.T) {
	state, ws := folder(t), folder(t)
	listen(t, state, func(ctx context.Context, c Call) result {
		if c.Name == "panic" {
			panic("boom")
		}
		return echo(ctx, c)
	}, ws)
	c := dial(t, state, ws)
	if _, err := c.Call(t.Context(), protocol.ToolParams{Name: "panic"}, ""); err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Error(err)
	}
	if _, err := c.Call(t.Context(), protocol.ToolParams{Name: "x"}, ""); err != nil {
		t.Error(err)
	}
}

// If an answer is too large, the agent does not wait forever.
func TestAnswerTooLarge(t *testing.T) {
	state, ws := folder(t), folder(t)
	impostor(t, state, ws, func(w wire) {
		_ = w.receive()
		w.send(`{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}`)
		_ = w.receive()
		head := `{"jsonrpc":"2.0","id":2,"result":"`
		fmt.Fprintf(w.conn, "Content-Length: %d\r\n\r\n%s", rpc.Max+1, head)
		_, _ = w.conn.Write(make([]byte, rpc.Max+1-len(head)))
	})
	if _, err := dial(t, state, ws).Call(t.Context(), protocol.ToolParams{Name: "x"}, ""); err == nil {
		t.Error("it came through")
	}
}

// wire is a raw connection that can send messages that no client would.
type wire struct {
	t    *testing.T
	conn net.Conn
}

func (w wire) send(body string) {
	w.t.Helper()
	_, err := fmt.Fprintf(w.conn, "Content-Length: %d\r\n\r\n%s", len(body), body)
	must(w.t, err)
}

// receive returns the next message.
func (w wire) receive() string {
	w.t.Helper()
	must(w.t, w.conn.SetReadDeadline(time.Now().Add(2*time.Minute)))
	var n int
	_, err := fmt.Fscanf(w.conn, "Content-Length: %d\r\n\r\n", &n)
	must(w.t, err)
	body := make([]byte, n)
	_, err = io.ReadFull(w.conn, body)
	must(w.t, err)
	return string(body)
}

const greeting = `{"jsonrpc":"2.0","id":1,"method":"aptix/hello","params":{"protocol":1,"version":"x","roots":["/r"]}}`

// A connection ends only at the end of the input, whatever it receives.
func TestWire(t *testing.T) {
	state := folder(t)
	l := listen(t, state, echo, state)
	conn, err := net.Dial("unix", l.record.Socket)
	must(t, err)
	defer conn.Close()
	w := wire{t, conn}
	for _, c := range []struct{ body, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"aptix/tool","params":{"name":"x"}}`, "aptix/hello must come first"},
		{`{"jsonrpc":"2.0","id":1,"method":"aptix/hello","params":{"protocol":2,"version":"9.9"}}`, "the editor runs Aptix 1.2, which does not understand Aptix 9.9; use the same version for both"},
		{`{"jsonrpc":"2.0","id":1,"method":"aptix/hello","params":[]}`, `-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"aptix/hello"}`, `-32602`},
		{greeting, `"protocol":1`},
		{`{"jsonrpc":"2.0","id":2,"method":"aptix/tool","params":{"name":"x"}}`, `"/r"`},
		{`{"jsonrpc":"2.0","id":3,"method":"aptix/tool","params":{"name":3}}`, `-32602`},
		{`{"jsonrpc":"2.0","id":4,"method":"aptix/tool"}`, `-32602`},
		{`{"jsonrpc":"2.0","id":5,"method":"aptix/other"}`, `-32601`},
		{`{`, `"error"`},
		{`[]`, `"error"`},
	} {
		w.send(c.body)
		if got := w.receive(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.body, got)
		}
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest"}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`, `{"jsonrpc":"2.0","method":"aptix/other"}`, `{"jsonrpc":"2.0","id":77,"result":1}`,
	} {
		w.send(body)
	}
	w.send(`{"jsonrpc":"2.0","id":6,"method":"aptix/tool","params":{"name":"at last"}}`)
	if got := w.receive(); !strings.Contains(got, "at last") {
		t.Error(got)
	}
}

// impostor answers with the function `talk` in place of a server for a folder.
func impostor(t *testing.T, state, ws string, talk func(wire)) {
	t.Helper()
	l := listen(t, state, echo, ws)
	socket, err := net.Listen("unix", l.record.Socket+"2")
	must(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	l.record.Socket += "2"
	must(t, l.record.write())
	go func() {
		if conn, err := socket.Accept(); err == nil {
			talk(wire{t, conn})
		}
	}()
}

// If the server has another version, Dial returns that reason instead of ErrNone.
func TestOtherVersion(t *testing.T) {
	state, ws := folder(t), folder(t)
	impostor(t, state, ws, func(w wire) {
		_ = w.receive()
		w.send(`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"the editor runs Aptix 9"}}`)
	})
	_, err := Dial(t.Context(), state, "test", ws)
	if err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "the editor runs Aptix 9") {
		t.Error(err)
	}
}
