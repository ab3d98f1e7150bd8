package place_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// edgeWords holds the words in titles for the rule for edge lines.
var edgeWords = map[bool]string{true: "without the first line", false: "without the last line"}

// unlike is a line that is similar to no line of the test files.
const unlike = "WHILE QUX { ZZZ }"

// An edged is a find with one line too many at its beginning or end, and a replacement that repeats that line.
type edged struct {
	src           string
	find, replace []string
	rest, changed []string // the find and the replacement without that line, as the file has them
	first         bool     // the line is the first one, otherwise the last
	ending        string
}

func drawEdged(t *rapid.T) edged {
	d := drawDeep(t, rapid.IntRange(0, 2))
	from := rapid.IntRange(1, len(d.words)-2).Draw(t, "from")
	part := d.part(from, rapid.IntRange(from+1, len(d.words)-1).Draw(t, "to"))
	e := edged{src: d.indent("    ") + "\n", first: rapid.Bool().Draw(t, "first"), ending: rapid.SampledFrom([]string{"", "\n"}).Draw(t, "ending")}
	e.rest = strings.Split(part.indent("    "), "\n")
	e.changed = slices.Insert(slices.Clone(e.rest), rapid.IntRange(0, len(e.rest)).Draw(t, "at"), strings.Repeat("    ", slices.Min(part.depths))+"fresh(value)")
	e.find, e.replace = e.add(e.rest, unlike), e.add(e.changed, unlike)
	return e
}

// add returns the lines with one more line: at the beginning if e.first is true, otherwise at the end.
func (e edged) add(lines []string, line string) []string {
	if e.first {
		return slices.Insert(slices.Clone(lines), 0, line)
	}
	return append(slices.Clone(lines), line)
}

func (e edged) offers(t *rapid.T) []offer {
	return offersFor(t, e.src, strings.Join(e.find, "\n")+e.ending, strings.Join(e.replace, "\n")+e.ending)
}

// The rule for edge lines forgives an additional first or last line that the replacement repeats. The fix finds the
// other lines of the find by the first rule that fits. It also removes the line from the replacement.
func TestEdgeLineRuleForgives(t *testing.T) {
	tried := map[string]int{}
	rests := map[string]func(line string) string{
		"exact":    func(line string) string { return line },
		"trailing": func(line string) string { return line + "  " },
		"indented": func(line string) string { return "  " + line },
	}
	rapid.Check(t, func(t *rapid.T) {
		e := drawEdged(t)
		kind := rapid.SampledFrom([]string{"exact", "trailing", "indented"}).Draw(t, "rest")
		for i := range e.find {
			e.find[i] = rests[kind](e.find[i])
		}
		for i := range e.replace {
			if e.replace[i] = rests[kind](e.replace[i]); kind == "trailing" {
				e.replace[i] = strings.TrimRight(e.replace[i], " ")
			}
		}
		before := "" // the ending of the previous line
		if e.first && rapid.Bool().Draw(t, "begins with an ending") {
			before, e.find[0], e.replace[0] = "\n", "\n"+e.find[0], "\n"+e.replace[0]
		}
		offers := e.offers(t)
		found := titled(offers, edgeWords[e.first])
		if len(found) == 0 || found[0].title != offers[0].title {
			t.Fatalf("%q in %q: %+v, want an offer by the rule first", e.find, e.src, offers)
		}
		o, find, replace := found[0], before+strings.Join(e.rest, "\n")+e.ending, before+strings.Join(e.changed, "\n")+e.ending
		if o.find != find || o.replace != replace || o.certain {
			t.Fatalf("%q in %q: %+v, want %q and %q, to choose", e.find, e.src, o, find, replace)
		}
		if slices.ContainsFunc(offers, func(o offer) bool { return o.certain }) {
			t.Fatalf("%q in %q: %+v, want none that is certain", e.find, e.src, offers)
		}
		tried[kind]++
		tried[edgeWords[e.first]]++
		if before != "" {
			tried["that begin with an ending"]++
		}
	})
	floor(t, tried, 1, "exact", "trailing", "indented", edgeWords[true], edgeWords[false], "that begin with an ending")
}

// The rule does not apply if the replacement does not repeat the line, if the file lacks more than one line
// of the find, or if the file has another version of the line.
func TestEdgeLineRuleForgivesNoMore(t *testing.T) {
	outside := map[string]func(t *rapid.T, e *edged){
		"without the line in the replacement": func(_ *rapid.T, e *edged) { e.replace = e.changed },
		"with another line in the replacement": func(_ *rapid.T, e *edged) {
			e.replace = e.add(e.changed, unlike+"!")
		},
		"with two lines too many": func(_ *rapid.T, e *edged) {
			e.find, e.replace = e.add(e.find, "UNTIL "+unlike), e.add(e.replace, "UNTIL "+unlike)
		},
		"with a line too many inside": func(t *rapid.T, e *edged) {
			at := rapid.IntRange(1, len(e.rest)-1).Draw(t, "inside")
			e.find = slices.Insert(slices.Clone(e.rest), at, unlike)
			e.replace = slices.Insert(slices.Clone(e.changed), at, unlike)
		},
		"with a line that the file has there, changed": func(_ *rapid.T, e *edged) {
			at := strings.Index(e.src, strings.Join(e.rest, "\n"))
			above, below := strings.Split(e.src[:at], "\n"), strings.Split(e.src[at:], "\n")
			beside := below[min(len(e.rest), len(below)-1)]
			if e.first {
				beside = above[len(above)-2]
			}
			beside = strings.Replace(beside, "argument", "arguments", 1)
			e.find, e.replace = e.add(e.rest, beside), e.add(e.changed, beside)
		},
		"with a word changed in the rest": func(t *rapid.T, e *edged) {
			i := rapid.IntRange(0, len(e.rest)-1).Draw(t, "line")
			rest := slices.Clone(e.rest)
			rest[i] = strings.Replace(rest[i], "argument", "other", 1)
			e.find = e.add(rest, unlike)
		},
	}
	var kinds []string
	for kind := range outside {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	tried := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		e := drawEdged(t)
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		for kind == "with a line too many inside" && len(e.rest) < 2 {
			e = drawEdged(t)
		}
		outside[kind](t, &e)
		for _, o := range e.offers(t) {
			if strings.Contains(o.title, edgeWords[true]) || strings.Contains(o.title, edgeWords[false]) || o.certain {
				t.Fatalf("%s: %q in %q: %+v", kind, e.find, e.src, o)
			}
		}
		tried[kind]++
	})
	floor(t, tried, 1, kinds...)
}
