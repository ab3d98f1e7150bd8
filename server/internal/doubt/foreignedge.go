package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

var (
	closingTag = lazyregexp.New(`^\s*</([\w:.-]+)>\s*$`)
	openingTag = lazyregexp.New(`^\s*<([\w:.-]+)(?: [^<>]*)?>\s*$`)
)

// foreignEdge finds a line of the surrounding notation at an end of the text: a tag without a
// partner in the text, the end of a here-document, or a single fence.
var foreignEdge = Rule{
	ID: "foreign-edge",
	Doubts: func(c *Change) *Doubt {
		if first, last, ok := c.wrapper(); ok {
			return &Doubt{At: c.textAt(), Verdict: diag.Warning, Code: diag.ForeignMarks,
				Message: fmt.Sprintf("the new text has %q before the first line and %q after the last line of %s, as texts have around code; leave them out", first, last, c.Path)}
		}
		for _, r := range c.Runs {
			if i := len(r.New) - 1; i >= 0 && c.strayEnd(r.New[i]) {
				return c.edge(r, i, "ends")
			}
			if len(r.New) > 0 && c.strayStart(r.New[0]) {
				return c.edge(r, 0, "begins")
			}
			if len(r.New) > 0 {
				if c.namesItself(r) {
					return c.nameOnly(r)
				}
			}
		}
		return nil
	},
}

// wrapper returns the lines that a whole text has around those of the file, without indenting them:
// few lines before the first and after the last. Preprocessors and namespaces do that on purpose.
func (c *Change) wrapper() (first, last string, ok bool) {
	if !c.Whole || len(c.Runs) < 2 || c.isDocument() {
		return "", "", false
	}
	above, below := c.Runs[0], c.Runs[len(c.Runs)-1]
	if above.Line != 1 || len(above.Old)+len(below.Old) > 0 || !c.ends(below) || max(len(above.New), len(below.New)) > mostAround {
		return "", "", false
	}
	first, last = strings.TrimSpace(firstText(above.New)), strings.TrimSpace(firstText(below.New))
	return first, last, first != "" && last != "" && !strings.HasPrefix(first, "#if") && !strings.HasPrefix(first, "namespace")
}

// mostAround is the largest number of lines that a text has around code at each end.
const mostAround = 3

func (c *Change) edge(r Run, i int, does string) *Doubt {
	return &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.ForeignMarks, Fixes: c.leavingOut(r, i),
		Message: fmt.Sprintf("the new text %s with %q, which seems to belong to the text around it; leave that line out", does, strings.TrimSpace(r.New[i]))}
}

// strayEnd reports whether a line closes a construct that is opened neither in the new lines nor
// in the file.
func (c *Change) strayEnd(line string) bool {
	if m := closingTag.FindStringSubmatch(line); m != nil {
		return !c.mentions("<"+m[1]) && !c.mentions("</"+m[1], line)
	}
	return c.strayMark(line)
}

// strayStart reports whether a line opens a construct that is closed neither in the new lines nor
// in the file.
func (c *Change) strayStart(line string) bool {
	if m := openingTag.FindStringSubmatch(line); m != nil {
		return c.writes(2) && !strings.HasSuffix(strings.TrimSpace(line), "/>") && !c.mentions("</"+m[1]) && !c.mentions("<"+m[1], line)
	}
	return c.strayMark(line)
}

// writes reports whether at least n new lines are nonblank.
func (c *Change) writes(n int) bool {
	for _, r := range c.Runs {
		n -= saying(r.New)
	}
	return n <= 0
}

// pathComment matches a comment that has only a path, perhaps with a label.
var pathComment = lazyregexp.New("^[ \t]*(?://+|#+|--|;+|/\\*+|<!--|%)[ \t]*(?:(?i:(file ?path)|file ?name|file|path)[: \t]+)?[`\"']?([^\\s`\"']+\\.\\w+)[`\"']?[ \t]*(?:\\*/|-->)?[ \t]*$")

// namesItself reports whether a run begins the file with a comment that has only the path of the
// file, as models write it to say whose text follows. Without the label that editors tell models
// to use, a new file may be meant to begin like that, and so may one whose present text does.
func (c *Change) namesItself(r Run) bool {
	m := pathComment.FindStringSubmatch(r.New[0])
	if m == nil || r.Line > 2 || c.New && m[1] == "" {
		return false
	}
	path := strings.TrimPrefix(m[2], "./")
	isOwn := strings.HasSuffix("/"+c.Path, "/"+path) || strings.HasSuffix("/"+path, "/"+c.Path)
	return isOwn && !slices.ContainsFunc(r.Old, pathComment.MatchString)
}

// nameOnly returns a doubt about a first line that only names the file. Its fix is certain.
func (c *Change) nameOnly(r Run) *Doubt {
	d := &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.ForeignMarks, Fixes: c.leavingOut(r, 0),
		Message: fmt.Sprintf("the new text begins with %q, which only names the file and is not in it; leave that line out", strings.TrimSpace(r.New[0]))}
	for i := range d.Fixes {
		d.Fixes[i].Preferred = true
	}
	return d
}

// strayMark reports whether a line is an end mark, with no other one in the new lines or in the
// file.
func (c *Change) strayMark(line string) bool {
	if !artifact.IsEnd(line) {
		return false
	}
	mark := strings.TrimSpace(line)
	if mark[0] == '`' || mark[0] == '~' {
		mark = mark[:3]
	}
	return !c.mentions(mark, line)
}

// mentions reports whether the file or a new line contains a text, in any case. It ignores one
// occurrence of each line in but.
func (c *Change) mentions(s string, but ...string) bool {
	s = strings.ToLower(s)
	if strings.Contains(strings.ToLower(c.Before()), s) {
		return true
	}
	for _, r := range c.Runs {
		for _, line := range r.New {
			if len(but) > 0 && line == but[0] {
				but = nil
			} else if strings.Contains(strings.ToLower(line), s) {
				return true
			}
		}
	}
	return false
}
