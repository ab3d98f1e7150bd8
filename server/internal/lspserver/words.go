package lspserver

import (
	"context"
	"fmt"
	"slices"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// stateText returns the state of a block, for a code lens. Examples: `3 files +10 −2`, `1 file +3 −1, 2 parts left as
// they are`, `already applied`, `already applied, 1 left out`, `2 errors`, `1 error, 3 of 4 files readable`, `incomplete`. The minus sign is U+2212.
func stateText(b check.Block) string {
	switch b.State {
	case check.Incomplete:
		return "incomplete"
	case check.Failed:
		if b.Readable < b.Entries {
			return fmt.Sprintf("%s, %d of %s readable", countErrors(b.Diagnostics), b.Readable, format.Count(b.Entries, "file"))
		}
		return countErrors(b.Diagnostics)
	case check.Done:
		out := b.LeftOut()
		if n := countOf(b.Diagnostics, diag.Warning) - countOf(out, diag.Warning); n > 0 {
			return "nothing to change, " + format.Count(n, "warning") + leftOutCount(out)
		}
		if b.OnlyLeftOut() {
			return "nothing to change" + leftOutCount(out)
		}
		return "already applied" + leftOutCount(out)
	}
	return plan.Summary(b.Files) + leftAsTheyAre(b) + leftOutCount(b.LeftOut())
}

// leftOutCount returns, in words, how many replacements are left out because their finds are missing, or "".
func leftOutCount(out []diag.Diagnostic) string {
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d left out", len(out))
}

// leftAsTheyAre returns, in words, how many parts of files a block leaves out and keeps unchanged. It returns "" if
// there are none.
func leftAsTheyAre(b check.Block) string {
	n := 0
	for _, c := range b.Set.Changes {
		if c.MayBePart {
			n += elision.Count(c.Content)
		}
	}
	merged := func(f plan.BlockFile) bool { return f.Operation == plan.Modify && !f.Whole }
	switch {
	case n == 0 || !slices.ContainsFunc(b.Files, merged):
		return ""
	case n == 1:
		return ", 1 part left as it is"
	}
	return fmt.Sprintf(", %d parts left as they are", n)
}

// stateText returns the state of a block, including the parts that are left out. If the only problem is that a file
// lacks a text to replace, the state names the file: `1 error: one of 2 replacements looks for text that is not in
// a.txt`.
func (c *checked) stateText(b check.Block) string {
	if slices.Contains(c.past, b.Index) {
		return changedSince + leftOutCount(b.LeftOut())
	}
	state := besideSkipped(stateText(b), b.State == check.Done && c.appliedAs(b) == "", len(c.Skip[b.Index]))
	if lacks := b.LacksOnly(); lacks != "" {
		state += ": " + lacks
	}
	return state
}

const changedSince = "applied, changed since"

func (c *checked) standing(ctx context.Context) string {
	state, since := c.summary(), c.stateSinceApply(ctx)
	switch {
	case since == "":
		return state
	case since != aptix.EntryUndone && !slices.ContainsFunc(c.Blocks, func(b check.Block) bool { return b.State != check.Done }):
		return besideSkipped("applied, "+string(since), false, c.Skip.Count())
	}
	return fmt.Sprintf("%s (%s)", state, since)
}

func (c *checked) summary() string {
	return besideSkipped(summary(c.Result), len(c.Plan.Files) == 0 && c.Applicable() && c.appliedWhole() == "", c.Skip.Count())
}

func besideSkipped(state string, done bool, left int) string {
	switch {
	case left == 0:
		return state
	case done:
		state = "nothing to change"
	}
	return fmt.Sprintf("%s, %d skipped", state, left)
}

func summary(r *check.Result) string {
	if len(r.Blocks) == 1 {
		return stateText(r.Blocks[0])
	}
	var all, out []diag.Diagnostic
	incomplete := false
	for _, b := range r.Blocks {
		all, out = append(all, b.Diagnostics...), append(out, b.LeftOut()...)
		incomplete = incomplete || b.State == check.Incomplete
	}
	switch {
	case len(r.Blocks) == 0:
		return ""
	case diag.HasErrors(all):
		return countErrors(all)
	case incomplete:
		return "incomplete"
	case len(r.Plan.Files) == 0:
		return "already applied" + leftOutCount(out)
	}
	return plan.Summary(r.Plan.Files) + leftOutCount(out)
}

func countErrors(ds []diag.Diagnostic) string { return format.Count(countOf(ds, diag.Error), "error") }

func countOf(ds []diag.Diagnostic, severity diag.Severity) int {
	return text.Count(ds, func(d diag.Diagnostic) bool { return d.Severity == severity })
}
