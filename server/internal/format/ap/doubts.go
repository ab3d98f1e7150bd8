package ap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (r *run) doubts(j job, h hit) {
	if h.snippetAt.prefix != "" && h.snippetAt.end > h.snippetAt.start {
		r.softStart(j, h)
	}
	if tail := j.field(kwTail); tail != nil && r.tailInSnippet(j) {
		r.report(diag.Warning, diag.APTailInSnippet, tail.d.line, "snippet_tail is ignored, because the snippet already contains the whole range and ends with the tail",
			certain("Remove snippet_tail", remove(text.Span{Start: tail.d.line.Start, End: tail.d.below.End})))
	}
	if h.movedFrom != (region{}) {
		r.report(diag.Warning, diag.APNesting, j.act.line, fmt.Sprintf("the content is a declaration in the first column, but line %d is inside a block; the content is inserted at line %d, outside the block", r.t.number(h.movedFrom.start), r.t.number(h.at.start)))
		return
	}
	if slices.Contains(r.scopeless, j.number) {
		r.report(diag.Warning, diag.APScopeEnd, j.field(kwSnippet).at, "the snippet opens no block, so scope_end is ignored")
	}
	for _, why := range h.maybe {
		r.report(diag.Warning, diag.APMaybeDone, j.act.line, why)
	}
	r.indentation(j, h)
}

// softStart warns that the first line of the snippet is only the end of a line of the file.
func (r *run) softStart(j job, h hit) {
	message := fmt.Sprintf("line %d begins with %q, which the snippet leaves out", r.t.number(h.snippetAt.start), h.snippetAt.prefix)
	if j.action == kwReplace || j.action == kwDelete {
		message += "; the whole line is replaced"
	}
	f := j.field(kwSnippet)
	fixed := append([]string{r.t.line(h.snippetAt.start).text}, f.lines[1:]...)
	r.report(diag.Warning, diag.APSoftStart, f.spans[0], message, possible("Write the whole line", r.write(f, fixed)))
}

// indentation warns if the content has lost its indentation, or has the indentation of a snippet that is indented
// differently in the file (rule A47).
func (r *run) indentation(j job, h hit) {
	f, c := j.field(kwSnippet), j.field(kwContent)
	if c == nil || c.empty() || h.snippetAt.end == h.snippetAt.start || h.snippetAt.prefix != "" {
		return
	}
	old, found := solidLines(f.lines), solidLines(r.t.textsOf(h.snippetAt))
	written, content, has := text.Indentation(old[0]), text.Indentation(c.lines[0]), text.Indentation(found[0])
	flat, tabs := content == "" && written != "", r.otherKind(content, has)
	switch {
	case content == has, content != written && !flat && !tabs:
		return
	case content != has && strings.HasPrefix(has, content) && j.action != kwReplace && (r.closesBlock(h) || declares(c.lines[0]) && flat):
		return // a declaration may belong outside of the block that ends here
	}
	var message string
	line := r.t.number(h.snippetAt.start)
	switch {
	case tabs:
		message = fmt.Sprintf("the content is indented by %s, but line %d of the file by %s", indenter(content), line, indenter(has))
	case flat:
		message = fmt.Sprintf("the content has no indentation, but the snippet on line %d has %s", line, depth(has, content))
		old, found = []string{"x"}, []string{has + "x"}
	case strings.HasPrefix(has, content):
		message = fmt.Sprintf("the content is indented like the snippet in the patch, but line %d of the file, which matches the snippet, is indented %s deeper", line, depth(has, content))
	case strings.HasPrefix(content, has):
		message = fmt.Sprintf("the content is indented like the snippet in the patch, but line %d of the file, which matches the snippet, is indented %s less", line, depth(content, has))
	default:
		return
	}
	sure := (!flat || written == has && len(c.lines) == 1) && (len(old) > 1 || !firstOnly(c.lines, has))
	r.report(diag.Warning, diag.APContentIndentation, c.at, message, r.adapted(j, old, found, sure)...)
}

// adapted returns the fix that indents the content like the file. The lines `old` of the patch are the lines `found`
// of the file, and the content's indentation changes in the same way. If `sure` is false, the fix is not certain.
func (r *run) adapted(j job, old, found []string, sure bool) []diag.Fix {
	c := j.field(kwContent)
	a, ok := place.Adapt(old, found, c.lines, nil, r.in.Text.String())
	if !ok {
		return nil
	}
	sure = sure && a.Alike && j.action == kwReplace && !slices.Equal(j.solid(kwSnippet), j.solid(kwContent))
	return []diag.Fix{{Title: "Indent the content like the file", Edits: []text.Edit{r.write(c, a.Lines)}, Preferred: sure}}
}

// otherKind reports whether the content is indented with tabs in a file that uses spaces, or with spaces in a file
// that uses tabs.
func (r *run) otherKind(content, has string) bool {
	if content == "" || has == "" || content[0] == has[0] {
		return false
	}
	begins, known := r.begins[content[0]]
	if !known {
		begins = strings.Contains(r.in.Text.String(), "\n"+content[:1])
		r.begins[content[0]] = begins
	}
	return !begins
}

func (r *run) indentationBelow(i int) string {
	if i = r.t.solidFrom(i); i == r.t.count() {
		return ""
	}
	return text.Indentation(r.t.line(i).text)
}

func indenter(indentation string) string {
	if indentation[0] == '\t' {
		return "tabs"
	}
	return "spaces"
}

// firstOnly reports whether perhaps only the first line has the wrong indentation, because all other lines have at
// least that of the file.
func firstOnly(lines []string, has string) bool {
	rest := solidLines(lines[1:])
	return len(rest) > 0 && !slices.ContainsFunc(rest, func(line string) bool { return !strings.HasPrefix(text.Indentation(line), has) })
}

func depth(has, content string) string {
	n := len(has) - len(content)
	unit := "column"
	if strings.Contains(has, "\t") {
		unit = "tab"
	}
	return format.Count(n, unit)
}

// closesBlock reports whether an insertion is at the end of a block: the lines below are indented less, or the file
// ends there.
func (r *run) closesBlock(h hit) bool {
	here := text.Indentation(r.t.line(h.snippetAt.end - 1).text)
	return r.t.solidFrom(h.at.end) == r.t.count() || len(r.indentationBelow(h.at.end)) < len(here)
}
