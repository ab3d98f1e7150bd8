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

// OpenFileSet returns the file set to compare a change with and to upload it to, or nil if
// there is none. named says that the change names files by docPath. An error refuses the
// change, because it is then unknown which text of the files counts. The program that
// opened the set closes it.
type OpenFileSet func(ctx context.Context, named bool) (*fileset.Set, error)

// New returns the applier of a program. h is nil if the history could not be opened.
func New(h *history.Store, fileSet OpenFileSet) *Applier {
	a := &Applier{history: h, fileSet: fileSet, free: make(chan struct{}, 1)}
	a.free <- struct{}{}
	return a
}

// A Request is one change requested by a front end.
type Request struct {
	// Propose plans the change for the present files. It is called again after the person
	// was asked. Its error ends the request.
	Propose func(ctx context.Context) (Proposal, error)
	// Ask shows the person [Proposal.Question] and reports whether they agree. If nobody
	// can be asked, it is nil, and a change with a question is refused.
	Ask func(ctx context.Context, p Proposal) (agreed bool, err error)
	// AllowProtected is true if the person agreed beforehand to change protected files. The
	// check of a reply has its own such setting: see [check.Where].
	AllowProtected bool
}

// An Outcome is the result of a request.
type Outcome struct {
	Proposal                      // the last plan
	Refusal  *Refusal             // reason why nothing was written; nil if there is nothing to write, or the writer was asked
	Result   protocol.ApplyResult // its lists are never nil

	NotRecorded error // reason why the history does not have the change, or does not know the ids of line patches
	NotUploaded error // reason why the file set does not have it
}

// A Refusal explains why nothing was written. The files are unchanged.
type Refusal struct {
	Reason  Reason
	Message string // for people, to follow "not applied: "
}

func (r *Refusal) Error() string { return r.Message }

// A Reason is why a change was refused.
type Reason int

// The reasons.
const (
	CannotApply      Reason = iota // the reply has errors, or the files cannot be changed here
	FileSetDiffers                 // a shared file set has another text of a file, or cannot answer
	CannotAsk                      // there is a question and nobody to ask
	Declined                       // the person said no
	Forbidden                      // rules R15 to R17: no change may touch a file, or it is protected and nobody agreed
	ChangedMeanwhile               // the plan differs from the one in the question, or a file changed
)

// Apply makes one change, completely or not at all, and records it. It takes these steps,
// in this order; no front end can skip one:
//
//   - check: plan the change, let it pass the gate of rules R15 to R17, and compare the files with a shared file set
//   - ask: let the person answer the question, if there is one; no lock is held
//   - lock: wait until no other change of this program is being made, or ctx ends
//   - check again: after a question or a wait, continue only with the same plan
//   - commit: write the files and verify them, with a pending record in the history
//     before the first file changes
//   - record: finish the record
//   - upload: update the file set
//
// A refused change is an Outcome with a Refusal. An error comes from I/O or ctx. In that
// case nothing was written, except for [disk.RollbackError].
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

// end returns the outcome of a change that stopped at a step.
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

// These errors end a change without a refusal.
var (
	errNothingToDo = errors.New("nothing to do")
	errNotWritten  = errors.New("not written") // the writer's result says why
)
