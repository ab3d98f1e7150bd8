package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

//go:embed limit/limit.c
var limitSource []byte

// buildLimit builds the program that serves as the yardstick for work that git cannot do.
func buildLimit(file string) error {
	cmd := exec.Command("cc", "-O2", "-x", "c", "-o", file, "-")
	cmd.Stdin = bytes.NewReader(limitSource)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the limit is a program in C, which cc did not build: %w %s", err, out)
	}
	return nil
}

// limitList returns the list of files that the limit reads and writes for an input.
func limitList(in input) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(in.after)) {
		size := len(in.after[name])
		if in.before[name] == in.after[name] {
			size = -1
		}
		fmt.Fprintf(&b, "%d %s\n", size, name)
	}
	return b.String()
}
