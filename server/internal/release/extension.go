package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// extensions packs the extension for each system that VS Code knows.
func (r *release) extensions(ctx context.Context) error {
	for _, t := range r.targets {
		for _, system := range t.vsix {
			cmd := r.command(ctx, "node", "scripts/package.mjs", "--program", r.program(t), system)
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("package the extension for %s: %w", system, err)
			}
			name := "aptix-" + system + ".vsix"
			if err := os.Rename(filepath.Join(r.root, "dist", name), filepath.Join(r.out, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
