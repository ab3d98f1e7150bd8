package check

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// changed is what the blocks so far did to a file.
type changed struct {
	last   *Block    // the last one that changed it
	first  plan.File // what the first one did; until another one follows, nothing is compared
	blocks []int     // of each line, the block that wrote it; 0 for a line that the file had. Nil for one block
}

// overlaps reports where a block changes lines that an earlier one wrote, or a file that
// an earlier one of another format changes (rule R9).
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
			if message := c.follow(b, f); message != "" {
				b.Diagnostics = append(b.Diagnostics, diag.Diagnostic{Span: f.At, Severity: diag.Warning, Code: diag.Overlap, Message: message})
			}
		}
	}
}

// follow is what there is to say of a block that changes the file too; "" for nothing.
func (c *changed) follow(b *Block, f plan.File) (message string) {
	if c.blocks == nil {
		c.write(c.first, c.last.Index)
	}
	last := c.last
	c.last = b
	line, block := c.write(f, b.Index)
	switch {
	case block != 0:
		return fmt.Sprintf("block %d of this reply wrote line %d of %s, which this block changes; this block is applied to what that one leaves", block, line, f.Path)
	case last.Format.Name != b.Format.Name:
		return fmt.Sprintf("block %d of this reply is %s that changes %s too; this block is applied to what that one leaves", last.Index, last.Format.Title, f.Path)
	}
	return ""
}

// write notes the lines that a block writes. Line is the first one, from 1, in the file
// before, that it changes and that an earlier block wrote; 0 for none.
func (c *changed) write(f plan.File, index int) (line, block int) {
	before, after := textOf(f.Before), textOf(f.After)
	if c.blocks == nil {
		c.blocks = make([]int, len(text.SplitLines(before)))
	}
	now := make([]int, 0, len(c.blocks))
	at := 0
	for _, run := range diff.Runs(before, after) {
		now = append(now, c.blocks[at:run.OldStart]...)
		for i, by := range c.blocks[run.OldStart:run.OldEnd] {
			if block == 0 && by != 0 {
				line, block = run.OldStart+i+1, by
			}
		}
		for range run.NewEnd - run.NewStart {
			now = append(now, index)
		}
		at = run.OldEnd
	}
	c.blocks = append(now, c.blocks[at:]...)
	return line, block
}

// textOf is a content as lines: the bytes of what is no text.
func textOf(c text.Content) string {
	if s, err := c.Text(); err == nil {
		return s
	}
	return c.Data
}
