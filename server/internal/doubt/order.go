package doubt

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// window returns the old and the new lines of the runs [first, end), with the lines between them.
func (c *Change) window(first, end int) (was, is []string) {
	old := c.oldLines()
	from := min(c.Runs[first].Line-1, len(old))
	for next := from; first < end; first++ {
		r := c.Runs[first]
		at := min(max(next, r.Line-1), len(old))
		is = append(append(is, old[next:at]...), r.New...)
		next = min(at+len(r.Old), len(old))
		was = old[from:next]
	}
	return was, is
}

func hasName(line, name string) bool {
	for range mentions(line, name) {
		return true
	}
	return false
}

// leavesBody describes the last line of run i if the line moved left but the lines of its block did not, because it
// then probably lost its indentation. Otherwise it returns "".
func (c *Change) leavesBody(i int) string {
	r := c.Runs[i]
	was, is := lastWithWords(r.Old), lastWithWords(r.New)
	if c.mayHaveTags() || was < 0 || is < 0 || was < len(r.Old)-1 || is < len(r.New)-1 || !c.Meter.Pay(meter.Line) {
		return ""
	}
	line := strings.TrimSpace(r.New[is])
	body := firstText(c.below(i, aroundRun))
	old, new, inside := len(text.Indentation(r.Old[was])), len(text.Indentation(r.New[is])), len(text.Indentation(body))
	if strings.TrimSpace(r.Old[was]) != line || !text.HasWord(line) || old <= new || inside <= old || strings.Contains(r.Old[was]+body, "\t") != strings.Contains(r.New[is]+body, "\t") {
		return ""
	}
	return fmt.Sprintf("%q lost indentation, but the lines of its block did not", text.Cut(line, 60))
}
