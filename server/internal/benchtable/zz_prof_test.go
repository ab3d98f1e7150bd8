package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestZZPrep(t *testing.T) {
	dir := os.Getenv("PREP")
	if dir == "" {
		t.Skip()
	}
	for i, w := range works {
		in := w.input(1)
		d := filepath.Join(dir, fmt.Sprintf("w%02d", i))
		os.MkdirAll(d, 0o755)
		at := func(name string) string { return filepath.Join(d, name) }
		if err := prepare(at, in); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(at("w.md"), []byte(bundle(tree{"a.txt": "warm\n"})), 0o644)
		os.WriteFile(at("name"), []byte(w.name+"\n"), 0o644)
		os.WriteFile(at("cmd"), []byte(w.command+" --root . ../"+in.name), 0o644)
		_ = strings.Split
	}
}
