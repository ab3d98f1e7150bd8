package reply

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The words for a verb are found as package regexp finds them. None begin with any character, because every word of a
// reply would then be compared with them.
func TestHeadsOfPhrases(t *testing.T) {
	patterns := map[Verb]string{}
	for _, p := range phrases() {
		patterns[p.verb] += "|" + strings.ReplaceAll(p.words, " ", "[ *_]+")
	}
	for verb, e := range words() {
		if len(e.read().after[head{}]) > 0 {
			t.Errorf("words for %q may begin with any character", verb)
		}
		oracle := newOracle("(?i:" + patterns[verb][1:] + ")")
		for _, p := range phrases() {
			for _, line := range []string{p.example, strings.ToUpper(p.example), p.example + "\xff"} {
				for i := range line {
					if got, want := e.read().longest(line[i:]), oracle(line[i:]); got != want {
						t.Errorf("%q begins with words for %q of the length %d, want %d", line[i:], verb, got, want)
					}
				}
			}
		}
	}
}

// newOracle returns a function that returns the length of the longest match of a pattern at the beginning of a text, or
// -1 if there is none.
func newOracle(pattern string) func(string) int {
	e := regexp.MustCompile("^(?:" + pattern + ")")
	e.Longest()
	return func(s string) int {
		if at := e.FindStringIndex(s); at != nil {
			return at[1]
		}
		return -1
	}
}

func TestExpressions(t *testing.T) {
	for pattern, texts := range map[string][]string{
		`(?i:add|k)`:        {"add", "ADD", "aDd to", "k", "kill", "\u212a", "", "a", "ax", "adx", "日"}, // the sign for kelvin folds to k
		`[^a]x`:             {"bx", "日x", "ax", "\x00x", "\xffx"},
		`(?:a?b?)c`:         {"c", "ac", "bc", "abc", "ab"},
		`.bc`:               {"abc", "日bc", "\nbc"},
		`ab(?:cd)?`:         {"ab", "abd", "abcd", "abcdab"},
		`a\b.?|ab$|(?m:a$)`: {"a", "a-", "ab", "abb", "a\n"},
	} {
		e, oracle := newReader(pattern), newOracle(pattern)
		for _, s := range texts {
			if got, want := e.longest(s), oracle(s); got != want {
				t.Errorf("%s: %q: %d, want %d", pattern, s, got, want)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	var pattern func(deep int) string
	pattern = func(deep int) string {
		if deep == 0 {
			return one("a", "b", "ab", "→", "é", "[ab]", "[^a]", "[a-z]", "k", ".", `\s`, `\b`, `\pL`, "^", "$")
		}
		a, b := pattern(deep-1), pattern(deep-1)
		return one(a+b, a+"|"+b, "(?:"+a+")"+one("?", "*", "+", "{2}", "{0,1}"), "("+a+")"+b, "(?i:"+a+")"+b)
	}
	for range 5_000 {
		s := pattern(1 + random.IntN(4))
		e, oracle := newReader(s), newOracle(s)
		for range 10 {
			var text strings.Builder
			for range random.IntN(7) {
				text.WriteString(one("a", "b", "A", "k", "→", "é", "É", " ", "\n", "\x00", "\xff", "\u212a"))
			}
			if got, want := e.longest(text.String()), oracle(text.String()); got != want {
				t.Fatalf("%s: %q: %d, want %d", s, text.String(), got, want)
			}
		}
	}
}
