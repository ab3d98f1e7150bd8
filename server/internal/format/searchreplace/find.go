package searchreplace

import (
	"slices"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type finder struct {
	doc   format.Document
	lines searchblock.Lines
	found []*format.Region
	from  int    // the first line below the previous region or fence
	open  bool   // the previous region is outside of fences, and no fence followed so far
	path  string // of the previous block
	since int    // the start of the text below the previous region

	earlier string // the last path before `path` that differs from it
}

// needed is for a quick test: every document with a block contains at least one of these strings, even if the
// block's first mark is wrong.
var needed = []string{"<<<", ">>>", "SEARCH", "REPLACE"}

// find claims the blocks of a document. A fence with blocks is a region, with the line above if that line names the
// file. Outside of fences, each block is a region.
func find(d format.Document) []*format.Region {
	if !slices.ContainsFunc(needed, func(s string) bool { return strings.Contains(d.Text, s) }) {
		return findPairs(d, nil)
	}
	f, read := &finder{doc: d, lines: searchblock.Split(d.Text)}, 0
	for p := range d.Segments(&read) {
		i := f.lineAt(p.At.Start)
		switch p.Mark {
		case mdblock.NoMark:
			if isBlock(p.Fence) {
				f.fenced(p.Fence)
			}
			f.from, f.open = f.lineAt(p.At.End), false
		case mdblock.SearchMark:
			f.unfenced(i)
		case mdblock.LikeMark:
			f.broken(i, i+1)
		case mdblock.ReplaceMark:
			if f.open {
				f.extendTo(i + 1)
			} else if head, ok := searchblock.EndsAltered(f.lines, f.from, i); ok {
				f.broken(head, i+1)
			}
		}
		read = f.lines.Starts[f.from]
	}
	return append(f.found, findPairs(d, f.found)...)
}

func (f *finder) lineAt(offset int) int { return sort.SearchInts(f.lines.Starts, offset) }

// begins reports whether a block begins on a line, perhaps with a misspelt mark.
func begins(l searchblock.Lines, i int) bool {
	_, like := mdblock.LikeSearch(l.Text(i))
	return like || l.Mark(i) == mdblock.SearchMark
}

// isBlock reports whether a fence contains blocks that are edits. In a long fence, or a fence with prose, a block is
// only a sample, unless the text begins with it or with its path. In an ap patch, a block without a first mark does
// not count, because values of the patch may contain the end of a block.
func isBlock(r *format.Region) bool {
	l := searchblock.Split(r.Body)
	first := 0
	for first < l.Count() && l.Blank(first) {
		first++
	}
	for i := first; i < l.Count(); i++ {
		if head, ok := searchblock.EndsAltered(l, first, i); ok && r.Lang != "ap" {
			return head == first && l.Mark(head) == mdblock.NoMark || !(r.IsProse() || r.IsLong())
		}
		if !begins(l, i) {
			continue
		}
		above := lastText(l, first, i)
		_, named := pathLine(l, max(above, 0))
		return above < first || above == first && named || !(r.IsProse() || r.IsLong())
	}
	return false
}

// fenced adds a fence as a region, with the line above that names its file.
func (f *finder) fenced(r *format.Region) {
	open := f.lineAt(r.Span.Start)
	if _, next := text.LineEnd(f.doc.Text, r.Open.Start); !strings.HasPrefix(f.doc.Text[next:], r.Body) || r.Open.Start != f.lines.Starts[open] {
		above, _ := pathsAbove(f.lines, f.from, open+1)
		region := &format.Region{Block: r.Block}
		outer := f.outside(r.Span.Start)
		if len(above) > 0 {
			outer.above = above[len(above)-1].path
		}
		f.add(region, outer)
		return
	}
	head := open
	for f.lines.Starts[head] < r.Span.End && !begins(f.lines, head) {
		head++
	}
	if f.lines.Starts[head] >= r.Span.End {
		head = open + 1
	}
	_, top := pathsAbove(f.lines, f.from, head)
	start := f.lines.Starts[min(top, open)]
	f.add(format.Piece(f.doc.Text, text.Span{Start: start, End: r.Span.End}, r.Closed), f.outside(start))
}

func (f *finder) unfenced(head int) {
	p := searchblock.ReadPair(f.lines, head)
	_, top := pathsAbove(f.lines, f.from, head)
	end := p.After()
	if p.Problem != "" {
		end = f.nextFence(head, end)
	}
	if end < f.lines.Count() && closeTag.MatchString(f.lines.Text(end)) {
		end++
	}
	span := f.lines.Span(top, end)
	f.add(format.Piece(f.doc.Text, span, p.Problem == "" || end < f.lines.Count()), f.outside(span.Start))
	f.from, f.open = end, true
}

// extendTo extends the last region up to a line with another closing mark. The region ended too early, because a
// text of the block contains a mark, or because the block's opening mark is misspelt.
func (f *finder) extendTo(end int) {
	last := f.found[len(f.found)-1]
	last.Block = mdblock.Piece(f.doc.Text, text.Span{Start: last.Span.Start, End: f.lines.Starts[end]}, last.Closed)
	f.from, f.since = end, last.Span.End
}

// broken adds a region for lines outside of fences that only resemble a block, so that they are reported.
func (f *finder) broken(head, end int) {
	_, top := pathsAbove(f.lines, f.from, head)
	span := f.lines.Span(top, end)
	f.add(format.Piece(f.doc.Text, span, true), f.outside(span.Start))
	f.from, f.open = end, true
}

// nextFence returns the first of the lines [from, to) on which a fence with blocks begins, or `to`. A broken block
// ends there.
func (f *finder) nextFence(from, to int) int {
	fences := f.doc.Fences
	fences = fences[sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start > f.lines.Starts[from] }):]
	for _, r := range fences {
		at := r.Span.Start
		if at >= f.lines.Starts[to] {
			break
		}
		if isBlock(r) {
			for f.lines.Starts[to] > at {
				to--
			}
			return to
		}
	}
	return to
}

func (f *finder) outside(start int) outside {
	above := reply.LineAbove(f.doc.Text, min(f.since, start), start).In(f.doc.Text)
	earlier := ""
	if text.HasWord(above) {
		earlier = f.earlier
	}
	return outside{line: above, earlier: earlier, place: reply.PlaceOf(above), path: f.path, mentions: reply.Mentioned(f.doc.Text[min(f.since, start):start])}
}

func (f *finder) add(r *format.Region, outer outside) {
	r.Shared = outer
	f.found = append(f.found, r)
	rd := read(r)
	if rd.path.path != f.path {
		f.earlier = f.path
	}
	f.path, f.since = rd.path.path, r.Span.End
	if outer.place == "" && slices.ContainsFunc(rd.parsed.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.SearchNoPath }) {
		outer.place = reply.Holder(f.doc, outer.line, append(outer.mentions, outer.path), func(t *place.Text) bool { return isIn(t, rd.lines) })
		r.Shared = outer
	}
}

// isIn reports whether a file has the old or the new lines of each block.
func isIn(t *place.Text, l searchblock.Lines) bool {
	return !slices.ContainsFunc(searchblock.Scan(l), func(p searchblock.Pair) bool {
		return p.Problem != "" || !slices.ContainsFunc(p.Edit(l).Readings, func(r findreplace.Reading) bool {
			return text.HasWord(r.Find) && (len(findreplace.PlacesOfLines(t, r.Find)) > 0 || len(findreplace.PlacesOfLines(t, r.Replace)) > 0)
		})
	})
}
