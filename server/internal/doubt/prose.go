package doubt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// prose finds sentences of a chat at an end of the new lines if the file has no sentences, and
// words at the margin between indented lines. A document may have both. A file has sentences in comments and strings, but not alone on a line at the margin.
var prose = Rule{
	ID: "prose",
	Doubts: func(c *Change) *Doubt {
		if c.isDocument() {
			return nil
		}
		for run, r := range c.Runs {
			if i := c.stray(run); i >= 0 {
				return c.speaks(r, i, "has words at the margin between indented lines")
			}
			if i := lastSaying(r.New); i >= 0 && isSentence(r.New[i], c.fewest(r.New[i])) && !c.hasProse(r.New[i]) {
				return c.speaks(r, i, "ends with a sentence of a chat")
			}
			if len(r.New) > 0 && isSentence(r.New[0], c.fewest(r.New[0])) && !c.hasProse(r.New[0]) {
				return c.speaks(r, 0, "begins with a sentence of a chat")
			}
		}
		return nil
	},
}

// stray returns the index of a new line that no program has where it is: words at the margin between
// lines that are indented, such as the foot of a page or a button. Otherwise it is negative.
func (c *Change) stray(run int) int {
	const few = 3 // lines beside it
	r := c.Runs[run]
	if c.New || slices.Contains(markup, c.ext()) || slices.Contains(outlines, c.ext()) {
		return -1
	}
	for i, line := range r.New {
		if !isLabel(line) || c.has(line) {
			continue
		}
		above, below := slices.Concat(c.above(run, few), r.New[:i]), slices.Concat(r.New[i+1:], c.below(run, few))
		slices.Reverse(above)
		if locate.Indentation(firstText(above)) != "" && locate.Indentation(firstText(below)) != "" {
			return i
		}
	}
	return -1
}

// outlines are the extensions of files in which words at the margin are code.
var outlines = []string{".styl", ".sass", ".haml", ".pug", ".slim", ".yaml", ".yml", ".csv", ".feature"}

// isLabel reports whether a line at the margin has no sign of code.
func isLabel(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line != "" && locate.Indentation(line) == "" && !strings.ContainsAny(line, "{}=;<>_\"'`#/*@$&|\\,:") && !strings.HasSuffix(line, "(") &&
		line[0] != '.' && elision.SortOf(line) != elision.Comment && (strings.ContainsAny(line, " .[(-") || !text.HasWord(line))
}

func (c *Change) speaks(r Run, i int, does string) *Doubt {
	return &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.ForeignMarks, Fixes: c.leavingOut(r, i),
		Message: fmt.Sprintf("the new text %s, %q; %s has no such line", does, strings.TrimSpace(r.New[i]), c.Path)}
}

func lastSaying(lines []string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != "" {
			return i
		}
	}
	return -1
}

// hasProse reports whether the file, or a new line other than the given one, is a sentence.
func (c *Change) hasProse(but string) bool {
	if slices.ContainsFunc(linesOf(c.Before()), isProse) {
		return true
	}
	code, sentences := 0, 0
	for _, r := range c.Runs {
		for _, line := range r.New {
			switch {
			case isProse(line):
				sentences++
			case isCode(line):
				code++
			}
		}
	}
	return c.New && code <= sentences
}

// isCode reports whether a line has characters that sentences do not have.
func isCode(line string) bool { return strings.ContainsAny(line, "(){}[]=;<>_") }

// fewestWords is the least number of words in a sentence, and fewestLetters the least
// number of letters in a script without spaces.
const (
	fewestWords   = 5
	fewestLetters = 8
)

// isSentence reports whether a line at the margin is a sentence: words with spaces between them,
// from a capital letter to a full stop, or the equivalent in another script.
func isSentence(line string, fewest int) bool {
	line = strings.TrimRight(line, " \t")
	if line == "" || len(line) > 1000 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(line)
	if ideographs(line) >= fewestLetters {
		end, _ := utf8.DecodeLastRuneInString(line)
		return unicode.IsLetter(first) && strings.ContainsRune("。！？：.!?:", end) && !isCode(line)
	}
	return unicode.IsUpper(first) && strings.ContainsAny(line[len(line)-1:], ".!?:") && hasWords(line, fewest)
}

// fewest returns the least number of words in a sentence: two suffice before a colon or an exclamation mark.
func (c *Change) fewest(line string) int {
	if strings.HasSuffix(line, ".") || slices.Contains(outlines, c.ext()) {
		return fewestWords
	}
	return 2
}

// isProse reports whether a line at the margin consists of words of a sentence.
func isProse(line string) bool { return hasWords(line, fewestWords) }

func hasWords(line string, fewest int) bool {
	if first, _ := utf8.DecodeRuneInString(line); ideographs(line) >= fewestLetters && !isCode(line) || !unicode.IsLetter(first) {
		return unicode.IsLetter(first)
	}
	words := strings.Fields(line)
	plain, small := 0, 0
	for _, word := range words {
		if word = strings.Trim(word, ".,:;!?\"'()`*"); word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' && r != '’' }) {
			plain++
			if strings.ToUpper(word) != word {
				small++
			}
		}
	}
	return plain >= fewest && 5*plain >= 4*len(words) && 2*small > plain && !strings.ContainsAny(line, "{}[]=;<>")
}

func ideographs(s string) int {
	n := 0
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			n++
		}
	}
	return n
}
