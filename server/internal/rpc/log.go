package rpc

import (
	"context"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap/zapcore"

	"github.com/aptix-dev/aptix/server/internal/escape"
)

// logQueue is how many messages wait for a client that does not read. More are
// dropped: the standard error stream has them all.
const logQueue = 256

// clientLog carries log entries to the client as window/logMessage. Logging
// never waits for the client, so it is safe everywhere, in the connection's own
// code too.
type clientLog struct {
	queue  chan protocol.LogMessageParams
	once   sync.Once
	opened chan struct{} // closed when the client may be written to
}

func newClientLog() *clientLog {
	return &clientLog{queue: make(chan protocol.LogMessageParams, logQueue), opened: make(chan struct{})}
}

// open lets messages out. LSP allows none before the answer to initialize is due.
func (l *clientLog) open() { l.once.Do(func() { close(l.opened) }) }

// forward sends the queue until ctx is done.
func (l *clientLog) forward(ctx context.Context, conn jsonrpc2.Conn) {
	select {
	case <-l.opened:
	case <-ctx.Done():
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case message := <-l.queue:
			// An error here has no place to go: the log is what failed.
			_ = conn.Notify(ctx, protocol.MethodWindowLogMessage, &message)
		}
	}
}

// tee adds the client to where core's entries go.
func (l *clientLog) tee(core zapcore.Core) zapcore.Core {
	return zapcore.NewTee(core, clientCore{l, zapcore.NewConsoleEncoder(zapcore.EncoderConfig{
		MessageKey: "M", NameKey: "N", StacktraceKey: "S", EncodeDuration: zapcore.StringDurationEncoder,
	})})
}

// clientCore is clientLog as zap sees it, with the fields collected so far.
type clientCore struct {
	log     *clientLog
	encoder zapcore.Encoder
}

// Enabled implements [zapcore.Core]: debug entries stay on standard error.
func (c clientCore) Enabled(level zapcore.Level) bool { return level >= zapcore.InfoLevel }

// With implements [zapcore.Core].
func (c clientCore) With(fields []zapcore.Field) zapcore.Core {
	encoder := c.encoder.Clone()
	for _, f := range fields {
		f.AddTo(encoder)
	}
	return clientCore{c.log, encoder}
}

// Check implements [zapcore.Core].
func (c clientCore) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return checked.AddCore(entry, c)
	}
	return checked
}

// Write implements [zapcore.Core]. It drops the entry where the queue is full.
func (c clientCore) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	line, err := c.encoder.EncodeEntry(entry, fields)
	if err != nil {
		return err
	}
	defer line.Free()
	message := protocol.LogMessageParams{Type: messageType(entry.Level), Message: escape.Text(strings.TrimSuffix(line.String(), "\n"))}
	select {
	case c.log.queue <- message:
	default:
	}
	return nil
}

// Sync implements [zapcore.Core].
func (clientCore) Sync() error { return nil }

func messageType(level zapcore.Level) protocol.MessageType {
	switch {
	case level >= zapcore.ErrorLevel:
		return protocol.MessageTypeError
	case level == zapcore.WarnLevel:
		return protocol.MessageTypeWarning
	default:
		return protocol.MessageTypeInfo
	}
}
