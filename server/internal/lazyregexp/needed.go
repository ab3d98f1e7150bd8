package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// needed holds texts, at least one of which is in every match of an expression. To search for them is much faster
// than to run an expression that may begin anywhere. The zero value holds no texts, and every text may match.
type needed struct {
	ascii string   // single ASCII characters
	texts []string // longer texts
}

// areIn reports whether `s` may match, because it contains any of the needed texts.
func (n needed) areIn(s string) bool {
	if n.ascii != "" && strings.ContainsAny(s, n.ascii) {
		return true
	}
	for _, t := range n.texts {
		if strings.Contains(s, t) {
			return true
		}
	}
	return n.ascii == "" && n.texts == nil
}

// mostNeeded limits the number of needed texts.
const mostNeeded = 16

// neededBy returns texts, at least one of which is in every match of a valid expression. It returns none for an
// expression that is anchored to the start of a text, because its search fails fast anyway.
func neededBy(expression string) (n needed) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || parsed.Op == syntax.OpConcat && parsed.Sub[0].Op == syntax.OpBeginText {
		return n
	}
	for _, t := range textsIn(parsed) {
		if len(t) == 1 && t[0] < utf8.RuneSelf {
			n.ascii += t
		} else {
			n.texts = append(n.texts, t)
		}
	}
	return n
}

// textsIn returns texts, at least one of which is in every match of the expression. It returns nil if there are none,
// or too many.
func textsIn(e *syntax.Regexp) (all []string) {
	switch e.Op {
	case syntax.OpLiteral:
		if e.Flags&syntax.FoldCase == 0 && !slices.Contains(e.Rune, utf8.RuneError) {
			all = []string{string(e.Rune)}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(e.Rune); i += 2 {
			for r := e.Rune[i]; r <= e.Rune[i+1]; r++ {
				// The expression also finds this character in place of invalid UTF-8.
				if all = append(all, string(r)); len(all) > mostNeeded || r == utf8.RuneError {
					return nil
				}
			}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return textsIn(e.Sub[0])
	case syntax.OpRepeat:
		if e.Min > 0 {
			return textsIn(e.Sub[0])
		}
	case syntax.OpConcat:
		for _, part := range e.Sub {
			if texts := textsIn(part); all == nil || texts != nil && rarer(texts, all) {
				all = texts
			}
		}
	case syntax.OpAlternate:
		for _, part := range e.Sub {
			texts := textsIn(part)
			if all = append(all, texts...); texts == nil || len(all) > mostNeeded {
				return nil
			}
		}
	}
	return all
}

// rarer reports whether the texts `a` are probably rarer than the texts `b`: their shortest text is longer, or it is
// as long and there are fewer texts.
func rarer(a, b []string) bool {
	shortest := func(all []string) int {
		n := len(all[0])
		for _, s := range all {
			n = min(n, len(s))
		}
		return n
	}
	if x, y := shortest(a), shortest(b); x != y {
		return x > y
	}
	return len(a) < len(b)
}
