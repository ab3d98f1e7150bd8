package mcp

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// build returns the path of the program, built as it is released. Linking it takes seconds.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "aptix")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	needs.Program(t, "go")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "../../cmd/aptix")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// start connects to the program over standard input and output.
func start(t *testing.T, program, dir, state string, flags ...string) client {
	t.Helper()
	cmd := exec.Command(program, append([]string{"mcp"}, flags...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_STATE_HOME="+state)
	var log bytes.Buffer
	cmd.Stderr = &log
	self := sdk.NewClient(&sdk.Implementation{Name: "a test"}, nil)
	session, err := self.Connect(context.Background(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("%v\n%s", err, &log)
		}
		if strings.Contains(log.String(), "error") {
			t.Errorf("%s", &log)
		}
	})
	return client{session, t, self}
}

// The program serves an agent, ends when the agent ends, and remembers the changes for the
// next one.
func TestProgram(t *testing.T) {
	program, state := build(t), t.TempDir()
	t.Run("refuses flags", func(t *testing.T) { refusesFlags(t, program) })
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	c := start(t, program, dir, state, "--allow-apply")
	info := c.InitializeResult()
	if info.ServerInfo.Name != "aptix" || !strings.Contains(info.Instructions, "workspace_read_file") {
		t.Errorf("%+v", info)
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 10 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	done, _ := must[written](c, "workspace_write_patch", patch("demo/a.txt", sum("one\n"), "one", "two"))
	fileHas(t, "two\n", dir, "a.txt")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	c = start(t, program, t.TempDir(), state, "--root", dir)
	got, _ := must[protocol.PatchChangeInfo](c, "get_patch_change", object{"id": done.BatchID})
	if got.Apply != done.ID {
		t.Errorf("%+v", got)
	}
	if code, _ := c.refused("aptix_revert", nil); code != "no-editor" {
		t.Error(code)
	}
	fileHas(t, "two\n", dir, "a.txt")
}

func refusesFlags(t *testing.T, program string) {
	for _, flags := range [][]string{{"--root", "/no/such/folder"}, {"extra"}, {"--nonsense"}} {
		cmd := exec.Command(program, append([]string{"mcp"}, flags...)...)
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
		var out, log bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &log
		err := cmd.Run()
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.ExitCode() != 2 || out.Len() > 0 || log.Len() == 0 {
			t.Errorf("%v: %v, %q, %q", flags, err, &out, &log)
		}
	}
}
