package cli

import (
	"encoding/json"
	"os/exec"
	"strconv"

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

// newest ROOT sets ID to the id of the latest entry of the history without its last letters,
// because commands accept a shortened id.
func newest(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("aptix", "history", "--root", args[0], "-n", "1", "--json"))
	var history protocol.History
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &history))
	id := history.Entries[0].ID
	ts.Setenv("ID", id[:len(id)-3])
}
