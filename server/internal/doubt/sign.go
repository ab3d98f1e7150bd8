package doubt

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// foreignSign finds signs that do not belong in code, unless the file already has them:
//   - a non-ASCII character outside of strings and comments, such as `≤` for `<=`,
//   - a word with a ligature, or with letters of more than one alphabet.
//
// It also finds a line that lost brackets, backslashes, an operator, the sign of a variable or the marks of a name.
var foreignSign = Rule{
	ID: "foreign-sign", program: true,
	doubts: func(c *Change) *Doubt {
		if c.New {
			return c.foreignToNew()
		}
		marked := c.markedNames()
		for _, r := range c.Runs {
			old := r.Old[:min(len(r.Old), mostLaid)]
			escaped := text.Only(old, func(line string) bool { return strings.Count(line, `\`) > 1 })
			joins := operators(old, r.New)
			for _, line := range r.New {
				if name := c.lostParameters(line); name != "" {
					return warn(c.at(r), diag.TextArtifact, "%q has `%s>` without `<`, but %s has a type between angle brackets there, as in `%s<...>`; write the brackets and the type", text.Cut(strings.TrimSpace(line), 60), name, c.Path, name)
				}
				if lostEscapes(escaped, line) {
					return warn(c.at(r), diag.TextArtifact, "%q has the letters of the old line's escapes without their backslashes; add the backslashes", text.Cut(strings.TrimSpace(line), 60))
				}
				if name := c.lostSigil(r.Old, line); name != "" {
					return warn(c.at(r), diag.TextArtifact, "%q has the variable `%s` without the sign that is before it in the old line; add the sign", text.Cut(strings.TrimSpace(line), 60), name)
				}
				for name, written := range marked {
					if hasName(line, name) {
						return warn(c.at(r), diag.TextArtifact, "%q has `%s`, but the reply calls it `%s`; add the marks if they were lost", text.Cut(strings.TrimSpace(line), 60), name, written)
					}
				}
				if sign := lostOperator(joins, line); sign != "" {
					return warn(c.at(r), diag.TextArtifact, "%q lacks the operator `%s`, which joins two operands in the old line; add the operator", text.Cut(strings.TrimSpace(line), 60), sign)
				}
				mixed := func(line string) string { return cmp.Or(mixedWord(line), mixedName(line)) }
				if word := mixed(line); word != "" && !slices.ContainsFunc(c.oldLines(), func(line string) bool { return mixed(line) != "" }) {
					return warn(c.at(r), diag.TextArtifact,
						"%q in the new text has a ligature, or letters of more than one alphabet (%+q), and %s has no such word; write ordinary letters of one alphabet", word, word, c.Path)
				}
			}
			if slices.Contains(catalogs, c.ext()) || !slices.ContainsFunc(r.New, func(line string) bool { return !text.IsASCII(line) }) {
				continue
			}
			for _, line := range linesOf(ofElement.ReplaceAllString(text.Joined(r.New), "></")) {
				sign := signIn(line)
				if unicode.Is(unicode.So, sign) && slices.Contains(plainValues, c.ext()) {
					continue
				}
				if sign != 0 && !c.had(string(sign)) {
					return warn(c.at(r), diag.TextArtifact, "the new text has the character %q in %q, but %s does not have this character; write the characters of the programming language", sign, text.Cut(strings.TrimSpace(line), 60), c.Path)
				}
			}
		}
		return nil
	},
}

// markedNames returns the names that the prose writes with marks that Markdown removes, such as `**options` or
// `__init__`, if neither the file nor the new text has them with these marks. The keys are the names without marks.
func (c *Change) markedNames() map[string]string {
	names := map[string]string{}
	for word := range c.Words {
		// This test is quick. A long reply has many words, and each of its changes goes through all of them.
		if !strings.HasPrefix(word, "**") && !strings.HasPrefix(word, "__") {
			continue
		}
		if m := markedName.FindStringSubmatch(word); m != nil && !c.had(word) && !slices.ContainsFunc(c.Runs, func(r Run) bool {
			return slices.ContainsFunc(r.New, func(line string) bool { return strings.Contains(line, word) })
		}) {
			names[cmp.Or(m[1], m[2])] = word
		}
	}
	return names
}

var markedName = lazyregexp.New(`^(?:\*\*(\w+)|__(\w+)__)$`)

// foreignToNew finds two things in a new file: a name with a ligature or letters of more than one alphabet, and a
// shell script that sets variables and passes an empty string but uses no variable.
func (c *Change) foreignToNew() *Doubt {
	script := slices.Contains(shells, c.ext())
	sets, uses, empty := 0, false, ""
	for _, r := range c.Runs {
		for _, line := range r.New {
			if !text.IsASCII(line) {
				if word := cmp.Or(mixedWord(bare(line)), mixedName(line)); word != "" {
					return warn(c.at(r), diag.TextArtifact, "%q in the new text has a ligature, or letters of more than one alphabet (%+q); write ordinary letters of one alphabet", word, word)
				}
			}
			if uses = uses || strings.Contains(line, "$"); script && !uses && shellVariable.MatchString(line) {
				sets++
			} else if strings.Contains(line, ` ""`) {
				empty = line
			}
		}
	}
	if script && sets > 1 && empty != "" && !uses {
		return warn(c.textAt(), diag.TextArtifact, "%s sets variables but never uses them, and %q passes an empty string; variables such as `$NAME` were probably lost; write them where they were", c.Path, text.Cut(strings.TrimSpace(empty), 60))
	}
	return nil
}

// shellVariable matches a line that only sets a variable. shells holds the extensions of shell scripts.
var (
	shellVariable = lazyregexp.New(`^\s*(?:export |local )?[A-Za-z_]\w*=\S*$`)
	shells        = []string{".sh", ".bash", ".zsh", ".ksh"}
)

// catalogs holds the extensions of files whose texts for people are not in quotes.
var catalogs = []string{".properties", ".po", ".ftl", ".csv", ".tsv"}

// plainValues holds extensions of files whose values may be texts without quotes, which may have pictographs.
var plainValues = []string{".yaml", ".yml", ".ini", ".cfg", ".conf", ".env"}

// closing matches a name before a `>` that ends the parameters of a type.
var closing = lazyregexp.New(`\b([A-Za-z_]\w{2,})>(?:[\s(\[{,;)=]|$)`)

// parametersOfType matches the parameters after the name of a type. It does not match a comparison.
var parametersOfType = lazyregexp.New(`^<(?:\w|[\[\]., ]|\| )+>`)

// lostParameters returns a name before a `>` without its `<`, if the file has parameters in angle brackets after this
// name. A program that removes tags leaves such a line. It returns "" if there is no such name.
func (c *Change) lostParameters(line string) string {
	if !strings.Contains(line, ">") || isRemark(line) {
		return ""
	}
	m := closing.FindStringSubmatchIndex(line)
	if m == nil || strings.Contains(line[:m[0]], "<") {
		return ""
	}
	name := line[m[2]:m[3]]
	for _, after := range mentions(c.Before(), name) {
		if parametersOfType.MatchString(after) {
			return name
		}
	}
	return ""
}

// lostEscapes reports whether the line has several escapes of a similar old line without their backslashes, and no
// other backslash. One escape must be a letter, such as `\w`, because other escapes may have been unnecessary.
func lostEscapes(old []string, line string) bool {
	return !strings.Contains(line, `\`) && slices.ContainsFunc(old, func(was string) bool {
		parts, lost, letter := strings.Split(was, `\`), 0, false
		for i, after := range parts[1:] {
			before := parts[i]
			if before != "" && len(after) > 1 && strings.Contains(line, before[len(before)-1:]+after[:2]) {
				lost, letter = lost+1, letter || isWordStart(after) && !isWordStart(after[1:])
			}
		}
		return lost > 1 && letter && place.Alike(was, line) >= changed
	})
}

// joining lists operators without which two operands cannot stand beside each other.
var joining = []string{"||", "&&", "+", "/", "%", "==", "===", "!=", "!==", "<=", ">="}

// operators maps two operands to the operator that joins them in the old lines, if the new lines have the operator
// less often.
func operators(old, new []string) map[[2]string]string {
	of := func(lines []string, sign string) (n int) {
		for _, line := range lines {
			n += strings.Count(line, sign)
		}
		return n
	}
	all := map[[2]string]string{}
	for _, sign := range joining {
		if n := of(old, sign); n == 0 || n <= of(new, sign) {
			continue
		}
		for _, line := range old {
			if !strings.Contains(line, sign) {
				continue
			}
			is := tokensOf(bare(line))
			for i := 1; i < len(is)-1; i++ {
				if is[i] == sign && isOperand(is[i-1]) && isOperand(is[i+1]) {
					all[[2]string{is[i-1], is[i+1]}] = sign
				}
			}
		}
	}
	return all
}

// lostOperator returns an operator of the old lines whose two operands are now side by side in `line`. It returns ""
// if there is none, or if `line` has the operator elsewhere. A form decodes `+` as a space, and a chat mistakes `||`
// for the marks of a hidden text.
func lostOperator(operators map[[2]string]string, line string) string {
	if len(operators) == 0 {
		return ""
	}
	is := tokensOf(bare(line))
	for i := range is[:max(0, len(is)-1)] {
		if sign := operators[[2]string{is[i], is[i+1]}]; sign != "" && !slices.Contains(is, sign) {
			return sign
		}
	}
	return ""
}

// isOperand reports whether a token is a word, a number, or a quote, which [bare] leaves in place of a string.
func isOperand(token string) bool { return isWordStart(token) || token == `"` || token == "'" }

// sigils holds the sign before a variable, in languages in which no use of such a variable is without it.
var sigils = map[string]string{".php": "$", ".pl": "$", ".pm": "$", ".rb": "@"}

// lostSigil returns a variable that the line has without its sign, or "". It sets a variable of the old lines that has
// `$`, or is an old line whose variable is nowhere in the file without the sign. A renderer of formulas removes the `$`
// before and after a text, and a page two `@`.
func (c *Change) lostSigil(old []string, line string) string {
	sign := sigils[c.ext()]
	if sign == "" {
		return ""
	}
	old = old[:min(len(old), mostLaid)]
	if m := bareAssignment.FindStringSubmatch(line); m != nil && sign == "$" && slices.ContainsFunc(old, func(was string) bool {
		_, after, ok := strings.Cut(was, "$"+m[1])
		return ok && !isWordStart(after)
	}) {
		return m[1]
	}
	for _, was := range old {
		at := text.SharedStart(was, line)
		if len(was) <= len(line) || !strings.HasPrefix(was[at:], sign) || strings.ReplaceAll(was, sign, "") != strings.ReplaceAll(line, sign, "") {
			continue
		}
		if name := firstWord(line[at:]); isWordStart(name) && !c.hasWithout(sign, name) {
			return name
		}
	}
	return ""
}

// hasWithout reports whether the file has a name without a sign before it.
func (c *Change) hasWithout(sign, name string) bool {
	for before := range mentions(c.Before(), name) {
		if !strings.HasSuffix(before, sign) {
			return true
		}
	}
	return false
}

// bareAssignment matches an assignment to a name that has no sigil, such as `$`, in front.
var bareAssignment = lazyregexp.New(`^\s*([A-Za-z_]\w*)\s*(?:[-+*/.%|&]|\?\?|\|\||&&|\*\*)?=[^=>~]`)

// mixedWord returns a word that has a ligature, or both Latin letters and letters that only look like them. It
// returns "" if the line has no such word.
func mixedWord(line string) string {
	if text.IsASCII(line) {
		return ""
	}
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return !unicode.IsLetter(r) }) {
		latin, like := 0, 0
		for _, r := range word {
			switch {
			case r >= 'ﬀ' && r <= 'ﬆ':
				return word
			case unicode.Is(unicode.Latin, r):
				latin++
			case strings.ContainsRune(likeLatin, r):
				like++
			default:
				latin = math.MinInt // Any other letter rules the word out: it may be an English stem with the ending of another language.
			}
		}
		if latin > 0 && like > 0 {
			return word
		}
	}
	return ""
}

// mixedName returns a name in code that has Latin letters and letters of another alphabet, or "". Greek letters do
// not count, because formulas have names such as `Δt`. Scripts of East Asia count only in a name that the line
// declares, because elsewhere their words need no space next to a Latin name.
func mixedName(line string) string {
	if text.IsASCII(line) {
		return ""
	}
	declared := groupOf(declaredName, line)
	for _, name := range text.Names(bare(line)) {
		latin, other := false, false
		for _, r := range name {
			latin = latin || unicode.Is(unicode.Latin, r)
			other = other || unicode.In(r, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic, unicode.Armenian, unicode.Georgian) ||
				name == declared && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		}
		if latin && other {
			return name
		}
	}
	return ""
}

var declaredName = lazyregexp.New(`\b(?:const|let|var|val|def|fn|func|function|class|struct|interface|enum)[ \t]+([\pL_$][\pL\pN_$]*)`)

// likeLatin holds the Cyrillic and Greek letters that look like Latin letters.
const likeLatin = "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι"

// ofElement matches text at the end of an element in markup, such as `<button>×</button>` or `<b>{price} €</b>`, on one
// line or several. The text may have expressions: `<p>No “{name}”.</p>`.
var ofElement = lazyregexp.New(`[>}][^<>{}]*(?:\{[^<>{}]*\}[^<>{}]*)*</`)

// mayBeCode reports whether `sign` may stand for code. `left` is the last character before it, and `rest` begins with it.
//   - After an operand, a symbol may stand for an operator or brackets. Before an element or an expression in curly
//     brackets, it is text, unless it is an arrow.
//   - A symbol may stand for a whole operand, such as `:ok`.
//   - A minus, or a character that is not a symbol, may stand for code anywhere.
func mayBeCode(sign, left rune, rest string) bool {
	if !unicode.In(sign, unicode.Sm, unicode.So) || sign == '−' {
		return true
	}
	arrow := sign >= '←' && sign <= '⇿'
	rest = strings.TrimLeft(strings.TrimLeftFunc(rest[utf8.RuneLen(sign):], joinsEmoji), " ")
	whole := strings.ContainsRune("([{,=:", left) && strings.HasPrefix(rest, ",") || strings.ContainsRune(",=:", left) && (strings.IndexAny(rest, ")]}") == 0 || strings.HasPrefix(rest, "=>"))
	operand := left == 0 || unicode.IsLetter(left) || unicode.IsDigit(left) || strings.ContainsRune(")]_\"'", left)
	return whole || operand && (arrow || !strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, "<"))
}

// joinsEmoji reports whether a character after a symbol may belong to the same emoji: the second half of a flag, a skin
// tone, a variation selector, or a joiner and the symbol after it.
func joinsEmoji(r rune) bool {
	return r == '\u200d' || unicode.In(r, unicode.So, unicode.Sk, unicode.Mn)
}

// signIn returns the first character of a line that may stand for code: it is neither ASCII nor a letter, and is
// outside of strings, regular expressions and comments. It returns 0 if there is none, or if the line consists of
// words, which are probably inside a long string.
func signIn(line string) rune {
	if text.IsASCII(line) || isRemark(line) || text.HasWords(strings.TrimLeft(line, " \t-*•>“\"0123456789."), text.FewestWords) {
		return 0
	}
	var quote, last, left rune
	line = pattern.ReplaceAllString(line, "$1")
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote && last != '\\' {
				quote = 0
			}
		case strings.ContainsRune("\"'`", r):
			quote = r
		case r == '#', last == '/' && (r == '/' || r == '*'):
			return 0
		case joinsEmoji(r) && joinsEmoji(last), unicode.Is(unicode.No, r) && last >= utf8.RuneSelf && unicode.IsLetter(last): // as in the name `σ²`
		case r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsMark(r) && r != utf8.RuneError && mayBeCode(r, left, line[i:]):
			return r
		}
		if last = r; r != ' ' {
			left = r
		}
	}
	return 0
}
