package doubt

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	closingTag = lazyregexp.New(`^\s*</([\w:.-]+)>\s*$`)
	openingTag = lazyregexp.New(`^\s*<([\w:.-]+)(?: [^<>]*)?>\s*$`)
)

// foreignEdge finds a first or last new line that belongs to the notation around the text: a tag without a partner,
// the end of a here-document, a single fence, the name of the file, or the lines that an editor shows below a file. It
// also finds a comment that names another file.
var foreignEdge = Rule{
	ID: "foreign-edge",
	doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			if i := c.screenEnd(r); i >= 0 {
				return warn(c.at(r), diag.ForeignMarks, "the new text ends with lines %q, as an editor shows them below a file; leave them out", "~").with(c.writing("Leave out the lines of the editor", r, i, len(r.New)-i, nil))
			}
			if i := len(r.New) - 1; i >= 0 && (c.strayEnd(r.New[i]) || c.namesEnd(r, i)) {
				return c.edge(r, i, "ends")
			}
			if len(r.New) > 0 && c.strayStart(r.New[0]) {
				return c.edge(r, 0, "begins")
			}
			if len(r.New) > 0 && c.namesItself(r) {
				return c.nameOnly(r)
			}
			if i := c.namesOther(r); i >= 0 {
				return warn(c.at(r), diag.ForeignMarks, "from the line %q on, the new text of %s seems to belong to another file; write that part as a separate file", strings.TrimSpace(r.New[i]), c.Path)
			}
		}
		return nil
	},
}

func (c *Change) edge(r Run, i int, does string) *Doubt {
	return warn(c.at(r), diag.ForeignMarks, "the new text %s with %q, which seems to belong to the reply and not to the file; leave that line out", does, strings.TrimSpace(r.New[i])).with(c.leavingOut(r, i))
}

// strayEnd reports whether the line closes something that is opened neither in the new lines nor in the file.
func (c *Change) strayEnd(line string) bool {
	if m := closingTag.FindStringSubmatch(line); m != nil {
		return !c.mentions("<"+m[1]) && !c.mentions("</"+m[1], line)
	}
	return c.strayMark(line)
}

// strayStart reports whether the line opens something that is closed neither in the new lines nor in the file.
func (c *Change) strayStart(line string) bool {
	if m := openingTag.FindStringSubmatch(line); m != nil {
		return !c.mayHaveTags() && c.writes(2) && !strings.HasSuffix(strings.TrimSpace(line), "/>") && !c.mentions("</"+m[1]) && !c.mentions("<"+m[1], line)
	}
	return c.strayMark(line)
}

func (c *Change) writes(n int) bool {
	for _, r := range c.Runs {
		n -= countWithWords(r.New)
	}
	return n <= 0
}

// pathLabel matches the label of a comment such as `// filepath: a.go`. Its group matches only labels that editors
// tell models to write.
var pathLabel = lazyregexp.New(`^(?i:(file ?path|end of(?: file)?)|file ?name|file|path)[: \t]+`)

// pathComment returns the path in a comment that has only a path, perhaps after a label. `labelled` reports whether
// editors tell models to write that label.
func pathComment(line string) (name string, labelled bool) {
	said, _ := elision.CommentText(strings.TrimSpace(line))
	m := pathLabel.FindStringSubmatch(said)
	if m != nil {
		said = said[len(m[0]):]
	}
	if name = strings.TrimPrefix(strings.Trim(said, "`\"'=-*#~ "), "./"); path.Ext(name) == "" || strings.ContainsAny(name, " \t`\"'") {
		return "", false
	}
	return name, m != nil && m[1] != ""
}

// namesItself reports whether the run begins with a comment that has only the path of the file, as models write above
// a text. In a new file, only a comment with a label counts. If the run replaces a comment with a path, the new
// comment is intended.
func (c *Change) namesItself(r Run) bool {
	name, labelled := pathComment(r.New[0])
	if name == "" || c.New && !labelled {
		return false
	}
	isOwn := strings.HasSuffix("/"+c.Path, "/"+name) || strings.HasSuffix("/"+name, "/"+c.Path)
	return isOwn && !slices.ContainsFunc(r.Old, func(line string) bool { name, _ := pathComment(line); return name != "" })
}

// namesOther returns the index of an unindented comment, between other new lines, that has only the path of another
// file. It returns -1 if there is none, or if the file already has comments with paths.
func (c *Change) namesOther(r Run) int {
	if !c.Whole || c.isDocument() {
		return -1
	}
	named := func(line string) string {
		name, _ := pathComment(line)
		return name
	}
	return slices.IndexFunc(r.New, func(line string) bool {
		name := named(line)
		return strings.Contains(name, "/") && !strings.Contains(name, "://") && line == strings.TrimSpace(line) && r.NewLine > 0 && line != c.new[0] && line != c.new[lastWithWords(c.new)] &&
			path.Base(name) != path.Base(c.Path) && !c.mentions(name, line) && !slices.ContainsFunc(c.old, func(old string) bool { return named(old) != "" })
	})
}

// namesEnd reports whether new line i only marks the end of the file: it is a comment with the name of the file, or, below
// the last line of the file, punctuation such as `~` or `---`.
func (c *Change) namesEnd(r Run, i int) bool {
	line := strings.TrimSpace(r.New[i])
	if line == "" || len(r.Old) > 0 || c.isDocument() || slices.Contains(outlines, c.ext()) || c.New {
		return false
	}
	name, labelled := pathComment(line)
	return labelled && strings.HasSuffix("/"+c.Path, "/"+name) || strings.Trim(line, "~-_*$%^+|") == "" && c.ends(r) && !c.mentions(line, line)
}

// screenEnd returns the first of several lines `~`, perhaps with a line of status below, at the end of a file. An editor
// shows them in place of lines that do not exist. It returns -1 if there are none.
func (c *Change) screenEnd(r Run) int {
	end := len(r.New)
	if end > 0 && strings.TrimSpace(r.New[end-1]) != "~" {
		end--
	}
	i := end
	for i > 0 && strings.TrimSpace(r.New[i-1]) == "~" {
		i--
	}
	if end-i < 2 || !c.New && !c.ends(r) || c.hadLine("~") {
		return -1
	}
	return i
}

// nameOnly returns a doubt about a first line that only names the file. The fix is certain.
func (c *Change) nameOnly(r Run) *Doubt {
	d := warn(c.at(r), diag.ForeignMarks, "the new text begins with %q, which only names the file and is not a line of it; leave that line out", strings.TrimSpace(r.New[0])).with(c.leavingOut(r, 0))
	for i := range d.Fixes {
		d.Fixes[i].Preferred = true
	}
	return d
}

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

// To search this number of bytes costs one unit of the meter.
const searched = 16

// mentions reports whether the old file or a new line contains `s`, ignoring case. Among the new lines, it ignores
// one occurrence of each line in `but`.
func (c *Change) mentions(s string, but ...string) bool {
	if c.folded == nil {
		lines := slices.Concat(text.Each(c.Runs, func(r Run) []string { return r.New })...)
		c.folded = &folded{strings.ToLower(c.Before()), strings.ToLower(text.Joined(lines))}
	}
	if c.Meter.Spent() {
		return true
	}
	s = strings.ToLower(s)
	if at := strings.Index(c.folded.before, s); at >= 0 {
		c.Meter.Pay(at / searched)
		return true
	}
	c.Meter.Pay((len(c.folded.before) + len(c.folded.comes)) / searched)
	ignored := 0
	for _, line := range but {
		ignored += strings.Count(strings.ToLower(line), s)
	}
	return strings.Count(c.folded.comes, s) > ignored
}

type folded struct{ before, comes string }
