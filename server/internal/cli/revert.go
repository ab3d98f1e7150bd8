package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
)

type revert struct {
	std      IO
	history  *history.Store
	stateDir string
	root     string // given by the person; "" for the root in which the apply was made
	merge    bool
	allowed  bool // whether the person agrees beforehand to restore all protected files
	json     bool
}

func newRevert(std IO) *cobra.Command {
	r := revert{std: std}
	cmd := &cobra.Command{
		Use: "revert [flags] [ID]", Short: "Revert an earlier change, all or nothing", Args: cobra.MaximumNArgs(1),
		Long: `Revert the change with this ID, or the only one whose ID begins with it. Without an
ID, revert the latest change in the root that has not been reverted. If a file has been edited since,
nothing is written; --merge keeps later edits on other lines.

A revert is in the history, too; reverting it makes the change again.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "" {
				return errors.New("the ID is empty; without an ID, the latest change is reverted")
			}
			return withHistory(cmd.Context(), std, func(stateDir string, h *history.Store) error {
				r.history, r.stateDir = h, stateDir
				return r.run(cmd.Context(), cmp.Or(args...)) // there is at most one argument
			})
		},
	}
	cmd.Flags().StringVar(&r.root, "root", "", "the workspace root (default: that of the change, or the current folder)")
	cmd.Flags().BoolVar(&r.merge, "merge", false, "keep later edits if they are on other lines")
	cmd.Flags().BoolVar(&r.allowed, "allow-protected", false, "also restore protected files, even if nobody agreed to that when the change was applied")
	cmd.Flags().BoolVar(&r.json, "json", false, "print only a JSON report on standard output")
	return cmd
}

func (r *revert) run(ctx context.Context, id string) error {
	record, err := r.find(ctx, id)
	if err != nil {
		return err
	}
	root, err := disk.Open(record.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	o, err := r.revert(ctx, root, record)
	if err != nil {
		return err
	}
	printWarnings(r.std.Err, o)
	answer := o.RevertResult()
	if o.Refusal == nil {
		return r.report(answer)
	}
	answer.Message = "not reverted: " + o.Refusal.Message
	return errors.Join(r.refuse(answer), errInput)
}

func (r *revert) revert(ctx context.Context, root *disk.Root, record history.Apply) (apply.Outcome, error) {
	w := r.std.writer(root, cmp.Or(r.root, record.Root), r.stateDir)
	// A person who agreed to a change also agrees to revert it. But if the history is in the root or in a repository,
	// it may have come with that folder, so it does not prove that anybody agreed.
	return r.std.change(ctx, r.history, r.stateDir, apply.Request{AllowProtected: r.allowed, AllowAgreed: !root.MayBring(r.stateDir), Propose: func(ctx context.Context) (apply.Proposal, error) {
		return apply.RevertOf(ctx, record, w, root.Tree(nil), r.merge, source)
	}})
}

func (r *revert) find(ctx context.Context, id string) (history.Apply, error) {
	if r.root == "" && id != "" {
		return apply.Find(ctx, r.history, id, "")
	}
	dir, err := rootDir(cmp.Or(r.root, "."))
	if err != nil {
		return history.Apply{}, err
	}
	return apply.Find(ctx, r.history, id, dir)
}

// refuse names the files that prevent the revert because they have changed since the apply.
func (r *revert) refuse(answer protocol.RevertResult) error {
	for _, c := range answer.Conflicts {
		fmt.Fprintf(r.std.Err, "aptix: %s: %s\n", c.Path, c.Why)
	}
	if len(answer.Conflicts) > 0 && !slices.ContainsFunc(answer.Conflicts, func(c protocol.RevertConflict) bool { return !c.Mergeable }) && !r.merge {
		answer.Message += "; --merge keeps later edits"
	}
	return r.report(answer)
}

func (r *revert) report(answer protocol.RevertResult) error {
	if r.json {
		return printJSON(r.std.Out, answer)
	}
	fmt.Fprintln(r.std.Err, "aptix: "+answer.Message)
	r.std.printFiles(answer.Files)
	return nil
}
