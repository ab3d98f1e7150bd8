package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/convert"
)

func newConvert(std IO) *cobra.Command {
	var to string
	var fenced bool
	cmd := newCommand("convert --to FORMAT", "Print the same change in another format", std, func(ctx context.Context, r *run) error {
		result, err := r.checkAndPrint(ctx)
		if err != nil {
			return err
		}
		if err := verdict(result); err != nil {
			return err
		}
		doc, err := r.convert(ctx, convert.Format(to), result)
		if err != nil || r.flags.json || doc == "" {
			return err
		}
		if fenced {
			doc = convert.Fenced(convert.Format(to), doc)
		}
		return printContent(r.std.Out, doc)
	})
	cmd.Long = `Print the effect of apply as one document in another format. Applied to the same
tree, it gives exactly the same files. If the format cannot express a change
exactly, that is an error.`
	cmd.Flags().StringVar(&to, "to", "", fmt.Sprintf("the format to write, one of %v", convert.Formats))
	cmd.Flags().BoolVar(&fenced, "fenced", false, "print the document in a Markdown fence")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains(convert.Formats, convert.Format(to)) {
			return fmt.Errorf("--to %q: name one of %v", to, convert.Formats)
		}
		return nil
	}
	return cmd
}

// convert returns the plan of a result as a document in the given format, or "" if the plan changes nothing.
func (r *run) convert(ctx context.Context, to convert.Format, result *check.Result) (string, error) {
	defer showProgress(r.std.Err, "converting")()
	if len(result.Plan.Files) == 0 {
		fmt.Fprintln(r.std.Err, "aptix: nothing to convert: the files already have the result of the reply")
		return "", nil
	}
	doc, err := convert.Document(ctx, to, result.Plan.Files, r.where(), check.FolderName(r.flags.root))
	var cannot *convert.CannotError
	if errors.As(err, &cannot) {
		fmt.Fprintf(r.std.Err, "aptix: %v\n", cannot)
		return "", errInput
	}
	return doc, err
}
