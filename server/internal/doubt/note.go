package doubt

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// note finds notes with which models point out changed lines: an arrow or a word such as `NEW` in a comment, or the
// same comment at the end of every edited line. It ignores a note that the file already has.
var note = Rule{
	ID: "note", program: true,
	doubts: func(c *Change) *Doubt {
		common, lines := "", 0 // the comment at the end of all edited lines
		var first *Doubt
		for _, r := range c.Runs {
			had := sync.OnceValue(func() bool { return slices.ContainsFunc(r.Old, hasNote) })
			for i, line := range r.New {
				if !saysCode(line) {
					if (isNote(line) || c.tells(line)) && !c.has(line) {
						return c.noted(r, i, strings.TrimSpace(line), nil)
					}
					continue
				}
				code, said := noteAt(line)
				if at := pointing.FindStringIndex(line); at != nil && said == "" && !c.had(line[at[0]:]) {
					return c.noted(r, i, strings.TrimSpace(line[at[0]:]), []string{strings.TrimRight(line[:at[0]], " \t")})
				}
				switch {
				case said != "" && (isNote(said) || r.quotesOld(i, said, code)) && !c.had(said):
					return c.noted(r, i, said, []string{code})
				case lines == 0:
					common, first = said, c.noted(r, i, said, []string{code})
				case said != common:
					common = ""
				}
				if lines++; common != "" && (c.has(code) || had()) {
					// The comment proves nothing: either the file has the code, so the person probably asked for the
					// comment, or old lines have comments, too.
					common = ""
				}
			}
		}
		if lines > 1 && len(common) > 2 && !c.had(common) {
			return first
		}
		return nil
	},
}

func (c *Change) noted(r Run, i int, said string, instead []string) *Doubt {
	return warn(c.at(r), diag.ForeignMarks, "%q only tells a reader about the change, and %s has no such note; leave the note out", text.Cut(said, 60), c.Path).
		with(c.writing(fmt.Sprintf("Leave out %q", text.Cut(said, 60)), r, i, 1, instead))
}

// noteAt splits a line of code from the comment at its end. Without a comment, `said` is "".
func noteAt(line string) (code, said string) {
	at := -1
	for _, sign := range []string{" # ", " // ", " -- ", " /* ", " <!-- ", " ; ", " % "} {
		if i := strings.LastIndex(line, sign); i > at && (sign != " % " || opened([]string{line[i:]}) == paired) {
			at = i // a `%` with unpaired brackets after it is an operator, not the sign of a comment
		}
	}
	if at < 0 {
		return line, ""
	}
	return strings.TrimRight(line[:at], " \t"), strings.TrimSpace(line[at:])
}

// quotesOld reports whether `said`, the comment of new line i, quotes the old version of that line.
func (r Run) quotesOld(i int, said, code string) bool {
	return slices.ContainsFunc(r.opposite(i), func(was string) bool {
		return text.Passage.Says(was) && strings.Contains(said, strings.TrimSpace(was)) && place.Alike(was, code) >= changed
	})
}

func hasNote(line string) bool { _, said := noteAt(line); return said != "" }

var (
	// pointing matches an arrow at the end of a line of code, with or without words: `x = 1  <-- changed`.
	pointing = lazyregexp.New(`\s<[-=]{2,}(?:\s+[\pL ]+)?$`)
	// arrow matches a comment that points at the code before it.
	arrow = lazyregexp.New(`^(?:<(?:[-~][-=~]{0,3}|={2,4})(?:\s|$)|[←⬅⟵☜👈◀])`)
	// marking matches a comment that consists of a word for a change.
	marking = lazyregexp.New(`^[-=*<>\[(\s]*(?i:(?:begin|start|end)(?: of)?\s+)?(?:(?i:added|changed|modified|updated|edited|new (?:line|code|lines)|(?:my |the )?changes?|(?:changed|added|modified|updated) (?:line|here))|NEW|FIX(?:ED)?)[-=*<>\])\s:!]*$|^(?:ADDED|CHANGED|MODIFIED|UPDATED|EDITED|NEW):\s`)
	// talk matches the beginning of a comment in which a model speaks to a reader of the reply, or to itself.
	talk = lazyregexp.New(`(?i)^(?:wait|hmm+)\b[,.!]|^let me\b|^as (?:you |per your )?(?:requested|asked|instructed|request)\b|^per your (?:request|instructions?)\b|^(?:your|the) (?:existing|original|other) code (?:here|goes here)\b|^I(?:'ve| have|'ll| will) (?:added|changed|updated|removed|replaced|kept|add|change|update|remove|replace|keep)\b`)
)

var telling = lazyregexp.New(`^(?i:updated|modified|changed|edited|revised|fixed|rewritten|refactored)\s`)

// tells reports whether a comment describes a change and names the changed file:
// `# Updated src/app.py with a new port`.
func (c *Change) tells(line string) bool {
	said, ok := elision.CommentText(strings.TrimSpace(line))
	return ok && telling.MatchString(said) && strings.Contains(said, c.Path)
}

// isNote reports whether a comment says only that a line was changed, or speaks to a reader of the reply.
func isNote(comment string) bool {
	said, ok := elision.CommentText(strings.TrimSpace(comment))
	return ok && (arrow.MatchString(said) || marking.MatchString(said) || talk.MatchString(said))
}
