package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

func newHistory(std IO) *cobra.Command {
	var root string
	var all, asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use: "history [flags]", Short: "List the history, latest entry first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return fmt.Errorf("-n %d: a count cannot be negative", limit)
			}
			return withHistory(cmd.Context(), std, func(_ string, h *history.Store) error {
				if !all {
					var err error
					if root, err = rootDir(root); err != nil {
						return err
					}
				} else {
					root = ""
				}
				applies, err := h.List(cmd.Context(), root, limit)
				if err != nil {
					return err
				}
				return std.printHistory(cmd.Context(), applies, asJSON, all)
			})
		},
	}
	cmd.Flags().StringVar(&root, "root", ".", "the workspace root")
	cmd.Flags().BoolVar(&all, "all", false, "list the entries of every workspace root")
	cmd.Flags().IntVarP(&limit, "number", "n", 0, "list at most this many entries; 0 means all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	cmd.AddCommand(newHistoryShow(std))
	return cmd
}

func newHistoryShow(std IO) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Print the changes of an entry as a patch", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withHistory(cmd.Context(), std, func(_ string, h *history.Store) error {
				record, err := h.Get(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				batches, err := h.Batches(cmd.Context(), record.ID)
				if err != nil {
					return err
				}
				if err := printBatches(std.Out, batches); err != nil {
					return err
				}
				if omitted := apply.Omitted(record); omitted != "" {
					fmt.Fprintf(std.Err, "aptix: %s\n", escape.Line(omitted))
				}
				return std.printPatch(apply.ChangedFiles(record))
			})
		},
	}
}

// withHistory opens the history, makes it agree with the files, and then calls `f`.
func withHistory(ctx context.Context, std IO, f func(stateDir string, h *history.Store) error) error {
	stateDir, err := std.stateDir()
	if err != nil {
		return err
	}
	recovered := apply.Recover(stateDir, std.say, ".")
	h, err := apply.OpenHistory(stateDir, std.say)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := apply.Settle(ctx, h, stateDir, recovered, nil); err != nil {
		return err
	}
	return f(stateDir, h)
}

// rootDir returns the path of a folder in the form in which the history records the root of an apply.
func rootDir(dir string) (string, error) {
	root, err := disk.Open(dir)
	if err != nil {
		return "", err
	}
	return root.Dir(), root.Close()
}

func (std IO) printHistory(ctx context.Context, applies []history.Apply, asJSON, all bool) error {
	entries, _, err := apply.Entries(ctx, applies, nil)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(std.Out, protocol.History{Entries: entries})
	}
	p := std.painter(std.Out)
	for i, e := range entries {
		at := std.moment(applies[i].Time)
		if _, err := fmt.Fprintf(std.Out, "%s  %s  %s  %s%s\n", at, p.paint(yellow, apply.ShortID(e.ID)), escape.Report(summary(e.Files)), escape.Report(e.Label), escape.Report(remarks(e, all))); err != nil {
			return err
		}
	}
	return nil
}

// moment formats a time in the history. On a terminal, it formats the time that has passed since then.
func (std IO) moment(t time.Time) string {
	if isTerminal(std.Out) {
		return fmt.Sprintf("%-14s", check.Age(time.Since(t)))
	}
	return t.Local().Format(time.DateTime)
}

func remarks(e protocol.HistoryEntry, all bool) string {
	s := ""
	switch {
	case e.Part:
		s += "  (reverts a part of " + apply.ShortID(e.Reverts) + ")"
	case e.Reverts != "":
		s += "  (reverts " + apply.ShortID(e.Reverts) + ")"
	}
	switch {
	case e.Reverted:
		s += "  (reverted)"
	// The description of a revert already says that it is a revert.
	case e.Reverts != "" && e.State == protocol.EntryInForce:
	case e.State != protocol.EntryUnknown:
		s += "  (" + string(e.State) + ")"
	}
	if all {
		s += "  in " + escape.Line(filepath.Clean(e.Root))
	}
	return s
}

func summary(files []protocol.File) string {
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return plan.SummaryOf(len(files), added, removed)
}
