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

// logQueue is the most messages that are queued for a client that does not read. Any more are
// dropped, because the standard error stream has them all.
const logQueue = 256

// clientLog sends log entries to the client as window/logMessage. Logging never waits for the
// client, so any code may log, even the connection's own.
type clientLog struct {
	queue  chan protocol.LogMessageParams
	once   sync.Once
	opened chan struct{} // closed when messages may be sent to the client
}

func newClientLog() *clientLog {
	return &clientLog{queue: make(chan protocol.LogMessageParams, logQueue), opened: make(chan struct{})}
}

// open allows messages to be sent. LSP forbids them before the answer to initialize.
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
			// An error cannot be logged here, because the log itself failed.
			_ = conn.Notify(ctx, protocol.MethodWindowLogMessage, &message)
		}
	}
}

// tee returns core extended so that its entries also go to the client.
func (l *clientLog) tee(core zapcore.Core) zapcore.Core {
	return zapcore.NewTee(core, clientCore{l, zapcore.NewConsoleEncoder(zapcore.EncoderConfig{
		MessageKey: "M", NameKey: "N", StacktraceKey: "S", EncodeDuration: zapcore.StringDurationEncoder,
	})})
}

// clientCore adapts clientLog to zap, with the fields collected so far.
type clientCore struct {
	log     *clientLog
	encoder zapcore.Encoder
}

// Enabled implements [zapcore.Core]. Debug entries go only to standard error.
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

// Write implements [zapcore.Core]. If the queue is full, it drops the entry.
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
