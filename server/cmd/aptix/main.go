// Command aptix checks, previews and applies the edits that a language model
// wrote: on the command line, and as a language server for editors.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/aptix-dev/aptix/server/internal/cli"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/workspace"
)

// version is set by the build.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	std := cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	code := cli.Run(ctx, os.Args[1:], std, version, newLSP())
	stop()
	os.Exit(code)
}

// newLSP is the command of the language server. Its exit code is LSP's, not the
// command line's.
func newLSP() *cobra.Command {
	return &cobra.Command{
		Use: "lsp", Short: "Run the language server on standard input and output", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log := newLogger()
			stateDir, err := workspace.StateDir()
			if err != nil {
				return err
			}
			config := lspserver.Config{Version: version, Log: log, StateDir: stateDir}
			config.Recovered = recoverTrees(log, stateDir)
			if config.History, err = store.Open(stateDir); err != nil {
				log.Error("going on without history", zap.Error(err))
			} else {
				defer config.History.Close()
			}
			return cli.Exit(lspserver.Serve(cmd.Context(), stdio{os.Stdin, os.Stdout}, config))
		},
	}
}

// recoverTrees restores what earlier runs were cut off in, and says so.
func recoverTrees(log *zap.Logger, stateDir string) []workspace.Recovered {
	done, err := workspace.Recover(stateDir)
	for _, r := range done {
		log.Warn("an earlier change was cut off", zap.String("root", r.Root), zap.Bool("complete", r.Done),
			zap.Strings("put back", r.Restored), zap.Any("left", r.Left))
	}
	if err != nil {
		log.Error("an earlier change that was cut off could not be taken back", zap.Error(err))
	}
	return done
}

// newLogger writes to standard error only: standard output is the protocol's.
func newLogger() *zap.Logger {
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(config), zapcore.Lock(os.Stderr), zap.InfoLevel))
}

// stdio is standard input and output as one stream.
type stdio struct {
	io.Reader
	io.WriteCloser
}
