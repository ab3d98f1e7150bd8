package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// A target is a system for which the program is built.
type target struct {
	os, arch string // the names that Go uses for them
	vsix     []string
	npm      bool
}

func (t target) String() string { return t.os + "/" + t.arch }

// targets lists the eight systems. The program is static, so the program for Linux also runs on
// Alpine.
var targets = []target{
	{os: "linux", arch: "amd64", vsix: []string{"linux-x64", "alpine-x64"}, npm: true},
	{os: "linux", arch: "arm64", vsix: []string{"linux-arm64", "alpine-arm64"}, npm: true},
	{os: "darwin", arch: "amd64", vsix: []string{"darwin-x64"}, npm: true},
	{os: "darwin", arch: "arm64", vsix: []string{"darwin-arm64"}, npm: true},
	{os: "windows", arch: "amd64", vsix: []string{"win32-x64"}, npm: true},
	{os: "windows", arch: "arm64", vsix: []string{"win32-arm64"}, npm: true},
	{os: "freebsd", arch: "amd64"},
	{os: "freebsd", arch: "arm64"},
}

func chosen(only string) []target {
	if only == "" {
		return targets
	}
	for _, t := range targets {
		if t.String() == only {
			return []target{t}
		}
	}
	return nil
}

// program returns the path of the program for a target.
func (r *release) program(t target) string {
	name := "aptix"
	if t.os == "windows" {
		name += ".exe"
	}
	return filepath.Join(r.stage, "bin", t.os+"-"+t.arch, name)
}

// programs builds the programs without symbols and debug information, which are a third of the
// size.
func (r *release) programs(ctx context.Context) error {
	for _, t := range r.targets {
		cmd := r.command(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -X main.version="+r.version, "-o", r.program(t), "./server/cmd/aptix")
		cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch)
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("build for %v: %w", t, err)
		}
	}
	return nil
}

func readVersion(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(data, &p); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return p.Version, nil
}
