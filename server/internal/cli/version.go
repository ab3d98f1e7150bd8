package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// A build describes the source from which this program was built.
type build struct {
	Version  string `json:"version"`            // the version of the extension and of CHANGELOG.md, or "dev"
	Commit   string `json:"commit,omitempty"`   // 40 hex digits; empty if the program was not built in a clone
	Date     string `json:"date,omitempty"`     // date of the commit, not of the build, as RFC 3339 in UTC
	Modified bool   `json:"modified,omitempty"` // whether the clone had changes that were not committed
}

func newVersion(std IO, version string) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(std.Out, buildOf(version))
			}
			_, err := fmt.Fprintln(std.Out, "aptix", version)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the version, its commit and the date of the commit as JSON")
	return cmd
}

func buildOf(version string) build {
	b := build{Version: version}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
