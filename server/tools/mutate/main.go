// Command mutate plants bugs, one at a time, and runs the tests that must catch each of them. If
// the tests pass with a bug, they do not check what they promise. `make mutate` runs the command.
// The files on disk do not change, because the compiler gets the planted file instead of the real
// one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	only := flag.String("run", "", "plant only the bugs whose names match this regular expression")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	missed := 0
	for _, b := range bugs {
		if !match.MatchString(b.name) {
			continue
		}
		caught, err := b.plant(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		if caught == "" {
			missed++
			caught = "NOT CAUGHT"
		}
		fmt.Printf("%-60s %s\n", b.name, caught)
	}
	if missed > 0 {
		return fmt.Errorf("%d planted bugs are not caught", missed)
	}
	return nil
}

// plant runs the tests with the bug, and returns the first test that fails.
func (b bug) plant(ctx context.Context) (caught string, err error) {
	dir, err := os.MkdirTemp("", "aptix-mutate-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := b.overlay(dir)
	if err != nil {
		return "", err
	}
	args := []string{"test", "-overlay", overlay, "-failfast", "-count=1", "-run", b.tests, "./" + b.in}
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && (!failed || ctx.Err() != nil) {
		return "", err
	}
	if strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "no tests to run") {
		return "", errors.New(string(out))
	}
	if err == nil {
		return "", nil
	}
	if found := failed.FindSubmatch(out); found != nil {
		return "caught by " + string(found[1]), nil
	}
	return "caught", nil // the bug was caught by a crash or a time limit
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// overlay writes the file with the planted bug, and the JSON file that tells the compiler to use it (go build
// -overlay).
func (b bug) overlay(dir string) (string, error) {
	name, err := filepath.Abs(filepath.FromSlash(b.file))
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(data), b.old); n != 1 {
		return "", fmt.Errorf("%s has %d places for it, want 1:\n%s", b.file, n, b.old)
	}
	planted := filepath.Join(dir, "planted.go")
	description, err := json.Marshal(map[string]map[string]string{"Replace": {name: planted}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, errors.Join(
		os.WriteFile(planted, []byte(strings.Replace(string(data), b.old, b.new, 1)), 0o600),
		os.WriteFile(overlay, description, 0o600))
}
