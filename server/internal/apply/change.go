package apply

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A change is one request during the steps of [Applier.Apply].
type change struct {
	*Applier
	request Request
	outcome Outcome

	set    *fileset.Set
	asked  bool
	waited bool
	locked bool
	saved  map[string]text.Content // the content on disk before the change, by the path of each open document
	record *record
	made   disk.Folders
}

func (c *change) proposal() *Proposal { return &c.outcome.Proposal }

// check plans the change. The error is a [Refusal] or errNothingToDo if the change ends here.
func (c *change) check(ctx context.Context) error {
	p, err := c.request.Propose(ctx)
	if err != nil {
		return err
	}
	c.outcome.Proposal = p
	c.outcome.Result = protocol.ApplyResult{Files: check.ReportFiles(p.Plan.Files), Left: []string{}}
	switch {
	case p.Refused != "":
		return &Refusal{CannotApply, p.Refused}
	case p.Reply != nil && !p.Reply.Applicable():
		return &Refusal{CannotApply, "a block has errors, or is incomplete"}
	case len(p.Plan.Files) == 0:
		return errNothingToDo
	}
	if err := c.gate(ctx); err != nil {
		return err
	}
	return c.compareFileSet(ctx)
}

// compareFileSet refuses the change if a shared file set has a different text of a file that would change (rule R29).
func (c *change) compareFileSet(ctx context.Context) error {
	p := c.proposal()
	if c.set == nil {
		set, err := c.fileSet(ctx, len(p.named()) > 0)
		if err != nil {
			return err
		}
		c.set = set
	}
	differs, err := differsFromSet(ctx, c.set, p.Record.Source, p.Writer.Folder(), p.uploadable(c.set))
	if err != nil {
		return err
	}
	if differs != "" {
		return &Refusal{FileSetDiffers, differs}
	}
	return nil
}

// ask asks the person if the proposal has a question. The error is a [Refusal] if the person says no, or if nobody can
// be asked.
func (c *change) ask(ctx context.Context) error {
	p := c.proposal()
	if p.Question == "" || c.request.Yes {
		return nil
	}
	if c.request.Ask == nil {
		return &Refusal{CannotAsk, p.Question}
	}
	agreed, err := c.request.Ask(ctx, p)
	if err != nil {
		return err
	}
	if !agreed {
		return &Refusal{Declined, "cancelled"}
	}
	c.asked = true
	return nil
}

func (c *change) lock(ctx context.Context) error {
	select {
	case <-c.free:
	default:
		c.waited = true
		select {
		case <-c.free:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c.locked = true
	return ctx.Err()
}

func (c *change) unlock() {
	if c.locked {
		c.free <- struct{}{}
	}
}

// checkAgain plans the change again if the person was asked or another change was made, because the files may have
// changed since the check. If either of the two plans has a question, both plans must be the same.
func (c *change) checkAgain(ctx context.Context) error {
	if !c.asked && !c.waited {
		return nil
	}
	before := *c.proposal()
	err := c.check(ctx)
	if refusal, ok := errors.AsType[*Refusal](err); ok && c.asked && refusal.Reason == CannotApply {
		return &Refusal{ChangedMeanwhile, "the reply could be applied when you were asked, but cannot be applied now: " + refusal.Message}
	}
	if err != nil {
		return err
	}
	now := c.proposal()
	if before.Question == "" && now.Question == "" || before.same(*now) {
		return nil
	}
	return &Refusal{ChangedMeanwhile, "the files or the reply changed while the question was open"}
}

// commit writes the files. A pending record is in the history before the first file changes. After a crash, the next
// [Settle] finds out whether the change was made.
func (c *change) commit(ctx context.Context) error {
	p := c.proposal()
	p.Plan.Hash()
	c.saved = copySaved(c.set, p.Writer, p.Plan.Files)
	c.identify(ctx)
	c.record = beginRecord(ctx, c.history, p)
	c.outcome.Result.ID = c.record.apply.ID
	written, err := p.Writer.Write(ctx, c.record.apply.ID, c.cleared(), func() error {
		c.record.wait()
		return ctx.Err()
	})
	c.record.wait()
	c.take(written)
	c.made = written.Folders
	if err == nil && written.Applied {
		return nil
	}
	return c.notWritten(context.WithoutCancel(ctx), err)
}

func (c *change) take(w Written) {
	r := &c.outcome.Result
	r.Applied, r.Verified, r.RolledBack, r.Lasting = w.Applied, w.Verified, w.RolledBack, w.Lasting
	r.Left = append(r.Left, w.Left...)
	if r.Message = w.Message; r.Message == "" && w.Applied {
		r.Message = c.done()
	}
	if !w.Applied {
		r.ID, r.Batches = "", nil
	}
}

// notWritten removes the record of a change that was not made, or that was undone.
func (c *change) notWritten(ctx context.Context, err error) error {
	if rollback, failed := errors.AsType[*disk.RollbackError](err); failed && rollback.Undo != nil {
		// The next start restores the tree, and then decides whether to keep the record.
		c.record.pending.Leave()
		return err
	}
	if _, unknown := errors.AsType[*UnknownError](err); unknown {
		// The next start decides from the files whether to keep the record.
		c.record.pending.Leave()
		return err
	}
	c.outcome.NotRecorded = errors.Join(c.outcome.NotRecorded, c.record.pending.Drop(ctx))
	if changed, ok := errors.AsType[*disk.ChangedError](err); ok {
		return &Refusal{ChangedMeanwhile, changed.Error()}
	}
	if err == nil {
		return errNotWritten
	}
	return err
}

func (c *change) identify(ctx context.Context) {
	p := c.proposal()
	if p.Reply == nil {
		return
	}
	if err := p.Reply.Identify(ctx, c.history, p.Writer.Root().Dir()); err != nil {
		c.outcome.NotRecorded = fmt.Errorf("recording the ids of line patches: %w", err)
	}
	p.Record.Batches, c.outcome.Result.Batches = p.Reply.Applying(), p.Reply.Batches()
}

// nothingToDo completes the outcome if no file has to change. If a revert has nothing to do, the apply has already been
// undone in the files, so it is marked as reverted.
func (c *change) nothingToDo(ctx context.Context) error {
	p := c.proposal()
	c.outcome.Result.Verified = true
	c.outcome.Result.Message = p.Nothing
	if p.Record.Undoes != "" && !p.Record.Part {
		return c.history.MarkReverted(ctx, p.Record.Undoes)
	}
	c.identify(ctx)
	if p.Nothing == "" {
		c.outcome.Result.Message = "nothing to change: the files already have the result of the reply"
	}
	return nil
}

// done returns a message such as `applied: 3 files +10 −2`.
func (c *change) done() string {
	if undoes := c.proposal().Record.Undoes; undoes != "" {
		return "reverted " + ShortID(undoes)
	}
	n, added, removed := 0, 0, 0
	// The lines were already counted for the report.
	for _, f := range c.outcome.Result.Files {
		if f.State == protocol.FileChange {
			n, added, removed = n+1, added+f.Added, removed+f.Removed
		}
	}
	return "applied: " + plan.SummaryOf(n, added, removed)
}

func (c *change) finishRecord(ctx context.Context) {
	err := errors.Join(c.outcome.NotRecorded, c.record.finish(ctx, c.made))
	if c.outcome.NotRecorded = err; err != nil || c.history == nil {
		c.warn("not-remembered", "the change was made, but the history did not record it, so it cannot be reverted")
		return
	}
	if lost := c.record.lost(); len(lost) > 0 {
		c.warn(NotKept, fmt.Sprintf("git ignores %s, so the history does not keep the contents, and this change cannot be reverted later", strings.Join(lost, ", ")))
	}
}

// NotKept is the code of a warning: the change cannot be reverted, because the history does not keep the contents of
// files that git ignores.
const NotKept = "not-kept"

func (c *change) upload(ctx context.Context) {
	p := c.proposal()
	err := uploadTo(ctx, c.set, p.Record.Source, p.Writer.Folder(), p.uploadable(c.set), p.named(), c.saved)
	if c.outcome.NotUploaded = err; err != nil {
		c.warn("not-uploaded", fmt.Sprintf("the change was made, but not uploaded; nothing in the file set was overwritten: %v", err))
	}
}

func (c *change) warn(code, message string) {
	c.outcome.Result.Warnings = append(c.outcome.Result.Warnings, protocol.ToolMessage{Code: code, Message: message})
}
