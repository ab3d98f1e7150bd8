package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
)

func newCheck(std IO) *cobra.Command {
	var feedback bool
	cmd := newCommand("check", "Print the problems of the blocks of a reply", std, func(ctx context.Context, r *run) error {
		result, err := r.check(ctx)
		if err != nil {
			return err
		}
		if feedback && !r.flags.json {
			feedback := result.Feedback(ctx)
			if err := ctx.Err(); err != nil {
				return err
			}
			_, err := io.WriteString(r.std.Out, feedback)
			return errors.Join(err, verdict(result))
		}
		if err := r.print(ctx, result, "", r.std.Out); err != nil {
			return err
		}
		if !r.flags.json && isTerminal(r.std.Out) {
			r.std.printVerdict(result)
		}
		return verdict(result)
	})
	cmd.Flags().BoolVar(&feedback, "feedback", false, "print the problems as text to send to the model that wrote the reply")
	return cmd
}

func newDiff(std IO) *cobra.Command {
	return newCommand("diff", "Print the effect of apply as a patch that git apply accepts", std, func(ctx context.Context, r *run) error {
		result, err := r.checkAndPrint(ctx)
		if err != nil {
			return err
		}
		if err := verdict(result); err != nil || r.flags.json {
			return err
		}
		return r.std.printPatch(result.Plan.Files)
	})
}

func newApply(std IO) *cobra.Command {
	return newCommand("apply", "Apply the blocks of a reply to the tree, all or nothing", std, func(ctx context.Context, r *run) error {
		o, err := r.apply(ctx)
		if err != nil {
			return err
		}
		if o.Refusal != nil {
			return r.refuse(ctx, o)
		}
		printWarnings(r.std.Err, o)
		if err := r.print(ctx, o.Reply, o.Result.ID, r.std.Err); err != nil || r.flags.json {
			return err
		}
		r.std.printFiles(o.Result.Files)
		return nil
	})
}

// refuse prints the diagnostics of a reply that was not applied, and the reason. If the reply has errors, the
// diagnostics already give the reason.
func (r *run) refuse(ctx context.Context, o apply.Outcome) error {
	switch o.Refusal.Reason {
	case apply.ChangedMeanwhile:
		return refused(r.std.Err, o.Refusal)
	case apply.CannotAsk:
		o.Refusal.Message = unanswered(o.Reply)
	}
	err := r.print(ctx, o.Reply, "", r.std.Err)
	if o.Refusal.Reason == apply.CannotApply {
		return errors.Join(err, errInput)
	}
	return errors.Join(err, refused(r.std.Err, o.Refusal))
}

func newFix(std IO) *cobra.Command {
	var write bool
	cmd := newCommand("fix", "Print the input with every certain repair", std, func(ctx context.Context, r *run) error {
		if len(r.docs) > 1 && !write {
			return errors.New("fix prints only one repaired input: name one FILE, or use --write")
		}
		r.flags.fix = true
		result, err := r.checkAndPrint(ctx)
		if err != nil {
			return err
		}
		if write {
			if err := verdict(result); err != nil {
				return err
			}
			return r.writeBack(ctx, result.Documents)
		}
		if !r.flags.json {
			err = printContent(r.std.Out, result.Documents[0].Text)
		}
		return errors.Join(err, verdict(result))
	})
	cmd.Flags().BoolVar(&write, "write", false, "write the repaired input back to its FILE")
	return cmd
}

func (r *run) writeBack(ctx context.Context, docs []check.Document) error {
	for i, doc := range docs {
		if doc.Name == "-" {
			return errors.New("fix --write needs a FILE")
		}
		if doc.Text == r.docs[i].Text {
			continue
		}
		if err := r.rewrite(ctx, doc.Name, r.encoding[i].Encode(r.docs[i].Text), r.encoding[i].Encode(doc.Text)); err != nil {
			return err
		}
	}
	return nil
}

func verdict(r *check.Result) error {
	if !r.Applicable() {
		return errInput
	}
	return nil
}
