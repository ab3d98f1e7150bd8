package searchreplace

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A located is a path and its span, which is empty if the path is outside the body.
type located struct {
	path string
	span text.Span
}

// A named is the path of a block, and other paths around the block.
type named struct {
	located
	other     string   // another path that the text next to the block has
	inherited string   // the path of the previous block, if the text above this block names another file
	mentions  []string // the paths in the text above the block
	place     string   // the path that the sentence above the block names as the place of the edit, or ""
	earlier   string   // the path of blocks further up, if the block only has the path of the previous block
}

type outside struct {
	line     string   // the last nonblank line above the region
	place    string   // the path that this line names as the region's place: "In `src/a.py`, return early:"
	above    string   // the path on the line above the region, if the region cannot include that line
	path     string   // the path of the previous block
	earlier  string   // the last path before it that differs, if a text is between the previous block and the region
	mentions []string // the paths in the text since the previous block
}

// named finds the path of a block: in the fence, in its info string, or above it. If there is none, the block gets
// the path of the previous block, unless the text between them mentions another file.
func (r *reader) named(p searchblock.Pair, from int, outer outside, first bool) named {
	found, _ := pathsAbove(r.lines, from, p.Head)
	if first && outer.above != "" {
		found = append(found, located{path: outer.above})
	}
	n := named{}
	for _, f := range found {
		switch {
		case n.path == "" || reply.EndsWith(f.path, n.path):
			n.located = f
		case !reply.EndsWith(n.path, f.path):
			n.other = f.path
		}
	}
	if n.path != "" {
		return n
	}
	n.mentions = reply.Mentioned(r.lines.Span(from, p.Head).In(r.lines.Body))
	if first {
		n.mentions = append(slices.Clone(outer.mentions), n.mentions...)
		n.place = outer.place
	}
	if r.path.path == "" {
		return n
	}
	if slices.ContainsFunc(n.mentions, func(m string) bool { return !reply.EndsWith(r.path.path, m) }) {
		n.inherited = r.path.path
		return n
	}
	n.located = r.path
	if first {
		n.earlier = outer.earlier
	}
	return n
}

// pathsAbove returns the paths that belong to a block, nearest first: on a line in the fence, in the fence's info
// string, and on the last line of text above the fence. `top` is the first of these lines.
func pathsAbove(l searchblock.Lines, from, head int) (found []located, top int) {
	top = head
	add := func(at text.Span, ok bool) {
		if ok {
			found = append(found, located{path: at.In(l.Body), span: at})
		}
	}
	i := lastText(l, from, head)
	if i >= from && !opens(l.Text(i)) {
		at, ok := pathLine(l, i)
		if add(at, ok); !ok {
			return found, top
		}
		top, i = i, i-1
	}
	if i >= from && opens(l.Text(i)) {
		add(infoPath(l, i))
		top, i = i, lastText(l, from, i)
		if i >= from {
			head := i
			if reply.Underlines(l.Text(i)) && i > from && !l.Blank(i-1) {
				head--
			}
			at, ok := pathLine(l, head)
			if add(at, ok); ok {
				top = head
			}
		}
	}
	return found, top
}

// lastText returns the last nonblank line of the lines [from, before), or a number below `from`. The buttons that a
// web page shows above code count as blank lines.
func lastText(l searchblock.Lines, from, before int) int {
	above := l.Span(from, before)
	i, end := before-1, above.End-artifact.ButtonsAtEnd(above.In(l.Body))
	for i >= from && (l.Blank(i) || l.Starts[i] >= end) {
		i--
	}
	return i
}

var (
	fenceLine = lazyregexp.New("^[ \t>]*(?:`{3,}|~{3,})[ \t]*([^`]*)$")
	tagLine   = lazyregexp.New(`^<(?:source|code|pre|codeblock|sourcecode)>[ \t]*([\w+#.-]*)[ \t]*$`)
	closeTag  = lazyregexp.New(`^</(?:source|code|pre|codeblock|sourcecode)>[ \t]*$`)
)

func opens(line string) bool { return fenceLine.MatchString(line) || tagLine.MatchString(line) }

func infoPath(l searchblock.Lines, i int) (text.Span, bool) {
	at := l.At(i)
	m := fenceLine.FindStringSubmatchIndex(at.In(l.Body))
	if m == nil {
		return text.Span{}, false
	}
	info := text.Span{Start: m[2], End: m[3]}.Shift(at.Start)
	found, ok := reply.InfoPath(info.In(l.Body))
	return found.Shift(info.Start), ok
}

// pathLine returns the path on a line that has only the path and words of a label, such as `Update src/a.py`.
func pathLine(l searchblock.Lines, i int) (text.Span, bool) {
	at := l.At(i)
	found, _, _, ok := reply.FileLine(at.In(l.Body))
	return found.Shift(at.Start), ok
}
