package disk

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"
)

// dying is the output of a helper process that has reached the step at which it must be
// killed.
const dying = "kill me now"

// DieNow asks the parent for kill -9, see [RunAndKill]. A process that kills itself may
// hang under Wine, because the thread that does it waits for a lock of one that it has just
// ended.
func DieNow() error {
	fmt.Println(dying)
	time.Sleep(time.Minute) // with select{}, Go would find that it waits for ever, and end it
	return errors.New("it was not killed")
}

// RunAndKill runs a helper process, and kills it when it asks for that. It returns the rest
// of the output, and whether the process finished.
func RunAndKill(t testing.TB, cmd *exec.Cmd) (printed string, finished bool) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	must(t, err)
	cmd.Stderr = cmd.Stdout
	must(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == dying {
			must(t, cmd.Process.Kill())
			continue
		}
		printed += lines.Text() + "\n"
	}
	return printed, cmd.Wait() == nil
}
