package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/parallel"
)

// debugEnv is the environment variable that makes a panicking command print its stack.
const debugEnv = "APTIX_DEBUG"

// printPanic explains a panic to a person. A change that it interrupted was taken back on
// the way here ([disk.Root.Commit]).
func printPanic(w io.Writer, root *cobra.Command, args []string, p any) {
	name := root.Name()
	if c, _, err := root.Find(args); err == nil {
		name = c.CommandPath()
	}
	fmt.Fprintf(w, `aptix: internal error in %q: %v
aptix: an interrupted change was undone, or the next command undoes it. Please report the error with the reply, and with the output of %s=1: https://github.com/aptix-dev/aptix/issues
`, name, p, debugEnv)
	if os.Getenv(debugEnv) != "" {
		fmt.Fprint(w, parallel.Stack(p))
	}
}
