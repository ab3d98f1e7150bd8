package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// restarted finds lists that begin with 1 in the new text of a document, although in the file they continue the
// numbers of an earlier list. A page that was rendered and copied numbers each list anew.
var restarted = Rule{
	ID: "restarted", existing: true,
	doubts: func(c *Change) *Doubt {
		if !c.isDocument() {
			return nil
		}
		var at Run
		var was, is string                       // the first item that begins with 1
		items, counts, edited := 0, false, false // counts: the numbers go on after 1, because Markdown also accepts 1 for each item
		for i, r := range c.Runs {
			for k, line := range r.New {
				now := item.FindStringSubmatch(line)
				if now == nil {
					edited = edited || text.HasWord(line)
					continue
				}
				m := slices.IndexFunc(r.Old, func(old string) bool {
					o := item.FindStringSubmatch(old)
					return o != nil && o[2] == now[2] && o[1] != now[1]
				})
				if m < 0 {
					edited = true
					continue
				}
				items, counts = items+1, counts || now[1] == "2"
				above := lastSaid(slices.Concat(c.above(i, mostBetween+1), r.New[:k]))
				if now[1] == "1" && was == "" && above != "" && above == lastSaid(c.oldLines()[max(0, r.Line-1+m-mostBetween-1):r.Line-1+m]) {
					at, was, is = r, strings.TrimSpace(r.Old[m]), strings.TrimSpace(line)
				}
			}
		}
		if items < text.Habit || was == "" || !counts || !edited {
			return nil
		}
		return warn(c.at(at), diag.TextArtifact, "the new text numbers a list of %s anew: %q was %q; write the numbers of the file", c.Path, cut(is, 60), cut(was, 60))
	},
}

// item matches an item of a numbered list. Its groups are the number and the text.
var item = lazyregexp.New(`^\s*(\d+)[.)]\s+(.*)$`)

// lastSaid returns the last nonblank line, without the number of a list item.
func lastSaid(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if m := item.FindStringSubmatch(line); m != nil {
			return m[2]
		}
		if !locate.IsBlank(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
