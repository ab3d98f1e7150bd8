package reply

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	item = lazyregexp.New(`^[ \t>]*(?:[-*+•]|\d+[.)]|\[\^[^\]\s]+\]:)[ \t]+`)
	row  = lazyregexp.New(`^[ \t>]*\|`) // a line of a table
	// letter matches the status letter before a path in the output of git: `D src/a.py`.
	letter = lazyregexp.New(`^[ \t>]*(?:[-*+•][ \t]+)?([ADR])\d*[ \t]+[` + "`" + `]?$`)
	// statusList matches a text whose first line has the status of a file, as git prints it.
	statusList = lazyregexp.New(`^[ \t]*[ADMR]\d*[ \t]+\S+[ \t]*\n`)
	// branch matches the line-drawing characters before a name in a tree of files.
	branch = lazyregexp.New(`^[ \t│|]*[├└]──[ \t]*`)
)

// status adds a line to the unread parts if the line only says that a file was deleted, renamed or created, such as `-
// src/a.py (deleted)` or `D src/a.py`, and the result does not agree. The words above a list apply to each of its
// items. status reports whether it added the line.
func (a *lister) status(line string, at text.Span, folder string) bool {
	path, verb := text.Span{}, Nothing
	for _, at := range wordsIn(line, 5) {
		if IsFileName(at.In(line)) {
			path = at
			break
		}
	}
	if path.Empty() {
		return false
	}
	before := line[len(item.FindString(line)):max(path.Start, len(item.FindString(line)))]
	after := strings.TrimLeft(line[path.End:], "`*_ \t([#（-–—:,<←")
	if m := letter.FindStringSubmatch(line[:path.Start]); m != nil {
		verb = map[string]Verb{"A": Added, "D": Removed, "R": Moved}[m[1]]
	} else {
		for _, v := range []Verb{Removed, Moved, Added} {
			b, first := say(before, v)
			e, behind := say(after, v)
			first = first && countWords(before[:b.Start])+countWords(withoutWords(before[b.End:], Filler)) == 0 && countWords(after) == 0
			behind = behind && e.Start == 0 && countWords(before) == 0 && !isLetter(strings.TrimLeft(after[e.End:], " `")) && !strings.HasPrefix(strings.TrimLeft(after[e.End:], " *_"), ":")
			if first || behind {
				verb = v
			}
		}
		if verb == Nothing && folder == "" && item.MatchString(line) && isPath(line) {
			verb = a.listed(at)
		}
	}
	name, ok := a.files.resolve(folder + path.In(line))
	if !ok || verb == Nothing {
		return false
	}
	u := Unread{Kind: Instruction, At: at, Path: name, What: "an instruction to delete " + name, Sure: true}
	switch exists := a.files.isFile(name) && !a.files.Made[name].Gone; {
	case verb == Added && !exists && a.files.isPlace(name):
		u.What = "a new file, " + name + ", whose text the reply lacks"
	case verb == Added, !exists, verb == Moved && a.files.isMoved(name):
		return false
	case verb == Changed:
		if a.files.changes(name) || !isCode(line, path) || a.files.isDone(name) {
			return false
		}
		u.What = "a list with " + name + ", which the reply does not change"
	case verb == Moved:
		u.What = "an instruction to rename " + name
	}
	a.add(u)
	return true
}

// listed returns the meaning of the label above a list of files: [Removed], [Changed] for a label in a
// foreign language ([isForeign]), or [Nothing].
func (a *lister) listed(at text.Span) Verb {
	label := wordsOf(a.aboveList(at).In(a.doc))
	_, gone := say(label, GoneFile)
	rest := withoutWords(label, Removed)
	removed := rest != label && countWords(withoutWords(rest, Filler)) <= mostBetween
	_, not := say(label, NotNow)
	if endsAsLabel(label) && !not && (gone || removed || Asks(label, Delete) || saysAny(label, MayGo)) {
		return Removed
	}
	if endsAsLabel(label) && isForeign(label) {
		return Changed
	}
	return Nothing
}

// isListed reports whether a line is an item of a list or a row of a table. For such a line, the line above the list or
// the table may name the file.
func isListed(line string) bool { return item.MatchString(line) || row.MatchString(line) }

// aboveItem returns the files that an item of a list is about. In a numbered list, these are the files in the nearest
// step above that names any, such as "1. Open `src/a.py`". Otherwise they are the files in the line above the list or
// the table.
func (a *lister) aboveItem(item text.Span) []mention {
	if at := LineAbove(a.doc, 0, item.Start); numbered.MatchString(item.In(a.doc)) && numbered.MatchString(at.In(a.doc)) {
		about, steps := a.mentions(at.In(a.doc)), 1
		if len(about) == 0 && at.Start == a.step.Start && a.steps < mostSteps {
			about, steps = a.about, a.steps+1
		}
		if a.step, a.about, a.steps = item, about, steps; len(about) > 0 {
			return about
		}
	}
	return a.mentions(a.aboveList(item).In(a.doc))
}

// numbered matches a numbered item of a list. At most mostSteps items are read.
var numbered = lazyregexp.New(`^[ \t>]*\d+[.)][ \t]`)

const mostSteps = 8

// aboveList returns the line above the list or the table that contains `item`.
func (a *lister) aboveList(item text.Span) text.Span {
	at := item
	for range mostUnread {
		if at = LineAbove(a.doc, 0, at.Start); at.Start == a.item.Start && a.list.End > 0 {
			at = a.list
			break
		}
		if !isListed(at.In(a.doc)) {
			break
		}
	}
	a.item, a.list = item, at
	return at
}

// drawing adds to the unread parts the changes that a list of files, or a drawing of a file tree, announces in its
// lines.
func (a *lister) drawing(body string, at func(line int) text.Span) {
	var folders []string // the folders above the current line, by depth
	var columns []int
	for i, line := range text.SplitLines(body) {
		line = text.TrimEOL(line)
		marks := branch.FindString(line)
		column := len([]rune(marks))
		name := line[len(marks):]
		for len(columns) > 0 && columns[len(columns)-1] >= column {
			columns, folders = columns[:len(columns)-1], folders[:len(folders)-1]
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(name), " "); strings.HasSuffix(first, "/") {
			columns, folders = append(columns, column), append(folders, strings.TrimPrefix(first, "./"))
			continue
		}
		a.status(name, at(i), strings.Join(folders, ""))
	}
}

func isPath(line string) bool {
	_, ok := PathIn(line)
	return ok
}

// announced returns a file that the reply announces but lacks, or "" if there is none:
//
//   - A sentence says that several files are added, and the reply creates one of them but lacks another with the same
//     ending.
//   - An item of a list begins with a new path, and the item above or below begins with a file that the reply changes.
//   - A line has only a new path in code marks, like the label of a file, but neither a fence nor a block follows.
//   - A heading labels a file that the reply does not change, and its section is empty ([lister.isEmptySection]), or
//     only asks for an edit in words.
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
		return ok && isHeading(said) && endsAsLabel(said) && !a.files.changes(only.name) && !a.files.isDone(only.name) && (a.isEmptySection(line) || a.isOnlyAsked(line))
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

// isOnlyAsked reports whether the first line below a heading asks for an edit in words, and the section has no fence and
// no edit.
func (a *lister) isOnlyAsked(heading text.Span) bool {
	start := a.textBelow(heading.End)
	end, next := text.LineEnd(a.doc, start)
	line := text.Span{Start: start, End: min(end, start+mostLine)}
	below := a.textBelow(next)
	return !endsAsLabel(line.In(a.doc)) && Asks(line.In(a.doc), Add, Change, Delete) && !a.isRead(line) &&
		(below == len(a.doc) || isHeading(a.doc[below:min(len(a.doc), below+mostLine)]))
}

// isMoveRow reports whether a row of a table only has a file that the reply leaves and a new path with the same name, or
// in the same folder with the same ending.
func (a *lister) isMoveRow(line string, c claim) bool {
	if len(c.names) != 2 || !row.MatchString(line) || countWords(wordsOf(line)) > 0 {
		return false
	}
	from, to := c.names[0], c.names[1]
	sameName := path.Base(from.name) == path.Base(to.name)
	sameKind := path.Dir(from.name) == path.Dir(to.name) && path.Ext(from.name) == path.Ext(to.name)
	return from.code && to.code && a.files.isFile(from.name) && !a.files.changes(from.name) && !a.files.isFile(to.name) && !a.files.isNew(to.name) && (sameName || sameKind)
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
