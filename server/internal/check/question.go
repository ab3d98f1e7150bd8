package check

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Doubts returns the warnings about which the person is asked before an apply: first the warnings of blocks, then the
// warnings about unread parts. If the reply changes no file, nobody is asked about unread parts.
func (r *Result) Doubts() []diag.Diagnostic {
	var doubts []diag.Diagnostic
	for _, b := range r.Blocks {
		for _, d := range diag.Doubts(b.Diagnostics) {
			if d.Path == "" && len(b.Files) == 1 {
				d.Path = b.Files[0].Path
			}
			doubts = append(doubts, d)
		}
	}
	for _, u := range r.Unread {
		if u.Diagnostic.Asks() && len(r.Plan.Files) > 0 {
			doubts = append(doubts, u.Diagnostic)
		}
	}
	return doubts
}

const maxAsked = 10

// Question returns the question whether to apply the plan: its summary, its files, and the doubts, one per line.
// It shows links and control characters of the reply as plain text.
func (r *Result) Question() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Apply %s", plan.Summary(r.Plan.Files))
	if left := r.Skip.Count(); left > 0 {
		fmt.Fprintf(&b, ", %d skipped", left)
	}
	b.WriteString("?\n" + FileNames(r.Plan.Files))
	for _, reason := range r.Reasons() {
		b.WriteString("\n• " + reason)
	}
	return b.String()
}

// FileNames lists files on one line, in the form for a question.
func FileNames(files []plan.File) string {
	names := text.Each(files, nameOf)
	return strings.Join(text.AtMost(names, maxAsked, "%d more"), ", ")
}

// Reasons returns the messages of the doubts for a question, followed by the messages about the other unread parts. If
// several files change, each message names its file.
func (r *Result) Reasons() []string {
	reasons, all := []string{}, r.Doubts()
	for _, u := range r.Unread {
		if !u.Diagnostic.Asks() {
			all = append(all, u.Diagnostic)
		}
	}
	for _, d := range all {
		reason := d.Message
		if len(r.Plan.Files) > 1 && d.Path != "" && !strings.Contains(reason, d.Path) {
			reason = escape.Line(d.Path) + ": " + reason
		}
		reasons = append(reasons, reason)
	}
	return text.AtMost(reasons, maxAsked, "and %d more")
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
