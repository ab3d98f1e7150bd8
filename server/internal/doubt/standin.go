package doubt

import (
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// standIn finds several lines that are replaced only by a comment or a stub, which may stand for them:
// `// remove the old handler`, `# 以下同`, `throw new Error("not implemented")`. A diff marks each deleted line, so a
// comment may be intended, and only a stub is doubted. A comment for documentation is never doubted.
var standIn = Rule{
	ID: "stand-in", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		for run, r := range c.Runs {
			if len(r.Old) == 0 || !slices.ContainsFunc(r.New[:min(len(r.New), mostStandIn)], func(line string) bool {
				return isRemark(line) || isStub(line) || emptyReturn.MatchString(line)
			}) {
				continue
			}
			r = r.core()
			i, what, least := r.lone(), "a comment", fewestReplaced
			switch {
			case i < 0:
				continue
			case isStub(r.New[i]):
				what = "only a stub"
			case elision.SortOf(r.New[i]) == elision.Worded:
				least = 1
			}
			switch {
			case what != "a comment":
			case !c.isAlone(run, run+1):
				continue
			case emptyReturn.MatchString(r.New[i]):
				what, least = "only an empty result", fewestOfBody
			case c.Marked, strings.HasPrefix(strings.TrimSpace(r.New[i]), "/**"):
				continue
			}
			if c.lostCode(r) < least || c.has(r.New[i]) && least < fewestOfBody || r.rewords(r.New[i]) {
				continue
			}
			return warn(c.at(r), diag.Omission,
				"%s is %s, and replaces %s of %s, so it may stand for lines that were left out: %q; %s", c.lineOf(r, i), what, lineRanges(r.oldIndexes()), c.Path, strings.TrimSpace(r.New[i]), c.instead()).with(c.keeping(r, i))
		}
		return nil
	},
}

const (
	fewestReplaced = 2  // the smallest number of lines of code that a comment must replace, if it does not mention an omission
	fewestOfBody   = 5  // the smallest number of lines of code that an empty result, such as `return None`, must replace
	mostStandIn    = 10 // the largest number of new lines: comments, a stub and blank lines
)

// lone returns the index of the only nonblank new line if it is a comment, a stub or an empty result, and otherwise
// -1. It ignores comments next to a stub.
func (r Run) lone() int {
	at := -1
	if len(r.New) > mostStandIn {
		return at
	}
	for i, line := range r.New {
		switch {
		case strings.TrimSpace(line) == "":
		case at >= 0 && !isStub(line) && !isStub(r.New[at]):
			return -1
		case elision.SortOf(line) == elision.Text && !isStub(line) && !emptyReturn.MatchString(line),
			// `#[` begins an attribute in Rust or PHP, and `#{` begins a value in a string of Ruby.
			strings.HasPrefix(strings.TrimSpace(line), "#["), strings.HasPrefix(strings.TrimSpace(line), "#{"):
			return -1
		case at < 0 || isStub(line):
			at = i
		}
	}
	if at >= 0 && !text.HasWord(r.New[at]) && !isStub(r.New[at]) {
		return -1
	}
	return at
}

// stub matches a line that takes the place of a body that is not written yet.
var stub = lazyregexp.New(`^\s*(?:pass|\.\.\.|"""[^"]*"""|'''[^']*'''|(?:todo|unimplemented)!\(.*\);?|(?i:(?:raise|throw|panic|fatalError|die|error|abort|return|console\.\w+)\b.*(?:not[ _-]?(?:yet[ _-])?implemented|unimplemented|todo|not[ _-]supported[ _-]yet|stub).*)|TODO\(.*\))\s*(?:#.*|//.*)?$`)

func isStub(line string) bool { return stub.MatchString(line) }

// emptyReturn matches a line that returns nothing, or only constants.
var emptyReturn = lazyregexp.New(`^\s*return(?:\s+(?:None|null|nil|undefined|true|false|True|False|-?[01]|""|''|\[\]|\{\}|\(\)),?)*\s*;?$`)

// core returns the run without the lines at its ends whose old and new forms are similar. The last new line stays.
func (r Run) core() Run {
	for len(r.Old) > 1 && len(r.New) > 1 && r.New[0] != "" && place.Alike(r.Old[0], r.New[0]) >= changed {
		r.Old, r.New, r.Line, r.NewLine = r.Old[1:], r.New[1:], r.Line+1, r.NewLine+1
	}
	for n, m := len(r.Old)-1, len(r.New)-1; n > 0 && m > 0 && r.New[m] != "" && place.Alike(r.Old[n], r.New[m]) >= changed; n, m = n-1, m-1 {
		r.Old, r.New = r.Old[:n], r.New[:m]
	}
	return r
}

// lostCode counts the different lines of code that the run removes and no run adds.
func (c *Change) lostCode(r Run) int {
	lost := map[string]bool{}
	for _, line := range r.Old {
		if saysCode(line) {
			lost[strings.TrimSpace(line)] = true
		}
	}
	if c.comes == nil {
		c.comes = map[string]bool{}
		for _, other := range c.Runs {
			for _, line := range other.New {
				c.comes[strings.TrimSpace(line)] = true
			}
		}
	}
	maps.DeleteFunc(lost, func(line string, _ bool) bool { return c.comes[line] })
	return len(lost)
}

// isAlone reports whether several lines above and below the runs [first, end) stay the same. Near other edits, lines
// may have been rewritten on purpose.
func (c *Change) isAlone(first, end int) bool {
	below := func(i int) int { return c.Runs[i].Line + len(c.Runs[i].Old) }
	return (first == 0 || c.Runs[first].Line-below(first-1) >= text.Habit) && (end == len(c.Runs) || c.Runs[end].Line-below(end-1) >= text.Habit)
}

func (r Run) rewords(comment string) bool {
	return slices.ContainsFunc(r.Old, func(line string) bool {
		return elision.SortOf(line) != elision.Text && place.Alike(line, comment) >= changed
	})
}
