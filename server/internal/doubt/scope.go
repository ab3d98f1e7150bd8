package doubt

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// scope finds a change that reaches further than the reply says: code although only a comment changes, several places
// although only one changes, or lines that have nothing to do with the prose although the rest stays as it is. Such
// changes come from a model that writes a text from memory, or from a program that the text went through.
var scope = Rule{
	ID: "scope", existing: true,
	doubts: func(c *Change) *Doubt {
		said, r := "", (*Run)(nil)
		switch {
		case c.OnlyComments:
			said, r = "no code changes", c.changedCode()
		case c.OnePlace:
			said, r = "only one place changes", c.secondPlace()
		}
		if r == nil && c.RestStays {
			said, r = "everything else stays as it is", c.beside()
		}
		if r == nil && len(c.Kept) > 0 {
			said, r = c.keptPlace()
		}
		if r == nil {
			if r, block := c.otherBlock(); r != nil {
				return warn(c.at(*r), diag.Alternative, "the reply speaks of %q, which has the same line as line %d of %s; check which of the two should change", cut(block, 60), r.Line, c.Path)
			}
			return c.otherNumber()
		}
		stays := text.Set(r.New)
		i := max(0, slices.IndexFunc(r.Old, func(line string) bool { return !stays[line] }))
		line := cut(strings.TrimSpace(slices.Concat(r.Old, r.New)[i]), 60)
		return warn(c.at(*r), diag.Alternative, "the reply says that %s, but line %d of %s, %q, would change, too; read the whole change first", said, r.Line+i, c.Path, line)
	},
}

// keptPlace returns a run that changes something that the reply says stays as it is, and what the reply says. This is the
// file, a line that begins with the name, or a line of the function or type with the name.
func (c *Change) keptPlace() (said string, found *Run) {
	names := map[string]string{}
	for kept := range c.Kept {
		names[lastName.FindString(strings.TrimRight(kept, "()!?;:"))] = kept
		if (c.Path == kept || strings.Contains(kept, "/") && strings.HasSuffix(c.Path, "/"+kept)) && len(c.Runs) > 0 {
			return fmt.Sprintf("`%s` stays as it is", kept), &c.Runs[0]
		}
	}
	delete(names, "")
	is := func(r *Run, name string) bool {
		if kept, ok := names[name]; ok {
			said, found = fmt.Sprintf("`%s` stays as it is", kept), r
		}
		return found != nil
	}
	for i := range c.Runs {
		r := &c.Runs[i]
		depth, lines := -1, slices.Concat(r.Old, r.New)
		for _, line := range lines {
			if depth < 0 && text.HasWord(line) {
				depth = len(locate.Indentation(line))
			}
		}
		for _, line := range r.Old {
			begins := strings.TrimLeft(line, " \t\"'")
			name := firstWord(begins)
			if sets := strings.TrimLeft(begins[len(name):], "\"' "); !slices.Contains(r.New, line) && (is(r, definedIn(line)) || strings.IndexAny(sets, ":=") == 0 && is(r, name)) {
				return said, found
			}
		}
		for line := range openers(c.oldLines(), r.Line-1, depth) {
			if is(r, definedIn(line)) {
				return said, found
			}
		}
	}
	return "", nil
}

// openers yields the lines above an index that open the blocks around it, from the innermost on. depth is the length of the
// indentation at the index.
func openers(lines []string, i, depth int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i = min(i, len(lines)) - 1; i >= 0 && depth > 0; i-- {
			if n := len(locate.Indentation(lines[i])); text.HasWord(lines[i]) && n < depth {
				if depth = n; !yield(lines[i]) {
					return
				}
			}
		}
	}
}

// otherBlock returns the only place that changes, and the line that opens another block, if the prose speaks of that block,
// which has the same line, and not of a block around the place.
func (c *Change) otherBlock() (found *Run, block string) {
	if len(c.Words) == 0 || len(c.Runs) != 1 || len(c.places()) != 1 {
		return nil, ""
	}
	r, old := &c.Runs[0], c.oldLines()
	stays := text.Set(r.New)
	i := slices.IndexFunc(r.Old, func(line string) bool { return text.HasWord(line) && !stays[line] })
	if i < 0 || isRemark(r.Old[i]) {
		return nil, ""
	}
	named := func(at int) (block string) {
		for line := range openers(old, at, len(locate.Indentation(old[at]))) {
			if name := partsOf([]string{cmp.Or(definedIn(line), firstWord(line))}); name.hasOneOf(c.Words) {
				return strings.TrimSpace(line)
			}
		}
		return ""
	}
	at := r.Line - 1 + i
	if at >= len(old) || named(at) != "" {
		return nil, ""
	}
	for j, line := range old {
		if j != at && strings.TrimSpace(line) == strings.TrimSpace(old[at]) {
			if block = named(j); block != "" {
				return r, block
			}
		}
	}
	return nil, ""
}

// lastName matches the last part of a name such as `Cart.total`.
var lastName = lazyregexp.New(`[\pL\d_]+$`)

// otherNumber returns a doubt if a line changes only in a number that the prose names, if the new number is not in the prose,
// and if the prose names another number beside the old one: "reduced to 30 (from 45)", but the new line has 300.
func (c *Change) otherNumber() *Doubt {
	for _, r := range c.Runs {
		if len(r.Old) != len(r.New) {
			continue
		}
		for i, line := range r.New {
			was, now := differentNumber(r.Old[i], line)
			if _, named := c.Numbers[now]; named || c.Numbers[was] == "" {
				continue
			}
			return warn(c.at(r), diag.Alternative, "the reply speaks of %s and of %s, but line %d of %s would get %s in place of %s; check the number", was, c.Numbers[was], r.Line+i, c.Path, now, was)
		}
	}
	return nil
}

// differentNumber returns the only difference of two lines if it is a number, or "".
func differentNumber(old, new string) (was, now string) {
	a, b := numbers.FindAllStringIndex(old, 20), numbers.FindAllStringIndex(new, 20)
	if len(a) != len(b) || numbers.ReplaceAllString(old, "0") != numbers.ReplaceAllString(new, "0") {
		return "", ""
	}
	for i := range a {
		x, y := old[a[i][0]:a[i][1]], new[b[i][0]:b[i][1]]
		if x != y && was != "" {
			return "", ""
		} else if x != y {
			was, now = x, y
		}
	}
	return was, now
}

var numbers = lazyregexp.New(`\d+(?:\.\d+)*`)

// changedCode returns the first run that changes more than comments and blank lines, or nil.
func (c *Change) changedCode() *Run {
	if c.isDocument() {
		return nil
	}
	for i := range c.Runs {
		r := &c.Runs[i]
		if bareCode(r.Old) != bareCode(r.New) && !c.isQuoted(i, 0) && !slices.ContainsFunc(slices.Concat(r.Old, r.New), opensText) {
			return r
		}
	}
	return nil
}

// opensText reports whether a line begins or ends a string of several lines, which may document the code.
func opensText(line string) bool {
	return strings.Contains(line, `"""`) || strings.Contains(line, "'''")
}

// bareCode returns the code in some lines, without white space and without the comments at line ends.
func bareCode(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if isRemark(line) {
			continue
		}
		for _, sign := range []string{" //", "\t//", " #", "\t#", " --", " /*", " <!--"} {
			line, _, _ = strings.Cut(line, sign)
		}
		b.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return b.String()
}

// oneTogether is the number of equal lines up to which two runs count as one place, and the number of lines that may
// come at one place in addition to those that change.
const oneTogether = 3

// places returns the runs, with those joined that count as one place. A single new line, such as an import, is no place.
func (c *Change) places() (all []Run) {
	for _, r := range c.Runs {
		if countWithWords(r.Old) == 0 && countWithWords(r.New) <= 1 {
			continue
		}
		if n := len(all); n > 0 && r.Line <= all[n-1].Line+len(all[n-1].Old)+oneTogether {
			all[n-1].Old, all[n-1].New = append(all[n-1].Old, r.Old...), append(all[n-1].New, r.New...)
		} else {
			r.Old, r.New = slices.Clone(r.Old), slices.Clone(r.New)
			all = append(all, r)
		}
	}
	return all
}

// secondPlace returns a run beyond the first place that changes, or nil.
func (c *Change) secondPlace() *Run {
	places := c.places()
	switch {
	case len(places) > 1:
		return &places[1]
	case len(places) == 1 && countWithWords(places[0].New) > countWithWords(places[0].Old)+oneTogether:
		return &places[0]
	}
	return nil
}

// beside returns a place that the prose does not explain although it explains another one, or nil. A place is explained
// by a word that it shares with the prose, or whose change it shares with an explained place. If no lines are lost, a
// single place that is not explained is not enough, because the prose may describe it in other words.
func (c *Change) beside() *Run {
	places, known := c.places(), maps.Clone(vocabulary(c.Words))
	words, explained := make([]vocabulary, len(places)), make([]bool, len(places))
	for i, r := range places {
		old, new := partsOf(r.Old), partsOf(r.New)
		words[i] = new.without(old)
		maps.Copy(words[i], old.without(new))
		explained[i] = old.hasOneOf(known) || new.hasOneOf(known)
	}
	for i, ok := range explained {
		if ok {
			maps.Copy(known, words[i])
		}
	}
	for again := true; again; {
		again = false
		for i := range places {
			if !explained[i] && words[i].hasOneOf(known) {
				explained[i], again = true, true
				maps.Copy(known, words[i])
			}
		}
	}
	var left []int
	for i, r := range places {
		if !explained[i] && len(words[i]) > 0 && countWithWords(r.Old) > 0 {
			left = append(left, i)
		}
	}
	if len(left) == len(places) {
		return nil
	} else if len(left) > 1 {
		return &places[left[0]]
	}
	for i, r := range c.Runs { // The places may join them with lines that are explained.
		if lost := partsOf(r.Old); c.Marked && len(r.New) == 0 && countWithWords(r.Old) > 1 && !lost.hasOneOf(c.Words) {
			return &c.Runs[i]
		}
	}
	return nil
}

// partsOf returns the words in some lines in lower case, without the shortest ones. The parts of a name are words of
// their own.
func partsOf(lines []string) vocabulary {
	parts := vocabulary{}
	for _, line := range lines {
		for _, part := range text.WordsOfNames(line) {
			parts[part] = true
		}
	}
	return parts
}
