package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// renamed finds a whole text whose calls got a name that nothing defines, although the text still defines the old name and
// nothing calls it any more. A model may remember another name for a function, or forget to rename the definition.
var renamed = Rule{
	ID: "renamed", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			for i, line := range r.New {
				if !c.Whole || !strings.Contains(line, "(") || len(r.Old) == 0 || isRemark(line) {
					continue
				}
				for _, at := range aCall.FindAllStringSubmatchIndex(line, -1) {
					name := line[at[2]:at[3]]
					if was := r.calledBefore(line, at[2], at[3], c.Meter); was != "" && c.onlyDefines(was, name) {
						return warn(c.at(r), diag.TextArtifact, "%s, %q, calls `%s`, which nothing in %s defines, while `%s` is still defined and not called any more; use one name", c.lineOf(r, i), cut(strings.TrimSpace(line), 60), name, c.Path, was)
					}
				}
			}
		}
		return nil
	},
}

var aCall = lazyregexp.New(`([A-Za-z_]\w{3,})\(`)

// calledBefore returns the name that an old line of the run calls at the place line[from:to], if the lines are equal but
// for that name. It returns "" if there is no such line.
func (r Run) calledBefore(line string, from, to int, m *meter.Meter) string {
	for _, was := range r.Old[:min(len(r.Old), mostLaid)] {
		if !m.Pay(meter.Line) {
			return ""
		}
		rest, ok := strings.CutPrefix(was, line[:from])
		name, same := strings.CutSuffix(rest, line[to:])
		if ok && same && name != line[from:to] && len(name) >= shortestName && firstWord(name) == name && !locate.IsBlank(name) {
			return name
		}
	}
	return ""
}

// onlyDefines reports whether the new text of the file defines the name `was` but does not use it, and uses the name `is`
// although no text defines it.
func (c *Change) onlyDefines(was, is string) bool {
	if strings.Contains(c.Before(), is) {
		return false
	}
	defined := false
	uses := func(line string) bool {
		at, _ := nameIn(line, was)
		switch {
		case definedIn(line) == was:
			defined = true
		case strings.Contains(line, is) && !strings.Contains(line, is+"("), definedIn(line) == is, at >= 0 || strings.Contains(line, "."+was):
			return true
		}
		return false
	}
	return !slices.ContainsFunc(c.new, uses) && defined && !c.definedElsewhere(is)
}
