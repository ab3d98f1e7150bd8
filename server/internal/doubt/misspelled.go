package doubt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// misspelled finds a new line that differs from an old line only in a misspelled word, or in a word that it has twice
// in a row. It returns the run and a description. There must be another change, because otherwise the person asked
// for this one.
func (c *Change) misspelled() (found *Run, what string) {
	changes := 0
	for i := range c.Runs {
		r := &c.Runs[i]
		changes += max(len(r.Old), len(r.New))
		if len(r.Old) == 0 || len(r.New) > mostLaid || !c.Meter.Pay(meter.Line*len(r.New)) {
			continue
		}
		for k, line := range r.New {
			for _, at := range slices.Compact([]int{k, k + len(r.Old) - len(r.New)}) {
				if what != "" || at < 0 || at >= len(r.Old) {
					continue
				}
				if was, is := otherWord(r.Old[at], line); was != "" && c.misspells(was, is, r.Old[at], line) {
					found, what = r, fmt.Sprintf("`%s` for `%s`", text.Cut(is, 60), text.Cut(was, 60))
				} else if word := doubled(r.Old[at], line); word != "" {
					found, what = r, fmt.Sprintf("`%s` twice", text.Cut(word, 60))
				}
			}
		}
	}
	if changes < 2 {
		return nil, ""
	}
	return found, what
}

// misspells reports whether the new word `is` seems to be a misspelling of the old word `was`. Without clear
// evidence, the prose must have neither word, the old word must stay elsewhere in the file, and the new word must be
// nowhere else.
func (c *Change) misspells(was, is, old, line string) bool {
	quoted := func(line, word string) bool {
		return strings.Contains(line, "'"+word+"'") || strings.Contains(line, `"`+word+`"`)
	}
	slipped, named := slipOf(was, is), slices.Contains(outlines, c.ext()) && bareKey.MatchString(old) && bareKey.MatchString(line)
	switch {
	case slipped == inCode, areForeign(was, is) && !isRemark(line) && !c.isDocument():
		return true
	case (isRemark(line) || c.isDocument()) && slipped != inLetters:
		return false
	case slipped == noSlip && !named, c.Words[strings.ToLower(was)], c.Words[strings.ToLower(is)]:
		return false
	case slipped == inLetters:
		return true
	case slipped == otherCase && !quoted(line, is) && (is[1:] == was[1:] || c.ext() == ".sql" || isInString(line, is)):
		return false // No slip: a word in a message can have any case, SQL keywords are often capitals, and in some languages a capital first letter makes a name public.
	}
	names := c.nameCounts()
	stays, comes := names.of(was), names.of(is)
	// Normally, the old word must also stay elsewhere. A word in a string of a whole text need not, because it may be
	// the only one: most lines of such a text only repeat the file.
	alone := c.Whole && !c.Marked && slipped == inside && quoted(old, was) && quoted(line, is)
	return comes == 1 && (stays > 0 || alone) && !names.had(is)
}

// isInString reports whether the first occurrence of the word in the line is between quotes.
func isInString(line, word string) bool {
	before, _, _ := strings.Cut(line, word)
	return slices.ContainsFunc([]string{"'", `"`, "`"}, func(quote string) bool { return strings.Count(before, quote)%2 == 1 })
}

// doubled returns a word that the line has twice in a row, if nothing else differs from the old line. It ignores
// `long long`, a type of C. It returns "" if there is no such word.
func doubled(old, line string) string {
	if words := strings.Fields(line); len(line) <= len(old) || len(slices.Compact(slices.Clone(words))) == len(words) {
		return ""
	}
	before, was, is := difference(old, line)
	if len(was) == 0 && len(is) == 1 && isWordStart(is[0]) && len(is[0]) > 1 && is[0] != "long" && strings.HasSuffix(before, is[0]) {
		return is[0]
	}
	return ""
}

// otherWord returns the old and new form of the only word in which the lines differ. It returns "" if the lines do
// not differ in exactly one word.
func otherWord(old, new string) (was, is string) {
	// Compare bytes, because cutting every changed line into tokens would take a seventh of a check.
	inWord := func(b byte) bool { return b >= utf8.RuneSelf || text.InName(rune(b)) }
	isWord := func(s string) bool {
		return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !text.InName(r) })
	}
	head, tail := text.CommonEnds([]byte(old), []byte(new))
	for head > 0 && inWord(old[head-1]) {
		head--
	}
	for tail > 0 && inWord(old[len(old)-tail]) {
		tail--
	}
	if was, is = old[head:len(old)-tail], new[head:len(new)-tail]; !isWord(was) || !isWord(is) {
		return "", ""
	}
	return was, is
}

// bareKey matches a line with only a key, whose value is on the lines below.
var bareKey = lazyregexp.New(`^\s*(?:- )?[\w.-]+:\s*$`)

type slip int

const (
	noSlip    slip = iota
	similar        // one or two letters differ
	otherCase      // only the case of letters differs
	inside         // one letter inside the word differs
	inLetters      // ASCII letters replace a letter that is not ASCII, as `ue` for `ü`
	inCode         // a few characters of a long random code, such as a hash, differ; or a letter and a digit that look alike
)

// slipOf returns how the new word `is` differs from the old word `was`.
func slipOf(was, is string) slip {
	a, b := []rune(was), []rune(is)
	head, tail := text.CommonEnds(a, b)
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	lost, come := string(a), string(b)
	switch {
	case isCode(was) && isCode(is) && len(was) == len(is) && 4*len(lost) <= len(was):
		return inCode
	case asciiLetters.Replace(was) == is && was != is, len(a) == 1 && !text.IsASCII(lost) && unicode.Is(unicode.Latin, a[0]) && come != "" && len(come) < 3 && text.IsASCII(come) && isWordStart(come):
		return inLetters
	case looksLike(lost, come) && len(was) > 3, looksLike(come, lost) && len(was) > 1 && strings.Trim(was, "0123456789") == "":
		return inCode
	case (lost+come == "Il" || lost+come == "lI" || lost+come == "rnm" || lost+come == "mrn") && len(was) > 3:
		return inside
	case !isWordStart(was) || !isWordStart(is) || strings.ContainsAny(lost+come, "0123456789"):
		return noSlip
	case min(len(was), len(is)) < 3:
		return noSlip
	case strings.EqualFold(was, is):
		return otherCase
	case head == 0 || tail == 0 && (len(a) == 0 || len(b) == 0):
		return noSlip // The new word may be another form of the old one, such as a plural.
	case len(a) < 2 && len(b) < 2 && tail > 0 && len(was) > 3 && !strings.Contains(lost+come, "_"):
		return inside
	case len(a) < 2 && len(b) < 2, len(a) < 3 && len(b) < 3 && min(len(was), len(is)) > 4:
		return similar
	}
	return noSlip
}

// looksLike reports whether text recognition may confuse the two characters.
func looksLike(letter, digit string) bool {
	return slices.Contains([]string{"l1", "I1", "O0", "o0", "S5", "B8"}, letter+digit)
}

// areForeign reports whether the words are the same value in different programming languages.
func areForeign(was, is string) bool {
	same := func(a, b string) bool {
		return slices.Contains([]string{"nil null", "nil None", "null None", "true True", "false False"}, a+" "+b)
	}
	return same(was, is) || same(is, was)
}

// asciiLetters replaces letters as a person does whose keyboard lacks them.
var asciiLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "æ", "ae", "ø", "oe", "å", "aa")

// isCode reports whether a word is a long random code, such as a hash.
func isCode(word string) bool {
	return len(word) >= shortestCode && strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter) && !strings.Contains(word, "_")
}

const shortestCode = 16
