package applypatch

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func find(d format.Document) []*format.Region {
	var found []*format.Region
	end := 0
	for p := range d.Segments(&end) {
		at := p.At
		switch {
		case p.Fence != nil && holds(p.Fence):
			found = append(found, &format.Region{Block: p.Fence.Block})
			continue
		case p.Mark == mdblock.PatchMark:
			at = withCommand(d.Text, at)
		case p.Mark == mdblock.SectionMark:
			at.End = bareEnd(d.Text, at.Start)
		default:
			continue
		}
		found = append(found, format.Piece(d.Text, at, p.Mark == mdblock.SectionMark || p.Whole || at.End < len(d.Text)))
		end = at.End
	}
	return found
}

// mostCommand limits the line with a command, in bytes. The line above a patch may be as long as the document.
const mostCommand = 2 << 10

// withCommand returns the span of a patch with the shell command around it, if any.
func withCommand(doc string, at text.Span) text.Span {
	from := max(0, at.Start-mostCommand)
	above := strings.TrimSuffix(strings.TrimSuffix(doc[from:at.Start], "\n"), "\r")
	begins := strings.LastIndexAny(above, "\r\n") + 1
	if _, ok := isCommand(above[begins:]); !ok || begins == 0 && from > 0 {
		return at
	}
	at.Start = from + begins
	if end, next := text.LineEnd(doc, at.End); strings.TrimSpace(doc[at.End:end]) != "" && closing.MatchString(doc[at.End:end]) {
		at.End = next
	}
	return at
}

// bareEnd returns the end of sections without `*** Begin Patch`, which are claimed so that Aptix reports them.
func bareEnd(doc string, at int) int {
	last := at
	for span, next := range text.EachLine(doc[at:]) {
		line := span.Shift(at).In(doc)
		if mdblock.BeginsNext(line) || line != "" && strings.IndexByte(" +-@*", line[0]) < 0 {
			break
		}
		if strings.TrimSpace(line) != "" {
			last = at + next
		}
		if mdblock.EndsPatch(line) {
			break
		}
	}
	return last
}

// holds reports whether a fence begins with a patch, or has it below other lines. Below other lines, the patch is
// only a sample in a long fence, and in a fence without a tag or with the tag of prose.
func holds(r *format.Region) bool {
	if begins(r.Body) {
		return true
	}
	if r.Lang == "" || r.IsProse() || r.IsLong() {
		return false
	}
	l := split(r.Body)
	for i := range l.Count() {
		if mdblock.BeginsPatch(l.Text(i)) && beginsFile(l.unindented(i+1)) {
			return true
		}
	}
	return false
}
