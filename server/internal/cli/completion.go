package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/convert"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// flagValues lists the values of flags that accept only certain values.
var flagValues = map[string][]string{
	"color":   colorModes,
	"format":  append([]string{"auto"}, check.FormatNames()...),
	"profile": settings.Profile("").Values(),
	"to":      text.Each(convert.Formats, func(f convert.Format) string { return string(f) }),
}

// wantShell makes the command completion fail if no shell is given. Otherwise cobra would print the help, and the
// command would succeed.
func wantShell(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.RunE = func(*cobra.Command, []string) error {
				return errors.New("name a shell: completion bash, zsh, fish or powershell")
			}
		}
	}
}

// describeCompletions sets the suggestions of the shell for a command and its subcommands: the values of flags, folders
// for --root, and files if a command reads files.
func describeCompletions(cmd *cobra.Command) error {
	for _, sub := range cmd.Commands() {
		if err := describeCompletions(sub); err != nil {
			return err
		}
	}
	if cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil && cmd.Annotations[readsFiles] == "" {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	if flag := cmd.Flags().Lookup("root"); flag != nil {
		if err := cmd.MarkFlagDirname("root"); err != nil {
			return fmt.Errorf("%s: %w", cmd.Name(), err)
		}
	}
	for name, values := range flagValues {
		if cmd.LocalFlags().Lookup(name) == nil {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			return fmt.Errorf("%s: %w", cmd.Name(), err)
		}
	}
	return nil
}

// readsFiles is the annotation of commands whose arguments are files.
const readsFiles = "files"
