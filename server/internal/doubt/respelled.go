package doubt

import (
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// respelled finds a part of a new line that the file spells in another way, which a program may have changed: see
// [respellings].
var respelled = Rule{
	ID: "respelled", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		h := c.habits()
		for _, r := range c.Runs {
			for i, line := range r.New {
				for _, of := range respellings {
					if is, was := of(h, line); is != "" {
						return warn(c.at(r), diag.TextArtifact, "%s has `%s`, where %s would have `%s`: %q; write it as the file does", c.lineOf(r, i), is, c.Path, was, text.Cut(strings.TrimSpace(line), 60))
					}
				}
			}
		}
		return nil
	},
}

// habits holds the habits of a file that a program may have broken. Each is found when it is first needed.
type habits struct {
	*Change
	mayHaveTags bool
	attributes  func() map[string]string // the attributes with capitals, such as `onClick`, by their names in small letters
	powers      func() map[string]string // the sign of a power after each name, such as `^`
	dollars     func() bool              // whether variables are only after `$$`, also in the new lines
	dotted      func() bool              // whether the file has a letter `İ` or `ı`
}

func (c *Change) habits() *habits {
	found := func(re *lazyregexp.Regexp, key func(string) string) func() map[string]string {
		return sync.OnceValue(func() map[string]string {
			all := map[string]string{}
			for _, m := range re.FindAllStringSubmatch(c.Before(), -1) {
				all[key(m[1])] = m[2]
			}
			return all
		})
	}
	return &habits{
		c, c.mayHaveTags(),
		found(withCapitals, strings.ToLower),
		found(power, strings.Clone),
		sync.OnceValue(func() bool {
			return c.isMakefile() && slices.ContainsFunc(c.oldLines(), twoDollars.MatchString) && !slices.ContainsFunc(c.oldLines(), oneDollar.MatchString) && !c.adds(twoDollars.MatchString)
		}),
		sync.OnceValue(func() bool { return strings.ContainsAny(c.Before(), "İı") }),
	}
}

// respellings holds functions that return a part of a line and the way in which the file would spell it, or "".
var respellings = []func(*habits, string) (is, was string){(*habits).smallAttribute, (*habits).halvedDollar, (*habits).otherDots, (*habits).lostPower}

// smallAttribute finds an attribute that the file has only with capitals inside, such as `onClick`: a program that writes
// HTML puts attributes in small letters.
func (h *habits) smallAttribute(line string) (is, was string) {
	if !h.mayHaveTags || !strings.Contains(line, "=") {
		return "", ""
	}
	for _, m := range withoutCapitals.FindAllStringSubmatch(line, -1) {
		if was := h.attributes()[m[1]]; was != "" && !h.nameCounts().had(m[1]) {
			return m[1], was
		}
	}
	return "", ""
}

var withCapitals, withoutCapitals = lazyregexp.New(`\s(([a-z]+[A-Z]\w*))=`), lazyregexp.New("\\s([a-z]{4,})=[{\"']")

// halvedDollar finds a variable after one `$` in a Makefile that has such names only after `$$`.
func (h *habits) halvedDollar(line string) (is, was string) {
	if !strings.Contains(line, "$") || !h.dollars() {
		return "", ""
	}
	if m := oneDollar.FindStringSubmatch(line); m != nil {
		return m[1], "$" + m[1]
	}
	return "", ""
}

var oneDollar, twoDollars = lazyregexp.New(`(?:^|[^$])(\$\w+)`), lazyregexp.New(`\$\$\w`)

// otherDots finds a name with a letter `İ` or `ı` that the file or the prose has with ASCII letters: a program has
// changed its case by the rules of Turkish. A line in Turkish has other letters of Turkish, too, or its file has some.
func (h *habits) otherDots(line string) (is, was string) {
	if !strings.ContainsAny(line, "İı") || strings.ContainsAny(line, "ğĞşŞ") || h.dotted() {
		return "", ""
	}
	for _, name := range text.Names(bare(line)) {
		if plain := undotted.Replace(name); plain != name && text.IsASCII(plain) && (h.nameCounts().had(plain) || h.Words[strings.ToLower(plain)]) {
			return name, plain
		}
	}
	return "", ""
}

var undotted = strings.NewReplacer("İ", "I", "ı", "i")

// lostPower finds a name with a digit, after an operator, if neither the file nor another line has this name and the file
// has a power of the name without the digit: a page shows a raised digit, and its text has only the digit.
func (h *habits) lostPower(line string) (is, was string) {
	if !strings.ContainsAny(line, "23456789") {
		return "", ""
	}
	m := raised.FindStringSubmatch(line)
	if m == nil || isRemark(line) {
		return "", ""
	}
	if sign := h.powers()[m[1]]; sign != "" && !h.nameCounts().had(m[1]+m[2]) && h.nameCounts().of(m[1]+m[2]) == 1 {
		return m[1] + m[2], m[1] + sign + m[2]
	}
	return "", ""
}

var raised, power = lazyregexp.New(`[-+*/]\s*\b([A-Za-z_]\w*)([2-9])\b`), lazyregexp.New(`\b([A-Za-z_]\w*)(\^|\*\*)\d`)
