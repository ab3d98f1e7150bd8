package replies

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// MaxRepairs is how often a model must correct one answer.
const MaxRepairs = 2

// DraftStatus describes the blocks of an answer that is still being written, for example `2 blocks, 1 error…`.
func (c *Reply) DraftStatus() string {
	errors := 0
	for _, b := range c.Blocks {
		if b.State == check.Failed {
			errors += countOf(b.Diagnostics, diag.Error)
		}
	}
	status := format.Count(len(c.Blocks), "block")
	if errors > 0 {
		status += ", " + format.Count(errors, "error")
	}
	return status + "…"
}

// DraftNote describes a complete answer in Markdown: its changes or its problems. `again` is true if the model must
// correct it.
func (c *Reply) DraftNote(repairs int, again bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Aptix: %s**", c.Summary())
	if repairs > 0 {
		fmt.Fprintf(&b, " after %s", format.Count(repairs, "correction"))
	}
	switch {
	case again:
		fmt.Fprintf(&b, ". The model is asked to correct its answer (%d of %d):\n", repairs+1, MaxRepairs)
	case !c.Applicable():
		b.WriteString(":\n")
	case len(c.Doubts()) > 0:
		b.WriteString(". Aptix asks you before it applies this:\n")
	}
	for _, reason := range c.draftReasons() {
		b.WriteString("\n- " + escape.Markdown(reason))
	}
	return b.String() + "\n\n"
}

// draftReasons returns the errors of an answer or, if there are none, its doubts.
func (c *Reply) draftReasons() []string {
	if c.Applicable() {
		return c.Reasons()
	}
	var reasons []string
	for _, b := range c.Blocks {
		if b.State == check.Incomplete {
			reasons = append(reasons, fmt.Sprintf("block %d is not complete", b.Index))
		}
		if b.State == check.Failed {
			reasons = append(reasons, errorsOf(b)...)
		}
	}
	const most = 5
	return text.AtMost(reasons, most, "and %d more")
}
