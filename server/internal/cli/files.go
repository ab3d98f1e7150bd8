package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/paths"
)

func newFiles(std IO) *cobra.Command {
	cmd := &cobra.Command{
		Use: "files", Short: "List, get and put files of the file set", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("name a command: files list, files get or files put; see aptix files --help")
		},
	}
	cmd.AddCommand(newFilesList(std), newFilesGet(std), newFilesPut(std))
	return cmd
}

func newFilesList(std IO) *cobra.Command {
	var dir string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use: "list [flags]", Short: "List the files of the workspace that the file set holds", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			prefix := ""
			if !all {
				if _, err := rootDir(dir); err != nil {
					return err
				}
				prefix = paths.DocPath(check.FolderName(dir), "")
			}
			set, err := std.givenSet(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer closeFileSet(set)
			files, err := filesBelow(cmd.Context(), set, prefix)
			if err != nil {
				return err
			}
			return printStored(std.Out, files, asJSON)
		},
	}
	cmd.Flags().StringVar(&dir, "root", ".", "the workspace root")
	cmd.Flags().BoolVar(&all, "all", false, "list the files of every workspace")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

// givenSet returns the file set of a command, or nil if the set does not exist yet. If makeIt is true, it creates a
// missing set.
func (std IO) givenSet(ctx context.Context, makeIt bool) (*fileset.Set, error) {
	stateDir, err := std.stateDir()
	if err != nil {
		return nil, err
	}
	where, _ := apply.FileSetAt("", stateDir, makeIt)
	if where == "" {
		return nil, nil
	}
	return fileset.Open(ctx, where)
}

// page is the number of entries to read at a time.
const page = 1000

// filesBelow returns the files of a set whose docPaths begin with `prefix`, which ends in / or is "". The set may be
// nil.
func filesBelow(ctx context.Context, set *fileset.Set, prefix string) ([]fileset.Entry, error) {
	all := []fileset.Entry{}
	for after := prefix; set != nil; {
		entries, err := set.List(ctx, after, page)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.DocPath, prefix) {
				return all, nil
			}
			all = append(all, e)
		}
		if len(entries) < page {
			return all, nil
		}
		after = entries[page-1].DocPath
	}
	return all, nil
}

func printStored(w io.Writer, files []fileset.Entry, asJSON bool) error {
	if asJSON {
		return printJSON(w, map[string]any{"files": files})
	}
	for _, f := range files {
		if _, err := fmt.Fprintf(w, "%s  revision %d  %s  %s\n", f.UpdatedAt.Local().Format(time.DateTime), f.Revision, escape.Report(escape.Line(f.UpdatedBy)), escape.Report(escape.Line(f.DocPath))); err != nil {
			return err
		}
	}
	return nil
}

func newFilesPut(std IO) *cobra.Command {
	var dir string
	var over int64
	var asJSON bool
	cmd := &cobra.Command{
		Use: "put [flags] --over REVISION DOCPATH", Short: "Upload a file of the workspace over a revision", Args: cobra.ExactArgs(1),
		Long: `Upload the workspace file with this docPath to the file set, as the next revision of
the file. --over names the revision to replace, or 0 if the set does not have the file.
If the set has another revision by now, nothing is uploaded.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("over") || over < 0 {
				return errors.New("use --over to name the revision to replace (`aptix files list` shows it), or 0 for a file that the file set does not have")
			}
			root, err := disk.Open(dir)
			if err != nil {
				return err
			}
			defer root.Close()
			path, data, err := fileOf(folderOf(root, dir), args[0])
			if err != nil {
				return err
			}
			stateDir, err := std.stateDir()
			if err != nil {
				return err
			}
			if err := apply.MayShare(cmd.Context(), std.writer(root, dir, stateDir), path); err != nil {
				return fmt.Errorf("%w: nothing was uploaded", err)
			}
			entry, err := std.putOver(cmd.Context(), args[0], data, over)
			if conflict := (*fileset.ConflictError)(nil); errors.As(err, &conflict) {
				fmt.Fprintf(std.Err, "aptix: %v\n", err)
				return errInput
			}
			if err != nil {
				return err
			}
			return printStored(std.Out, []fileset.Entry{entry}, asJSON)
		},
	}
	cmd.Flags().StringVar(&dir, "root", ".", "the workspace root")
	cmd.Flags().Int64Var(&over, "over", 0, "the revision to replace, 0 if the file set does not have the file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the stored entry as JSON")
	return cmd
}

func (std IO) putOver(ctx context.Context, key, data string, revision int64) (fileset.Entry, error) {
	set, err := std.givenSet(ctx, true)
	if err != nil {
		return fileset.Entry{}, err
	}
	defer closeFileSet(set)
	entries, err := set.Put(ctx, source, []fileset.Upload{{DocPath: key, Base: fileset.Base{Revision: revision}, Content: data}})
	if err != nil {
		return fileset.Entry{}, err
	}
	return entries[0], nil
}

// folderOf returns a root as a folder in which docPaths can be looked up. The name of the folder comes from `dir`.
func folderOf(root *disk.Root, dir string) paths.Folder {
	return paths.Folder{Names: []string{check.FolderName(dir)}, Tree: root.Tree(nil)}
}

func fileOf(folder paths.Folder, key string) (path, data string, err error) {
	found, err := folder.Lookup(nil, key)
	switch {
	case err != nil:
		return "", "", err
	case len(found) == 0:
		return "", "", fmt.Errorf("no file of the workspace %q has the docPath %q: a docPath is the workspace's name, then /, then the path in lower case", folder.Names[0], key)
	case len(found) > 1:
		return "", "", fmt.Errorf("%q is the docPath of several files, %q; rename all but one of them", key, found)
	}
	raw, err := fs.ReadFile(folder.Tree, found[0])
	return found[0], string(raw), err
}

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
	cmd.Flags().BoolVar(&write, "write", false, "write the file to the workspace")
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
	// The file is protected because a program may run it, and other people may have uploaded this content.
	if o.Refusal != nil && o.Refusal.Reason == apply.Forbidden {
		return fmt.Errorf("%s; run the command without --write to print the content, check it, and then write the file yourself", o.Refusal.Message)
	}
	if o.Refusal != nil {
		return refused(std.Err, o.Refusal)
	}
	printWarnings(std.Err, o)
	std.printFiles(o.Result.Files)
	return nil
}
