package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"time"
)

// A measure is the time and the memory that one process took.
type measure struct {
	CPU, Wall time.Duration // CPU is the time in user and system mode on all processors, including child processes
	Peak      int64         // the most memory in use at any time, in bytes; 0 if the system does not report it
	Exit      int
}

// launch runs a command and writes its measure to a file. It runs in a small separate process,
// because Linux counts the memory of the starting process in the peak of the started process.
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
