package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/engine"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/store"
	"github.com/aptix-dev/aptix/server/internal/workspace"
)

// A revert is one run of the command of that name.
type revert struct {
	std      IO
	history  *store.Store
	stateDir string
	root     string // "": that of the apply
	merge    bool
	json     bool
}

func newRevert(std IO) *cobra.Command {
	r := revert{std: std}
	cmd := &cobra.Command{
		Use: "revert [flags] [ID]", Short: "Take an apply back, all or nothing", Args: cobra.MaximumNArgs(1),
		Long: `Take an apply back: the one that ID names, or the beginning of an id, or else the
last one in the root that was not taken back yet. Nothing is written unless every
file stands as the apply left it. With --merge, files that were edited since keep
those edits, where they are not in the same lines.

A revert is in the history too; to revert it applies again.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withHistory(cmd.Context(), std, func(stateDir string, h *store.Store) error {
				r.history, r.stateDir = h, stateDir
				id := ""
				if len(args) > 0 {
					id = args[0]
				}
				return r.run(cmd.Context(), id)
			})
		},
	}
	cmd.Flags().StringVar(&r.root, "root", "", "the workspace root (default: the apply's, or the current folder)")
	cmd.Flags().BoolVar(&r.merge, "merge", false, "keep what was edited since, where no lines clash")
	cmd.Flags().BoolVar(&r.json, "json", false, "print a report as JSON on standard output, and nothing else")
	return cmd
}

func (r *revert) run(ctx context.Context, id string) error {
	apply, err := r.find(ctx, id)
	if err != nil {
		return err
	}
	if apply.Reverted {
		return r.report(protocol.RevertResult{Reverts: apply.ID, Verified: true, Message: short(apply.ID) + " was reverted already"})
	}
	root, err := workspace.Open(apply.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	back, err := engine.Revert(ctx, apply, root.Tree(nil))
	if err != nil {
		return err
	}
	p, refused := r.choose(back)
	if refused {
		return errors.Join(r.refuse(back), errInput)
	}
	return r.write(ctx, root, back, p)
}

// find is the apply that is meant, with its contents.
func (r *revert) find(ctx context.Context, id string) (store.Apply, error) {
	dir := ""
	if r.root != "" || id == "" {
		given := r.root
		if given == "" {
			given = "."
		}
		var err error
		if dir, err = rootDir(given); err != nil {
			return store.Apply{}, err
		}
	}
	if id == "" {
		last, err := engine.LastApply(ctx, r.history, dir)
		if err != nil {
			return store.Apply{}, err
		}
		id = last
	}
	apply, err := r.history.Get(ctx, id)
	if err == nil && dir != "" && apply.Root != dir {
		err = fmt.Errorf("%s was applied in %s, not in %s", id, apply.Root, dir)
	}
	return apply, err
}

// choose is the plan that may be written.
func (r *revert) choose(back engine.Reversal) (p plan.Plan, refused bool) {
	if len(back.Conflicts) == 0 {
		return back.Plan, false
	}
	p, mergeable := back.Merged()
	return p, !r.merge || !mergeable
}

// refuse tells which files do not stand as they were left.
func (r *revert) refuse(back engine.Reversal) error {
	answer := protocol.RevertResult{Reverts: back.Apply.ID, Conflicts: engine.ReportConflicts(back.Conflicts),
		Message: "not reverted: not all files stand as the apply left them"}
	for _, c := range back.Conflicts {
		fmt.Fprintf(r.std.Err, "aptix: %s: %s\n", c.Path, c.Why)
	}
	if _, mergeable := back.Merged(); mergeable {
		answer.Message += "; --merge keeps what was edited since"
	}
	return r.report(answer)
}

func (r *revert) write(ctx context.Context, root *workspace.Root, back engine.Reversal, p plan.Plan) error {
	answer := protocol.RevertResult{Reverts: back.Apply.ID, Conflicts: engine.ReportConflicts(back.Conflicts)}
	if len(p.Files) == 0 {
		answer.Verified, answer.Message = true, "nothing to change: the files stand as before "+short(back.Apply.ID)
		return errors.Join(r.history.MarkReverted(ctx, back.Apply.ID), r.report(answer))
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	defer showProgress(r.std.Err, "writing")()
	untold, err := engine.Make(ctx, r.history, root, r.stateDir, back.Record(id.String(), "cli"), p)
	if changed := (*workspace.ChangedError)(nil); errors.As(err, &changed) {
		answer.Message = "not reverted: " + changed.Error()
		return errors.Join(r.report(answer), errInput)
	}
	if err != nil {
		return err
	}
	if untold != nil {
		fmt.Fprintf(r.std.Err, "aptix: reverted, but not remembered: %v\n", untold)
	}
	answer.Applied, answer.Verified, answer.ID, answer.Files = true, true, id.String(), engine.ReportFiles(p.Files)
	answer.Message = "reverted " + short(back.Apply.ID)
	return r.report(answer)
}

func (r *revert) report(answer protocol.RevertResult) error {
	if answer.Files == nil {
		answer.Files = []protocol.File{}
	}
	if answer.Conflicts == nil {
		answer.Conflicts = []protocol.RevertConflict{}
	}
	answer.Left = []string{}
	if r.json {
		return writeJSON(r.std.Out, answer)
	}
	fmt.Fprintln(r.std.Err, "aptix: "+answer.Message)
	printFiles(r.std.Out, answer.Files)
	return nil
}
