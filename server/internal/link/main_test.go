package link

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// This binary also runs as the other processes of the tests: if this variable is set, it
// runs one of the roles.
const roleEnv = "APTIX_TEST_SIDECAR"

var roles = map[string]func(args []string) error{"listen": listenRole, "call": callRole}

func TestMain(m *testing.M) {
	role := os.Getenv(roleEnv)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// listenRole serves a folder until its input ends.
func listenRole(args []string) error {
	l, err := Listen(context.Background(), args[0], "other", zap.NewNop(), echo)
	if err != nil {
		return err
	}
	if err := l.Serve(args[1:]); err != nil {
		return err
	}
	fmt.Println("listening")
	_, err = io.ReadAll(os.Stdin)
	l.Close()
	return err
}

// callRole prints the result of a call.
func callRole(args []string) error {
	c, err := Dial(context.Background(), args[0], "test", args[1])
	if err != nil {
		return err
	}
	defer c.Close()
	answer, err := c.Call(context.Background(), protocol.ToolParams{Name: "x"}, "another process")
	fmt.Println(string(answer.Result))
	return err
}

func inRole(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), roleEnv+"="+role), os.Stderr
	return cmd
}

// process starts a process in listenRole, and returns after it listens. end stops it.
func process(t *testing.T, stateDir string, folders ...string) (cmd *exec.Cmd, end func()) {
	t.Helper()
	cmd = inRole(t, "listen", append([]string{stateDir}, folders...)...)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "listening\n" {
		t.Fatalf("the other process says %q", line)
	}
	return cmd, func() { _ = in.Close(); _ = cmd.Wait() }
}

// echo answers each call with its arguments.
func echo(_ context.Context, c Call) protocol.ToolResult {
	raw, err := json.Marshal(map[string]any{"name": c.Name, "arguments": c.Arguments, "agent": c.Agent, "roots": c.Roots})
	if err != nil {
		panic(err)
	}
	return protocol.ToolResult{Successful: true, Errors: []protocol.ToolMessage{}, Warnings: []protocol.ToolMessage{}, Result: raw}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// folder returns a new folder, with links resolved.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

// listen serves folders in this process.
func listen(t *testing.T, stateDir string, handler Handler, folders ...string) *Listener {
	t.Helper()
	needs.Sockets(t)
	l, err := Listen(t.Context(), stateDir, "1.2", zap.NewNop(), handler)
	must(t, err)
	t.Cleanup(l.Close)
	must(t, l.Serve(folders))
	return l
}

func dial(t *testing.T, stateDir string, roots ...string) *Client {
	t.Helper()
	c, err := Dial(t.Context(), stateDir, "test", roots...)
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

// named returns a handler that answers with a name, so that a test sees which server answered.
func named(name string) Handler {
	return func(context.Context, Call) protocol.ToolResult {
		return protocol.ToolResult{Successful: true, Result: json.RawMessage(`"` + name + `"`)}
	}
}

// whoServes returns the name of the server that answers for roots, or "" if none does.
func whoServes(t *testing.T, stateDir string, roots ...string) string {
	t.Helper()
	c, err := Dial(t.Context(), stateDir, "test", roots...)
	if err == ErrNone {
		return ""
	}
	must(t, err)
	defer c.Close()
	answer, err := c.Call(t.Context(), protocol.ToolParams{Name: "x"}, "")
	must(t, err)
	var name string
	must(t, json.Unmarshal(answer.Result, &name))
	return name
}

// files returns the names in the run folder.
func files(t *testing.T, stateDir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(runDir(stateDir), "*"))
	must(t, err)
	return names
}
