package artifact

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// LetterCase describes a text whose letters changed their case.
var LetterCase = Artifact{
	Name:    "letters in a different case",
	Differs: "only the case of letters differs",
	Fix:     "Write the letters as the file does",
	Several: true,
	Restore: func(s string, old []string) (string, bool) {
		if !changedCase(s, old) {
			return s, false
		}
		return restoring(strings.ToLower, always)(s, old)
	},
	Asked: true,
}

// fewestRecased is the smallest number of changed lines, with different first words, that prove a change of case.
const fewestRecased = 2

var recasings = []func(string) string{strings.ToUpper, strings.ToLower, capitals(false), capitals(true)}

// changedCase reports whether a program changed the case of lines. It must have changed all these lines in the same
// way, and two of them must begin with different words. There must also be another edit, because otherwise a person
// may have asked for the other case.
func changedCase(s string, old []string) bool {
	all, _ := lines(s)
	known, same := map[string]string{}, map[string]bool{}
	for _, line := range old {
		known[strings.ToLower(line)], same[line] = line, true
	}
	edited, recased := false, map[string]string{}
	for _, line := range all {
		if was, ok := known[strings.ToLower(line)]; ok && !same[line] {
			recased[line] = was
		} else if !ok && !text.IsBlank(line) {
			edited = true
		}
	}
	return edited && len(recased) >= fewestRecased && slices.ContainsFunc(recasings, func(do func(string) string) bool {
		words := map[string]bool{}
		for line, was := range recased {
			if do(was) != line {
				return false
			}
			if all := text.Names(line); len(all) > 0 {
				words[all[0]] = true
			}
		}
		return len(words) >= fewestRecased
	})
}

func capitals(ofWords bool) func(string) string {
	return func(line string) string {
		begins, done := true, false
		return strings.Map(func(r rune) rune {
			was := begins
			if begins = !text.InName(r); was && !begins && !done {
				done = !ofWords
				return unicode.ToUpper(r)
			}
			return r
		}, line)
	}
}

// Grouping describes a text in which a program put thousands separators into numbers: `1,000` for `1000`.
var Grouping = Artifact{
	Signs:   ",.'’",
	Lost:    "0123456789",
	Name:    "thousands separators",
	Differs: "without thousands separators",
	Fix:     "Leave out the thousands separators",
	Undo: eachLine(func(line string) string {
		return grouped.ReplaceAllStringFunc(line, func(m string) string { return strings.Join(strings.FieldsFunc(m, isNoDigit), "") })
	}),
	Loses: "digit separators that belong to the text",
	Prose: true,
	Asked: true,
}

// DecimalComma describes a text whose numbers have a comma in place of the decimal point.
var DecimalComma = Artifact{
	Signs:   ",",
	Lost:    ".",
	Name:    "decimal commas",
	Differs: "with decimal points in place of commas",
	Fix:     "Write decimal points",
	Undo:    eachLine(func(line string) string { return decimalComma.ReplaceAllString(line, "$1.$2") }),
	Loses:   "commas that belong to the text",
	Prose:   true,
	Asked:   true,
}

func isNoDigit(r rune) bool { return r < '0' || r > '9' }

var (
	grouped      = lazyregexp.New(`\b\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:['’]\d{3})+)\b`)
	decimalComma = lazyregexp.New(`(\d),(\d)`)
)

// FullStop describes code in which the keyboard of a phone turned two spaces into a full stop and a space, or put a
// space and a capital letter after a full stop.
var FullStop = Artifact{
	Signs:   ".",
	Name:    "full stops of a sentence",
	Differs: "without the full stops of a sentence",
	Fix:     "Write the code without the full stops of a sentence",
	Undo: eachLine(func(line string) string {
		line = stopBefore.ReplaceAllString(line, "$1  $2")
		return stopWithin.ReplaceAllStringFunc(line, func(m string) string {
			at := strings.LastIndex(m, ". ") + 1
			return m[:at] + strings.ToLower(m[at+1:at+2]) + m[at+2:]
		})
	}),
	Loses: "the case of letters",
	Prose: true,
	Shows: func(s string) bool {
		all, _ := lines(s)
		return slices.ContainsFunc(all, func(line string) bool {
			return strings.Contains(line, ". ") && (stopBefore.MatchString(line) || stopWithin.MatchString(line))
		})
	},
}

// stopBefore matches a full stop in the indentation of a line. stopWithin matches a full stop before a call of a
// member.
var (
	stopBefore = lazyregexp.New(`^([ \t]*)\. ([ \t]+\S)`)
	stopWithin = lazyregexp.New(`[.=(] ?\w+(?:\(\))?\. [A-Z]\w*(?:\(| \{)`)
)
