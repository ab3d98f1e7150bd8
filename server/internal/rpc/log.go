package rpc

import (
	"context"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/aptix-dev/aptix/server/internal/escape"
)

// logQueue limits the number of messages that are queued for a client that does not read. Further messages are dropped,
// because standard error has all of them.
const logQueue = 256

// A clientLog sends log entries to the client as window/logMessage. Logging never waits for the client, so any code may
// log, even the code of the connection itself.
type clientLog struct {
	queue  chan protocol.LogMessageParams
	opened chan struct{} // closed when messages may be sent, because LSP forbids them before the response to initialize
}

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
			// The error cannot be logged, because the log itself failed.
			_ = conn.Notify(ctx, protocol.MethodWindowLogMessage, &message)
		}
	}
}

// tee returns a core that writes to `core` and sends all but debug entries to the client.
func (l *clientLog) tee(core zapcore.Core) zapcore.Core {
	encoder := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{
		MessageKey: "M", NameKey: "N", StacktraceKey: "S", EncodeDuration: zapcore.StringDurationEncoder,
	})
	to := func(kind protocol.MessageType, enabled func(zapcore.Level) bool) zapcore.Core {
		return zapcore.NewCore(encoder, zapcore.AddSync(clientWriter{l, kind}), zap.LevelEnablerFunc(enabled))
	}
	return zapcore.NewTee(core,
		to(protocol.MessageTypeInfo, func(level zapcore.Level) bool { return level == zapcore.InfoLevel }),
		to(protocol.MessageTypeWarning, func(level zapcore.Level) bool { return level == zapcore.WarnLevel }),
		to(protocol.MessageTypeError, func(level zapcore.Level) bool { return level >= zapcore.ErrorLevel }))
}

type clientWriter struct {
	log  *clientLog
	kind protocol.MessageType
}

func (w clientWriter) Write(line []byte) (int, error) {
	message := protocol.LogMessageParams{Type: w.kind, Message: escape.Text(strings.TrimSuffix(string(line), "\n"))}
	select {
	case w.log.queue <- message:
	default:
	}
	return len(line), nil
}
