package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// page shows a text on standard output. On a terminal it uses a pager, like git. If a person quits the pager early,
// this is not an error.
func (std IO) page(text string) error {
	command := pager()
	if text == "" || command == "" || !isTerminal(std.Out) {
		_, err := io.WriteString(std.Out, text)
		return err
	}
	cmd := inShell(command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), std.Out, unescaped(std.Err)
	cmd.Env = append(os.Environ(), lessEnv()...)
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err == nil || ok && !slices.Contains(notRun, exit.ExitCode()) {
		return nil
	}
	fmt.Fprintf(std.Err, "aptix: the pager %s cannot be run\n", command)
	_, err = io.WriteString(std.Out, text)
	return err
}

// notRun lists the exit codes of a shell that cannot run a command.
var notRun = []int{126, 127}

// pager returns the command of the pager: $PAGER or, if that is not set, less if it is installed. It returns "" if
// there is none, or if the pager is cat.
func pager() string {
	command, chosen := os.LookupEnv("PAGER")
	if !chosen {
		if _, err := exec.LookPath("less"); err == nil {
			command = "less"
		}
	}
	if command == "cat" {
		return ""
	}
	return command
}

// inShell returns a process in which a shell runs `command`. Windows has no such shell, so there `command` is the name
// of a program and its arguments.
func inShell(command string) *exec.Cmd {
	if words := strings.Fields(command); runtime.GOOS == "windows" && len(words) > 0 {
		return exec.Command(words[0], words[1:]...)
	}
	return exec.Command("sh", "-c", command)
}

// lessEnv returns an environment in which less exits immediately after a short text, shows colors, and leaves the text
// on the screen. It returns nil if the person has set LESS.
func lessEnv() []string {
	if _, chosen := os.LookupEnv("LESS"); chosen {
		return nil
	}
	return []string{"LESS=FRX"}
}
