package lspserver_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	gosync "sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/aptix-dev/aptix/server/internal/lspserver"
)

// A script is a client that writes all its messages before the server reads the first. It
// hangs up once the server has written a certain text.
type script struct {
	messages io.Reader
	until    string

	mu    gosync.Mutex
	wrote bytes.Buffer
	done  chan struct{}
	leave gosync.Once
}

func (s *script) Read(p []byte) (int, error) {
	if n, err := s.messages.Read(p); err == nil {
		return n, nil
	}
	<-s.done
	return 0, io.EOF
}

func (s *script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote.Write(p)
	if strings.Contains(s.wrote.String(), s.until) {
		_ = s.Close()
	}
	return len(p), nil
}

func (s *script) Close() error {
	s.leave.Do(func() { close(s.done) })
	return nil
}

// A document is checked even if it opens before the goroutine of the diagnostics runs. With
// one processor, that goroutine starts after the reader, which finds all messages at once.
func TestFirstDocumentIsPublished(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 1000 {
		if published, ignored := openAtOnce(t); published {
			return
		} else if !ignored {
			t.Fatal("nothing was published")
		}
	}
	t.Fatal("initialize was never answered before the next message was read")
}

// openAtOnce opens a document without waiting for the answer to initialize, and reports whether its diagnostics were
// published. If the scheduler lets the reader run first, the server ignores the document, as LSP requires. Such an
// attempt proves nothing.
func openAtOnce(t *testing.T) (published, ignored bool) {
	var messages strings.Builder
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a.md","languageId":"markdown","version":1,"text":` + quote(bundle(create("a.txt", "a\n"))) + `}}}`,
	} {
		fmt.Fprintf(&messages, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	s := &script{messages: strings.NewReader(messages.String()), until: "textDocument/publishDiagnostics", done: make(chan struct{})}
	giveUp := time.AfterFunc(time.Minute, func() { _ = s.Close() })
	defer giveUp.Stop()
	core, logged := observer.New(zap.DebugLevel)
	log := zap.New(core, zap.Hooks(func(zapcore.Entry) error {
		if logged.FilterMessage("notification ignored").Len() > 0 {
			return s.Close()
		}
		return nil
	}))
	lspserver.Serve(t.Context(), s, lspserver.Config{Version: "test", Log: log})
	// A goroutine of the diagnostics may still write.
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.wrote.String(), s.until), logged.FilterMessage("notification ignored").Len() > 0
}
