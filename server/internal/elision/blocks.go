package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// wholeBlocks reads a text of whole blocks, such as functions, which replace blocks of the file. It returns false if
// the text is not of this kind, or if nothing changes.
func (r *reader) wholeBlocks(content string) (Reading, bool) {
	parts, ok := r.replacedBlocks(content)
	if !ok || !r.addHunks(parts) {
		return Reading{}, false
	}
	// the edge of the text that is in the middle of the file: its line and its part
	edge, part := parts[0].From, 0
	if parts[0].At <= r.base.first {
		part = len(parts) - 1
		edge = parts[part].To - 1
	}
	return Reading{State: Asks, Parts: parts, Reasons: []Reason{{Kind: Fragment, Part: part, Line: edge, Text: r.lines[edge]}}}, true
}

// blocksBetween reads a text whose elisions are only between whole blocks. The first line of a block may be new, for
// example because a function has new parameters.
func (r *reader) blocksBetween(elided []bool) (Reading, bool) {
	lines := slices.Clone(r.lines)
	for i := range lines {
		if elided[i] {
			lines[i] = ""
		}
	}
	content := strings.Join(lines, "\n")
	out, ok := (&reader{content: newContent(r.base, content), base: r.base}).wholeBlocks(content)
	for i, p := range out.Parts {
		if slices.Contains(elided[p.From:p.To], true) {
			return Reading{}, false
		}
		for line := p.From; line < p.To && out.Reasons[0].Kind != NewEdge; line++ {
			if r.base.index.Class(r.lines[line]) < 0 {
				out.Reasons = []Reason{{Kind: NewEdge, Part: i, Line: line, Text: r.lines[line]}}
			}
		}
	}
	return out, ok
}

// replacedBlocks returns the parts of a text that consists of whole blocks and single lines, such as fields:
//   - A block replaces the only block of the file with the same first line or, if the file lacks that line, with the
//     same name.
//   - A single line replaces the only line of the file that is like it.
//   - A block without a counterpart in the file is new. It is added below the block that precedes it in the text, or
//     else above the block that follows.
//
// It returns false if a block has several counterparts, if no block has one, or if the order differs.
func (r *reader) replacedBlocks(content string) (parts []Part, ok bool) {
	lines := place.NewLines(content, place.AfterEOL, r.base.file.Meter())
	next := 0 // the first line of the text that is not in any part yet
	for from, n := r.neighbor(-1, +1), 0; from < len(r.lines); n++ {
		head := from
		if n == mostBlocks {
			return nil, false
		}
		for head < len(r.lines)-1 && Attached.MatchString(r.lines[head]) {
			head++
		}
		end := blockEnd(lines, r.lines, head)
		single := end-head < 2 // such as a field
		if indentOf(r.lines[head]) != indentOf(r.lines[r.neighbor(-1, +1)]) {
			return nil, false
		}
		switch at := r.linesLike(head, single); {
		case len(at) > 1, single && len(at) == 0:
			return nil, false
		case len(at) == 1:
			p := Part{From: next, To: end, At: at[0], End: blockEnd(r.base.file, r.base.lines, at[0])}
			for from < head && p.At > 0 && Attached.MatchString(r.base.lines[p.At-1]) && r.base.indent[p.At-1] == r.base.indent[at[0]] {
				p.At--
			}
			if last := r.lines[end-1]; (p.End-p.At < 2) != single || len(parts) > 0 && p.At < parts[len(parts)-1].End || last != r.base.lines[p.End-1] && slices.Contains(r.base.lines[p.At:p.End], last) {
				// The text has a line in place of a block, has the blocks in a different order, or has only the
				// beginning of a block.
				return nil, false
			}
			if last := len(parts) - 1; last >= 0 && r.base.filled[parts[last].End] == r.base.filled[p.At] {
				parts[last].To, parts[last].End = end, p.End // only blank lines are between the two parts of the file
			} else {
				parts = append(parts, p)
			}
			next, ok = end, ok || !single
		case len(parts) > 0:
			parts[len(parts)-1].To, next = end, end
		}
		from = r.neighbor(end-1, +1)
	}
	return parts, ok
}

// addHunks cuts off the blank lines at the beginning of each part, and adds the hunks of the part. It returns false if
// nothing changes.
func (r *reader) addHunks(parts []Part) bool {
	changes := false
	for i := range parts {
		p := &parts[i]
		for p.From < p.To && r.lines[p.From] == "" {
			p.From++
		}
		for _, run := range diff.RunsOf(r.base.lines[p.At:p.End], r.lines[p.From:p.To]) {
			p.Hunks = append(p.Hunks, Hunk{At: p.At + run.OldStart, End: p.At + run.OldEnd, Lines: r.lines[p.From+run.NewStart : p.From+run.NewEnd]})
		}
		changes = changes || len(p.Hunks) > 0
	}
	return changes
}

// blockEnd returns the line after a block, without the blank lines at its end.
func blockEnd(of *place.Lines, lines []string, first int) int {
	end := place.BlockEnd(of, first)
	for lines[end-1] == "" {
		end--
	}
	return end
}

// mostBlocks limits the number of blocks in a text, because each of them is compared with all lines of the file.
const mostBlocks = 50

// linesLike returns the lines of the file that equal line `head` of the text. If there are none, it returns lines
// with the same indentation: those that begin a block with the same name or, if `single` is true, those that are like
// line `head`.
func (r *reader) linesLike(head int, single bool) (at []int) {
	if class := r.base.index.Class(r.lines[head]); class >= 0 {
		return text.Each(r.base.index.Places(class), func(i int32) int { return int(i) })
	}
	name := calls(r.lines[head])
	for i, line := range r.base.lines {
		if r.base.indent[i] != indentOf(r.lines[head]) {
			continue
		}
		like := name != "" && calls(line) == name
		if single {
			like = r.base.file.Meter().Pay(cell) && isLike(line, r.lines[head])
		}
		if like && (blockEnd(r.base.file, r.base.lines, i) > i+1) != single {
			at = append(at, i)
		}
	}
	return at
}

// Attached matches a line that belongs to the definition below it: a comment or a decorator.
var Attached = lazyregexp.New(`^[ \t]*(?:@\w|#\[|\[\w|//|/\*|\*|#[^!]|--)`)
