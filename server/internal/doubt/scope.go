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
	"github.com/aptix-dev/aptix/server/internal/text"
)

// scope finds a change that contradicts a statement of the reply: it alters code although only a comment should
// change, several places although only one should change, or unrelated lines although the rest should stay. It also
// finds a change that looks like a slip, if the prose explains all other changes.
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
			said, r = "everything else stays as it is", c.unexplainedPlace()
		}
		if r == nil {
			if r, what := c.slip(); r != nil {
				return warn(c.at(*r), diag.Alternative, "the reply explains the other changes of %s, but does not mention %s at line %d; read the whole change first", c.Path, what, r.Line)
			}
		}
		if r == nil {
			if r, what := c.misspelled(); r != nil {
				return warn(c.at(*r), diag.Alternative, "line %d of %s may have a slip: %s; no other line changes like this, and the reply does not mention it; check that line", r.Line, c.Path, what)
			}
		}
		if r == nil && len(c.Kept) > 0 {
			said, r = c.keptPlace()
		}
		if r == nil {
			return cmp.Or(c.otherPlace(), c.otherNumber(), c.renumbered())
		}
		stays := text.Set(r.New)
		i := max(0, slices.IndexFunc(r.Old, func(line string) bool { return !stays[line] }))
		line := text.Cut(strings.TrimSpace(slices.Concat(r.Old, r.New)[i]), 60)
		return warn(c.at(*r), diag.Alternative, "the reply says that %s, but would also change line %d of %s: %q; read the whole change first", said, r.Line+i, c.Path, line)
	},
}

// keptPlace returns a statement of the reply that something stays as it is, and a run that changes it. The statement
// may be about the file, a function, a type or a key. If it names a value that stays, the run must remove that value.
func (c *Change) keptPlace() (said string, found *Run) {
	names := map[string]string{}
	for kept, value := range c.Kept {
		names[lastName.FindString(strings.TrimRight(kept, "()!?;:"))] = kept
		if (c.Path == kept || strings.Contains(kept, "/") && strings.HasSuffix(c.Path, "/"+kept)) && value == "" && len(c.Runs) > 0 {
			return fmt.Sprintf("`%s` stays as it is", kept), &c.Runs[0]
		}
	}
	if delete(names, ""); len(names) == 0 {
		return "", nil
	}
	is := func(r *Run, name string) bool {
		if kept, ok := names[name]; ok && c.Kept[kept] == "" {
			said, found = fmt.Sprintf("`%s` stays as it is", kept), r
		} else if ok && r.removes(c.Kept[kept]) {
			said, found = fmt.Sprintf("`%s` keeps `%s`", kept, c.Kept[kept]), r
		}
		return found != nil
	}
	for i := range c.Runs {
		r := &c.Runs[i]
		depth, lines, kept := -1, slices.Concat(r.Old, r.New), text.Set(r.New)
		for _, line := range lines {
			if depth < 0 && text.HasWord(line) {
				depth = len(text.Indentation(line))
			}
		}
		for _, line := range r.Old {
			if !kept[line] && (is(r, Defines(line)) || is(r, keyOf(line))) {
				return said, found
			}
		}
		for line := range openers(c.oldLines(), r.Line-1, depth) {
			if is(r, Defines(line)) || is(r, keyOf(line)) {
				return said, found
			}
		}
	}
	return "", nil
}

// removes reports whether a run removes or changes a line that has a name or a value.
func (r *Run) removes(name string) bool {
	kept := text.Set(r.New)
	return slices.ContainsFunc(r.Old, func(line string) bool { return !kept[line] && hasName(line, name) })
}

// keyOf returns the key to which a line gives a value, such as `level` in `level: debug` or `"level": {`, or "".
func keyOf(line string) string {
	line = strings.TrimLeft(line, " \t\"'")
	name := firstWord(line)
	if strings.IndexAny(strings.TrimLeft(line[len(name):], "\"' "), ":=") != 0 {
		return ""
	}
	return name
}

// openers yields the lines above index i that open the blocks around it, innermost first. `depth` is the length of
// the indentation at index i. A label that begins with a dot opens no block: in assembler code, it is only a part of
// a routine.
func openers(lines []string, i, depth int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i = min(i, len(lines)) - 1; i >= 0 && depth > 0; i-- {
			if n := len(text.Indentation(lines[i])); text.HasWord(lines[i]) && n < depth && lines[i][n] != '.' {
				if depth = n; !yield(lines[i]) {
					return
				}
			}
		}
	}
}

// lastName matches the last part of a name such as `Cart.total`.
var lastName = lazyregexp.New(`[\pL\d_]+$`)

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

// oneTogether is the largest number of equal lines between two runs that count as one place. It is also the largest
// number of lines that one place may gain.
const oneTogether = 3

// places returns the runs, joined if they count as one place. A single new line, such as an import, is not a place.
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

// secondPlace returns the second place that changes, or the only place if it grows by many lines, or nil.
func (c *Change) secondPlace() *Run {
	places := c.places()
	for _, s := range c.swaps() {
		if len(s.lines) > 1 && !c.Everywhere {
			r, at := s.runs[1], s.lines[1]
			i := at - (r.Line - 1)
			return &Run{Line: at + 1, Old: r.Old[i : i+1], New: r.New[i : i+1], At: r.At}
		}
	}
	switch {
	case len(places) > 1:
		return &places[1]
	case len(places) == 1 && countWithWords(places[0].New) > countWithWords(places[0].Old)+oneTogether:
		return &places[0]
	}
	return nil
}

// unexplainedPlace returns a place that the prose does not explain, although it explains another change. A single
// place without lost lines is not enough, because the prose may describe it in other words. It returns nil if there
// is none.
func (c *Change) unexplainedPlace() *Run {
	left, known := c.unexplained(c.Words)
	left = slices.DeleteFunc(left, func(r Run) bool { return len(otherParts(r)) == 0 })
	if !known {
		return nil
	} else if len(left) > 1 {
		return &left[0]
	}
	for i, r := range c.Runs { // Check each run by itself, because at the same place the prose may explain another run.
		if lost := partsOf(r.Old); c.Marked && len(r.New) == 0 && countWithWords(r.Old) > 1 && !lost.hasOneOf(c.Words) {
			return &c.Runs[i]
		}
	}
	return nil
}

// unexplained returns the places that change lines of the file and that the prose does not explain. A place is
// explained if it has a word of `prose`, or if its change shares a word with an explained place. `known` reports
// whether any change is explained.
func (c *Change) unexplained(prose vocabulary) (left []Run, known bool) {
	places, said := c.places(), maps.Clone(prose)
	says := func(lines []string) bool {
		return partsOf(lines).hasOneOf(prose) || slices.ContainsFunc(lines, prose.hasName)
	}
	words, explained := make([]vocabulary, len(places)), make([]bool, len(places))
	explain := func(i int) {
		explained[i], known = true, true
		maps.Copy(said, words[i])
	}
	for i, r := range places {
		words[i] = otherParts(r)
		if says(r.Old) || says(r.New) || c.namesAround(r, prose) {
			explain(i)
		}
	}
	for again := true; again; {
		again = false
		for i := range places {
			if !explained[i] && words[i].hasOneOf(said) {
				explain(i)
				again = true
			}
		}
	}
	for i, r := range places {
		if !explained[i] && countWithWords(r.Old) > 0 {
			left = append(left, r)
		}
	}
	return left, known || slices.ContainsFunc(c.Runs, func(r Run) bool { return len(r.Old) == 0 && says(r.New) })
}

func (v vocabulary) hasName(line string) bool {
	return slices.ContainsFunc(text.Names(line), func(name string) bool { return v[strings.ToLower(name)] })
}

// namesAround reports whether the prose names a function, a type or a key around a run.
func (c *Change) namesAround(r Run, prose vocabulary) bool {
	first := firstText(slices.Concat(r.Old, r.New))
	for line := range openers(c.oldLines(), r.Line-1, len(text.Indentation(first))) {
		if prose[strings.ToLower(Defines(line))] || prose[strings.ToLower(keyOf(line))] {
			return true
		}
	}
	return false
}

// otherParts returns the words that only the old lines or only the new lines of a run have.
func otherParts(r Run) vocabulary {
	old, new := partsOf(r.Old), partsOf(r.New)
	words := new.without(old)
	maps.Copy(words, old.without(new))
	return words
}

// partsOf returns the words in lines in lower case, without the shortest words. It splits names into their parts.
func partsOf(lines []string) vocabulary {
	parts := vocabulary{}
	for _, line := range lines {
		for _, part := range text.WordsOfNames(line) {
			parts[part] = true
		}
	}
	return parts
}
