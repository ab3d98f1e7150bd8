package artifact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Substitution describes a text in which a program replaced one thing with another wherever it occurs: a letter
// with a look-alike, a character with a code, a space with a visible character, or a quote with two quotes.
var Substitution = Artifact{
	Name:    "characters replaced throughout",
	Differs: "with the characters of the file",
	Fix:     "Use the characters of the file",
	Restore: unsubstitute,
	Prose:   true,
	Asked:   true,
}

const (
	mostCompared = 400  // the largest number of lines that are compared with each other
	mostPaired   = 24   // the largest number of pairs of lines to compare
	longestPair  = 200  // the largest length of a line in a pair, in characters
	mostAhead    = 6    // each new line is compared with at most this many old lines
	leastPaired  = 0.25 // both lines of a pair must have at least this share of the longer line in common
	surelyPaired = 0.7  // two lines with at least this share in common certainly are a pair
	fewestPlaces = 2    // the smallest number of places at which a substitution must occur
	fewestWords  = 3    // the smallest number of words in which letters must be replaced
)

// A pair consists of a new line, the old line that became this new line, and the differences between the two lines.
type pair struct {
	at      int // the index of the new line
	was     string
	changes []change
}

type change struct {
	was, is string
	word    string
	twin    bool // the added characters equal the character before or after them
	behind  rune // the character of the new line before the change; 0 if there is none
}

// key returns the same texts for changes of the same kind. All confusions of digits and letters are one kind.
func (c change) key() [2]string {
	if c.confuses() {
		return [2]string{"0", "O"}
	}
	return [2]string{c.was, c.is}
}

func (c change) confuses() bool {
	return isDigits(c.was) != isDigits(c.is) && slices.ContainsFunc([]string{"0Oo", "1lI|", "5S", "8B"}, func(like string) bool {
		return len(c.was) == 1 && len(c.is) == 1 && strings.Contains(like, c.was) && strings.Contains(like, c.is)
	})
}

// unsubstitute replaces each line with an old line that differs from it only by substitutions.
func unsubstitute(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) <= fewestPlaces && !addsSigns(s, old) {
		return s, false
	}
	pairs := pairsOf(all, old)
	if !slices.ContainsFunc(pairs, pair.mayBeOdd) {
		return s, false
	}
	type uses struct {
		places int
		words  map[string]bool
		alone  bool // at one or more places, the added character differs from its neighbors
		lines  map[int]bool
	}
	of := map[[2]string]uses{}
	for _, p := range pairs {
		for _, c := range p.changes {
			u := of[c.key()]
			if u.words == nil {
				u.words, u.lines = map[string]bool{}, map[int]bool{}
			}
			u.words[c.word], u.lines[p.at] = true, true
			of[c.key()] = uses{u.places + 1, u.words, u.alone || !c.twin, u.lines}
		}
	}
	found := false
	for _, p := range pairs {
		odd := p.mayBeOdd()
		for _, c := range p.changes {
			u := of[c.key()]
			odd = odd && (text.IsBlank(c.was+c.is) || u.places >= fewestPlaces && c.isOdd(len(u.words), !u.alone, len(u.lines)) || c.is == "`" && strings.ContainsAny(p.was, "({=;") && strings.HasPrefix(strings.TrimSpace(all[p.at]), "`") && strings.HasSuffix(all[p.at], "`"))
		}
		if odd {
			all[p.at], found = p.was, true
		}
	}
	return strings.Join(all, eol), found
}

// mayBeOdd reports whether all changes of a pair would be odd if enough other places had them, too.
func (p pair) mayBeOdd() bool {
	some := false
	for _, c := range p.changes {
		if blank := text.IsBlank(c.was + c.is); !blank && !c.isOdd(fewestWords, true, fewestPlaces) && c.is != "`" {
			return false
		} else if !blank {
			some = true
		}
	}
	return some
}

// addsSigns reports whether the texts have different numbers of quotes, brackets and similar characters, or whether
// either text has non-ASCII characters. Otherwise, a short text cannot prove that letters were replaced.
func addsSigns(s string, old []string) bool {
	const signs = "\"'{}%$\\`&<=+"
	n := 0
	for i := range len(signs) {
		n += strings.Count(s, signs[i:i+1])
		for _, line := range old {
			n -= strings.Count(line, signs[i:i+1])
		}
	}
	return n != 0 || !text.IsASCII(s) || hasNonASCII(old)
}

// oddSigns holds characters that a program doubles or escapes.
const oddSigns = "\"'{}%$\\`"

// isOdd reports whether no person would make the change at several places. `words` and `lines` are the numbers of
// distinct words and of lines with the change. `twin` is true if each added character equals one of its neighbors.
func (c change) isOdd(words int, twin bool, lines int) bool {
	switch {
	case c.confuses():
		return lines > 1
	case !text.IsASCII(c.is):
		return isOddLetter(c.was, c.is)
	case !text.IsASCII(c.was):
		return !strings.ContainsFunc(c.was, isTypographic) && c.is != ""
	case c.was == "" && len(c.is) == 1 && strings.Contains(oddSigns, c.is):
		return twin || c.is == `\` && lines > 1
	case c.was == "" && c.is != "" && strings.Trim(c.is, oddSigns) == "":
		return twin || strings.Contains(c.is, `\`)
	case isLetters(c.was) && isLetters(c.is):
		return words >= fewestWords && !strings.EqualFold(c.was, c.is) && len(c.was) < 3 && len(c.is) < 3 && !(isDigits(c.was) && isDigits(c.is))
	case isDigits(c.was), isLetters(c.was), c.was == "" && strings.ContainsFunc(strings.TrimSpace(c.is), unicode.IsSpace):
		return false
	}
	return encoded(c.was, c.is) && (c.was != "" || !isHex(c.is) || c.behind == '%' || c.behind == '=')
}

// isOddLetter reports whether `is` has a non-ASCII character that nobody writes in place of `was`. A letter is odd
// only if it is a ligature, or if it is not Latin and replaces ASCII letters.
func isOddLetter(was, is string) bool {
	for _, r := range is {
		switch {
		case r >= 'ﬀ' && r <= 'ﬆ':
			return true
		// Characters that draw boxes are not odd, because a person may use many of them.
		case r < utf8.RuneSelf, isTypographic(r), r >= 0x2500 && r < 0x25a0:
		case !unicode.IsLetter(r):
			return true
		case isLetters(was) && text.IsASCII(was) && !unicode.Is(unicode.Latin, r):
			return true
		}
	}
	return false
}

// isTypographic reports whether a character is invisible or has a plain form. A person may prefer either form, so
// neither is odd.
func isTypographic(r rune) bool { return Plain(r) != "" || IsInvisible(r) }

// encoded reports whether `is` may be the code for the character `was`, such as `%20` for a space.
func encoded(was, is string) bool {
	return len(is) > 1 && (was != "" && strings.ContainsAny(is, `\&%<`) || strings.Contains(is, "=") && isHex(is[1:]) || isHex(is) && len(is) == 2) && was != is ||
		was == " " && is == "+"
}

func isHex(s string) bool    { return s != "" && strings.Trim(s, "0123456789ABCDEF") == "" }
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isLetters(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// pairsOf pairs each new line with the old line that became this new line. Both lines of a pair must have many
// characters in common, and the pairs are in the order of the text.
func pairsOf(all, old []string) (pairs []pair) {
	if len(all) > mostCompared || len(old) > mostCompared {
		return nil
	}
	was, is := text.Set(old), text.Set(all)
	left := slices.DeleteFunc(slices.Clone(old), func(line string) bool { return is[line] || text.IsBlank(line) })
	for i, line := range all {
		if was[line] || text.IsBlank(line) || len(line) > 4*longestPair {
			continue
		}
		best, at := leastPaired, -1
		for k, other := range left[:min(len(left), mostAhead)] {
			// Compare with the longer line, because a long line may contain all characters of a short line.
			n := float64(inCommon(line, other))
			if like := n / float64(max(len(line), len(other))); like > best && 2*n > float64(min(len(line), len(other))) {
				best, at = like, k
			}
		}
		if at < 0 {
			continue
		}
		if changes, ok := changesOf(left[at], line); ok {
			pairs = append(pairs, pair{i, left[at], changes})
		}
		if left = slices.Delete(left, at, at+1); best >= surelyPaired {
			left = left[at:] // skip the old lines above this one
		}
		if len(pairs) == mostPaired {
			break
		}
	}
	return pairs
}

// inCommon returns the number of bytes that two lines have in common, in any order.
func inCommon(a, b string) int {
	var counts [256]int
	for i := range len(a) {
		counts[a[i]]++
	}
	n := 0
	for i := range len(b) {
		if counts[b[i]]--; counts[b[i]] >= 0 {
			n++
		}
	}
	return n
}

func changesOf(was, is string) (out []change, ok bool) {
	a, b := []rune(was), []rune(is)
	if len(a) > longestPair || len(b) > 2*longestPair {
		return nil, false
	}
	for _, h := range diff.Hunks(a, b, diff.Context(0), diff.Minimal()) {
		out = append(out, changeAt(a, b, h.PosX, h.EndX, h.PosY, h.EndY))
	}
	return out, true
}

// changeAt returns the change from a[from:to] to b[start:end]. If each side repeats one character, such as `---` and
// `===`, the change has the character only once.
func changeAt(a, b []rune, from, to, start, end int) change {
	was, is := a[from:to], b[start:end]
	if len(was) == len(is) && len(slices.Compact(slices.Clone(was))) == 1 && len(slices.Compact(slices.Clone(is))) == 1 {
		was, is = was[:1], is[:1]
	}
	c := change{was: string(was), is: string(is)}
	for from > 0 && text.InName(a[from-1]) {
		from--
	}
	for to < len(a) && text.InName(a[to]) {
		to++
	}
	c.word = string(a[from:to])
	if start > 0 {
		c.behind = b[start-1]
	}
	c.twin = len(slices.Compact(slices.Clone(is))) == 1 && (start > 0 && b[start-1] == is[0] || end < len(b) && b[end] == is[0])
	return c
}
