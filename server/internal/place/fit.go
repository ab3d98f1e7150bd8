package place

import (
	"slices"
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// enough is the number of nonblank characters that an old passage must have before a fix can be certain. Common lines,
// such as those that close a block of code, have fewer.
const enough = int(text.Shift)

// Certain returns the change that a fix writes into the block, if the fix is certain. The old passage must occur
// exactly once, apart from white space at line ends and a uniform shift of the indentation. The new passage must
// certainly need the same shift.
func (p Passage) Certain(t *Text, f Finding) (Rewriting, bool) {
	if len(f.Places) != 1 {
		return Rewriting{}, false
	}
	w, at := p.textAround(t, f.Places[0])
	c, ok := p.fit(w.Text, at)
	if !ok || !c.Alike || !c.saysEnough() || len(t.All(c.Old, 2)) != 1 || p.hasTwin(t, f.Places[0]) {
		return Rewriting{}, false
	}
	if _, stands := p.Law.FirstOutside(t, c.New, f.Places[0]); stands {
		return Rewriting{}, false
	}
	return Rewriting{Change: c.Change, At: f.Places[0], Line: t.LineAt(firstText(t, f.Places[0])), Why: c.Rule().Differs}, true
}

// textAround returns enough text around a place to show its indentation, and whether the change was applied before.
func (p Passage) textAround(t *Text, at text.Span) (Window, text.Span) {
	w := t.Window(at, window+2*(len(p.Old)+len(p.New)))
	return w, at.Shift(-w.At)
}

// saysEnough reports whether the old passage is long enough to be recognized. It must be longer if the file has it
// at another depth. If the new passage is blank, nothing would show that the change was applied before, so the old
// passage must be longer still and have several lines.
func (c fitted) saysEnough() bool {
	n := text.NonBlanks(c.Old, 2*enough)
	switch {
	case text.IsBlank(c.New):
		return n >= 2*enough && strings.Contains(strings.TrimSpace(c.Old), "\n")
	case c.Shift.KeepsDepth():
		return n >= int(text.Passage)
	}
	return n >= enough
}

// hasTwin reports whether the old passage also occurs elsewhere, apart from white space.
func (p Passage) hasTwin(t *Text, at text.Span) bool {
	covers := func(span text.Span) bool { // whether the place has all text of its lines
		head, tail := restOfLines(t, span)
		return (text.IsBlank(head) || strings.HasPrefix(p.Old, "\n")) && text.IsBlank(tail)
	}
	whole := covers(at)
	for _, span := range t.Folded().Same(p.Old, 20) {
		if span.Overlaps(at) {
			continue
		}
		if !whole || covers(span) {
			return true
		}
	}
	return false
}

type fitted struct {
	Passage
	Adaptation
}

// An Adaptation is the new lines of a change, rewritten for a place.
type Adaptation struct {
	Lines []string
	Shift Shift
	Alike bool // whether the new lines certainly need the same shift as the old ones
}

// Rule returns the artifact that explains how the old lines differ from the place.
func (a Adaptation) Rule() *artifact.Artifact {
	switch {
	case a.Shift.IsZero():
		return &artifact.TrailingSpace
	case a.Shift.KeepsDepth():
		return &artifact.Tabs
	}
	return &artifact.Indentation
}

// fit rewrites a passage for a place that matches its old lines apart from white space. Kept lines are written as in
// the file, and new lines get the indentation of the place. ok is false if it is unclear how to write a line.
func (p Passage) fit(s string, at text.Span) (fitted, bool) {
	found := at.In(s)
	find, replace := p.Old, p.New
	// At the end of a file without a final newline, drop the ending of the passage, too.
	if strings.HasSuffix(find, "\n") && !strings.HasSuffix(found, "\n") {
		find, replace = strings.TrimSuffix(find, "\n"), strings.TrimSuffix(replace, "\n")
	}
	want, lines := strings.Split(find, "\n"), strings.Split(replace, "\n")
	around := s[max(0, at.Start-window):min(len(s), at.End+window)]
	a, ok := Adapt(want, strings.Split(found, "\n"), lines, keptLines(want, lines), around)
	p.Old, p.New = found, strings.Join(a.Lines, "\n")
	return fitted{p, a}, ok
}

// Adapt rewrites the new lines of a change for a place. The lines `found` at the place match the old lines apart
// from white space. `kept` maps the index of each kept line in `new` to its index in `old`. Adapt returns false if
// it is unclear how to write a line.
func Adapt(old, found, new []string, kept map[int]int, around string) (Adaptation, bool) {
	if len(old) != len(found) {
		return Adaptation{}, false
	}
	shift, ok := ShiftOf(old, found, strings.Join(old, "\n")+"\n"+strings.Join(new, "\n"), around)
	if !ok {
		return Adaptation{}, false
	}
	a := Adaptation{Shift: shift, Alike: shift.KeepsDepth() || shiftedAlike(old, found, new, kept)}
	if !shift.KeepsDepth() && standsForItself(old, new, kept) || !shift.IsZero() && hasLooseString(new) {
		a.Alike = false
	}
	for i, line := range new {
		if k, ok := kept[i]; ok {
			line = found[k]
		} else if shifted, ok := shift.Line(line); ok {
			line = shifted
		} else if !shift.KeepsDepth() || !slices.ContainsFunc(found, func(s string) bool { return text.Indentation(s) == text.Indentation(line) }) {
			return Adaptation{}, false
		} // otherwise, the line already has the indentation of the place
		a.Lines = append(a.Lines, line)
	}
	return a, true
}

// standsForItself reports whether the indentation of a new line may be independent of the old passage.
func standsForItself(want, lines []string, kept map[int]int) bool {
	least := text.LeastIndentation(want)
	for i, line := range lines {
		if _, ok := kept[i]; ok || text.IsBlank(line) {
			continue
		}
		if len(text.Indentation(line)) < least || isDirective(line) {
			return true
		}
	}
	return false
}

// window is the number of bytes above and below a place that show its indentation.
const window = 8 << 10

// keptLines maps the index of each kept line in `lines` to its index in `want`, ignoring white space at line ends.
func keptLines(want, lines []string) map[int]int {
	kept := map[int]int{}
	i, j := 0, 0
	for _, e := range diff.Lines(trimmedRight(want), trimmedRight(lines)) {
		switch e.Op {
		case linediff.Match:
			kept[j] = i
			i, j = i+1, j+1
		case linediff.Delete:
			i++
		case linediff.Insert:
			j++
		}
	}
	return kept
}

func trimmedRight(lines []string) []string {
	return text.Each(lines, func(line string) string { return strings.TrimRight(line, " \t") })
}

// shiftedAlike reports whether a new passage has the indentation of its old passage instead of that in the file.
// Both passages must begin with the same indentation. In addition, no new line may be indented less, or more new
// lines must be equal to lines of the old passage than to lines of the file. Otherwise, the new lines may be
// indented as in the file, with a block of code put around them or removed.
func shiftedAlike(want, has, lines []string, kept map[int]int) bool {
	if text.FirstIndentation(want) != text.FirstIndentation(lines) {
		return false
	}
	return text.LeastIndentation(want) <= text.LeastIndentation(lines) || countFilled(lines, kept) > countFilled(lines, keptLines(has, lines))
}

func countFilled(lines []string, kept map[int]int) int {
	n := 0
	for i := range kept {
		if !text.IsBlank(lines[i]) {
			n++
		}
	}
	return n
}

// isDirective reports whether a line often begins in the first column, even between indented lines.
func isDirective(line string) bool {
	body := strings.TrimSpace(line)
	return slices.ContainsFunc(directives, func(begin string) bool { return strings.HasPrefix(body, begin) })
}

var directives = []string{"#if", "#el", "#end", "#def", "#undef", "#inc", "#pragma", "#region", "<<<<<<<", ">>>>>>>", "=======", "//go:"}

// hasLooseString reports whether a string has a line that is indented less than the line where the string begins.
// The white space in such a string is part of its text, so the right indentation is unknown.
func hasLooseString(lines []string) bool {
	opened := -1 // the indentation of the line where the open string begins; -1 if none is open
	for _, line := range lines {
		indentation := len(text.Indentation(line))
		if opened >= 0 && !text.IsBlank(line) && indentation < opened {
			return true
		}
		if strings.Contains(line, "<<") && strings.ContainsAny(line[strings.Index(line, "<<"):], `-~'"ABCDEFGHIJKLMNOPQRSTUVWXYZ`) && !strings.Contains(line, "<< ") {
			return true // a here-document begins
		}
		odd := (strings.Count(line, `"""`)+strings.Count(line, `'''`)+strings.Count(line, "`"))%2 == 1
		switch {
		case odd && opened < 0:
			opened = indentation
		case odd:
			opened = -1
		}
	}
	return false
}
