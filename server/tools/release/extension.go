package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// extensions packs the extension for each system that VS Code supports.
func (r *release) extensions(ctx context.Context) error {
	for _, t := range r.targets {
		if len(t.vsix) == 0 {
			// Without a target, package.mjs makes all packages.
			continue
		}
		args := append([]string{"scripts/package.mjs", "--quality", strconv.Itoa(r.quality), "--program", r.program(t)}, t.vsix...)
		if err := r.command(ctx, "node", args...).Run(); err != nil {
			return fmt.Errorf("package the extension for %v: %w", t, err)
		}
		for _, system := range t.vsix {
			name := "aptix-" + system + ".vsix"
			if err := os.Rename(filepath.Join(r.root, "dist", name), filepath.Join(r.out, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
