package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

func newFilesGet(std IO) *cobra.Command {
	var dir string
	var write bool
	cmd := &cobra.Command{
		Use: "get [flags] DOCPATH", Short: "Print a file of the file set, or write it to the workspace", Args: cobra.ExactArgs(1),
		Long: `Print the content of a file in the file set. With --write, write it to the file of
the workspace with that docPath instead; revert can undo that.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			held, err := std.held(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if !write {
				return printContent(std.Out, held.Content)
			}
			return withHistory(cmd.Context(), std, func(stateDir string, h *history.Store) error {
				return writeHeld(cmd.Context(), std, h, stateDir, dir, held)
			})
		},
	}
	cmd.Flags().StringVar(&dir, "root", ".", "the workspace root")
	cmd.Flags().BoolVar(&write, "write", false, "write it to the workspace")
	return cmd
}

func (std IO) held(ctx context.Context, key string) (fileset.File, error) {
	set, err := std.givenSet(ctx, false)
	if err != nil {
		return fileset.File{}, err
	}
	if set == nil {
		return fileset.File{}, fmt.Errorf("%q: %w", key, fileset.ErrNotFound)
	}
	defer closeFileSet(set)
	return set.Get(ctx, key)
}

// writeHeld writes the content that the set holds to the file in a workspace.
func writeHeld(ctx context.Context, std IO, h *history.Store, stateDir, dir string, held fileset.File) error {
	root, err := disk.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	path, _, err := fileOf(folderOf(root, dir), held.DocPath)
	if err != nil {
		return fmt.Errorf("%w; without --write, the content is printed", err)
	}
	label := fmt.Sprintf("revision %d of the file set", held.Revision)
	o, err := std.change(ctx, h, stateDir, apply.Request{Propose: func(context.Context) (apply.Proposal, error) {
		return apply.OverwriteOf(std.writer(root, dir, stateDir), path, held.Content, label, source)
	}})
	if err != nil {
		return err
	}
	if o.Refusal != nil && o.Refusal.Reason == apply.Forbidden { // a program could run text that others put into a set
		return fmt.Errorf("%s; print the content without --write, and check it before you write it there", o.Refusal.Message)
	}
	if o.Refusal != nil {
		return refused(std.Err, o.Refusal)
	}
	printWarnings(std.Err, o)
	std.printFiles(o.Result.Files)
	return nil
}
