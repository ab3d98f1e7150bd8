package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// halfRenamed returns a run that gives a parameter, a variable or a member another name, the number of the line in the
// run, the old name, and a line that still uses it. It returns no run if any line may define the old name.
func (c *Change) halfRenamed() (found *Run, at int, name, used string) {
	for i := range c.Runs {
		r := &c.Runs[i]
		if len(r.Old) != len(r.New) || len(r.New) > mostLaid || !c.Meter.Pay(meter.Line*len(r.New)) {
			continue
		}
		for k, line := range r.New {
			before, was, _ := otherWord(r.Old[k], line)
			if len(was) < shortestName || isRemark(line) || !introduces.MatchString(before) {
				continue
			}
			if used = c.stillUsing(was); used != "" {
				return r, k, was, used
			}
		}
	}
	return nil, 0, "", ""
}

// stillUsing returns a line that stays and uses a name. It returns "" if a new line has the name, or if any line may
// define it.
func (c *Change) stillUsing(name string) (used string) {
	if names := c.nameCounts(); names.added[name] > 0 || names.kept[name] == 0 || !c.Meter.Pay(len(c.Before())) {
		return ""
	}
	for line := range c.kept() {
		if !strings.Contains(line, name) {
			continue
		}
		for before, after := range mentions(bare(line), name) {
			head, tail := strings.TrimSpace(before), strings.TrimSpace(after)
			switch {
			case introduces.MatchString(before), strings.HasPrefix(tail, "=") && !strings.HasPrefix(tail, "=="), strings.HasPrefix(tail, ":"), declared.MatchString(before), head == "":
				return ""
			case used == "" && !strings.HasSuffix(head, "."):
				used = line
			}
		}
	}
	return used
}

// declared matches the text before a name that a line may define: a type, or a word such as `for` or `import`.
var declared = lazyregexp.New(`(?:[\w>\]*&] +|\b(?:for|as|catch|in|import|from|use)\b[^=]*)$`)
