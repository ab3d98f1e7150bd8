package doubt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
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
		return r, "lines in another order"
	case !c.Whole || c.Marked:
		return nil, ""
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
		return r, fmt.Sprintf("%s for %s", is, was)
	}
	was, is := keyed.FindStringSubmatch(old[0]), keyed.FindStringSubmatch(new[0])
	if was != nil && is != nil && was[1] == is[1] && was[3] == is[3] && was[2] != is[2] && !c.mentions(is[2], new[0]) {
		return r, fmt.Sprintf("the name `%s` for `%s`", is[2], was[2])
	}
	if what = c.slippedOn(old[0], new[0]); what == "" {
		return nil, ""
	}
	return r, what
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
			return "another indentation"
		}
		return ""
	}
	if what := turned(old, new); what != "" || isRemark(old) {
		return what
	}
	before, was, is := difference(old, new)
	switch {
	case len(was) == 1 && len(is) == 1 && isNamed.MatchString(before), c.RestStays && len(was) == 1 && len(is) == 1:
		return fmt.Sprintf("`%s` for `%s`", is[0], was[0])
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
