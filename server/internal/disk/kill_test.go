package disk

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"
)

// dying is printed by a helper process that has reached the step at which it must be killed.
const dying = "kill me now"

// DieNow asks the parent to send kill -9: see [RunAndKill]. A process that kills itself may hang under Wine, because
// the killing thread waits for a lock of a thread that it has just ended.
func DieNow() error {
	fmt.Println(dying)
	time.Sleep(time.Minute) // with select{}, Go would notice that it waits forever, and end it
	return errors.New("it was not killed")
}

// RunAndKill runs a helper process, and kills it when it asks for that. It returns the other
// output, and whether the process ended by itself.
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
