package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Words returns the words in the prose of a reply, in the form of [text.WordsOfNames], the names in backticks, short
// words at the beginning of these names, and the code points of characters, such as `u+00ad`.
func Words(doc string, parts []text.Span) map[string]bool {
	words := map[string]bool{}
	inProse(doc, parts, func(line string) (text.Span, bool) {
		for _, word := range text.WordsOfNames(line) {
			words[word] = true
		}
		for _, code := range codesIn(line, 20) {
			name := strings.TrimSuffix(code.text.In(line), "()")
			words[strings.ToLower(name)] = true
			if m := shortVerb.FindStringSubmatch(name); m != nil {
				words[m[1]] = true
			}
		}
		for _, at := range codePoint.FindAllStringIndex(line, 20) {
			words[strings.ToLower(line[at[0]:at[1]])] = true
		}
		return text.Span{}, false
	})
	return words
}

var codePoint = lazyregexp.New(`U\+[0-9A-F]{4,6}\b`)

// shortVerb matches a short word at the beginning of a name, such as "get" in `getBook`.
var shortVerb = lazyregexp.New(`^([a-z]{2,3})[A-Z]`)

// Kept returns the names and paths in backticks that stay as they are, according to a sentence of the reply. At most
// one word may come between the name and the words that say so: "`open` and `close` are unchanged". In "the signature
// of `open` is unchanged" and "the rest of `a.go` is unchanged", only a part stays, so neither name is returned. The
// value of a name is what it keeps, as in "`web` should keep `info`", or "" if it stays as a whole.
func Kept(doc string, parts []text.Span) map[string]string {
	kept := map[string]string{}
	inProse(doc, parts, func(line string) (text.Span, bool) {
		if !strings.Contains(line, "`") {
			return text.Span{}, false
		}
		for _, at := range Sentences(line) {
			sentence := at.In(line)
			if name, value := keeps(sentence); value != "" {
				kept[name] = value
			}
			said, ok := say(wordsOf(sentence), Stays)
			for _, c := range codesIn(said.In(sentence), 20) { // "keep `open` as it is"
				if c.at = c.at.Shift(said.Start); !partOf.MatchString(sentence[:c.at.Start]) {
					kept[c.text.Shift(said.Start).In(sentence)] = ""
				}
			}
			end, most := said.Start, 0
			all := codesIn(sentence[:end], 20)
			for i := len(all) - 1; ok && i >= 0; i-- {
				between := sentence[all[i].at.End:end]
				if words := countWords(between); words > most && !isUnspaced(strings.TrimSpace(between)) || most == 0 && strings.ContainsAny(between, ",;:)，；：）") || partOf.MatchString(sentence[:all[i].at.Start]) {
					break
				}
				kept[all[i].text.In(sentence)] = ""
				end, most = all[i].at.Start, 1
			}
		}
		return text.Span{}, false
	})
	return kept
}

// keeps returns the name in backticks and the value that the name keeps, according to a sentence. The value is a number
// or in backticks. It comes after the verb, or between the name and the verb: "`web` は `info` のまま".
func keeps(sentence string) (name, value string) {
	words := wordsOf(sentence)
	said, ok := say(words, Keeps)
	before := codesIn(sentence[:said.Start], 20)
	if !ok || len(before) == 0 {
		return "", ""
	}
	last := before[len(before)-1]
	name = last.text.In(sentence)
	if after := codesIn(sentence[said.End:], 1); len(after) > 0 && countWords(words[said.End:said.End+after[0].at.Start]) <= mostBetween {
		value = after[0].text.In(sentence[said.End:])
	} else if n := number.FindStringIndex(words[said.End:]); n != nil && countWords(words[said.End:said.End+n[0]]) <= mostBetween {
		value = text.Span{Start: n[0], End: n[1]}.In(words[said.End:])
	} else if len(before) > 1 && countWords(sentence[last.at.End:said.Start]) <= 1 {
		name, value = before[len(before)-2].text.In(sentence), name
	}
	if countWords(sentence[last.at.End:said.Start]) > 1 && !isUnspaced(strings.TrimSpace(sentence[last.at.End:said.Start])) {
		return "", ""
	}
	return name, value
}
