package check

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// misfence marks the first block after a fence that no format claims and in which another
// fence is opened but not closed. The line meant to end the inner fence has ended the outer
// one, so after it code is taken for text and text for code (rule R52).
func misfence(doc format.Document, found []claim) {
	for _, r := range doc.Fences {
		if len(found) == 0 || found[len(found)-1].Span.Start < r.Span.End {
			return
		}
		if _, ours := overlapping(found, r.Span); ours || !endsEarly(r) {
			continue
		}
		for i := range found {
			if found[i].Span.Start >= r.Span.End {
				found[i].below = 1 + strings.Count(doc.Text[:r.Open.Start], "\n")
				return
			}
		}
	}
}

// endsEarly reports whether a fence contains the beginning of another one that is as long.
func endsEarly(r *format.Region) bool {
	for line := range strings.Lines(r.Body) {
		if mark, info := mdblock.FenceOf(text.TrimEOL(line)); info != "" && mark[0] == r.Mark[0] {
			return r.Closed && len(mark) >= len(r.Mark)
		}
	}
	return false
}

// misfenced returns the diagnostic for a block below a fence that ended too early. line is the line
// of that fence.
func misfenced(line int) diag.Diagnostic {
	return diag.New(diag.FenceInFence, text.Span{},
		fmt.Sprintf("the fence on line %d contains another fence and ends with it, so the blocks below are uncertain; use more backticks for the outer fence, or remove it", line))
}
