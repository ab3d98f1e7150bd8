package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// changed records how the blocks so far have changed a file.
type changed struct {
	last   *Block
	first  plan.BlockFile // the first block's change; it is compared only if another block changes the file
	marked bool           // whether `written` already has the lines of the first change
	written
}

// overlaps warns if a block changes lines that an earlier block wrote, or a file that an earlier block in another
// format changes. The person is asked if the block brings back lines that earlier blocks removed (rule R9), or adds
// another version of lines that an earlier block added (rule R53).
func (r *Result) overlaps() {
	files := map[string]*changed{}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		for _, f := range r.Plan.Blocks[i].Files {
			if f.State != plan.Change {
				continue
			}
			c := files[f.Path]
			delete(files, f.Path)
			if c == nil {
				files[f.Target()] = &changed{last: b, first: f}
				continue
			}
			files[f.Target()] = c
			if code, message := c.follow(b, f, r.meter); message != "" {
				b.Diagnostics = append(b.Diagnostics, diag.New(code, f.At, message))
			}
		}
	}
}

// follow records that block b changes the file, and returns the code and the text of the warning for b. Both are "" if
// there is no warning.
func (c *changed) follow(b *Block, f plan.BlockFile, m *meter.Meter) (code diag.Code, message string) {
	if !c.marked {
		c.write(c.first.Runs(), c.last.Index)
		c.marked = true
	}
	last := c.last
	c.last = b
	inOrder := last.made() && b.made() // this block was written for the result of the last one
	version := c.versionOf(f, m)
	line, block := c.write(f.Runs(), b.Index)
	chosen := slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.Alternative })
	if block != 0 && !chosen && !inOrder && !m.Spent() {
		if again := c.restored(f, m); again != "" {
			return diag.Alternative, fmt.Sprintf("this block brings back %q, which an earlier block of this reply removes from %s, so this block may have been written for the file as it was before that block; apply only one of the two blocks, or write one change that has the effect of both", text.Cut(again, 60), f.Path)
		}
	}
	switch {
	case version != "" && !chosen && !inOrder:
		return diag.Alternative, version
	case block != 0:
		return diag.Overlap, fmt.Sprintf("block %d of this reply wrote line %d of %s, which this block changes; this block is applied to that result", block, line, f.Path)
	case last.Format.Name != b.Format.Name:
		return diag.Overlap, fmt.Sprintf("block %d of this reply, %s, also changes %s; this block is applied to that result", last.Index, last.Format.Title, f.Path)
	}
	return "", ""
}

// eachCompared is the cost of looking for lines that come back, in steps of the meter for each byte of the file.
const eachCompared = 8

// restored returns a line that the file had before the reply, that earlier blocks removed completely, and that f brings
// back. It returns "" if there is none, or if the meter is spent.
func (c *changed) restored(f plan.BlockFile, m *meter.Meter) string {
	first, before, after := c.first.Before().Data, f.Before().Data, f.After().Data
	if !m.Pay(eachCompared * (len(first) + len(before) + len(after))) {
		return ""
	}
	had, now := text.Set(doubt.Telling(before)), text.Set(doubt.Telling(after))
	for _, line := range text.SplitLines(first) {
		if line = strings.TrimSpace(line); now[line] && !had[line] {
			return line
		}
	}
	return ""
}

// buildsOn reports whether block i replaces a line of each of its files that an earlier block added, so the block is a
// correction of that block and not an alternative to it.
func (r *Result) buildsOn(i int) bool {
	first := map[string]plan.BlockFile{}
	for _, b := range r.Plan.Blocks[:i] {
		for _, f := range b.Files {
			if _, known := first[f.Path]; !known && f.State == plan.Change {
				first[f.Path] = f
			}
		}
	}
	builds := false
	for _, f := range r.Plan.Blocks[i].Files {
		was, known := first[f.Path]
		if !f.Changes() {
			continue
		}
		if f.Whole || !known || !r.meter.Pay(eachCompared*(len(f.Before().Data)+len(f.After().Data))) {
			return false
		}
		had, now := text.Set(doubt.Telling(was.Before().Data)), text.Set(doubt.Telling(f.After().Data))
		if builds = slices.ContainsFunc(doubt.Telling(f.Before().Data), func(line string) bool { return !had[line] && !now[line] }); !builds {
			return false
		}
	}
	return builds
}

// written has the ranges of lines that blocks wrote in a file, from top to bottom.
type written []stretch

// A stretch is a range of lines, from 0, that one block wrote. Blocks count from 1.
type stretch struct{ start, end, block int }

// write records the lines that a block writes. If the block changes a line that an earlier block wrote, `line` is the
// first such line, counted from 1 in the file before this block, and `block` is the number of the earlier block.
// Otherwise both are 0.
func (w *written) write(runs []diff.Run, index int) (line, block int) {
	now, rest := make(written, 0, len(*w)+len(runs)), *w
	moved := 0 // the number of lines added by the runs so far, minus the number of lines removed
	keep := func(l stretch) {
		if l.start < l.end {
			now = append(now, stretch{l.start + moved, l.end + moved, l.block})
		}
	}
	for _, run := range runs {
		for len(rest) > 0 && rest[0].start < run.OldEnd {
			l := rest[0]
			keep(stretch{l.start, min(l.end, run.OldStart), l.block})
			if first := max(l.start, run.OldStart); block == 0 && first < min(l.end, run.OldEnd) {
				line, block = first+1, l.block
			}
			if rest[0].start = run.OldEnd; l.end > run.OldEnd {
				break
			}
			rest = rest[1:]
		}
		moved += run.NewEnd - run.NewStart - (run.OldEnd - run.OldStart)
		if run.NewStart < run.NewEnd {
			now = append(now, stretch{run.NewStart, run.NewEnd, index})
		}
	}
	for _, l := range rest {
		keep(l)
	}
	*w = now
	return line, block
}
