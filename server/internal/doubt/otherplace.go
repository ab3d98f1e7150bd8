package doubt

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// otherPlace finds these changes:
//   - of a section, although the prose names another section by its title,
//   - of one line, although the prose names a block with a similar line,
//   - of several lines in the same way, although the prose names only some of them.
func (c *Change) otherPlace() *Doubt {
	if r, is, named := c.otherSection(); r != nil {
		return warn(c.at(*r), diag.Alternative, "the reply names the section %q, but would change the section %q of %s; check which of the two should change", named, is, c.Path)
	}
	if r, block := c.otherBlock(); r != nil {
		return warn(c.at(*r), diag.Alternative, "the reply mentions %q, which contains a line like line %d of %s; check which of the two lines should change", text.Cut(block, 60), r.Line, c.Path)
	}
	if len(c.Named) == 0 {
		return nil
	}
	swaps := c.swaps()
	if len(swaps) > mostSwaps {
		return nil
	}
	n := c.namedLines()
	for _, s := range swaps {
		if name, i := s.untold(n); name != "" {
			return warn(c.at(*s.runs[i]), diag.Alternative, "the reply names `%s`, but would make the same change elsewhere, on line %d of %s: %q; check whether that line should change, too", name, s.lines[i]+1, c.Path, text.Cut(strings.TrimSpace(n.old[s.lines[i]]), 60))
		}
	}
	return nil
}

// mostSwaps limits the number of swaps, and the number of lines of a swap. If there are more, the prose is not
// expected to name each line.
const mostSwaps = 50

// A swap replaces the same old tokens with the same new tokens on one or more lines.
type swap struct {
	was   []string
	lines []int // the indexes of the old lines
	runs  []*Run
}

// swaps returns the swaps of the change, in order. Two lines share a swap only if one step of the reply changes both
// without showing the lines, for example by a replacement of all occurrences.
func (c *Change) swaps() (all []*swap) {
	type key struct {
		at      Part
		was, is string
	}
	known := map[key]*swap{}
	for i := range c.Runs {
		r := &c.Runs[i]
		if len(r.Old) != len(r.New) || r.At.Block != c.At.Block && !c.Whole {
			continue
		}
		for j, line := range r.Old {
			_, was, is := difference(line, r.New[j])
			if len(was) == 0 {
				continue
			}
			k := key{r.At, strings.Join(was, "\x00"), strings.Join(is, "\x00")}
			s := known[k]
			if s == nil || c.Marked || c.Whole || strings.Contains(strings.TrimSpace(r.Written.Text), "\n") {
				s = &swap{was: was}
				known[k], all = s, append(all, s)
			}
			s.lines, s.runs = append(s.lines, r.Line-1+j), append(s.runs, r)
		}
	}
	return all
}

// namedLines finds the lines that have names from the prose.
type namedLines struct {
	*Change
	old  []string
	on   map[string][]int // the indexes of the lines that have each name, at most mostSwaps
	near map[int][]string // near[i] has line i, and the lines that begin the blocks and the section around it
}

func (c *Change) namedLines() *namedLines {
	n := &namedLines{c, c.oldLines(), map[string][]int{}, map[int][]string{}}
	before := c.Before()
	for _, name := range c.Named {
		if n.on[name] != nil || !c.Meter.Pay(len(before)) || !strings.Contains(before, name) {
			continue
		}
		for i, line := range n.old {
			if len(n.on[name]) < mostSwaps && hasName(line, name) {
				n.on[name] = append(n.on[name], i)
			}
		}
	}
	return n
}

// isAt reports whether the name is on line `at`, or on a line that begins a block or a section around it.
func (n *namedLines) isAt(at int, name string) bool {
	if n.on[name] == nil {
		return false
	}
	if n.near[at] == nil && n.Meter.Pay(meter.Line*at) {
		n.near[at] = append([]string{n.old[at]}, slices.Collect(around(n.old, at))...)
	}
	return slices.ContainsFunc(n.near[at], func(line string) bool { return hasName(line, name) })
}

// untold returns a name in the prose that some of the changed lines have, and the index in s.lines of a changed
// line that the prose does not mention. The name is "" if there is no such line.
func (s *swap) untold(n *namedLines) (named string, index int) {
	if len(s.lines) < 2 || len(s.lines) > mostSwaps || n.Everywhere {
		return "", 0
	}
	told, old := make([]bool, len(s.lines)), n.old
	for _, name := range n.Named {
		on := 0
		for i, at := range s.lines {
			if n.isAt(at, name) {
				on, told[i] = on+1, true
			}
		}
		switch {
		case on == len(s.lines):
			return "", 0 // The name does not distinguish the lines.
		case on > 0:
			named = name
		}
	}
	common := partsOf(old[s.lines[0] : s.lines[0]+1])
	for _, at := range s.lines {
		common = common.without(common.without(partsOf(old[at : at+1])))
	}
	for i, at := range s.lines {
		if named != "" && !told[i] && !partsOf(old[at:at+1]).without(common).without(partsOf(n.Named)).hasOneOf(n.Words) {
			return named, i
		}
	}
	return "", 0
}

// around yields the lines that begin the blocks around old[at], innermost first, and the header of its section.
func around(old []string, at int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range openers(old, at, len(text.Indentation(old[at]))) {
			if !yield(line) {
				return
			}
		}
		for _, line := range slices.Backward(old[:at]) {
			if isSection(line) {
				yield(line)
				return
			}
		}
	}
}

func isSection(line string) bool {
	return (strings.Contains(line, "[") || strings.HasPrefix(line, "#")) && header.MatchString(line)
}

// header matches a line that begins a section: `[server]`, `## Server`.
var header = lazyregexp.New(`^\s*\[{1,2}[^\[\]]+\]{1,2}\s*$|^#{1,6} .*`)

// otherSection returns a run, the title of its section, and the title of another section that the prose names. It
// returns nil if the prose mentions the section of any run, or if a run has the title of a section.
func (c *Change) otherSection() (found *Run, is, named string) {
	titles := text.Only(c.Named, isTitle)
	if i := slices.IndexFunc(titles, c.hadLine); i >= 0 && len(c.Runs) <= mostSwaps {
		named = titles[i]
	}
	for i := 0; i < len(c.Runs) && named != ""; i++ {
		r := &c.Runs[i]
		in := lastTitle(c.above(i, mostRepeated))
		if in == "" || slices.Contains(titles, in) || r.At.Block != c.At.Block || partsOf([]string{in}).hasOneOf(c.Words) || slices.ContainsFunc(slices.Concat(r.Old, r.New), isTitle) {
			return nil, "", ""
		}
		found, is = r, in
	}
	return found, is, named
}

// otherBlock returns the only run, and the first line of another block that the prose names and that has a line like
// the changed line. The prose must name no block around the run. If lines are only added, the line above them counts
// as the changed line. If the prose names both blocks, the text directly above the edit decides.
func (c *Change) otherBlock() (found *Run, block string) {
	if len(c.Words) == 0 || len(c.Runs) != 1 {
		return nil, ""
	}
	above := text.Set(text.Each(c.Named, strings.ToLower))
	if len(above) > 0 {
		if found, block = c.otherBlockOf(above); found != nil {
			return found, block
		}
	}
	return c.otherBlockOf(c.Words)
}

func (c *Change) otherBlockOf(words vocabulary) (found *Run, block string) {
	r, old := &c.Runs[0], c.oldLines()
	stays, at := text.Set(r.New), r.Line-2
	switch i := slices.IndexFunc(r.Old, func(line string) bool { return text.HasWord(line) && !stays[line] }); {
	case i >= 0 && len(c.places()) == 1:
		at += 1 + i
	case len(r.Old) > 0:
		return nil, ""
	}
	if at < 0 || at >= len(old) || !text.HasWord(old[at]) || isRemark(old[at]) || named(words, around(old, at), true) != "" {
		return nil, ""
	}
	changed := strings.TrimSpace(old[at])
	like := 0
	for j, line := range old {
		if j != at && like < mostSwaps && text.EqualButNumbers(strings.TrimSpace(line), changed) && (len(r.Old) > 0 || strings.TrimSpace(line) == changed) && !c.means(old[at], line, r.New) {
			if block = named(words, around(old, j), false); block != "" {
				return r, block
			}
			like++
		}
	}
	return nil, ""
}

// means reports whether the prose means the old line and not another line that differs in a number, whichever blocks it
// names: it has the number of the old line, but not the other number. It may have the other number if that stands alone
// in its sentence, and the prose also has the new number of the line.
func (c *Change) means(line, other string, new []string) bool {
	is, not := differentNumber(line, other)
	_, told := c.Numbers[is]
	beside, toldOther := c.Numbers[not]
	return told && (!toldOther || beside == "" && slices.ContainsFunc(new, func(new string) bool {
		_, now := differentNumber(line, new)
		_, told := c.Numbers[now]
		return told
	}))
}

// named returns the first line of `around` that names a block or a section with one of the words, or "". If `short`
// is true, a name of up to three letters counts, too.
func named(words vocabulary, around iter.Seq[string], short bool) string {
	for line := range around {
		if repeatable.MatchString(strings.TrimSpace(line)) {
			continue // The word `else` in the prose does not name a block.
		}
		name := partsOf([]string{cmp.Or(header.FindString(line), Defines(line), firstWord(line))})
		isShort := func(m []string) bool { return words[strings.ToLower(m[0])] }
		if name.hasOneOf(words) || short && slices.ContainsFunc(shortWord.FindAllStringSubmatch(line, -1), isShort) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

var shortWord = lazyregexp.New(`\b\pL[\pL\d_]{0,2}\b`)
