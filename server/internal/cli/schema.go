package cli

import (
	"io"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/schema"
)

func newSchema(std IO) *cobra.Command {
	return &cobra.Command{
		Use:       "schema [bundle|structured|lines]",
		Short:     "Print the JSON Schema of a file bundle, a structured patch, a line patch, or all of them",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"bundle", "structured", "lines"},
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

// schemaOf is the schema that the arguments name: without any, that of all.
func schemaOf(args []string) *jsonschema.Schema {
	switch {
	case len(args) == 0:
		return schema.Any()
	case args[0] == "bundle":
		return schema.Bundle()
	case args[0] == "lines":
		return schema.Lines()
	}
	return schema.Structured()
}
