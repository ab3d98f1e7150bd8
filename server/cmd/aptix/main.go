// Command aptix checks, previews and applies edits written by a language model. It works on the command line, as a
// language server for editors, and as a server of tools for agents.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/cli"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/mcp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// version is set by the build of a release.
var version = "dev"

// How much the heap may grow before a collection, in percent. A command ends soon, so it is cheaper to keep garbage
// than to collect it, especially as the collector uses every idle core. With this value, an ap patch with 500
// modifications in 200,000 lines takes 40 % less processor time (make bench). A server keeps Go's default, because it
// runs for days.
const (
	gcOfCommand = 400
	gcOfServer  = 100

	// In a heap of more than this, in bytes, saving memory is more important than saving time.
	muchHeap = 640 << 20
)

func setGC(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(muchHeap)
	}
}

// commands has a constructor for each front end other than the command line.
var commands = []func() *cobra.Command{newLSP, newMCP}

func main() {
	setGC(gcOfCommand)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	std := cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	extra := text.Each(commands, func(command func() *cobra.Command) *cobra.Command { return command() })
	code := cli.Run(ctx, os.Args[1:], std, version, extra...)
	stop()
	os.Exit(code)
}

// newLSP returns the command of the language server. Its exit status follows LSP instead of docs/cli.md.
func newLSP() *cobra.Command {
	return &cobra.Command{
		Use: "lsp", Short: "Run the language server on standard input and output", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			setGC(gcOfServer)
			log := newLogger()
			stateDir, err := disk.StateDir()
			if err != nil {
				return err
			}
			config := lspserver.Config{Version: version, Log: log, StateDir: stateDir}
			config.Recovered = apply.Recover(stateDir, warn(log))
			if config.History = openHistory(log, stateDir); config.History != nil {
				defer config.History.Close()
			}
			return cli.Exit(lspserver.Serve(cmd.Context(), stdio{os.Stdin, os.Stdout}, config))
		},
	}
}

func newMCP() *cobra.Command {
	config := mcp.Config{Version: version}
	cmd := &cobra.Command{
		Use: "mcp [flags]", Short: "Run the server for agents (Model Context Protocol) on standard input and output", Args: cobra.NoArgs,
		Long: `Run a server of the Model Context Protocol on standard input and output. A call
goes to the running editor that has the folder open, where the person is asked.
With no such editor, files are read; they are written only with --allow-apply.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			setGC(gcOfServer)
			config.Log = newLogger()
			end, err := openState(cmd.Context(), &config)
			if err != nil {
				return err
			}
			defer end()
			return serveMCP(cmd.Context(), config)
		},
	}
	cmd.Flags().StringArrayVar(&config.Roots, "root", nil, "a workspace root; may be given several times (default: the client's, or the current folder)")
	cmd.Flags().BoolVar(&config.AllowApply, "allow-apply", false, "write files even if no editor has the folder open")
	cmd.Flags().BoolVar(&config.AllowProtected, "allow-protected", false, "with --allow-apply, also write files that are protected or git-ignored, such as .vscode and .env")
	return cmd
}

// openState undoes changes that a crash interrupted, and opens the history and the file set. The server also works
// without a history or a file set, but if the environment names a file set that cannot be opened, openState returns an
// error.
func openState(ctx context.Context, config *mcp.Config) (end func(), err error) {
	if config.StateDir, err = disk.StateDir(); err != nil {
		return nil, err
	}
	log := config.Log
	recovered := apply.Recover(config.StateDir, warn(log), append([]string{"."}, config.Roots...)...)
	config.History = openHistory(log, config.StateDir)
	if err := apply.Settle(ctx, config.History, config.StateDir, recovered, nil); err != nil {
		log.Error("the history perhaps does not agree with the files", zap.Error(err))
	}
	if config.FileSet, err = fileset.Open(ctx, fileset.Where("", config.StateDir)); err != nil {
		// Fail if the environment names the file set: the person requested it, and without it, the files on disk may be
		// out of date.
		if os.Getenv(fileset.Env) != "" {
			return nil, err
		}
		log.Error("continuing without the file set", zap.Error(err))
	}
	return func() {
		if config.History != nil {
			_ = config.History.Close()
		}
		if config.FileSet != nil {
			_ = config.FileSet.Close()
		}
	}, nil
}

// serveMCP runs the server. It returns nil when the client goes away, or when a signal ends the process.
func serveMCP(ctx context.Context, config mcp.Config) error {
	for _, dir := range config.Roots {
		root, err := disk.Open(dir)
		if err != nil {
			return err
		}
		_ = root.Close()
	}
	err := mcp.Serve(ctx, mcp.Lines{Reader: os.Stdin, Writer: os.Stdout}, config)
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// openHistory opens the history. It returns nil if that fails, because a server can work without a history.
func openHistory(log *zap.Logger, stateDir string) *history.Store {
	h, err := apply.OpenHistory(stateDir, warn(log))
	if err != nil {
		log.Error("continuing without history", zap.Error(err))
		return nil
	}
	return h
}

func warn(log *zap.Logger) func(string) { return func(remark string) { log.Warn(remark) } }

// newLogger returns a logger that writes to standard error, because standard output is only for the messages of the
// protocol.
func newLogger() *zap.Logger {
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(config), zapcore.Lock(zapcore.AddSync(escape.Writer{W: os.Stderr})), zap.InfoLevel))
}

type stdio struct {
	io.Reader
	io.WriteCloser
}
