package lazyregexp

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestNeeded(t *testing.T) {
	for expression, want := range map[string]needed{
		`(\S+) ?(?:->|→|=>) ?(\S+)`:    {texts: []string{"->", "→", "=>"}},
		`[.!?][*_]*\s+|[。！]\s*`:        {ascii: "!.?", texts: []string{"。", "！"}},
		`\[?\{(?:\s*"|$)|^\{`:          {ascii: "{{"},
		`\d+(?:\.\d+)+`:                {ascii: "."},
		`(?i)folder|日`:                 {},
		`(?m)^[ │|]*[├└]── \S+`:        {texts: []string{"── "}},
		`^ab`:                          {},
		`a?`:                           {},
		`\x{fffd}`:                     {},
		`(?:ab){2,}|c+`:                {ascii: "c", texts: []string{"ab"}},
		`[0-9a-f]{2}`:                  {ascii: "0123456789abcdef"},
		`[0-9a-g]{2}`:                  {},
		`x*(?:a|b|(?:c|d)|efg)(?:no)?`: {ascii: "abcd", texts: []string{"efg"}},
	} {
		if got := neededBy(expression); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}

// Each text that matches a random expression must contain a text that neededBy returns for the expression.
func TestMatchesHaveWhatIsNeeded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	var expression func(deep int) string
	expression = func(deep int) string {
		if deep == 0 {
			return one("a", "b", "ab", "→", "é", "[ab]", "[^a]", "[b→]", "K", ".", `\s`, `\b`, "^", "$")
		}
		a, b := expression(deep-1), expression(deep-1)
		return one(a+b, a+"|"+b, "(?:"+a+")"+one("?", "*", "+", "{2}", "{0,1}"), "("+a+")"+b, "(?i:"+a+")"+b)
	}
	matches := 0
	for range 20_000 {
		s := expression(1 + random.IntN(4))
		compiled, n := regexp.MustCompile(s), neededBy(s)
		for range 10 {
			var text strings.Builder
			for range random.IntN(6) {
				text.WriteString(one("a", "b", "A", "k", "→", "é", "É", " ", "x", "\xff", "\ufffd", "\u212a"))
			}
			if is := text.String(); compiled.MatchString(is) {
				if !n.areIn(is) {
					t.Fatalf("%q matches %s, which needs %q", is, s, n)
				}
				if n.ascii != "" || n.texts != nil {
					matches++
				}
			}
		}
	}
	if matches < 1000 {
		t.Errorf("only %d matches of expressions that need a text", matches)
	}
}
