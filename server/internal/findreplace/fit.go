package findreplace

import (
	"strings"

	linediff "znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// enough is how many characters other than white space a find needs to be rewritten
// unasked, and a replacement to be known at another indentation. Generic lines,
// such as those that close a block, have less.
const enough = 16

// certain is the fix that needs no second look: the find is there once, but for
// white space at the ends of lines or for an indentation by which all lines are
// shifted alike, and so, without a doubt, is the replacement.
func (r replacement) certain(t *locate.Text, places []text.Span) (diag.Fix, bool) {
	if len(places) != 1 {
		return diag.Fix{}, false
	}
	w, place := r.near(t, places[0])
	c, ok := r.fit(w.Text, place)
	if !ok || !c.alike || !c.saysEnough() || len(t.All(c.find, 0, 2)) != 1 || r.rivals(t, places[0]) {
		return diag.Fix{}, false
	}
	if _, stands := r.law().Stands(t, c.replace, places[0]); stands {
		return diag.Fix{}, false
	}
	fix := r.rewriting(useLine(t, places[0], c.rule().Differs), c.find, c.replace)
	fix.Preferred = true
	return fix, true
}

// saysEnough reports whether the find says enough to be known by. At another depth
// than it was written, it has to say more, and one line more than several. Where
// nothing is put in its place, nothing would show that it was taken out before; so
// it has to say still more.
func (c fitted) saysEnough() bool {
	several := strings.Contains(strings.TrimSpace(c.find), "\n")
	n := locate.NonBlanks(c.find, 2*enough)
	switch {
	case locate.IsBlank(c.replace):
		return several && n >= 2*enough
	case c.shift.KeepsDepth():
		return n >= locate.Evidence
	}
	return n >= 3*enough/2 || several && n >= enough
}

// rivals reports whether another place than the given one has the find, whatever
// its white space.
func (r replacement) rivals(t *locate.Text, place text.Span) bool {
	covers := func(span text.Span) bool {
		w := t.Window(span, 0)
		return coversLines(w.Text, span.Shift(-w.At))
	}
	whole := covers(place)
	for _, span := range t.Folded().Same(r.find, 20) {
		if span.Start < place.End && place.Start < span.End {
			continue
		}
		if !whole || covers(span) {
			return true
		}
	}
	return false
}

// coversLines reports whether span begins and ends where lines do, white space aside.
func coversLines(s string, span text.Span) bool {
	start := strings.LastIndexByte(s[:span.Start], '\n') + 1
	end := len(s)
	if i := strings.IndexByte(s[span.End:], '\n'); i >= 0 {
		end = span.End + i
	}
	before := locate.IsBlank(s[start:span.Start]) || strings.HasPrefix(span.In(s), "\n")
	return before && (locate.IsBlank(s[span.End:end]) || strings.HasSuffix(span.In(s), "\n"))
}

// A fitted replacement is one that was rewritten for a place.
type fitted struct {
	replacement
	shift locate.Shift
	alike bool // nothing speaks against the replacement being shifted as the find is
}

// rule is the rule by which the find is there.
func (c fitted) rule() *artifact.Artifact {
	switch {
	case c.shift.IsZero():
		return &artifact.TrailingSpace
	case c.shift.KeepsDepth():
		return &artifact.Tabs
	}
	return &artifact.Indentation
}

// fit rewrites the replacement for a place that has its find but for white space.
// Lines that it keeps are as they are there; new ones are indented as there. Ok
// is false where that is not defined for each of them.
func (r replacement) fit(s string, place text.Span) (fitted, bool) {
	there := place.In(s)
	find, replace := r.find, r.replace
	if strings.HasSuffix(find, "\n") && !strings.HasSuffix(there, "\n") { // the file's last line
		find, replace = strings.TrimSuffix(find, "\n"), strings.TrimSuffix(replace, "\n")
	}
	want, has, lines := strings.Split(find, "\n"), strings.Split(there, "\n"), strings.Split(replace, "\n")
	around := s[max(0, place.Start-window):min(len(s), place.End+window)]
	if len(want) != len(has) {
		return fitted{}, false
	}
	shift, ok := locate.ShiftOf(want, has, find+"\n"+replace, around)
	if !ok {
		return fitted{}, false
	}
	kept := keptLines(want, lines)
	alike := shift.KeepsDepth() || shiftedAlike(want, has, lines, kept)
	if !shift.IsZero() && (standsForItself(want, lines, kept) || hasLooseString(lines)) {
		alike = false
	}
	for i, line := range lines {
		if k, ok := kept[i]; ok {
			lines[i] = has[k]
		} else if lines[i], ok = shift.Line(line); !ok {
			return fitted{}, false
		}
	}
	out := r
	out.find, out.replace = there, strings.Join(lines, "\n")
	out.keepsFind = strings.Contains(out.replace, out.find)
	return fitted{out, shift, alike}, true
}

// standsForItself reports whether a new line may well be where it is for a
// reason, and not because the lines of the find are.
func standsForItself(want, lines []string, kept map[int]int) bool {
	least := leastIndentation(want)
	for i, line := range lines {
		if _, ok := kept[i]; ok || locate.IsBlank(line) {
			continue
		}
		if len(locate.Indentation(line)) < least || isDirective(line) {
			return true
		}
	}
	return false
}

// window is how much of a file tells how it is indented, in bytes to both sides.
const window = 8 << 10

// keptLines pairs the lines of a replacement with those of its find that they
// repeat, white space at their ends aside.
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
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(line, " \t")
	}
	return out
}

// shiftedAlike reports whether a replacement was written at the indentation of
// its find, and not at that of the file: it begins there, and goes no further to
// the left, or it keeps more lines of the find than of the file. What begins
// elsewhere may as well be the file's lines with a block put around them,
// or taken off.
func shiftedAlike(want, has, lines []string, kept map[int]int) bool {
	if firstIndentation(want) != firstIndentation(lines) {
		return false
	}
	return leastIndentation(want) <= leastIndentation(lines) || countSaying(lines, kept) > countSaying(lines, keptLines(has, lines))
}

// countSaying counts the kept lines that are not blank.
func countSaying(lines []string, kept map[int]int) int {
	n := 0
	for i := range kept {
		if !locate.IsBlank(lines[i]) {
			n++
		}
	}
	return n
}

func firstIndentation(lines []string) string {
	if i := firstSaying(lines); i < len(lines) {
		return locate.Indentation(lines[i])
	}
	return ""
}

// leastIndentation is the length of the shortest indentation.
func leastIndentation(lines []string) int {
	least := -1
	for _, line := range lines {
		if n := len(locate.Indentation(line)); !locate.IsBlank(line) && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}

// isDirective reports whether line is one of those that are often in the first
// column, wherever the lines around it are.
func isDirective(line string) bool {
	body := strings.TrimSpace(line)
	for _, word := range []string{"#if", "#el", "#end", "#def", "#undef", "#inc", "#pragma", "#region", "<<<<<<<", ">>>>>>>", "=======", "//go:"} {
		if strings.HasPrefix(body, word) {
			return true
		}
	}
	return false
}

// hasLooseString reports whether lines have a string of several lines, some of
// which are indented less than the one that opens it: there white space counts, and
// how much of it is meant is not known.
func hasLooseString(lines []string) bool {
	opened := -1 // the indentation of the line that opened a string
	for _, line := range lines {
		indentation := len(locate.Indentation(line))
		if opened >= 0 && !locate.IsBlank(line) && indentation < opened {
			return true
		}
		if strings.Contains(line, "<<") && strings.ContainsAny(line[strings.Index(line, "<<"):], `-~'"ABCDEFGHIJKLMNOPQRSTUVWXYZ`) && !strings.Contains(line, "<< ") {
			return true // a here-document
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
