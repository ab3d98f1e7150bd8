package lspserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const buttonRest = "Apply the Rest…"

// notApplied is the result if the person did not choose the folder to which the reply belongs.
var notApplied = noResult("Not applied: no folder was chosen").Result

func (s *Server) apply(ctx context.Context, target aptix.Target) (aptix.ApplyResult, error) {
	return s.applyRepaired(ctx, target, nil)
}

// applyRepaired applies a reply that was repaired. If there is a question for the person, it lists the repairs.
func (s *Server) applyRepaired(ctx context.Context, target aptix.Target, repairs []string) (aptix.ApplyResult, error) {
	if settled, err := s.settleHome(ctx, target); err != nil || !settled {
		return notApplied, err
	}
	if target.Fix {
		return s.fixAndApply(ctx, target)
	}
	s.past.Settle(ctx)
	agreed := s.questions.agree(target.Agreed)
	var c *replies.Reply
	o, err := s.change(ctx, apply.Request{Ask: s.askToApply, Propose: func(ctx context.Context) (_ apply.Proposal, err error) {
		if c, err = s.checkWanted(ctx, s.docs.Snapshot(), target); err != nil {
			return apply.Proposal{}, err
		}
		label := c.HistoryName()
		stale := replaceTexts(c, target.Edited)
		if len(target.Edited) > 0 {
			label += editedMark
		}
		p := s.proposeReply(c, label, apply.SourceEditor, s.currentSettings().Confirm)
		if stale != "" {
			p.Refused = "Not applied: " + stale
		}
		if target.Unseen {
			p.Question = c.Question()
		}
		if p.Question != "" && len(repairs) > 0 {
			p.Reasons = repairs
			p.Question += "\n• " + strings.Join(repairs, "\n• ")
		}
		if questionOf(&p) == agreed {
			p.Question = ""
		}
		return p, nil
	}})
	r := resultFor("Not applied: ", o)
	if err != nil {
		return r, err
	}
	if r.Applied && target.SkipMissing {
		return r, s.keepLeftOut(ctx, c)
	}
	return s.offerMore(ctx, target, o, r)
}

// proposeReply proposes to apply a checked reply. The proposal contains a question if there are doubts, or if `confirm`
// demands it.
func (s *Server) proposeReply(c *replies.Reply, label, source string, confirm settings.Confirm) apply.Proposal {
	w := s.writerFor(c, "Applied "+c.Which)
	p := apply.ReplyOf(c.Result, w, label, source)
	if p.Refused = s.refusal(c); p.Refused == "" {
		p.Refused = w.Refusal()
	}
	if confirm == settings.ConfirmAlways {
		p.Question = c.Question()
	}
	p.Nothing = "Nothing to change: " + c.Which + c.Summary()
	return p
}

// afterCancel is the time in which a cancelled change should end by itself. After that, nobody waits for its result.
const afterCancel = 500 * time.Millisecond

// change carries out a request that changes files. After the server has sent an edit to the editor, the request must
// wait for the editor's result. If the request is cancelled after that, change returns without the result, and the
// server refuses other changes until the result arrives.
func (s *Server) change(ctx context.Context, r apply.Request) (apply.Outcome, error) {
	if s.abandoned.Load() > 0 {
		const why = "the editor has not reported the result of a cancelled change, so files may have changed; wait for the editor, or restart it"
		o := noResult(why)
		o.Refusal = &apply.Refusal{Reason: apply.ChangedMeanwhile, Message: why}
		return o, nil
	}
	caller := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = editor.WithGiveUp(ctx, cancel)
	made := &struct {
		apply.Outcome
		err error
	}{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		made.err = s.conn.Guard("a change", func() (err error) {
			made.Outcome, err = s.changeToEnd(ctx, r)
			if errors.Is(err, context.Canceled) && caller.Err() == nil {
				made.Outcome, err = noResult("Cancelled before anything was changed"), nil
			}
			return err
		})
	}()
	select {
	case <-ended:
		return made.Outcome, made.err
	case <-ctx.Done():
	}
	select {
	case <-ended:
		return made.Outcome, made.err
	case <-time.After(afterCancel):
	}
	s.abandoned.Add(1)
	go func() { <-ended; s.abandoned.Add(-1) }()
	if err := caller.Err(); err != nil {
		return apply.Outcome{}, err
	}
	return noResult("Aptix no longer waits for the editor. When the editor reports the result, the change is kept or undone as a whole; the history shows which. Nothing else is applied before that"), nil
}

func noResult(why string) (o apply.Outcome) {
	o.Result = aptix.ApplyResult{Files: []aptix.File{}, Left: []string{}, Message: why}
	return o
}

// changeToEnd makes a change, and tells the editor that the history has changed. First it waits until the server has
// the folders and settings that the client announced before this call.
func (s *Server) changeToEnd(ctx context.Context, r apply.Request) (apply.Outcome, error) {
	known := s.editor.ShowWaiting(ctx)
	s.chores.waitAll(ctx)
	s.awaitSettings(ctx)
	known()
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	o, err := s.applier.Apply(ctx, r)
	if o.NotRecorded != nil {
		s.conn.Log().Error("a change could not be recorded in the history", zap.Error(o.NotRecorded))
	}
	if o.NotUploaded != nil {
		s.conn.Log().Warn("a change could not be uploaded to the file set", zap.Error(o.NotUploaded))
	}
	if o.Result.Applied || o.Result.Verified && o.Record.Undoes != "" {
		s.tellHistory(ctx)
	}
	if rollback, failed := errors.AsType[*disk.RollbackError](err); failed {
		o.Result.Message, err = rollback.Error(), nil
	}
	return o, err
}

// resultFor converts the outcome of a change for the editor. If the change was refused, the message begins with `not`,
// such as "Not applied: ".
func resultFor(not string, o apply.Outcome) aptix.ApplyResult {
	r := o.Result
	if o.Refusal != nil && o.Refusal.Reason != apply.CannotApply {
		r.Message = not + o.Refusal.Message
	}
	for _, w := range r.Warnings {
		r.Message += "; " + w.Message
	}
	r.Message, r.Lasting = escape.Message(r.Message), escape.Message(r.Lasting)
	return r
}

// refusal returns the reason why a reply cannot be applied, or "".
func (s *Server) refusal(c *replies.Reply) string {
	switch snapshot := s.docs.Snapshot(); {
	case s.untrusted():
		return "Nothing is applied in a workspace that is not trusted"
	case snapshot.Broken != "":
		return "The server lost track of open documents (" + snapshot.Broken + "); restart it"
	case c.Document != nil && c.Document.Broken != "":
		return "The server lost track of this document (" + c.Document.Broken + "); close and open it again"
	case c.Declined:
		return "The model says that it cannot make a safe edit; ask it for a full file bundle"
	case len(c.Blocks) == 0 && !c.Known:
		return c.NoneFound()
	case !c.Applicable():
		return "Not applied: " + c.Which + c.WhyNot()
	}
	return lost(c)
}

// lost returns a message about a file of the plan that cannot be edited because its text in the editor is unknown, or
// "".
func lost(c *replies.Reply) string {
	for _, f := range plan.Paths(c.Plan.Files) {
		switch doc := c.View.Open[f.Path]; {
		case doc == nil:
		case doc.Broken != "":
			return fmt.Sprintf("The server lost track of %s (%s); close and open it again", f.Path, doc.Broken)
		case doc.Overtaken():
			return fmt.Sprintf("Another program changed %s, and the editor has not loaded the change yet; check the file and try again", f.Path)
		}
	}
	return ""
}

func (s *Server) untrusted() bool {
	trusted := s.editor.Options().Trusted
	return trusted != nil && !*trusted
}

// editedMark is added to the label of an apply if a person edited its texts in the preview.
const editedMark = ", edited"

// replaceTexts changes the reply so that each edited file gets the text that the person wrote in a preview. It returns
// the reason if that is impossible, and otherwise "".
func replaceTexts(c *replies.Reply, edited []aptix.EditedFile) string {
	if len(edited) == 0 || !c.Applicable() {
		return ""
	}
	if slices.ContainsFunc(c.Blocks, func(b check.Block) bool { return b.Format.Name == "lines" }) {
		return "a line patch cannot be edited before it is applied, because its ids identify exactly the result that it describes"
	}
	files := slices.Clone(c.Plan.Files)
	for _, e := range edited {
		i := slices.IndexFunc(files, func(f plan.File) bool { return f.Target() == e.Path })
		if i < 0 {
			return "the reply no longer changes " + e.Path + "; open the preview again"
		}
		after := &files[i].After
		was, err := after.Text()
		if err != nil || !after.Exists || text.WithEOL(was, text.LF) != text.WithEOL(e.Was, text.LF) {
			return e.Path + " or the reply has changed since the preview was opened; open the preview again"
		}
		// Decode cannot fail, because the code above has found that the file is text.
		_, enc, _ := text.Decode(after.Data)
		after.Data = enc.Encode(diff.KeepEndings(was, e.Text))
	}
	c.Plan.Files = slices.DeleteFunc(files, func(f plan.File) bool { return f.Operation == plan.Modify && f.Before == f.After })
	return ""
}

// A writer is the [apply.Writer] of a checked reply, or of a revert.
type writer struct {
	*editor.Writer
	*replies.Reply
	server *Server
}

// writerFor returns the writer for the plan of `c`. The message after the change begins with `did`, for example
// "Applied ".
func (s *Server) writerFor(c *replies.Reply, did string) *writer {
	return &writer{s.editor.Writer(c.View, c.Plan, c.ChangesAfter(did)), c, s}
}

// Guards returns the state folder, which must not be changed, and a function that finds protected files by the editor's
// settings.
func (w *writer) Guards() (string, check.ProtectedFunc) {
	return w.server.config.StateDir, check.Protected(w.Reply.View.Root, w.server.currentSettings().Protected)
}

// Write makes the change. After it, the person's agreement to changes of protected files no longer holds.
func (w *writer) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	r, err := w.Writer.Write(ctx, id, p, ready)
	if r.Applied && w.Document != nil {
		agree(w.Document, w.Blocks, false)
	}
	return r, err
}
