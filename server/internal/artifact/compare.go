package artifact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Trace describes an artifact that was found in a text.
type Trace struct {
	Artifact *Artifact // the artifact that was undone; if there were several, the first
	Text     string    // the text without the artifact
	// Certain is true if enough text becomes equal to old lines, and undoing the artifact either loses no text or
	// changes no other line.
	Certain bool
	Line    int    // the first line that undoing changes, from 0
	Is, Was string // this line in the reply, and after undoing
}

// twice is the number of characters that must match, in two lines or one long line, to prove an artifact.
const twice = 2 * int(text.Passage)

const mostRounds = 3

// Between returns the artifacts of `text`, which replaces `old`. Undoing an artifact must make some lines equal to
// old lines, and must change no line that is already equal. A text of several lines must end with a line ending.
func Between(old, text string) (Trace, bool) {
	known := countLines(old)
	var found Trace
	now, exact := text, true
	for range mostRounds {
		a, undone := known.best(now, CharactersOf(now))
		if a == nil {
			break
		}
		found.Artifact = cmp.Or(found.Artifact, a)
		now, exact = undone, exact && a.Loses == "" && a.Restore == nil
	}
	if found.Artifact == nil {
		return Trace{}, false
	}
	found.Text, found.Certain = now, exact
	found.compare(text, known)
	return found, true
}

// TraceOf returns the trace of an artifact in a text that replaces no old text. `undone` is the text without the
// artifact.
func TraceOf(a *Artifact, text, undone string) Trace {
	t := Trace{Artifact: a, Text: undone}
	t.compare(text, census{})
	return t
}

// A census counts how often each line occurs in a text.
type census struct {
	count map[string]int
	full  []string
	had   *Characters
}

func countLines(s string) census {
	all, _ := lines(s)
	c := census{map[string]int{}, all, CharactersOf(s)}
	for _, line := range all {
		c.count[line]++
	}
	return c
}

// best returns the artifact whose undoing makes lines with the most characters equal to old lines. It returns nil if no
// artifact explains enough text.
func (c census) best(s string, has *Characters) (best *Artifact, undone string) {
	most, several := 0, strings.Count(s, "\n") > 1
	matched := c.matched(s)
	for _, a := range Table() {
		if !a.MayBeIn(has) || !c.had.hasOneOf(a.Lost) || a.Several && !several {
			continue
		}
		out, ok := a.restore(s, c.full)
		if !ok {
			continue
		}
		after := c.matched(out)
		gain, loses := matched.gain(after)
		if a == &DoubleSpace && !c.isDoubled() {
			gain, _ = census{}.gain(after)
		}
		enough := text.Passage
		if _, lacks := c.gain(after); !lacks && strings.Count(out, "\n") > strings.Count(s, "\n") {
			enough = text.Shared // Less text is enough if undoing splits a line, and the result contains the whole old text.
		}
		if gain > most && !loses && gain >= int(enough) && a.explains(out, gain, c) {
			best, undone, most = a, out, gain
		}
	}
	return best, undone
}

func (c census) isDoubled() bool { _, ok := unspace(strings.Join(c.full, "\n")); return ok }

func (a *Artifact) restore(s string, old []string) (string, bool) {
	switch {
	case a.Restore != nil:
		return a.Restore(s, old)
	case a.Undo != nil && a != &LineEnding && a != &Indentation:
		return a.Undo(s)
	}
	return s, false
}

// explains reports whether the artifact, and not a person's request, is the likely cause of the differences. For
// example, a person may want to change white space.
func (a *Artifact) explains(undone string, gain int, c census) bool {
	if a == &TrailingSpace {
		return gain >= 2*int(text.Passage) &&
			undone != strings.Join(c.full, "\n") &&
			!slices.ContainsFunc(c.full, func(line string) bool { return strings.TrimRight(line, spaces) != line })
	}
	return true
}

// matched counts the lines that a text shares with the old text. A line counts at most as often as the old text has it.
func (c census) matched(s string) census {
	out := census{count: map[string]int{}}
	all, _ := lines(s)
	for _, line := range all {
		if n := out.count[line]; n < c.count[line] {
			out.count[line] = n + 1
		}
	}
	return out
}

// gain returns the number of characters in the lines that match only after undoing the artifact. `loses` is true if
// some line matches only before undoing.
func (c census) gain(after census) (gain int, loses bool) {
	for line, n := range after.count {
		gain += max(0, n-c.count[line]) * nonBlanks(line)
	}
	for line, n := range c.count {
		loses = loses || n > after.count[line] && !text.IsBlank(line)
	}
	return gain, loses
}

func nonBlanks(s string) int { return text.NonBlanks(s, len(s)) }

// compare sets Line, Is, Was and Certain. `now` is the text before undoing. The caller must have set Certain to true
// if undoing loses no text.
func (t *Trace) compare(now string, known census) {
	is, _ := lines(now)
	was, _ := lines(t.Text)
	for t.Line < min(len(is), len(was)) && is[t.Line] == was[t.Line] {
		t.Line++
	}
	if t.Line < len(is) {
		t.Is = is[t.Line]
	}
	if t.Line < len(was) {
		t.Was = was[t.Line]
	}
	had, said, others := map[string]int{}, 0, !t.Certain && !isThroughout(is, was)
	for _, line := range is {
		had[line]++
	}
	for _, line := range was {
		if had[line] > 0 {
			had[line]--
			// An artifact with Restore may also have damaged a line that undoing does not change.
			others = others || t.Artifact.Restore != nil && known.count[line] == 0 && !text.IsBlank(line)
		} else if known.count[line] > 0 {
			said += nonBlanks(line)
		} else if !text.IsBlank(line) {
			others = true
		}
	}
	t.Certain = (t.Certain || !others) && said >= twice
}

// isThroughout reports whether the artifact changed its characters in all lines. If other lines have the same
// characters unchanged, such as unescaped backticks, a person may have asked for the change.
func isThroughout(is, was []string) bool {
	if len(is) != len(was) {
		return true
	}
	changed := map[rune]bool{}
	for i, line := range is {
		if line == was[i] {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(was[i][text.SharedStart(line, was[i]):]); unicode.IsPunct(r) || unicode.IsSymbol(r) {
			changed[r] = true
		}
	}
	for i, line := range is {
		if line == was[i] && strings.ContainsFunc(line, func(r rune) bool { return changed[r] }) {
			return false
		}
	}
	return true
}

// Nearer returns the trace of an artifact whose undoing makes a short text more similar to the old lines, although
// each line with the artifact was also edited. `line` is the number of the first old line.
func Nearer(old, text string, line int) (Trace, bool) {
	before, _ := lines(old)
	now, _ := lines(text)
	if len(now) > mostNear || len(before) > mostNear {
		return Trace{}, false
	}
	has, had := CharactersOf(text), CharactersOf(old)
	for _, a := range Table() {
		if !a.MayBeIn(has) || !had.hasOneOf(a.Lost) {
			continue
		}
		if a.Undo == nil || a.Adds || a.Ends || a == &LineEnding || a == &Indentation || a == &TrailingSpace {
			continue
		}
		undone, ok := a.restore(text, before)
		if ok = ok && !changesLiteral(before, undone); !ok || a == &LineNumber && !countsFrom(text, line) {
			continue
		}
		if was, _ := lines(undone); len(was) == len(now) && (nearer(before, now, was) || a == &Escape && indents(before, now, was)) {
			return TraceOf(a, text, undone), true
		}
	}
	return Trace{}, false
}

// changesLiteral reports whether all undone lines equal old lines apart from the prefixes of raw strings, such as
// `r"\d"`. A person then probably asked for the other kind of string, in which backslashes are written differently.
func changesLiteral(before []string, undone string) bool {
	old := text.Set(text.Each(before, func(line string) string { return rawString.ReplaceAllString(line, `"`) }))
	now, _ := lines(undone)
	return !slices.ContainsFunc(now, func(line string) bool { return !old[rawString.ReplaceAllString(line, `"`)] })
}

var rawString = lazyregexp.New("(?:\\b[rR]#*|@|String\\.raw)?[\"'`]#*")

const mostNear = 40

// nearer reports whether undoing makes some lines more similar to the old lines, and no line less similar.
func nearer(before, now, was []string) bool {
	gain := 0
	for i := range now {
		if now[i] == was[i] || text.IsBlank(was[i]) {
			continue
		}
		if hasButNumbers(before, was[i]) && !hasButNumbers(before, now[i]) {
			gain += leastNearer
			continue
		}
		best, likeBefore := 0, 0
		for _, line := range before {
			if like := text.SharedEnds(line, was[i]); like > best && 2*like >= min(len(was[i]), len(line)) {
				best, likeBefore = like, text.SharedEnds(line, now[i])
			}
		}
		if best == 0 {
			continue
		}
		if best <= likeBefore {
			return false
		}
		gain += best - likeBefore
	}
	return gain >= leastNearer
}

// leastNearer is the number of characters by which a text must become more similar to the old lines.
const leastNearer = 2

func hasButNumbers(old []string, line string) bool {
	return slices.ContainsFunc(old, func(was string) bool { return text.EqualButNumbers(was, line) })
}

// indents reports whether undoing turns the escapes at the beginning of a line into indentation, so that the line
// equals an old line.
func indents(before, now, was []string) bool {
	for i := range now {
		rest := strings.TrimLeft(was[i], spaces)
		old := func(line string) bool { return strings.TrimLeft(line, spaces) == rest }
		if text.Shared.Says(rest) && strings.HasPrefix(strings.TrimLeft(now[i], spaces), `\`) && slices.ContainsFunc(before, old) {
			return true
		}
	}
	return false
}

// countsFrom reports whether the first number in a listing roughly agrees with its line number in the file. The
// listing begins at line `line` of the file.
func countsFrom(s string, line int) bool {
	all, _ := lines(s)
	for i, l := range all {
		if n, ok := numberedLine(l); ok {
			return n.n >= line+i-far && n.n <= line+i+far
		}
	}
	return false
}

// far is the largest difference between line numbers that roughly agree. They may differ because the listing comes
// from another version of the file.
const far = 20
