package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"time"
)

// A measure is what one process took.
type measure struct {
	CPU, Wall time.Duration // CPU is user and system time on all processors, of its children too
	Peak      int64         // bytes of memory; 0 where the system does not say
	Exit      int
}

// launch runs a command and writes its measure to a file. It is a process of its own,
// and a small one: Linux counts the memory of the process that starts another as the
// other's peak.
func launch(file string, args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	state := cmd.ProcessState
	out, err := json.Marshal(measure{CPU: state.UserTime() + state.SystemTime(), Wall: wall, Peak: peakMemory(state), Exit: state.ExitCode()})
	if err != nil {
		return err
	}
	return os.WriteFile(file, out, 0o600)
}
