// Package cli is the command line. It reads documents, checks them with the engine, prints the results, and writes to
// disk if told to.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The exit codes. If the code is 1 or 2, nothing was written.
const (
	exitDone  = 0 // the command did its work, or nothing was left to do
	exitInput = 1 // the input has errors, or the change needs a confirmation
	exitUsage = 2 // wrong usage, or failed input or output
)

// errInput ends a command whose input has errors. The command has already printed them.
var errInput = errors.New("the input has errors")

// An Exit is an error that ends the process with this code, without a message.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// IO has the inputs and outputs of a command.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	StateDir string // the folder of the history and the file set; "" for the default folder of the user

	color *colorMode
}

func (std IO) stateDir() (string, error) {
	if std.StateDir != "" {
		return std.StateDir, nil
	}
	return disk.StateDir()
}

func (std IO) say(remark string) { fmt.Fprintf(std.Err, "aptix: %s\n", remark) }

type flags struct {
	root           string
	format         string
	block          int
	fix            bool
	strict         bool
	yes            bool
	skipMissing    bool
	allowProtected bool
	json           bool
	profile        string
}

// endPatience is the time in which a command should end by itself after `ctx` has ended. A slower command probably
// waits for input, or for a reader of its output.
const endPatience = time.Second

// Run runs one command line and returns the exit code. The commands in `extra` belong to other front ends. If `ctx`
// ends, Run returns soon, even if the command waits for another program, but never in the middle of a change.
func Run(ctx context.Context, args []string, std IO, version string, extra ...*cobra.Command) int {
	ended := make(chan int, 1)
	go func() { ended <- runCommand(ctx, args, std, version, extra) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(endPatience):
	}
	if !disk.EndChanges() {
		return exitUsage
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(endPatience): // the next start completes the record of a change that was made
		return exitDone
	}
}

func runCommand(ctx context.Context, args []string, std IO, version string, extra []*cobra.Command) (code int) {
	std.Err, std.color = escape.Writer{W: std.Err, IsReport: true}, new(colorMode("auto"))
	root := command(std, version)
	root.AddCommand(extra...)
	wantShell(root)
	if err := describeCompletions(root); err != nil {
		panic(err) // never happens, because the flags exist
	}
	root.SetArgs(args)
	defer func() {
		if p := recover(); p != nil {
			printPanic(std.Err, root, args, p)
			code = exitUsage
		}
	}()
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errInput):
		return exitInput
	}
	var exit Exit
	if errors.As(err, &exit) {
		return int(exit)
	}
	fmt.Fprintf(std.Err, "aptix: %v\n", err)
	return exitUsage
}

const about = `Aptix finds the edits in the answer of a language model, checks them character by
character, shows them as a patch, and applies all of them or none.

FILE is a Markdown reply, or a document that is one block: JSON, .ap, .patch or
.diff. No FILE, or -, means standard input.

The exit code is 0 if everything is done or there is nothing to do, 1 if the input has
errors or a warning needs your agreement, and 2 for wrong usage or an I/O failure. With 1
and 2, nothing was written.`

func command(std IO, version string) *cobra.Command {
	root := &cobra.Command{
		Use:           "aptix COMMAND [flags] [FILE...]",
		Short:         "Check, preview and apply the edits that a language model wrote",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.New("name a command: check, diff, fix, apply, history, revert, files, convert, schema, lsp, mcp or version; see aptix --help")
		},
	}
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.PersistentFlags().Var(std.color, "color", "when to print colors")
	root.AddCommand(newCheck(std), newDiff(std), newFix(std), newApply(std), newHistory(std), newRevert(std), newFiles(std), newConvert(std), newSchema(std), newVersion(std, version))
	return root
}

// newCommand returns a command that reads documents and has all the common flags.
func newCommand(use, short string, std IO, run func(context.Context, *run) error) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:         use + " [flags] [FILE...]",
		Short:       short,
		Annotations: map[string]string{readsFiles: "yes"},
		RunE: func(cmd *cobra.Command, files []string) error {
			if cmd.Flags().Changed("block") && f.block < 1 {
				return fmt.Errorf("--block %d: blocks are counted from 1", f.block)
			}
			if !slices.Contains(settings.Profile("").Values(), f.profile) {
				return fmt.Errorf("--profile %s: the known profiles are %v", f.profile, settings.Profile("").Values())
			}
			r, err := start(std, f, files)
			if err != nil {
				return err
			}
			defer r.close()
			return run(cmd.Context(), r)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *flags) register(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.root, "root", "", "the workspace root (default: the current folder)")
	set.StringVar(&f.format, "format", "auto", "auto, "+strings.Join(check.FormatNames(), ", "))
	set.IntVar(&f.block, "block", 0, "only the N-th block, counted from 1")
	set.BoolVar(&f.fix, "fix", false, "first make every repair that is certainly right, in memory")
	set.BoolVar(&f.strict, "strict", false, "warnings are errors")
	set.BoolVar(&f.yes, "yes", false, "apply without asking, even if a warning would stop the change")
	set.BoolVar(&f.skipMissing, "skip-missing", false, "ask, and then leave out replacements whose find is not in the file")
	set.BoolVar(&f.allowProtected, "allow-protected", false, "also write files that are protected or git-ignored, such as .vscode and .env")
	set.StringVar(&f.profile, "profile", "none", "extra rules beyond the formats, shown as hints: none or sys-004")
	set.BoolVar(&f.json, "json", false, "print only a JSON report on standard output")
}

// formatName returns the value of --format for the engine: "" for auto.
func (f *flags) formatName() (string, error) {
	if f.format == "auto" {
		return "", nil
	}
	if !slices.Contains(check.FormatNames(), f.format) {
		return "", fmt.Errorf("--format %s: this version supports auto and %v", f.format, check.FormatNames())
	}
	return f.format, nil
}

// read reads the documents that the arguments name, or standard input if there are none. It also returns the encoding
// of each document.
func read(std IO, files []string, format string) ([]check.Document, []text.Encoding, error) {
	if len(files) == 0 {
		files = []string{"-"}
	}
	docs, encodings := make([]check.Document, len(files)), make([]text.Encoding, len(files))
	for i, name := range files {
		raw, err := readOne(std, name)
		if err != nil {
			return nil, nil, err
		}
		docs[i] = check.Document{Name: name, Format: format}
		docs[i].Text, encodings[i] = decoded(raw)
	}
	return docs, encodings, nil
}

// decoded returns the text of a document and its encoding. The document may be in UTF-16, which PowerShell writes. Any
// other document stays as it is, so that mistakes are reported at the right positions.
func decoded(raw string) (string, text.Encoding) {
	if s, encoding, err := text.Decode(raw); err == nil && (encoding == text.UTF16LE || encoding == text.UTF16BE) {
		return s, encoding
	}
	return raw, text.UTF8
}

func readOne(std IO, name string) (string, error) {
	var text strings.Builder
	if name == "-" {
		if _, err := io.Copy(&text, std.In); err != nil {
			return "", fmt.Errorf("standard input: %w", err)
		}
		return text.String(), nil
	}
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		text.Grow(int(info.Size()))
	}
	_, err = io.Copy(&text, f)
	return text.String(), err
}

// debugEnv is the environment variable that makes a command print its stack when it panics.
const debugEnv = "APTIX_DEBUG"

// printPanic explains a panic to a person. If the panic interrupted a change, [disk.Root.Commit] has already undone the
// change.
func printPanic(w io.Writer, root *cobra.Command, args []string, p any) {
	name := root.Name()
	if c, _, err := root.Find(args); err == nil {
		name = c.CommandPath()
	}
	fmt.Fprintf(w, `aptix: internal error in %q: %v
aptix: an interrupted change was undone, or the next command undoes it. Please run the command again with %s=1 in the environment, and report its output together with the reply: https://github.com/aptix-dev/aptix/issues
`, name, p, debugEnv)
	if os.Getenv(debugEnv) != "" {
		fmt.Fprint(w, parallel.Stack(p))
	}
}
