package replies

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// stateText returns the state of a block, for a code lens. Examples: `3 files +10 −2`, `1 file +3 −1, 2 parts left as
// they are`, `already applied`, `already applied, 1 left out`, `2 errors`, `1 error; 3 of 4 files can be read`,
// `incomplete`. The minus sign is U+2212.
func stateText(b check.Block) string {
	switch b.State {
	case check.Incomplete:
		return "incomplete"
	case check.Failed:
		if b.Readable < b.Entries {
			return fmt.Sprintf("%s; %d of %s can be read", countErrors(b.Diagnostics), b.Readable, format.Count(b.Entries, "file"))
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

// leftOutCount returns, in words, how many replacements are left out because the file lacks the text to replace: ", 2
// left out", or "" if there are none.
func leftOutCount(out []diag.Diagnostic) string {
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d left out", len(out))
}

// leftAsTheyAre returns, in words, how many parts of files a block leaves out and keeps unchanged, or "" if there are
// none.
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
func (c *Reply) stateText(b check.Block) string {
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

func (c *Reply) standing(ctx context.Context) string {
	state, since := c.Summary(), c.stateSinceApply(ctx)
	switch {
	case since == "":
		return state
	case since != aptix.EntryUndone && !slices.ContainsFunc(c.Blocks, func(b check.Block) bool { return b.State != check.Done }):
		return besideSkipped("applied, "+string(since), false, c.Skip.Count())
	}
	return fmt.Sprintf("%s (%s)", state, since)
}

// Summary returns the state of the reply in words, such as `2 files +3 −1, 1 skipped`.
func (c *Reply) Summary() string {
	return besideSkipped(summary(c.Result), len(c.Plan.Files) == 0 && c.Applicable() && c.AppliedWhole() == "", c.Skip.Count())
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

// HistoryName returns the name of a reply for the history: the name of its file, its first words, or the files that it
// changes.
func (c *Reply) HistoryName() string {
	name := c.firstWords()
	if file, ok := documents.FileOf(c.URI); ok && c.Document != nil {
		name = filepath.Base(file)
	}
	if files := c.Plan.Files; name == "" && len(files) > 0 {
		name = files[0].Target()
		if more := len(files) - 1; more > 0 {
			name += fmt.Sprintf(" and %d more", more)
		}
	}
	return c.Label(name)
}

// firstWords returns the beginning of the text above the first block, or "".
func (c *Reply) firstWords() string {
	const most = 50
	if len(c.Blocks) == 0 {
		return ""
	}
	for line := range strings.Lines(c.Documents[0].Text[:c.Blocks[0].Span.Start]) {
		words := strings.Fields(strings.Trim(line, "#*_>-` \t\r\n:"))
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			break
		}
		if len(words) < 2 || len(words) == 2 && words[1] == "said" { // "You said:" is a label of a page
			continue
		}
		name := strings.Join(words, " ")
		if len(name) > most {
			name = name[:most]
			name = strings.TrimSpace(name[:max(strings.LastIndex(name, " "), 0)]) + " …"
		}
		return strings.ToValidUTF8(name, "")
	}
	return ""
}

// PreviewTitle returns the title of a preview of the reply.
func (c *Reply) PreviewTitle() string {
	title := "Aptix: " + c.Which + withoutCount(c.Summary(), c.Plan.Files)
	if len(c.Blocks) == 1 && c.Blocks[0].Summary != "" {
		title += " · " + firstLine(c.Blocks[0].Summary)
	}
	return title
}

// withoutCount returns a summary without the number of files, because the editor adds that number itself.
func withoutCount(summary string, files []plan.File) string {
	return strings.TrimPrefix(summary, format.Count(len(files), "file")+" ")
}

// ShownText returns the text that stands for the content of a file in a diff editor.
func ShownText(c text.Content) string {
	switch c.Mode.Type() {
	case fs.ModeDir:
		return "(a folder)\n"
	case fs.ModeSymlink:
		return "(a symbolic link to " + c.Data + ")\n"
	}
	decoded, _, err := text.Decode(c.Data)
	if err != nil {
		return fmt.Sprintf("(binary, %d bytes, SHA-256 %s)\n", len(c.Data), text.SumHex(c.Data))
	}
	return decoded
}

// WhyNot explains in one sentence why blocks cannot be applied: the first error, and the number of errors if there are
// more.
func (c *Reply) WhyNot() string {
	if lacks := c.LacksOnly(); lacks != "" {
		return lacks + ", so nothing in the reply is applied"
	}
	var errors []string
	for _, b := range c.Blocks {
		errors = append(errors, errorsOf(b)...)
	}
	if len(errors) == 1 {
		return errors[0]
	}
	if len(errors) > 1 {
		return fmt.Sprintf("%s; the first: %s", c.Summary(), errors[0])
	}
	return "a block is incomplete: it is still being written, or was cut off"
}

func errorsOf(b check.Block) []string {
	errors := text.Only(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	return text.Each(errors, func(d diag.Diagnostic) string { return d.Message })
}

// ChangesAfter returns the changes in words after the text `did`, such as "Applied 2 files +3 −1".
func (c *Reply) ChangesAfter(did string) string {
	return besideSkipped(did+plan.Summary(c.Plan.Files), false, c.Skip.Count())
}

// ChangesTitle returns the title of a view of the changes, without the number of files (see [withoutCount]).
func (c *Reply) ChangesTitle() string {
	files := c.Plan.Files
	return "Aptix: " + besideSkipped(withoutCount(plan.Summary(files), files), len(files) == 0, c.Skip.Count())
}

// NoneFound explains that the document has no block, and what it has instead.
func (c *Reply) NoneFound() string {
	return "No Aptix block found: " + escape.Message(c.NoBlock())
}

// NotShown explains how many blocks of a reply are missing from a preview, and why. It returns "" if none is missing.
func (c *Reply) NotShown() string {
	left := text.Count(c.Blocks, func(b check.Block) bool { return b.State == check.Failed || b.State == check.Incomplete })
	if left == 0 || len(c.Blocks) == left {
		return ""
	}
	return fmt.Sprintf("%d of %s cannot be applied, so this preview may be incomplete: %s", left, format.Count(len(c.Blocks), "block"), c.WhyNot())
}
