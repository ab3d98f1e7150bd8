// Package apply is the only way to change the files of a workspace, and to revert a
// change: on disk or in an editor, for a person or an agent. See [Applier.Apply].
package apply

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// An Applier makes changes, one at a time. A program has one.
type Applier struct {
	history *history.Store
	fileSet OpenFileSet
	free    chan struct{} // holds a token while no change is being made
}

// OpenFileSet gives the file set to compare a change with and to upload it to; nil
// where there is none. named says that the change names files by docPath. An error
// refuses the change: which text of the files holds is not known then. The set stays
// open; the program that opened it closes it.
type OpenFileSet func(ctx context.Context, named bool) (*fileset.Set, error)

// New is the applier of a program. h is nil where the history could not be opened.
func New(h *history.Store, fileSet OpenFileSet) *Applier {
	a := &Applier{history: h, fileSet: fileSet, free: make(chan struct{}, 1)}
	a.free <- struct{}{}
	return a
}

// A Request is one change, as a front end asks for it.
type Request struct {
	// Propose plans the change for the files as they are now. It is called again after
	// the person was asked. Its error ends the request.
	Propose func(ctx context.Context) (Proposal, error)
	// Ask shows the person [Proposal.Question] and reports whether they agree. Nil where
	// no one can be asked: then a change that has a question is refused.
	Ask func(ctx context.Context, p Proposal) (agreed bool, err error)
	// AllowProtected: the person agreed beforehand to change protected files. The check of a
	// reply has its own: see [check.Where].
	AllowProtected bool
}

// An Outcome is what became of a request.
type Outcome struct {
	Proposal                      // as planned last
	Refusal  *Refusal             // why nothing was written; nil where there is nothing to write, or the writer was asked
	Result   protocol.ApplyResult // its lists are never nil

	NotRecorded error // why the history does not have the change, or does not know the ids of line patches
	NotUploaded error // why the file set does not have it
}

// A Refusal says why nothing was written. The files are as they were.
type Refusal struct {
	Reason  Reason
	Message string // for people, to be read after "not applied: "
}

func (r *Refusal) Error() string { return r.Message }

// A Reason is why a change was refused.
type Reason int

// The reasons.
const (
	CannotApply      Reason = iota // the reply has errors, or the files cannot be changed here
	FileSetDiffers                 // a shared file set has another text of a file, or cannot say
	CannotAsk                      // there is a question and no one to ask
	Declined                       // the person said no
	Forbidden                      // rules R15 to R17: no change may touch a file, or it is protected and nobody agreed
	ChangedMeanwhile               // the plan is no longer the one that was asked about, or a file changed
)

// Apply makes one change, all of it or nothing, and records it. These are the steps, in
// this order; no front end can leave one out:
//
//   - check: plan the change, let it pass the gate of rules R15 to R17, and compare the files with a shared file set
//   - ask: let the person answer the question, if there is one; no lock is held
//   - lock: wait until no other change of this program is being made, or ctx ends
//   - check again: after a question or a wait, only the same plan goes on
//   - commit: write the files, with a pending record in the history from before the
//     first file changes, and verify them
//   - record: finish the record
//   - upload: bring the file set up to date
//
// A change that is refused is an Outcome with a Refusal. An error is one of input and
// output, or ctx's; nothing is written then, except for [disk.RollbackError].
func (a *Applier) Apply(ctx context.Context, r Request) (Outcome, error) {
	c := &change{Applier: a, request: r}
	c.outcome.Result = protocol.ApplyResult{Files: []protocol.File{}, Left: []string{}}
	defer c.unlock()
	for _, step := range []func(context.Context) error{c.check, c.ask, c.lock, c.checkAgain, c.commit} {
		if err := step(ctx); err != nil {
			return c.end(ctx, err)
		}
	}
	ctx = context.WithoutCancel(ctx) // the files are changed
	c.finishRecord(ctx)
	c.upload(ctx)
	return c.outcome, nil
}

// end is the outcome of a change that stopped at a step.
func (c *change) end(ctx context.Context, why error) (Outcome, error) {
	if refusal, ok := errors.AsType[*Refusal](why); ok {
		c.outcome.Refusal = refusal
		c.outcome.Result.Message = refusal.Message
		return c.outcome, nil
	}
	if errors.Is(why, errNothingToDo) {
		return c.outcome, c.nothingToDo(ctx)
	}
	if errors.Is(why, errNotWritten) {
		return c.outcome, nil
	}
	return c.outcome, why
}

// Both end a change without a refusal.
var (
	errNothingToDo = errors.New("nothing to do")
	errNotWritten  = errors.New("not written") // the writer's result says why
)
