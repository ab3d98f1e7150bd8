package ap

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// doubts warns about a modification that applies but may not be the intended one.
func (r *run) doubts(j job, h hit) {
	if h.where.prefix != "" && h.where.end > h.where.start {
		r.softStart(j, h)
	}
	if tail := j.field(kwTail); tail != nil && r.tailInSnippet(j) {
		r.report(j, diag.Warning, diag.APTailInSnippet, tail.d.line, "snippet_tail is ignored, because the snippet already contains the whole range and ends with the tail",
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
			"the content is already on line %d, below the anchor, and the snippet is on line %d; if this patch was applied before, line %[2]d is not meant", r.t.number(h.before.start), r.t.number(h.where.start)))
	}
	if h.outside {
		r.report(j, diag.Warning, diag.APMaybeDone, j.act.line, fmt.Sprintf(
			"the snippet on line %d is after the block that the anchor opens; if this patch was applied before, that place is unintended", r.t.number(h.where.start)))
	}
	r.indentation(j, h)
}

// softStart warns if the first line of the snippet is only the end of a line in the file.
func (r *run) softStart(j job, h hit) {
	message := fmt.Sprintf("line %d begins with %q, which the snippet leaves out", r.t.number(h.where.start), h.where.prefix)
	if j.action == kwReplace || j.action == kwDelete {
		message += "; the whole line is replaced"
	}
	f := j.field(kwSnippet)
	fixed := append([]string{r.t.line(h.where.start).text}, f.lines[1:]...)
	r.report(j, diag.Warning, diag.APSoftStart, f.spans[0], message, possible("Write the whole line", r.write(f, fixed)))
}
