package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"aptix": func() {
			std := IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
			defer stop()
			code := Run(ctx, os.Args[1:], std, "1.2.3")
			letTerminalBeRead()
			os.Exit(code)
		},
	})
}

// letTerminalBeRead waits a little in a script that sets TERMINAL. testscript closes its terminal as soon as the
// program ends, and ttyout then loses output that it has not read yet.
func letTerminalBeRead() {
	if os.Getenv("TERMINAL") != "" {
		time.Sleep(200 * time.Millisecond)
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata",
		Setup: func(env *testscript.Env) error { setUp(env); return nil },
		Cmds:  map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "newest": newest, "interrupted": interrupted},
	})
}

// setUp gives each script its own state folder. It also sets an option of the race detector: without it, a process
// built with -race waits for a second before it ends.
func setUp(env *testscript.Env) {
	env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
	env.Setenv("ESC", "\x1b")
	env.Setenv("NO_COLOR", "1") // needed if a script has a terminal
	env.Setenv("PAGER", "cat")
	env.Setenv("GORACE", "atexit_sleep_ms=0")
}
