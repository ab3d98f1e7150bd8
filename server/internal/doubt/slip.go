package doubt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// slip returns a run that the prose does not explain and that is a typical mistake of models or programs, with a
// description. Lines in another order are a mistake in any notation. Other mistakes count only in a whole text,
// because any other notation shows the line that changes.
func (c *Change) slip() (r *Run, what string) {
	if len(c.Words) == 0 || c.isDocument() {
		return nil, ""
	}
	left, known := c.unexplained(c.withoutUsed(c.Words))
	if !known || len(left) == 0 || importing.MatchString(firstText(left[0].Old)) {
		return nil, ""
	}
	r = &left[0]
	switch {
	case len(left) == 1 && c.reorders(*r):
		return r, "lines in a different order"
	case !c.Whole || c.Marked:
		return nil, ""
	}
	for i, r := range left {
		if was, is := lowered(r); was != "" {
			return &left[i], fmt.Sprintf("the version %s in place of %s", is, was)
		}
	}
	switch {
	case len(left) > 1:
		if what = turnedAlike(left); what == "" {
			return nil, ""
		}
		return r, what
	}
	old, new := text.Only(r.Old, text.HasWord), text.Only(r.New, text.HasWord)
	switch {
	case len(old) != 1 || len(new) > 1:
		return nil, ""
	case len(new) == 0 && decorator.MatchString(old[0]):
		return r, fmt.Sprintf("the loss of `%s`", strings.TrimSpace(old[0]))
	case len(new) == 0:
		return nil, ""
	}
	if was, is := differentNumber(old[0], new[0]); was != "" && sorted(was) == sorted(is) {
		return r, fmt.Sprintf("%s in place of %s", is, was)
	}
	was, is := keyed.FindStringSubmatch(old[0]), keyed.FindStringSubmatch(new[0])
	if was != nil && is != nil && was[1] == is[1] && was[3] == is[3] && was[2] != is[2] && !c.mentions(is[2], new[0]) {
		return r, fmt.Sprintf("the name `%s` in place of `%s`", is[2], was[2])
	}
	if what = c.slippedOn(old[0], new[0]); what == "" {
		return nil, ""
	}
	return r, what
}

// lowered returns the old and the new version in the first line of a run whose version goes down. A model may know only
// an earlier version than the file has.
func lowered(r Run) (was, is string) {
	if len(r.Old) != len(r.New) {
		return "", ""
	}
	for i, old := range r.Old {
		was, is = differentNumber(old, r.New[i])
		if release.MatchString(was) && release.MatchString(is) && compareReleases(was, is) > 0 {
			return was, is
		}
	}
	return "", ""
}

// release matches a version of three numbers. A version of two could be any number.
var release = lazyregexp.New(`^\d+\.\d+\.\d+$`)

func compareReleases(a, b string) int {
	numbers := func(version string) []int {
		return text.Each(strings.Split(version, "."), func(s string) int { n, _ := strconv.Atoi(s); return n })
	}
	return slices.Compare(numbers(a), numbers(b))
}

// withoutUsed returns the words of the prose without the words of the file's path, and without the parts of names
// that are also in the changed lines: if both have `MAX_LINES`, the word `lines` explains no other line.
func (c *Change) withoutUsed(words vocabulary) vocabulary {
	used := text.WordsOfNames(c.Path)
	for _, r := range c.Runs {
		for _, line := range slices.Concat(r.Old, r.New) {
			for _, name := range text.Names(line) {
				if whole := strings.ToLower(name); words[whole] {
					used = append(used, text.Only(text.WordsOfNames(name), func(part string) bool { return part != whole })...)
				}
			}
		}
	}
	return words.without(text.Set(used))
}

// slippedOn describes the change of a line if it is a typical mistake, or returns "". If the reply says that the rest
// stays, the change of any single word or operator is a mistake.
func (c *Change) slippedOn(old, new string) string {
	if strings.TrimSpace(old) == strings.TrimSpace(new) {
		if text.Indentation(old) != text.Indentation(new) && slices.Contains(indented, c.ext()) {
			return "a different indentation"
		}
		return ""
	}
	if what := turned(old, new); what != "" || isRemark(old) {
		return what
	}
	before, was, is := difference(old, new)
	switch {
	case len(was) == 1 && len(is) == 1 && isNamed.MatchString(before), c.RestStays && len(was) == 1 && len(is) == 1:
		return fmt.Sprintf("`%s` in place of `%s`", is[0], was[0])
	case c.RestStays && max(len(was), len(is)) == 1 && !strings.ContainsAny(firstToken(was)+firstToken(is), ",;"):
		return fmt.Sprintf("the change from %q to %q", firstToken(was), firstToken(is))
	}
	return ""
}

// turned describes the change of a line of code to the opposite, or the loss of special characters. It returns "" for
// any other change.
func turned(old, new string) string {
	_, was, is := difference(old, new)
	switch lost := lostCharacters(old, new); {
	case isRemark(old):
		return ""
	case max(len(was), len(is)) == 1 && areOpposite(firstToken(was), firstToken(is)):
		return fmt.Sprintf("the change from %q to %q", firstToken(was), firstToken(is))
	case len(is) == 0 && isBracketed(was):
		return fmt.Sprintf("the loss of `%s`", strings.Join(was, ""))
	case lost != "":
		return fmt.Sprintf("the loss of `%s`", lost)
	}
	return ""
}

// turnedAlike returns the description of [turned] if it is the same for all runs, and each run is one line. Otherwise, it
// returns "".
func turnedAlike(runs []Run) (what string) {
	for i, r := range runs {
		if len(r.Old) != 1 || len(r.New) != 1 {
			return ""
		}
		one := turned(r.Old[0], r.New[0])
		if one == "" || i > 0 && one != what {
			return ""
		}
		what = one
	}
	return what
}

func firstToken(tokens []string) string { return strings.Join(tokens[:min(len(tokens), 1)], "") }

// decorator matches a line that only adds a property to the definition below.
var decorator = lazyregexp.New(`^\s*(?:@[\w.]+(?:\(.*\))?|#?\[\w+(?:\(.*\))?\])$`)

// isNamed matches the beginning of a line up to the name that it defines.
var isNamed = lazyregexp.New(`^\s*(?:[\w.]+ )*(?:def|fn|func|fun|function|sub|class|struct|interface|enum|trait|record|type|module|const|let|var|val)$`)

// indented lists the extensions of languages in which indentation has a meaning.
var indented = append([]string{".py"}, outlines...)

// opposites has pairs of tokens. If one token replaces the other, the condition becomes its opposite, or its limit or
// strictness changes.
var opposites = [][2]string{
	{"not", ""}, {"!", ""}, {"==", "!="}, {"===", "!=="}, {"!==", "=="}, {"!=", "="}, {"<", ">"}, {"<=", ">="}, {"<", ">="}, {">", "<="}, {"<=", "<"}, {">=", ">"},
	{"==", "==="}, {"!=", "!=="}, {"&&", "||"}, {"and", "or"}, {"true", "false"}, {"True", "False"},
}

func areOpposite(was, is string) bool {
	return slices.Contains(opposites, [2]string{was, is}) || slices.Contains(opposites, [2]string{is, was})
}

// difference returns the tokens between the common beginning and the common end of two lines. `before` is the common
// beginning in the old line.
func difference(old, new string) (before string, was, is []string) {
	a, b := tokensOf(old), tokensOf(new)
	head, tail := text.CommonEnds(a, b)
	if head > 0 {
		before = old[:tokens.FindAllStringIndex(old, head)[head-1][1]]
	}
	return before, a[head : len(a)-tail], b[head : len(b)-tail]
}

func tokensOf(s string) []string {
	return text.Each(tokens.FindAllStringIndex(s, -1), func(at []int) string { return s[at[0]:at[1]] })
}

// tokens matches a word, an operator or any other character.
var tokens = lazyregexp.New(`[\pL\d_]+|[!=<>]=+|&&|\|\||[^\s]`)

// isBracketed reports whether tokens are a text between brackets, including the brackets.
func isBracketed(tokens []string) bool {
	const brackets = "<>[]{}"
	if len(tokens) < 3 {
		return false
	}
	first, last := strings.Index(brackets, tokens[0]), strings.Index(brackets, tokens[len(tokens)-1])
	return first >= 0 && last >= 0 && first%2 == 0 && last == first+1
}

// lostCharacters returns the special characters that only the old line has, if the lines are equal otherwise. A full
// stop counts only at the beginning of a line, because a mail loses it there. It returns "" if the lines differ in anything
// else.
func lostCharacters(old, new string) string {
	var lost strings.Builder
	next := []rune(strings.TrimRight(new, " \t"))
	for i, r := range strings.TrimRight(old, " \t") {
		switch {
		case unicode.IsSpace(r) && (len(next) == 0 || next[0] != r):
		case len(next) > 0 && next[0] == r:
			next = next[1:]
		case strings.ContainsRune(`{}[]<>\$*~^`, r), r == '.' && i == 0:
			lost.WriteRune(r)
		default:
			return ""
		}
	}
	if len(next) > 0 {
		return ""
	}
	return lost.String()
}

// The expression `keyed` matches a line with a key and its value.
var keyed = lazyregexp.New(`^(\s*(?:- )?["']?)([A-Za-z_][\w.-]*)(["']?\s*[:=]\s*[^\s=>].*)$`)

func sorted(s string) string {
	digits := []byte(s)
	slices.Sort(digits)
	return string(digits)
}

// reorders reports whether the runs around the place only put lines in another order. In a whole text, the order of
// words in lines may change, too.
func (c *Change) reorders(place Run) bool {
	near := func(i int) bool { return c.Runs[i].Line <= c.Runs[i-1].Line+len(c.Runs[i-1].Old)+oneTogether }
	first := slices.IndexFunc(c.Runs, func(r Run) bool { return r.Line >= place.Line })
	if first < 0 {
		return false
	}
	end := first + 1
	for first > 0 && near(first) {
		first--
	}
	for end < len(c.Runs) && near(end) {
		end++
	}
	was, is := c.window(first, end)
	return len(was) <= mostLaid && (text.Reorders(was, is) || c.Whole && !c.Marked && len(was) == len(is) && sameTokens(was, is))
}

// sameTokens reports whether two texts have the same tokens in another order, and the same number of tokens on each
// line.
func sameTokens(old, new []string) bool {
	var a, b []string
	for i, line := range new {
		was, is := tokensOf(old[i]), tokensOf(line)
		if len(was) != len(is) {
			return false
		}
		a, b = append(a, was...), append(b, is...)
	}
	if slices.Equal(a, b) {
		return false
	}
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

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
					found, what = r, fmt.Sprintf("`%s` in place of `%s`", text.Cut(is, 60), text.Cut(was, 60))
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
