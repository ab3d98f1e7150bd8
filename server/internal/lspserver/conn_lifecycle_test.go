package lspserver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

func TestLifeCycle(t *testing.T) {
	heard := make(chan string, 10)
	c, _ := start(t, func(s *server) {
		echo(s)
		rpc.OnNotification(s.table, "test/note", func(_ context.Context, p *named) error {
			heard <- p.Name
			return nil
		})
	})
	wantCode(t, c.Call("test/echo", named{"x"}, nil), serverNotInitialized)
	wantCode(t, c.Call(protocol.MethodShutdown, nil, nil), serverNotInitialized)
	c.Notify("test/note", named{"too early"})
	c.Initialize()
	wantCode(t, c.Call(protocol.MethodInitialize, &protocol.InitializeParams{}, nil), invalidRequest)
	c.Notify("test/note", named{"in time"})
	wantAlive(t, c)
	c.MustCall(protocol.MethodShutdown, nil, nil)
	wantCode(t, c.Call("test/echo", named{"x"}, nil), invalidRequest)
	wantCode(t, c.Call(protocol.MethodShutdown, nil, nil), invalidRequest)
	c.Notify("test/note", named{"too late"})
	c.Notify(protocol.MethodExit, nil)
	if code := c.ExitCode(); code != 0 {
		t.Errorf("exit code %d after shutdown", code)
	}
	close(heard)
	for name := range heard {
		if name != "in time" {
			t.Errorf("the notification that came %s was heeded", name)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, end := range []struct {
		name string
		code int
		do   func(*lsptest.Client)
	}{
		{"shutdown and exit", 0, func(c *lsptest.Client) {
			c.MustCall(protocol.MethodShutdown, nil, nil)
			c.Notify(protocol.MethodExit, nil)
		}},
		{"shutdown and exit at once", 0, func(c *lsptest.Client) {
			answer := c.Go(protocol.MethodShutdown, nil)
			c.Notify(protocol.MethodExit, nil)
			if err := answer.Wait(nil); err != nil {
				t.Errorf("shutdown was not answered: %v", err)
			}
		}},
		{"exit alone", 1, func(c *lsptest.Client) { c.Notify(protocol.MethodExit, nil) }},
		{"end of input", 1, func(c *lsptest.Client) { c.HangUp() }},
		{"end of input after shutdown", 0, func(c *lsptest.Client) { c.MustCall(protocol.MethodShutdown, nil, nil); c.HangUp() }},
		{"broken header", 1, func(c *lsptest.Client) { c.Raw([]byte("Content-Length: many\r\n\r\n")) }},
		{"header without a length", 1, func(c *lsptest.Client) { c.Raw([]byte("Content-Type: x\r\n\r\n")) }},
		{"no header", 1, func(c *lsptest.Client) { c.Raw([]byte("hello\r\n\r\n")) }},
		{"cut off", 1, func(c *lsptest.Client) { c.Raw([]byte("Content-Length: 100\r\n\r\n{")); c.HangUp() }},
	} {
		t.Run(end.name, func(t *testing.T) {
			c, _ := start(t, nil)
			c.Initialize()
			end.do(c)
			if code := c.ExitCode(); code != end.code {
				t.Errorf("exit code %d, want %d", code, end.code)
			}
		})
	}
}

func TestExitBeforeInitialize(t *testing.T) {
	c, _ := start(t, nil)
	c.Notify(protocol.MethodExit, nil)
	if code := c.ExitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

func TestExitCancelsCallsAndWaitsForThem(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	c, _ := start(t, func(s *server) {
		rpc.OnCall(s.table, "test/wait", func(ctx context.Context, _ *struct{}) (any, error) {
			close(begun)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		})
	})
	c.Initialize()
	c.Go("test/wait", nil)
	await(t, begun)
	c.Notify(protocol.MethodExit, nil)
	c.ExitCode()
	select {
	case <-ended:
	default:
		t.Error("the server ended while a call was running")
	}
}

func TestInitializeThatFailsMayBeRepeated(t *testing.T) {
	tries := 0
	entered, proceed := make(chan struct{}), make(chan struct{})
	c, _ := start(t, func(s *server) {
		echo(s)
		rpc.OnCall(s.table, protocol.MethodInitialize, func(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error) {
			tries++
			switch tries {
			case 1:
				panic("boom")
			case 2:
				return nil, errors.New("no")
			}
			close(entered)
			<-proceed
			return &protocol.InitializeResult{}, nil
		})
	})
	wantCode(t, c.Call(protocol.MethodInitialize, &protocol.InitializeParams{}, nil), internalError)
	wantCode(t, c.Call(protocol.MethodInitialize, &protocol.InitializeParams{}, nil), requestFailed)
	third := c.Go(protocol.MethodInitialize, &protocol.InitializeParams{})
	await(t, entered)
	wantCode(t, c.Call("test/echo", named{"x"}, nil), serverNotInitialized)
	close(proceed)
	if err := third.Wait(nil); err != nil {
		t.Fatal(err)
	}
	wantAlive(t, c)
}

func TestLogReachesTheClient(t *testing.T) {
	c, s := start(t, echo)
	s.conn.Log().Warn("early", zap.Int("n", 3))
	if early := c.Received(protocol.MethodWindowLogMessage); len(early) > 0 {
		t.Errorf("log messages before initialize: %s", early)
	}
	c.Initialize()
	s.conn.Log().With(zap.String("file", "a.txt")).Error("late")
	s.conn.Log().Debug("for standard error only")
	s.conn.Log().Info("last")
	early := awaitLog(c, "early")
	if early.Type != protocol.MessageTypeWarning || !strings.Contains(early.Message, `"n": 3`) {
		t.Errorf("%+v", early)
	}
	late := awaitLog(c, "late")
	if late.Type != protocol.MessageTypeError || !strings.Contains(late.Message, `"file": "a.txt"`) {
		t.Errorf("%+v", late)
	}
	awaitLog(c, "last")
	if n := len(c.Received(protocol.MethodWindowLogMessage)); n != 3 {
		t.Errorf("%d log messages, want 3", n)
	}
}

func awaitLog(c *lsptest.Client, begin string) *protocol.LogMessageParams {
	return lsptest.Await(c, protocol.MethodWindowLogMessage, func(p *protocol.LogMessageParams) bool { return strings.HasPrefix(p.Message, begin) })
}

// Nothing is sent before initialize, so the queue fills up as if the client never read.
func TestLoggingNeverWaits(t *testing.T) {
	c, s := start(t, echo)
	for i := range 5000 {
		s.conn.Log().Info(fmt.Sprint("line ", i))
	}
	if n := s.logs.FilterLevelExact(zap.InfoLevel).Len(); n != 5000 {
		t.Errorf("%d lines on standard error, want all 5000", n)
	}
	c.Initialize()
	awaitLog(c, "line 0")
	wantAlive(t, c)
}

func TestServerCallsTheClientFromWithinACall(t *testing.T) {
	c, _ := start(t, func(s *server) {
		client := editor.New(s.conn, s.table, s.docs, "")
		rpc.OnCall(s.table, "test/ask", func(ctx context.Context, p *named) (*named, error) {
			chosen, err := client.Ask(ctx, protocol.MessageTypeWarning, p.Name, "Apply", "Cancel")
			return &named{chosen}, err
		})
		rpc.OnCall(s.table, "test/status", func(ctx context.Context, p *struct{}) (any, error) {
			return nil, client.Status(ctx, aptix.Status{URI: "file:///a", Blocks: 2, Text: "3 files +10 −2"})
		})
	})
	c.Choose = func(p *protocol.ShowMessageRequestParams) string {
		return map[string]string{"sure?": "Apply", "really?": "no such button"}[p.Message]
	}
	c.Initialize()
	for question, want := range map[string]string{"sure?": "Apply", "really?": ""} {
		var got named
		c.MustCall("test/ask", named{question}, &got)
		if got.Name != want {
			t.Errorf("%s %q, want %q", question, got.Name, want)
		}
	}
	c.MustCall("test/status", nil, nil)
	lsptest.Await(c, aptix.MethodStatus, func(s *aptix.Status) bool { return s.Blocks == 2 && s.Text == "3 files +10 −2" })
}

func TestProgressCanBeCancelled(t *testing.T) {
	c, _ := start(t, func(s *server) {
		progresses := editor.New(s.conn, s.table, s.docs, "")
		rpc.OnCall(s.table, "test/work", func(ctx context.Context, _ *struct{}) (any, error) {
			ctx, progress := progresses.Begin(ctx, "Working")
			defer progress.End(ctx)
			<-ctx.Done()
			return "cancelled", nil
		})
	})
	c.Initialize()
	work := c.Go("test/work", nil)
	begun := awaitProgress(c, `"kind":"begin"`)
	c.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: begun.Token})
	var result string
	if err := work.Wait(&result); err != nil || result != "cancelled" {
		t.Errorf("result %q, error %v", result, err)
	}
	awaitProgress(c, `"kind":"end"`)
}

// A button cancels only its own task, and the button of a task that has ended does nothing.
func TestCancelOneOfTwoTasks(t *testing.T) {
	c, _ := start(t, func(s *server) { progressCalls(s) })
	c.Initialize()
	first := c.Go("test/work", named{"first"})
	one := awaitProgress(c, "first")
	second := c.Go("test/work", named{"second"})
	two := awaitProgress(c, "second")
	for _, task := range []struct {
		pending *lsptest.Pending
		token   protocol.ProgressToken
	}{{second, two.Token}, {first, one.Token}} {
		// Both buttons of the second task are pressed before the button of the first.
		for range 2 {
			c.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: task.token})
		}
		var got named
		if err := task.pending.Wait(&got); err != nil {
			t.Fatal(err)
		}
		var running int
		c.MustCall("test/running", nil, &running)
		if want := map[string]int{"second": 1, "first": 0}[got.Name]; running != want {
			t.Errorf("after the end of the %s task %d tasks run, want %d", got.Name, running, want)
		}
	}
}

// The work is done without progress if the editor cannot show any.
func TestEditorWithoutProgress(t *testing.T) {
	c, _ := start(t, func(s *server) { progressCalls(s) })
	c.NoProgress = true
	c.Initialize()
	var running int
	c.MustCall("test/short", nil, &running)
	if running != 0 {
		t.Errorf("the context was cancelled")
	}
	if shown := c.Received(protocol.MethodProgress); len(shown) > 0 {
		t.Errorf("progress was sent: %s", shown)
	}
}

// progressCalls adds calls with progress: test/work ends only if its progress is cancelled, and returns its
// title; test/short ends by itself, and returns 1 if its context was cancelled before. test/running returns
// the number of calls of test/work that have not ended.
func progressCalls(s *server) {
	progresses := editor.New(s.conn, s.table, s.docs, "")
	var running atomic.Int32
	rpc.OnCall(s.table, "test/work", func(ctx context.Context, title *named) (any, error) {
		running.Add(1)
		defer running.Add(-1)
		ctx, progress := progresses.Begin(ctx, title.Name)
		defer progress.End(ctx)
		<-ctx.Done()
		return title, nil
	})
	rpc.OnCall(s.table, "test/short", func(ctx context.Context, _ *struct{}) (any, error) {
		ctx, progress := progresses.Begin(ctx, "Working")
		defer progress.End(ctx)
		if ctx.Err() != nil {
			return 1, nil
		}
		return 0, nil
	})
	rpc.OnCall(s.table, "test/running", func(context.Context, *struct{}) (any, error) { return running.Load(), nil })
}

func awaitProgress(c *lsptest.Client, part string) *protocol.ProgressParams {
	return lsptest.Await(c, protocol.MethodProgress, func(p *protocol.ProgressParams) bool { return strings.Contains(string(p.Value), part) })
}
