package doubt

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// translated finds a change of code that also gives half of the file's comments entirely different words. A model
// that answers in another language may translate comments and messages. The rule also finds keywords that became
// other words, because a browser translated a page.
var translated = Rule{
	ID: "translated", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		var at Run
		var was, is string // the old and the new form of the first changed comment
		others, messages, edited := 0, 0, false
		keywords := map[string]string{}
		for _, r := range c.Runs {
			if alone := c.otherKeywords(r, keywords); len(keywords) > 1 || alone {
				return warn(c.at(r), diag.TextArtifact, "the new text has different words in place of keywords (%s); write the keywords of the programming language", strings.Join(slices.Sorted(maps.Values(keywords)), ", "))
			}
			if !slices.ContainsFunc(r.Old, isRemark) {
				n := r.otherMessages()
				messages, edited = messages+n, edited || n == 0
				continue
			}
			old, oldCode := remarks(r.Old)
			new, newCode := remarks(r.New)
			edited = edited || oldCode != newCode
			if len(old) != len(new) {
				return nil
			}
			for i := range new {
				if old[i] == new[i] {
					continue
				}
				if !otherWords(old[i], new[i]) {
					return nil
				}
				if others == 0 {
					at, was, is = r, old[i], new[i]
				}
				others++
			}
		}
		if others == 0 || others+messages < fewestTranslated || !edited {
			return nil
		}
		if all, _ := remarks(c.oldLines()); 2*others < len(all) {
			return nil
		}
		return warn(c.at(at), diag.TextArtifact, "%d comments and messages have different words, for example %q instead of %q; copy those that should stay from the file", others+messages, text.Cut(is, 60), text.Cut(was, 60))
	},
}

// otherKeywords adds to `all` the keywords of old lines that became words which the file does not have, in lines with
// the same punctuation. `alone` is true if one of these words is the only change of its line and is not in the prose,
// and the file still has the keyword elsewhere.
func (c *Change) otherKeywords(r Run, all map[string]string) (alone bool) {
	if len(r.Old) != len(r.New) || !c.Meter.Pay(meter.Line*len(r.New)) {
		return false
	}
	for i, line := range r.New {
		was, is := text.Names(bare(r.Old[i])), text.Names(bare(line))
		for k, word := range was[:min(len(was), len(is))] {
			if now := is[k]; statements[word] && !statements[now] && !beginsCode[now] && !notNames[now] && signsOf(r.Old[i]) == signsOf(line) && !c.nameCounts().had(now) {
				all[word] = now
				only, _ := otherWord(r.Old[i], line)
				alone = alone || only == word && !c.Words[strings.ToLower(now)] && c.nameCounts().of(word) > 0
			}
		}
	}
	return alone
}

var statements = text.WordSet("if else for while return switch case try catch throw import")

func signsOf(line string) string {
	return strings.Join(strings.FieldsFunc(line, text.InName), "")
}

// otherMessages returns the number of new lines if only the words in their strings differ. Otherwise it returns 0.
func (r Run) otherMessages() int {
	if len(r.Old) != len(r.New) {
		return 0
	}
	for i, line := range r.New {
		was, old := withoutStrings(r.Old[i])
		code, quoted := withoutStrings(line)
		if code != was || !otherWords(old, quoted) || len(longWords(quoted)) < 2 {
			return 0
		}
	}
	return len(r.New)
}

// fewestTranslated is the number of comments and messages that must be reworded. A person may reword two on purpose.
const fewestTranslated = 3

// remarks returns the comments that stand alone on their lines, and the other lines as one text.
func remarks(lines []string) (all []string, code string) {
	var rest strings.Builder
	for _, line := range lines {
		if isRemark(line) && len(longWords(line)) > 1 {
			all = append(all, strings.TrimSpace(line))
		} else {
			rest.WriteString(line + "\n")
		}
	}
	return all, rest.String()
}

func otherWords(a, b string) bool {
	words, same := longWords(a), 0
	for word := range longWords(b) {
		if words[word] {
			same++
		}
	}
	return 4*same <= min(len(words), len(longWords(b)))
}

// longWords returns the words of a line that have at least three letters, in lower case. In a script without spaces,
// each letter counts as a word.
func longWords(line string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if unicode.In([]rune(word)[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			for _, r := range word {
				words[string(r)] = true
			}
		} else if len(word) > 2 {
			words[word] = true
		}
	}
	return words
}
