package check

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// innerFence matches a line that opens a fence with a tag.
var innerFence = lazyregexp.New("(?m)^ {0,3}(```+|~~~+)[ \t]*[^\\s`~]")

// misfence marks the first block after a fence that no format claims and in which another
// fence is opened but not closed. The line meant to end the inner fence has ended the outer
// one, so after it code is taken for text and text for code (rule R52).
func misfence(doc format.Document, found []claim) {
	for _, r := range doc.Fences {
		if len(found) == 0 || found[len(found)-1].Span.Start < r.Span.End {
			return
		}
		if _, ours := overlapping(found, r.Span); ours || !endsEarly(doc.Text, r) {
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

func endsEarly(doc string, r *format.Region) bool {
	m := innerFence.FindStringSubmatch(r.Body)
	return m != nil && r.Closed && len(m[1]) >= len(outer(r.Open.In(doc))) && strings.Contains(r.Open.In(doc), m[1][:3])
}

// outer returns the fence characters of a line that opens a fence.
func outer(line string) string {
	line = line[strings.IndexAny(line, "`~"):]
	return line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
}

// misfenced returns the diagnostic for a block after such a fence. line is the line of that
// fence.
func misfenced(line int) diag.Diagnostic {
	return diag.New(diag.FenceInFence, text.Span{},
		fmt.Sprintf("the fence on line %d contains another fence and ends with it, so the blocks below are uncertain; use more backticks for the outer fence, or remove it", line))
}
