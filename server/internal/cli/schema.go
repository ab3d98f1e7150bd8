package cli

import (
	"io"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/schema"
)

func newSchema(std IO) *cobra.Command {
	return &cobra.Command{
		Use:       "schema [bundle|structured]",
		Short:     "Print the JSON Schema of a file bundle, a structured patch, or both",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"bundle", "structured"},
		RunE: func(_ *cobra.Command, args []string) error {
			printed, err := schema.Text(schemaOf(args))
			if err != nil {
				return err
			}
			_, err = io.WriteString(std.Out, printed)
			return err
		},
	}
}

// schemaOf is the schema that the arguments name: without any, that of both.
func schemaOf(args []string) *jsonschema.Schema {
	switch {
	case len(args) == 0:
		return schema.Any()
	case args[0] == "bundle":
		return schema.Bundle()
	}
	return schema.Structured()
}
