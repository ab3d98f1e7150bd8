package apply

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/protect"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Proposal is a change that is planned but not made yet.
type Proposal struct {
	Plan   plan.Plan
	Writer Writer // the writer for the folder for which the plan was made
	// The record for the history, with Key, Label and Source; for a revert also with Undoes.
	Record history.Apply
	Reply  *check.Result // nil if the change is not a reply
	// The protected files that Plan changes, by path; nil if they are not known yet.
	Protected map[string]protect.Protection
	Question  string // the question that the person must answer first, or "" if none is needed
	// The reasons for Question, one for each protected file, if the change is not a reply.
	Reasons []string
	// The protected files that a person agreed to change in the apply that is reverted.
	Agreed  map[string]bool
	Refused string // why the change cannot be made, or ""

	Conflicts []Conflict // for a revert: the files that have changed since the apply
	Nothing   string     // why the plan is empty, as a text for people; "" for the usual text
}

func (p *Proposal) named() map[string]bool {
	if p.Reply == nil {
		return nil
	}
	return p.Reply.Named()
}

// ReplyOf proposes to apply a checked reply. If the reply has doubts, the proposal has a question.
func ReplyOf(r *check.Result, w Writer, label, source string) Proposal {
	p := Proposal{Plan: r.Plan, Writer: w, Reply: r, Protected: r.Protected}
	if len(r.Doubts()) > 0 {
		p.Question = r.Question()
	}
	p.Record.Key, p.Record.Label, p.Record.Source = r.Key, label, source
	if r.ReplyKey != "" {
		p.Record.Blocks = append(p.Record.Blocks, r.ReplyKey)
	}
	for _, b := range r.Blocks {
		if len(r.Blocks) > 1 { // the key of a single block is the reply's key
			p.Record.Blocks = append(p.Record.Blocks, r.BlockKey(b))
		}
	}
	return p
}

// OverwriteOf proposes to replace the content of the regular file at `path` with `data`.
func OverwriteOf(w Writer, path, data, label, source string) (Proposal, error) {
	now, err := check.Current(w.Root().Tree(nil), path)
	if err != nil {
		return Proposal{}, err
	}
	then := now
	then.Data = data
	p := Proposal{Plan: plan.Plan{Files: appendChange(nil, path, now, then)}, Writer: w}
	p.Record.Label, p.Record.Source = label, source
	return p, nil
}

// asksAll reports whether the question of `p` mentions every doubt of `other`. It may mention more, for example the
// doubt about a text that was saved in the meantime.
func (p Proposal) asksAll(other Proposal) bool {
	if p.Reply == nil || other.Reply == nil {
		return false
	}
	asked := text.Set(text.Each(p.Reply.Doubts(), func(d diag.Diagnostic) string { return d.Message }))
	return !slices.ContainsFunc(other.Reply.Doubts(), func(d diag.Diagnostic) bool { return !asked[d.Message] })
}

// same reports whether a person who agrees to `p` also agrees to `other`.
func (p Proposal) same(other Proposal) bool {
	return (p.Question == other.Question || p.asksAll(other)) && p.Record.Undoes == other.Record.Undoes &&
		slices.Equal(p.Plan.Files, other.Plan.Files) && slices.Equal(p.Plan.Prune, other.Plan.Prune)
}
