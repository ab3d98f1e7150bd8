package check

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Doubts are the warnings of the reply that ask before an apply: those of the blocks, then what is
// not read.
func (r *Result) Doubts() []diag.Diagnostic {
	var doubts []diag.Diagnostic
	for _, b := range r.Blocks {
		doubts = append(doubts, diag.Doubts(b.Diagnostics)...)
	}
	return append(doubts, r.unreadDoubts()...)
}

// maxAsked is how many files, and how many reasons, a question names.
const maxAsked = 10

// Question asks whether the plan is applied: what it does, its files, then the reasons to
// ask, one a line. All of it is plain text, whatever the reply holds.
func (r *Result) Question() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Apply %s", plan.Summary(r.Plan.Files))
	if left := r.skip.Count(); left > 0 {
		fmt.Fprintf(&b, ", %d skipped", left)
	}
	b.WriteString("?\n" + FileNames(r.Plan.Files))
	for _, reason := range r.Reasons() {
		b.WriteString("\n• " + reason)
	}
	return b.String()
}

// FileNames are files as a question names them, on one line.
func FileNames(files []plan.File) string {
	var names []string
	for _, f := range files {
		names = append(names, nameOf(f))
	}
	return strings.Join(atMost(names, "%d more"), ", ")
}

// Reasons are the messages of the doubts that a question names.
func (r *Result) Reasons() []string {
	reasons := []string{}
	for _, d := range r.Doubts() {
		reasons = append(reasons, d.Message)
	}
	return atMost(reasons, "and %d more")
}

func nameOf(f plan.File) string {
	switch f.Operation {
	case plan.Rename:
		return escape.Line(f.Path + " → " + f.To)
	case plan.Create, plan.Remove:
		return fmt.Sprintf("%s (%s)", escape.Line(f.Path), f.Operation)
	}
	return escape.Line(f.Path)
}

// atMost is the first of list, with their count where some are left out.
func atMost(list []string, more string) []string {
	if len(list) <= maxAsked {
		return list
	}
	return append(list[:maxAsked:maxAsked], fmt.Sprintf(more, len(list)-maxAsked))
}
