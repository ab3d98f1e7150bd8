package doubt

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// otherNumber returns a doubt if a line changes only in a number, and the new number seems wrong:
//   - The prose names the old number together with another number, but not the new number. For example, it says
//     "reduced to 30 (from 45)", but the new line has 300.
//   - The new number is the old number with as many digits appended: a program may have kept the deleted text before
//     the inserted one.
//   - The line is a comment, and the line of code below it keeps the old number.
func (c *Change) otherNumber() *Doubt {
	for run, r := range c.Runs {
		if len(r.Old) != len(r.New) {
			continue
		}
		if d := c.onlySaid(run); d != nil {
			return d
		}
		for i, line := range r.New {
			was, now := differentNumber(r.Old[i], line)
			if _, named := c.Numbers[now]; named {
				continue
			}
			if rest := strings.TrimPrefix(now, was); rest != now && len(rest) == len(was) && len(was) > 2 && rest[0] != '0' {
				return warn(c.at(r), diag.Alternative, "line %d of %s would get %s in place of %s: the old number with %s appended; check the number", r.Line+i, c.Path, now, was, rest)
			}
			if c.Numbers[was] == "" {
				continue
			}
			return warn(c.at(r), diag.Alternative, "the reply mentions %s and %s, but line %d of %s would get %s in place of %s; check the number", was, c.Numbers[was], r.Line+i, c.Path, now, was)
		}
	}
	return nil
}

// onlySaid returns a doubt if a comment changes only in a number, but the code that it describes keeps the old number,
// perhaps in a smaller unit: 30 s and 30000 ms. The code is before the comment, or on the line below.
func (c *Change) onlySaid(run int) *Doubt {
	r, last := c.Runs[run], len(c.Runs[run].New)-1
	if c.isDocument() || c.OnlyComments {
		return nil
	}
	for i, line := range r.New {
		was, now := differentNumber(r.Old[i], line)
		if was == "" {
			continue
		}
		code, said := noteAt(line)
		switch {
		case isRemark(line) && i == last:
			code = strings.Join(c.below(run, 1), "")
		case isRemark(line) || said == "" || !strings.HasPrefix(r.Old[i], code):
			continue
		}
		if kept := keptNumber(bare(code), was, now); kept != "" {
			return warn(c.at(r), diag.Alternative, "only the comment on line %d of %s would get %s in place of %s, but the code that it describes keeps %s: %q; check whether the code should change, too", r.Line+i, c.Path, now, was, kept, text.Cut(strings.TrimSpace(code), 60))
		}
	}
	return nil
}

// keptNumber returns the number in a line of code that is the number `was` in a smaller unit. It returns "" if there is
// none, or if the line has the number `now`.
func keptNumber(code, was, now string) (kept string) {
	for _, at := range numbers.FindAllStringIndex(code, 20) {
		found := code[at[0]:at[1]]
		if isSame(now, found) {
			return ""
		} else if isSame(was, found) {
			kept = found
		}
	}
	return kept
}

// units has the factors between units in comments and smaller units in code, such as seconds and milliseconds.
var units = []int{60, 100, 1000, 1024, 3600, 60_000, 1_000_000, 1024 * 1024}

// isSame reports whether a number in code is the number of a comment, perhaps in a smaller unit. It returns false for
// equal numbers of one digit, because these are often equal by chance.
func isSame(said, code string) bool {
	if said == code {
		return len(said) > 1
	}
	a, err := strconv.Atoi(said)
	b, err2 := strconv.Atoi(code)
	return err == nil && err2 == nil && a > 0 && a <= mostSaid && slices.ContainsFunc(units, func(unit int) bool { return a*unit == b })
}

// mostSaid is the largest number in a comment that is also converted to a smaller unit, to find it in the code.
const mostSaid = 1_000_000

// differentNumber returns the old and the new form of the only number in which the lines differ. It returns "" if
// they differ in anything else.
func differentNumber(old, new string) (was, now string) {
	if !text.EqualButNumbers(old, new) {
		return "", ""
	}
	a, b := numbers.FindAllStringIndex(old, 20), numbers.FindAllStringIndex(new, 20)
	for i := range a {
		x, y := old[a[i][0]:a[i][1]], new[b[i][0]:b[i][1]]
		if x != y && was != "" {
			return "", ""
		} else if x != y {
			was, now = x, y
		}
	}
	return was, now
}

var numbers = lazyregexp.New(`\d+(?:\.\d+)*`)

// renumbered returns a doubt if lines are in another order and have each other's numbers, although the reply mentions
// nothing that distinguishes them. A model that sorts the names of an enumeration gives them other values.
func (c *Change) renumbered() *Doubt {
	if len(c.Words) == 0 || c.isDocument() {
		return nil
	}
	for _, r := range c.Runs {
		type place struct {
			at     int
			number string
		}
		was, taken := map[string]place{}, map[string]bool{}
		for i, line := range r.Old[:min(len(r.Old), mostLaid)] {
			if form, number := lastNumber(line); number != "" {
				was[form], taken[number] = place{i, number}, true
			}
		}
		var moved []string
		last, reorders := -1, false
		for _, line := range r.New[:min(len(r.New), mostLaid)] {
			form, number := lastNumber(line)
			if old, ok := was[form]; ok && old.number != number && taken[number] {
				moved, reorders, last = append(moved, line), reorders || old.at < last, old.at
			}
		}
		if reorders && !distinctParts(moved).hasOneOf(c.Words) {
			form, number := lastNumber(moved[0])
			return warn(c.at(r), diag.Alternative, "%d lines of %s would be in a different order and exchange their numbers, such as %q with %s in place of %s, but the reply does not mention it; check the numbers", len(moved), c.Path, text.Cut(strings.TrimSpace(moved[0]), 60), number, was[form].number)
		}
	}
	return nil
}

// lastNumber returns the last number in a line, and the line without it. It returns no number if the line is a comment,
// or has no word.
func lastNumber(line string) (form, number string) {
	all := numbers.FindAllStringIndex(line, -1)
	if len(all) == 0 || isRemark(line) {
		return line, ""
	}
	at := all[len(all)-1]
	if form = line[:at[0]] + line[at[1]:]; !text.HasWord(form) {
		return line, ""
	}
	return form, line[at[0]:at[1]]
}

// distinctParts returns the words that not all of the lines have.
func distinctParts(lines []string) vocabulary {
	words, lacking := partsOf(lines), vocabulary{}
	for _, line := range lines {
		maps.Copy(lacking, words.without(partsOf([]string{line})))
	}
	return lacking
}
