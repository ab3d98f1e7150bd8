package cli

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/aptix-dev/aptix/protocol"
)

// exits CODE PROGRAM ARG... asserts an exit code, which `!` cannot do.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit %d, want %d", got, want)
	}
}

// interrupted ARG... runs aptix with a standard input that does not end, and again with an
// output that nobody reads. It asserts that aptix ends with code 2 when it is told to.
func interrupted(ts *testscript.TestScript, _ bool, args []string) {
	folders := filepath.SplitList(ts.Getenv("PATH")) // testscript puts the folder of aptix first
	reply := strings.Repeat("```json\n{\"files\": [{\"path\": \"../a\", \"content\": \"\"}]}\n```\n", 2000)
	for _, ends := range []bool{false, true} {
		command := exec.Command(filepath.Join(folders[0], "aptix"), args...)
		command.Dir, command.Env = ts.Getenv("WORK"), append(os.Environ(), "XDG_STATE_HOME="+ts.Getenv("XDG_STATE_HOME"))
		in, err := command.StdinPipe()
		ts.Check(err)
		out, err := command.StdoutPipe()
		ts.Check(err)
		ts.Check(command.Start())
		_, err = io.WriteString(in, reply) // more than a pipe holds, so it is being read
		ts.Check(err)
		if ends {
			ts.Check(in.Close())
			_, err = out.Read(make([]byte, 1))
			ts.Check(err)
		}
		ts.Check(command.Process.Signal(syscall.SIGTERM))
		state, err := command.Process.Wait()
		ts.Check(err)
		if state.ExitCode() != exitUsage {
			ts.Fatalf("aptix %q ends with %v", args, state)
		}
		_, _ = in.Close(), out.Close()
	}
}

// newest ROOT sets ID to the id of the latest entry of the history, without the last letters of the id. Commands accept
// such a shortened id.
func newest(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("aptix", "history", "--root", args[0], "-n", "1", "--json"))
	var history protocol.History
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &history))
	id := history.Entries[0].ID
	ts.Setenv("ID", id[:len(id)-3])
}
