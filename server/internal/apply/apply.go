package apply

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// An Applier makes changes, one at a time. A program has only one.
type Applier struct {
	history *history.Store
	fileSet OpenFileSet
	free    chan struct{} // holds a token unless a change is being made
}

// OpenFileSet returns the file set for comparing files before a change and for uploading them afterwards, or
// nil if there is none. named says that the change names files by docPath. If OpenFileSet returns an error, the
// change is refused, because nobody knows which text of the files is authoritative. The program that opened the
// set closes it.
type OpenFileSet func(ctx context.Context, named bool) (*fileset.Set, error)

// New returns the applier of a program. h is nil if the history could not be opened.
func New(h *history.Store, fileSet OpenFileSet) *Applier {
	a := &Applier{history: h, fileSet: fileSet, free: make(chan struct{}, 1)}
	a.free <- struct{}{}
	return a
}

// A Request is one change requested by a front end.
type Request struct {
	// Propose plans the change for the present files. It is called again after a question. If
	// it returns an error, the request ends.
	Propose func(ctx context.Context) (Proposal, error)
	// Ask shows the person [Proposal.Question] and reports whether they agree. If it is nil,
	// nobody can be asked, and a change with a question is refused.
	Ask func(ctx context.Context, p Proposal) (agreed bool, err error)
	// Yes answers every question about a reply beforehand, so that nobody is asked, and the
	// reply is not checked a second time after the answer.
	Yes bool
	// AllowProtected is true if the person agreed beforehand to change protected files. The
	// check of a reply has its own such setting: see [check.Where].
	AllowProtected bool
}

// An Outcome is the result of a request.
type Outcome struct {
	Proposal                      // the last plan
	Refusal  *Refusal             // reason why nothing was written; nil if the writer was called, or nothing had to be written
	Result   protocol.ApplyResult // its lists are never nil

	NotRecorded error // reason why the change, or the ids of its line patches, are not in the history
	NotUploaded error // reason why the change is not in the file set
}

// A Refusal explains why nothing was written. The files are unchanged.
type Refusal struct {
	Reason  Reason
	Message string // for people, to be read after "not applied: "
}

func (r *Refusal) Error() string { return r.Message }

// A Reason is the kind of a refusal.
type Reason int

// The reasons.
const (
	CannotApply      Reason = iota // the reply has errors, or the files cannot be changed here
	FileSetDiffers                 // a shared file set has another text of a file, or cannot answer
	CannotAsk                      // there is a question and nobody to ask
	Declined                       // the person said no
	Forbidden                      // rules R15 to R17: a file must never be changed, or is protected and nobody agreed
	ChangedMeanwhile               // the plan differs from the one in the question, or a file changed
)

// Apply makes one change, completely or not at all, and records it. It takes the steps that the
// comment of the package lists, in that order; no front end can skip one.
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
	ctx = context.WithoutCancel(ctx) // the files have changed, so ctx can no longer stop the change
	c.finishRecord(ctx)
	c.upload(ctx)
	return c.outcome, nil
}

// end returns the outcome of a change that ended early. why is the error of the step that
// ended it.
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
