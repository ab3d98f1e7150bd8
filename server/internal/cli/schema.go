package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/schema"
)

func newSchema(std IO) *cobra.Command {
	var names, titles []string
	for _, f := range check.Formats {
		if f.Schema != nil {
			names, titles = append(names, f.Name), append(titles, f.Title)
		}
	}
	return &cobra.Command{
		Use:       fmt.Sprintf("schema [%s]", strings.Join(names, "|")),
		Short:     fmt.Sprintf("Print the JSON Schema of %s, or all of them", strings.Join(titles, ", ")),
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: names,
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

func schemaOf(args []string) *jsonschema.Schema {
	if len(args) == 0 {
		return schema.Any()
	}
	f, _ := check.FormatOf(args[0])
	return f.Schema()
}
