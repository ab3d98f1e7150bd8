package diff

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Conflict is a place that both sides changed differently, as lines of each of the three texts.
type Conflict struct{ Base, Ours, Theirs LineRange }

// A LineRange is the lines from Start to before End, counted from 0.
type LineRange struct{ Start, End int }

// Len returns the number of lines.
func (l LineRange) Len() int { return l.End - l.Start }

// Merge merges the changes that `ours` and `theirs` made to `base`. It compares lines with their endings. Two
// changes touch if no line of `base` is between them. Changes that touch are in conflict unless they are equal,
// because their order is unknown. If lines repeat, a diff can match them in several ways, so Merge tries two ways.
// It reports a conflict if changes touch in either way, or if the results differ; `merged` then has no meaning.
func Merge(base, ours, theirs string) (merged string, conflicts []Conflict) {
	b, o, t := text.SplitLines(base), text.SplitLines(ours), text.SplitLines(theirs)
	merged, conflicts = merge(b, o, t)
	if conflicts != nil || base == ours || base == theirs {
		return merged, conflicts
	}
	upward, conflicts := merge(reversed(b), reversed(o), reversed(t))
	for i, c := range conflicts {
		conflicts[i] = Conflict{c.Base.reversed(b), c.Ours.reversed(o), c.Theirs.reversed(t)}
	}
	slices.Reverse(conflicts)
	if conflicts == nil && upward != strings.Join(reversed(text.SplitLines(merged)), "") {
		conflicts = []Conflict{differing(b, o, t)}
	}
	return merged, conflicts
}

// reversed reverses the order of lines. In reversed texts, a diff matches repeated lines differently.
func reversed(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
}

func (l LineRange) reversed(all []string) LineRange {
	return LineRange{len(all) - l.End, len(all) - l.Start}
}

// differing returns the lines between those at the top and at the end that all three texts share.
func differing(b, o, t []string) Conflict {
	least := min(len(b), len(o), len(t))
	top := 0
	for top < least && b[top] == o[top] && b[top] == t[top] {
		top++
	}
	end := 0
	for end < least-top && b[len(b)-1-end] == o[len(o)-1-end] && b[len(b)-1-end] == t[len(t)-1-end] {
		end++
	}
	return Conflict{LineRange{top, len(b) - end}, LineRange{top, len(o) - end}, LineRange{top, len(t) - end}}
}

// merge is [Merge] for one way to match lines.
func merge(b, o, t []string) (merged string, conflicts []Conflict) {
	var out []string
	var at place // the lines merged so far
	left, right := changes(b, o), changes(b, t)
	for len(left) > 0 || len(right) > 0 {
		var c Conflict
		var mine, other bool
		c, mine, other, left, right = next(left, right, at)
		out = append(out, b[at.base:c.Base.Start]...)
		at = place{c.Base.End, c.Ours.End, c.Theirs.End}
		o, t := o[c.Ours.Start:c.Ours.End], t[c.Theirs.Start:c.Theirs.End]
		switch {
		case !other:
			out = append(out, o...)
		case !mine:
			out = append(out, t...)
		case strings.Join(o, "") == strings.Join(t, ""):
			out = append(out, o...)
		default:
			conflicts = append(conflicts, c)
		}
	}
	out = append(out, b[at.base:]...)
	return strings.Join(out, ""), conflicts
}

type place struct{ base, ours, theirs int }

// A change replaces lines of base with lines of one side. If the added or removed lines repeat, the change could be
// further up or down; `reach` is all lines of base that it may touch.
type change struct{ base, side, reach LineRange }

// changes returns the changes between two texts, from top to bottom. Between two changes, there is at least one line
// of base.
func changes(base, side []string) []change {
	runs := RunsOf(base, side)
	all := make([]change, len(runs))
	for i, r := range runs {
		above, below := 0, len(base)
		if i > 0 {
			above = runs[i-1].OldEnd
		}
		if i+1 < len(runs) {
			below = runs[i+1].OldStart
		}
		c := change{base: LineRange{r.OldStart, r.OldEnd}, side: LineRange{r.NewStart, r.NewEnd}}
		c.reach = c.within(base, side, above, below)
		all[i] = c
	}
	return all
}

// within returns the lines of base that the change covers in all its possible places together. A place is possible
// if the change gives the same result there. The change stays between the lines `above` and `below`.
func (c change) within(base, side []string, above, below int) LineRange {
	lines, at, n := base, c.base, c.base.Len()
	if n == 0 {
		lines, at, n = side, c.side, c.side.Len()
	} else if c.side.Len() > 0 {
		// The replaced lines show where the change is.
		return c.base
	}
	reach := c.base
	for i := 1; reach.Start > above && lines[at.Start-i] == lines[at.Start-i+n]; i++ {
		reach.Start--
	}
	for i := 0; reach.End < below && lines[at.End+i] == lines[at.End+i-n]; i++ {
		reach.End++
	}
	return reach
}

// next returns the first group of changes that overlap or touch, and the remaining changes of each side. `mine` and
// `other` report whether our side and the other side have changes in the group. c.Ours and c.Theirs are each side's
// lines for c.Base.
func next(ours, theirs []change, at place) (c Conflict, mine, other bool, restOurs, restTheirs []change) {
	c.Base = first(ours, theirs)
	i, j := 0, 0
	for grew := true; grew; {
		grew = false
		for ; i < len(ours) && ours[i].reach.Start <= c.Base.End; i++ {
			c.Base.End, grew = max(c.Base.End, ours[i].reach.End), true
		}
		for ; j < len(theirs) && theirs[j].reach.Start <= c.Base.End; j++ {
			c.Base.End, grew = max(c.Base.End, theirs[j].reach.End), true
		}
	}
	c.Ours = sideLines(ours[:i], c.Base, at.ours-at.base)
	c.Theirs = sideLines(theirs[:j], c.Base, at.theirs-at.base)
	return c, i > 0, j > 0, ours[i:], theirs[j:]
}

// first returns the reach of the change that begins first.
func first(ours, theirs []change) LineRange {
	switch {
	case len(theirs) == 0, len(ours) > 0 && ours[0].reach.Start <= theirs[0].reach.Start:
		return ours[0].reach
	default:
		return theirs[0].reach
	}
}

// sideLines returns the lines of one side for the lines `base`. `changes` are the side's changes in these lines, and
// `shift` is the number of lines that the changes above add.
func sideLines(changes []change, base LineRange, shift int) LineRange {
	l := LineRange{base.Start + shift, base.End + shift}
	for _, c := range changes {
		l.End += c.side.Len() - c.base.Len()
	}
	return l
}
