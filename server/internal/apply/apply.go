package apply

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// An Applier makes changes, one at a time. Each program has only one.
type Applier struct {
	history *history.Store
	fileSet OpenFileSet
	free    chan struct{} // has a token unless a change is being made
}

// OpenFileSet returns the file set with which files are compared before a change, and to which they are uploaded
// afterwards. It returns nil if there is none. `named` is true if the change names files by docPath. If OpenFileSet
// returns an error, the change is refused, because it is unknown which version of a file is the right one. The program
// that opened the set must close it.
type OpenFileSet func(ctx context.Context, named bool) (*fileset.Set, error)

// New returns the applier of a program. `h` is nil if the history could not be opened.
func New(h *history.Store, fileSet OpenFileSet) *Applier {
	a := &Applier{history: h, fileSet: fileSet, free: make(chan struct{}, 1)}
	a.free <- struct{}{}
	return a
}

// A Request is a request for one change.
type Request struct {
	// Propose plans the change for the current files. It is called again if the files may have changed in the meantime,
	// for example while the person was asked. If it returns an error, the request ends.
	Propose func(ctx context.Context) (Proposal, error)
	// Ask shows the person [Proposal.Question] and reports whether they agree. It is nil if nobody can be asked; a
	// change that needs a question is then refused. If the person left parts of the change out, Ask replaces *p with
	// the proposal that they saw last.
	Ask func(ctx context.Context, p *Proposal) (agreed bool, err error)
	// Yes is true if the person said beforehand that every question about a reply is to be answered with yes, so that
	// nobody is asked.
	Yes bool
	// AllowProtected is true if the person agreed beforehand to changes of protected files. The check of a reply has a
	// separate setting for this: see [check.Where].
	AllowProtected bool
	// AllowAgreed is for a revert: a protected file is changed without a question if a person agreed to change it in
	// the apply that is reverted ([Proposal.Agreed]).
	AllowAgreed bool
}

// An Outcome is the result of a request.
type Outcome struct {
	Proposal
	Refusal *Refusal             // why nothing was written; nil if Result says what happened
	Result  protocol.ApplyResult // the lists in it are never nil

	NotRecorded error // why the change, or the ids of its line patches, are missing from the history
	NotUploaded error // why the change is missing from the file set
}

// A Refusal says why nothing was written.
type Refusal struct {
	Reason  Reason
	Message string // a text for people that follows "not applied: "
}

func (r *Refusal) Error() string { return r.Message }

// A Reason is the kind of reason for a refusal.
type Reason int

const (
	CannotApply      Reason = iota // the reply has errors, or the files cannot be changed here
	FileSetDiffers                 // a shared file set failed, or has a different text of a file
	CannotAsk                      // there is a question, but nobody can be asked
	Declined                       // the person said no
	Forbidden                      // nobody may make the change, or it changes a protected file and no person has agreed (rules R15 to R17)
	ChangedMeanwhile               // the plan differs from the plan that the person saw, or a file has changed
)

// Apply makes one change, completely or not at all, and records it. The comment of the package lists its steps.
//
// If the change is refused, the Outcome has a Refusal. An error comes from I/O or from `ctx`. After an error nothing was
// written, unless the error is a [disk.RollbackError] or an [UnknownError].
func (a *Applier) Apply(ctx context.Context, r Request) (Outcome, error) {
	c := &change{Applier: a, request: r}
	c.outcome.Result = protocol.ApplyResult{Files: []protocol.File{}, Left: []string{}}
	defer c.unlock()
	for _, step := range []func(context.Context) error{c.check, c.ask, c.lock, c.checkAgain, c.commit} {
		if err := step(ctx); err != nil {
			return c.end(ctx, err)
		}
	}
	// The files have already changed, so the end of `ctx` no longer stops the change.
	ctx = context.WithoutCancel(ctx)
	c.finishRecord(ctx)
	c.upload(ctx)
	return c.outcome, nil
}

// end returns the outcome of a change that was not made. `why` is the error of the step that ended the change.
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

// Errors that end a change and are not refusals.
var (
	errNothingToDo = errors.New("nothing to do")
	errNotWritten  = errors.New("not written")
)
