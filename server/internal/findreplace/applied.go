package findreplace

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// put is where a text has replace, with LF endings, in a way that shows that it was put
// there: a whole line at least, or enough characters, and not within one of the places
// except. It is -1 where it has not.
func put(t *locate.Text, replace string, except []text.Span) int {
	n := nonBlanks(replace)
	if n == 0 {
		return -1
	}
	starts := t.All(replace, 0, fewPlaces)
	around := func(span text.Span) locate.Window { return t.Window(span, 0) }
	if len(starts) == fewPlaces { // one look at all of the text, and not one at each line around them
		whole := t.Whole()
		starts, around = t.All(replace, 0, math.MaxInt), func(text.Span) locate.Window { return whole }
	}
	for _, at := range starts {
		span := text.Span{Start: at, End: at + len(replace)}
		if slices.ContainsFunc(except, func(e text.Span) bool { return e.Contains(span) }) {
			continue
		}
		if n >= locate.Evidence {
			return at
		}
		if w := around(span); coversLine(w.Text, span.Start-w.At, span.End-w.At) {
			return at
		}
	}
	return -1
}

// fewPlaces is how many places are looked at with the lines around them only.
const fewPlaces = 32

// coversLine reports whether s[start:end] holds the whole of a line that is not
// blank.
func coversLine(s string, start, end int) bool {
	if start > 0 && s[start-1] != '\n' {
		i := strings.IndexByte(s[start:end], '\n')
		if i < 0 {
			return false
		}
		start += i + 1
	}
	for start < end {
		i := strings.IndexByte(s[start:end], '\n')
		if i < 0 {
			break
		}
		if nonBlanks(s[start:start+i]) > 0 {
			return true
		}
		start += i + 1
	}
	return (end == len(s) || s[end] == '\n') && nonBlanks(s[start:end]) > 0
}

// nonBlanks counts characters that are not white space, as far as it matters.
func nonBlanks(s string) int { return locate.NonBlanks(s, locate.Evidence) }

// proves reports whether the replacement at a place of a text shows that it was put there: it has more
// than brackets and marks, and it is in no second place unless every find was to be replaced.
func (r replacement) proves(t *locate.Text, at int) bool {
	if !strings.ContainsFunc(r.replace, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
		return false
	}
	return r.Limit == All || t.Index(r.replace, at+1) < 0
}
