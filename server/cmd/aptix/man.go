//go:build man

package main

import (
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// With the build tag man, the program can write its manual for a release. The installed program is built without this
// tag, so it does not contain the library for manuals and its Markdown parser.
func init() { commands = append(commands, newMan) }

// newMan returns the command that writes a manual page for each command, and completion scripts for shells, into a
// folder. The pages depend only on the program, so every build of a version writes the same bytes.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, dir := cmd.Root(), args[0]
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "Aptix " + version, Manual: "Aptix Manual"}
			if err := doc.GenManTree(root, header, dir); err != nil {
				return err
			}
			return writeCompletions(root, dir)
		},
	}
}

func writeCompletions(root *cobra.Command, dir string) error {
	for name, write := range map[string]func(string) error{
		"aptix.bash": func(file string) error { return root.GenBashCompletionFileV2(file, true) },
		"_aptix":     root.GenZshCompletionFile,
		"aptix.fish": func(file string) error { return root.GenFishCompletionFile(file, true) },
		"aptix.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
