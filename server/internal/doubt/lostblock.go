package doubt

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// lostBlock finds a whole text that makes a small edit but lacks a block or the end of the file, although the missing
// lines share no name with the edit. It also finds a forgotten name: see [Change.forgets].
var lostBlock = Rule{
	ID: "lost-block", existing: true,
	doubts: func(c *Change) *Doubt {
		if name := c.forgets(); name != "" {
			return warn(c.textAt(), diag.LinesLost, "`%s` would disappear from several places in %s, and the reply does not mention it; the text may come from an older version of the file", name, c.Path)
		}
		if !c.Whole || c.Marked {
			return nil
		}
		gone := slices.DeleteFunc(c.gone(), func(i int) bool { return !text.HasWord(c.old[i]) })
		if len(gone) == 0 {
			return nil
		}
		from, to := gone[0], gone[len(gone)-1]+1
		lost := c.old[from:to]
		var was, is []string // the old and new lines of the small edit
		for _, r := range c.Runs {
			kept := slices.Concat(r.Old[:min(len(r.Old), max(0, from-r.Line+1))], r.Old[min(len(r.Old), max(0, to-r.Line+1)):])
			if n := countWithWords(r.New) - countWithWords(kept); n < 0 || n > 0 && len(kept) < len(r.Old) {
				return nil // The change rewrites lines.
			}
			was, is = append(was, kept...), append(is, r.New...)
		}
		n := countWithWords(is)
		if n == 0 || n > mostInPlace || countWithWords(lost) > len(gone) || !hasBlock(lost) && to <= lastWithWords(c.old) || c.moved(gone) {
			return nil
		}
		names := wordsIn(lost).without(beginsCode)
		if names.hasOneOf(wordsIn(was).without(wordsIn(is))) || names.hasOneOf(wordsIn(is).without(wordsIn(was))) {
			return nil
		}
		return warn(c.textAt(), diag.LinesLost, "%s of %s would be lost, beginning with %q, and the other changes have nothing to do with these lines; write the lines that should stay", lineRanges(gone), c.Path, text.Cut(strings.TrimSpace(lost[0]), 60))
	},
}

const mostInPlace = 3

// forgets returns a name that disappears from the file although the prose does not mention it. All of this is true:
//   - An unindented removed line defines the name or begins with it.
//   - Another run, which adds no words, removes a mention of the name.
//   - The prose mentions other changes.
//
// It returns "" if there is no such name.
func (c *Change) forgets() string {
	lost, said := map[string][]int{}, false // for each name, the indexes of the runs that remove it and add no words
	for i, r := range c.Runs {
		if len(c.Words) == 0 || c.isDocument() || !c.Meter.Pay(meter.Line*(len(r.Old)+len(r.New))) {
			return ""
		}
		said = said || countWithWords(r.New) > 0 && partsOf(slices.Concat(c.above(i, far), r.New)).hasOneOf(c.Words)
		if old := wordsIn(r.Old); len(wordsIn(r.New).without(old)) == 0 && !partsOf(r.Old).hasOneOf(c.Words) {
			for name := range old {
				lost[name] = append(lost[name], i)
			}
		}
	}
	for i, r := range c.Runs {
		for _, line := range r.Old {
			if !said || text.Indentation(line) != "" {
				continue
			}
			name := cmp.Or(Defines(line), firstWord(line))
			elsewhere := slices.ContainsFunc(lost[name], func(other int) bool { return other != i })
			if elsewhere && len(name) >= shortestName && !beginsCode[name] && !wordsIn(c.after())[name] && !partsOf([]string{name}).hasOneOf(c.Words) {
				return name
			}
		}
	}
	return ""
}

// hasBlock reports whether any of the lines opens a block: the next line is indented more, or the line is the title of
// a section.
func hasBlock(lines []string) bool {
	// Skip lines with only `{`, because the bracket of a block may have a line of its own.
	lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return text.IsBlank(line) || strings.TrimSpace(line) == "{" })
	for i, line := range lines[:max(0, len(lines)-1)] {
		if text.HasWord(line) && !isRemark(line) && len(text.Indentation(lines[i+1])) > len(text.Indentation(line)) || section.MatchString(line) {
			return true
		}
	}
	return false
}

var section = lazyregexp.New(`^\[.*\]$`)

type vocabulary map[string]bool

func wordsIn(lines []string) vocabulary {
	words := vocabulary{}
	for _, line := range lines {
		for _, word := range text.Names(line) {
			if word[0] < '0' || word[0] > '9' {
				words[word] = true
			}
		}
	}
	return words
}

func (v vocabulary) without(others vocabulary) vocabulary {
	rest := maps.Clone(v)
	maps.DeleteFunc(rest, func(word string, _ bool) bool { return others[word] })
	return rest
}

func (v vocabulary) hasOneOf(others vocabulary) bool { return len(v.without(others)) < len(v) }
