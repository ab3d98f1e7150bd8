package reply

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// announced returns a file that the reply announces but lacks, or "" if there is none:
//
//   - A sentence says that several files are added, and the reply creates one of them but lacks another with the same
//     ending.
//   - An item of a list begins with a new path, and the item above or below begins with a file that the reply changes.
//   - A line has only a new path in code marks, like the label of a file, but neither a fence nor a block follows.
//   - A heading labels a file that the reply does not change, and its section is empty ([lister.isEmptySection]).
func (a *lister) announced(c claim, line text.Span, introduces bool) (lost string) {
	if len(c.names) == 0 || c.denies() {
		return ""
	}
	if only := c.names[0]; !introduces && len(c.names) == 1 && a.isBareLabel(line, c, only) {
		return only.name
	}
	if first := c.names[0]; isListed(line.In(a.doc)) && first.code && !a.files.isFile(first.name) && countWords(c.text[:first.at.Start]) == 0 && a.besideChanged(line) {
		if slices.ContainsFunc(a.files.changed(), func(name string) bool { return strings.HasSuffix(name, "/"+first.name) }) {
			return "" // an item above may name the folder
		}
		return first.name
	}
	if len(c.names) < 2 || !c.told || !saysAny(c.words[:c.names[0].at.Start], Create, Add, Added, NewFile) {
		return ""
	}
	for _, m := range c.names {
		if m.code && !a.files.isFile(m.name) {
			lost = m.name
		}
	}
	if !slices.ContainsFunc(c.names, func(m mention) bool { return a.files.isNew(m.name) && path.Ext(m.name) == path.Ext(lost) }) {
		return ""
	}
	return lost
}

// isBareLabel reports whether a line is only the label of a file, whose text does not follow.
func (a *lister) isBareLabel(line text.Span, c claim, only mention) bool {
	said := line.In(a.doc)
	if a.files.isFile(only.name) {
		_, _, _, ok := FileLine(said)
		return ok && isHeading(said) && endsAsLabel(said) && !a.files.changes(only.name) && !a.files.isDone(only.name) && a.isEmptySection(line)
	}
	return only.code && !isListed(said) && countWords(strings.Replace(said, only.at.In(c.text), "", 1)) == 0
}

// isEmptySection reports whether nothing is below a heading, or only the next heading of the same or a higher level. A
// label in bold has no level, so the end of the reply must follow.
func (a *lister) isEmptySection(heading text.Span) bool {
	below := a.doc[a.textBelow(heading.End):]
	level := func(s string) int {
		s = strings.TrimLeft(s, " \t>")
		return len(s) - len(strings.TrimLeft(s, "#"))
	}
	return below == "" || 0 < level(below) && level(below) <= level(heading.In(a.doc))
}

// besideChanged reports whether the item directly above or below this item of a list begins with a file that the reply
// changes.
func (a *lister) besideChanged(at text.Span) bool {
	_, next := text.LineEnd(a.doc, at.End)
	end, _ := text.LineEnd(a.doc, next)
	for _, other := range []text.Span{LineAbove(a.doc, 0, at.Start), {Start: next, End: min(end, next+mostLine)}} {
		s := other.In(a.doc)
		if names := a.mentions(s); isListed(s) && len(names) > 0 && a.files.changes(names[0].name) && countWords(s[:names[0].at.Start]) == 0 {
			return true
		}
	}
	return false
}
