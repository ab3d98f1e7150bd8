package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// nfpm is the program that makes Debian packages. Its version is fixed, because two builds must
// give the same bytes.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.41.3"

const debConfig = `name: aptix
arch: %[1]s
platform: linux
version: %[2]s
maintainer: The Aptix Authors <aptix-dev@users.noreply.github.com>
description: |
  Applies the edits in a model's reply
  Aptix checks the edits that a language model wrote, shows them, applies all of
  them or none, and takes them back.
homepage: https://github.com/aptix-dev/aptix
license: MIT
section: utils
priority: optional
mtime: %[3]s
contents:
  - src: %[4]q
    dst: /usr/bin/aptix
    file_info: {mode: 0755, mtime: %[3]s}
  - src: %[5]q
    dst: /usr/share/doc/aptix/copyright
    file_info: {mode: 0644, mtime: %[3]s}
  - src: %[6]q
    dst: /usr/share/man/man1/
    file_info: {mode: 0644, mtime: %[3]s}
  - src: %[7]q
    dst: /usr/share/bash-completion/completions/aptix
    file_info: {mode: 0644, mtime: %[3]s}
  - src: %[8]q
    dst: /usr/share/zsh/vendor-completions/_aptix
    file_info: {mode: 0644, mtime: %[3]s}
  - src: %[9]q
    dst: /usr/share/fish/vendor_completions.d/aptix.fish
    file_info: {mode: 0644, mtime: %[3]s}
`

func (r *release) debPackages(ctx context.Context) error {
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		config := filepath.Join(r.stage, "nfpm-"+t.arch+".yaml")
		text := fmt.Sprintf(debConfig, t.arch, r.version, r.date.Format("2006-01-02T15:04:05Z"), r.program(t), filepath.Join(r.root, "LICENSE"),
			filepath.Join(r.compressedDir(), "*.gz"), filepath.Join(r.manualDir(), "aptix.bash"), filepath.Join(r.manualDir(), "_aptix"), filepath.Join(r.manualDir(), "aptix.fish"))
		if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
			return err
		}
		name := fmt.Sprintf("aptix_%s_%s.deb", r.version, t.arch)
		if err := r.command(ctx, "go", "run", nfpm, "package", "--packager", "deb", "--config", config, "--target", filepath.Join(r.out, name)).Run(); err != nil {
			return fmt.Errorf("package %s: %w", name, err)
		}
	}
	return nil
}
