package plan

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachBefore is the cost, in units, of each byte of a file whose whole text the doubts need.
const eachBefore = 8

// doubts asks package doubt about the new version of an item's file. runs are the lines that
// the item's steps change; an item without steps has a whole text.
func (b *builder) doubts(now, after version, it *item, runs []doubt.Run) []diag.Diagnostic {
	if after.same(now) || it.Proven || after.Mode.Type() != 0 {
		return nil
	}
	facts := doubt.Facts{New: now.len() == 0, MayBePart: it.MayBePart, Marked: it.Marked, Raw: it.Raw}
	before := sync.OnceValue(func() string {
		if !b.Meter.Pay(eachBefore * now.len()) {
			return ""
		}
		s, _, _ := text.Decode(now.bytes()) // cannot fail, because after was made from the decoded text
		return s
	})
	var c *doubt.Change
	switch it.Kind {
	case intent.Write, intent.Create, intent.Replace:
		facts.New = !now.Exists
		if it.Raw && strings.ContainsRune(it.Content, 0) {
			return nil
		}
		c = doubt.Whole(it.Path, before(), strings.TrimPrefix(it.Content, "\ufeff"), facts) // the file keeps its own byte order mark, whatever the text has
		c.ContentAt, c.Others = it.ContentAt, func() map[string]bool { return b.linesBeside(it) }
	default:
		if len(runs) == 0 || it.Kind == intent.Delete || it.Raw && !isText(runs) {
			return nil
		}
		c = &doubt.Change{Path: it.Path, Facts: facts, Before: before, Runs: runs}
	}
	c.Meter = b.Meter
	c.At = spanOf(intent.Literal{}, it.Change)
	found := doubt.Of(c)
	for i := range found {
		found[i] = ofFile(found[i], it)
	}
	return found
}

// linesBeside returns the lines of the reply's whole texts for files other than the item's.
func (b *builder) linesBeside(it *item) map[string]bool {
	lines := map[string]bool{}
	for _, set := range b.sets {
		for _, c := range set.Changes {
			if path.Join(set.Root, c.Path) != it.key && b.Meter.Pay(eachWritten*len(c.Content)) {
				for line := range strings.Lines(c.Content) {
					lines[strings.TrimSpace(line)] = true
				}
			}
		}
	}
	return lines
}

// isText reports whether the changed lines are text, because a git patch may change any kind
// of file.
func isText(runs []doubt.Run) bool {
	binary := func(line string) bool { return !utf8.ValidString(line) || strings.ContainsRune(line, 0) }
	return !slices.ContainsFunc(runs, func(r doubt.Run) bool {
		return slices.ContainsFunc(r.Old, binary) || slices.ContainsFunc(r.New, binary)
	})
}

// runsOf returns the lines of a text that a step changes, each with the part of the block
// that changes it.
func runsOf(t *locate.Text, step intent.Step, out intent.Outcome) []doubt.Run {
	if len(out.Edits) == 0 || out.Proven {
		return nil
	}
	if len(out.Places) == 0 || out.Written.At.Span != (text.Span{}) {
		return doubt.Runs(t, out.Edits, step.Span(), out.Written)
	}
	places := slices.Clone(out.Places)
	slices.SortFunc(places, func(a, b intent.Place) int { return a.Target.Start - b.Target.Start })
	partOf := func(e text.Edit) text.Span {
		i, exact := slices.BinarySearchFunc(places, e.Span.Start, func(p intent.Place, at int) int { return p.Target.Start - at })
		if !exact {
			i--
		}
		if i < 0 || !places[i].Target.Contains(e.Span) {
			return step.Span()
		}
		return places[i].At
	}
	var runs []doubt.Run
	for i, of := 0, out.Edits; i < len(of); {
		first, part := i, partOf(of[i])
		for i++; i < len(of) && partOf(of[i]) == part; i++ {
		}
		runs = append(runs, doubt.Runs(t, of[first:i], part, intent.Written{})...)
	}
	return runs
}
