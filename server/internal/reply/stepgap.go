package reply

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// numberedLabel matches the beginning of a heading, of a bold label, or of a line such as `Step 2:`. Its groups are what
// is before the number, and the number.
var numberedLabel = lazyregexp.New(`^[ \t>]*(?:((?:#{1,6} +|\*\*|__)(?:\pL+ +)?)(\d{1,2})\b|(\pL+ +)(\d{1,2}) ?[.:)–—-])`)

// A numbering is a sequence of labels that differ only in their numbers.
type numbering struct {
	count, last, missing int       // `missing` is the number that is left out, or 0
	below                text.Span // the label below the missing one
	broken               bool      // the numbers do not count up from 1, or several are missing
}

// stepGap adds a step that the reply leaves out to the unread parts: the numbers of its labels count up from 1, but one
// is missing, and no other label has it. This part of the reply was probably lost.
func (a *lister) stepGap() {
	all, named := map[string]*numbering{}, map[string]bool{}
	for _, at := range a.labelLines() {
		line := at.In(a.doc)
		m := numberedLabel.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, n := range numbersIn(line, mostInLabel) {
			named[n] = true // `Steps 2 and 3` has both
		}
		before := strings.ToLower(m[1] + m[3])
		if all[before] == nil {
			all[before] = &numbering{}
		}
		all[before].add(m[2]+m[4], at)
	}
	said := sync.OnceValue(func() string { return strings.ToLower(a.doc) })
	for before, n := range all {
		word, missing := strings.Trim(before, "#*_ "), strconv.Itoa(n.missing)
		if n.missing > 0 && !n.broken && n.count >= text.Habit && !named[missing] && (word == "" || a.files.Meter.Pay(len(a.doc)) && !strings.Contains(said(), word+" "+missing)) {
			a.add(Unread{Kind: Instruction, At: n.below, What: "the step " + missing + " above it, which the reply lacks", Sure: true})
		}
	}
}

func (n *numbering) add(number string, at text.Span) {
	is, _ := strconv.Atoi(number)
	switch {
	case is == n.last+2 && n.missing == 0 && n.last > 0:
		n.missing, n.below = n.last+1, at
	case is != n.last+1:
		n.broken = true
	}
	n.count, n.last = n.count+1, is
}

// labelLines returns the lines outside of fences and blocks, and the first line of each block, which may be its label.
func (a *lister) labelLines() (lines []text.Span) {
	for _, part := range a.proseParts() {
		lines = append(lines, linesIn(a.doc, part)...)
	}
	for _, read := range a.document.Read {
		end, _ := text.LineEnd(a.doc, read.Start)
		lines = append(lines, text.Span{Start: read.Start, End: min(end, read.Start+mostLine)})
	}
	slices.SortFunc(lines, func(x, y text.Span) int { return x.Start - y.Start })
	return lines
}
