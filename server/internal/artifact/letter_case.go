package artifact

import (
	"slices"
	"strings"
	"unicode"

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
