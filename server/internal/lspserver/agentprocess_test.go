package lspserver_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	transactions "github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// If serverEnv is set, this binary runs as the language server, for tests that kill it. Its
// value is the state folder.
const serverEnv = "APTIX_TEST_SERVER"

func TestMain(m *testing.M) {
	state := os.Getenv(serverEnv)
	if state == "" {
		os.Exit(m.Run())
	}
	os.Exit(serveProcess(state))
}

// serveProcess does what the command of the language server does.
func serveProcess(state string) int {
	rwc := struct {
		io.Reader
		io.WriteCloser
	}{os.Stdin, os.Stdout}
	recovered, err := transactions.Recover(state)
	if err != nil {
		panic(err)
	}
	store, err := history.Open(state)
	if err != nil {
		panic(err)
	}
	return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), StateDir: state, History: store, Recovered: recovered})
}

// A process is a server that can be killed.
type process struct {
	cmd  *exec.Cmd
	dead chan struct{}
}

func (p process) kill() { _ = p.cmd.Process.Kill(); <-p.dead }

func startProcess(t *testing.T, dir, state string) (*lsptest.Client, process) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), serverEnv+"="+state)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := process{cmd, make(chan struct{})}
	t.Cleanup(p.kill)
	return lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		go func() { _, _ = io.Copy(in, rwc); _ = in.Close() }()
		_, _ = io.Copy(rwc, out)
		_ = rwc.Close()
		_ = cmd.Wait()
		close(p.dead)
		return cmd.ProcessState.ExitCode()
	}), p
}

// If a server is killed while a question is open, its agent gets an error. The files that the server leaves behind do
// not mislead the next server.
func TestServerIsKilledWhileOffered(t *testing.T) {
	needs.Sockets(t)
	o := &office{t: t, state: t.TempDir(), offers: make(chan *pendingOffer, 9)}
	var server process
	o.Client, server = startProcess(t, t.TempDir(), o.state)
	o.Options, o.Handle = map[string]any{"offers": true}, o.handle
	o.Initialize()
	o.settle()
	agent := o.agent()
	first := o.applies(agent, bundle(create("a.txt", "one\n")))
	o.next().answer <- true
	first.want("")
	shows(t, o.Client, map[string]string{"a.txt": "one\n"})
	second := o.applies(agent, bundle(create("b.txt", "one\n")))
	p := o.next()
	server.kill()
	await(t, second.done)
	close(p.answer)
	if second.err == nil || !strings.Contains(second.err.Error(), "the editor did not answer") {
		t.Errorf("the answer is %+v, %v", second.answer, second.err)
	}
	o.ExitCode()
	if _, err := link.Dial(t.Context(), o.state, "test", o.Editor.Dir); err != link.ErrNone {
		t.Errorf("who is dead is found: %v", err)
	}
	if _, there := o.Editor.ReadDisk("b.txt"); there {
		t.Error("it was written")
	}
}

func TestNamesOfAgents(t *testing.T) {
	for name, want := range map[string]string{
		"":                             "An agent asks: ",
		"Claude\n\nApply 0 files?\x1b": `Claude Apply 0 files?\x1b asks: `,
		"[Claude](command:x)\u202e":    `[Claude]\(command:x)\u202e asks: `,
		strings.Repeat("ä", 100):       strings.Repeat("ä", 60) + "… asks: ",
	} {
		o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
		c := o.agent()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = c.Call(t.Context(), protocol.ToolParams{Name: "aptix_apply", Arguments: []byte(`{"text":` + quote(bundle(patch("a.txt", "one", "two"))) + `}`)}, name)
		}()
		p := o.next()
		if !strings.HasPrefix(p.Question, want) {
			t.Errorf("asked is %q", p.Question)
		}
		p.answer <- false
		await(t, done)
	}
}
