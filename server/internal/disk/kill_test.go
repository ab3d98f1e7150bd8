package disk

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"
)

// dying is what a helper process prints when it has come to the step at which it is to be killed.
const dying = "kill me now"

// DieNow is kill -9: the parent does it, see [RunAndKill]. A process that kills itself may hang under
// Wine: the thread that does it waits for a lock of one that it has just ended.
func DieNow() error {
	fmt.Println(dying)
	time.Sleep(time.Minute) // with select{}, Go would find that it waits forever, and end it
	return errors.New("it was not killed")
}

// RunAndKill runs a helper process, and kills it when it asks for that. It returns what the process
// printed else, and whether it came to its end.
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
