package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed npm/aptix.js
var launcher []byte

// A manifest is a package.json file.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Repository   string            `json:"repository"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	Files        []string          `json:"files"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"` // tells Yarn not to keep the program inside a zip
}

func (r *release) manifest(name string, files ...string) manifest {
	return manifest{
		Name: name, Version: r.version, License: "MIT", Repository: "github:aptix-dev/aptix", Files: files,
		Description: "Applies the edits in a model's reply: checked first, all or nothing, exact to the byte, and undoable.",
	}
}

// node maps Go's names of systems and processors to those of Node, if they differ.
var node = map[string]string{"windows": "win32", "amd64": "x64"}

func nodeName(s string) string {
	if name, ok := node[s]; ok {
		return name
	}
	return s
}

func npmName(t target) string {
	return "@aptix-dev/aptix-" + nodeName(t.os) + "-" + nodeName(t.arch)
}

// npmPackages makes a package with the program for each system, and the package aptix. The package
// aptix has the others as optional dependencies, of which npm installs the one for the current
// system.
func (r *release) npmPackages(ctx context.Context) error {
	main := r.manifest("aptix", "aptix.js")
	main.Bin, main.Optional = map[string]string{"aptix": "aptix.js"}, map[string]string{}
	for _, t := range r.targets {
		if !t.npm {
			continue
		}
		main.Optional[npmName(t)] = r.version
		m := r.manifest(npmName(t), filepath.Base(r.program(t)))
		m.OS, m.CPU, m.PreferUnplug = []string{nodeName(t.os)}, []string{nodeName(t.arch)}, true
		program, err := os.ReadFile(r.program(t))
		if err != nil {
			return err
		}
		if err := r.npmPack(ctx, m, filepath.Base(r.program(t)), program); err != nil {
			return err
		}
	}
	return r.npmPack(ctx, main, "aptix.js", launcher)
}

// npmPack packs a package with one executable file.
func (r *release) npmPack(ctx context.Context, m manifest, name string, data []byte) error {
	dir := filepath.Join(r.stage, "npm", filepath.FromSlash(m.Name))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	description, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(dir, "package.json"), append(description, '\n'), 0o644),
		os.WriteFile(filepath.Join(dir, "LICENSE"), license, 0o644),
		os.WriteFile(filepath.Join(dir, name), data, 0o755))
	if err != nil {
		return err
	}
	cmd := r.command(ctx, "npm", "pack", "--silent", "--pack-destination", r.out)
	cmd.Dir = dir
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", m.Name, err)
	}
	return nil
}
