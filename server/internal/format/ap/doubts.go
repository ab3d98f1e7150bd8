package ap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/match"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// doubts warns of a modification that is about to be made and yet may not be meant.
func (r *run) doubts(j job, h hit) {
	if h.where.prefix != "" && h.where.end > h.where.start {
		r.softStart(j, h)
	}
	if tail := j.field(kwTail); tail != nil && r.tailInSnippet(j) {
		r.report(j, diag.Warning, diag.APTailInSnippet, tail.d.line, "snippet_tail is the end of the snippet, which holds the whole range; it is ignored",
			certain("Remove snippet_tail", remove(text.Span{Start: tail.d.line.Start, End: tail.d.below.End})))
	}
	if h.movedFrom != (region{}) {
		r.moved(j, h.movedFrom, h.at)
		return
	}
	if slices.Contains(r.scopeless, j.number) {
		r.report(j, diag.Warning, diag.APScopeEnd, j.field(kwSnippet).at, "the snippet opens no block, so scope_end is ignored")
	}
	if h.before != (region{}) {
		r.report(j, diag.Warning, diag.APMaybeDone, j.act.line, fmt.Sprintf(
			"the content stands on line %d already, below the anchor, and the snippet on line %d; if this patch was applied before, that would be another place", r.t.number(h.before.start), r.t.number(h.where.start)))
	}
	if h.outside {
		r.report(j, diag.Warning, diag.APMaybeDone, j.act.line, fmt.Sprintf(
			"the snippet on line %d lies behind the block that the anchor opens; if this patch was applied before, that would be another place", r.t.number(h.where.start)))
	}
	r.indentation(j, h)
}

// softStart: the snippet's first line is only the end of one in the file.
func (r *run) softStart(j job, h hit) {
	message := fmt.Sprintf("line %d begins with %q, which the snippet leaves out", r.t.number(h.where.start), h.where.prefix)
	if j.action == kwReplace || j.action == kwDelete {
		message += "; the whole line is replaced"
	}
	f := j.field(kwSnippet)
	fixed := append([]string{r.t.at(h.where.start).text}, f.lines[1:]...)
	r.report(j, diag.Warning, diag.APSoftStart, f.spans[0], message, possible("Write the whole line", r.write(f, fixed)))
}

// indentation warns of a content that has its snippet's indentation where the file
// has another one, or none at all where the snippet has some.
func (r *run) indentation(j job, h hit) {
	f, c := j.field(kwSnippet), j.field(kwContent)
	if c == nil || c.empty() || h.where.end == h.where.start || h.where.prefix != "" {
		return
	}
	there := solidLines(r.linesOf(h.where))
	written, content := match.Indentation(f.lines[0]), match.Indentation(c.lines[0])
	has := match.Indentation(there[0])
	if content == has || !strings.HasPrefix(has, content) || has == "" {
		return
	}
	shift, ok := match.ShiftOf(solidLines(f.lines), solidLines(there), c.String()+"\n"+f.String(), strings.Join(there, "\n"))
	flat := content == "" && written == has
	if flat {
		shift, ok = match.ShiftOf([]string{"x"}, []string{has + "x"}, c.String(), strings.Join(there, "\n"))
	}
	if !ok || content != written && !flat {
		return
	}
	if j.action != kwReplace && (r.closesBlock(h) || declares(c.lines[0]) && flat) {
		return // a declaration behind the block that ends here
	}
	fixed := make([]string, len(c.lines))
	for i, line := range c.lines {
		if fixed[i], ok = shift.Line(line); !ok {
			return
		}
	}
	fix := possible("Indent the content as the file is", r.write(c, fixed))
	fix.Preferred = !flat && (j.action == kwReplace || !declares(c.lines[0])) || flat && j.action == kwReplace && len(c.lines) == 1
	message := fmt.Sprintf("the content is indented like the snippet, which stands %s deeper on line %d of the file", depth(has, content), r.t.number(h.where.start))
	if flat {
		message = fmt.Sprintf("the content has no indentation, and the snippet on line %d has %s", r.t.number(h.where.start), depth(has, content))
	}
	r.report(j, diag.Warning, diag.APContentIndentation, c.at, message, fix)
}

func solidLines(lines []string) []string {
	var out []string
	for _, line := range lines {
		if !isBlank(line) {
			out = append(out, line)
		}
	}
	return out
}

func depth(has, content string) string {
	n := len(has) - len(content)
	unit := "column"
	if strings.Contains(has, "\t") {
		unit = "tab"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// closesBlock reports whether the lines behind an insertion are less indented than
// those before it, or the file ends there.
func (r *run) closesBlock(h hit) bool {
	here := match.Indentation(r.t.at(h.where.end - 1).text)
	for i := h.at.end; i < len(r.t.cur); i++ {
		if r.t.marks[i] != 0 {
			return len(match.Indentation(r.t.at(i).text)) < len(here)
		}
	}
	return true
}
