package ap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
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
		r.moved(j, h.movedFrom, h.at)
		return
	}
	if slices.Contains(r.scopeless, j.number) {
		r.report(diag.Warning, diag.APScopeEnd, j.field(kwSnippet).at, "the snippet opens no block, so scope_end is ignored")
	}
	if h.before != (region{}) {
		r.report(diag.Warning, diag.APMaybeDone, j.act.line, fmt.Sprintf(
			"the content is already on line %d, below the anchor, and the snippet is on line %d; if this patch was applied before, line %[2]d is the wrong place", r.t.number(h.before.start), r.t.number(h.snippetAt.start)))
	}
	if h.outside {
		r.report(diag.Warning, diag.APMaybeDone, j.act.line, fmt.Sprintf(
			"the snippet on line %d is after the block that the anchor opens; if this patch was applied before, this is the wrong place", r.t.number(h.snippetAt.start)))
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

// indentation warns if the indentation of a content does not suit its place (rule A47).
func (r *run) indentation(j job, h hit) {
	f, c := j.field(kwSnippet), j.field(kwContent)
	if c == nil || c.empty() || h.snippetAt.end == h.snippetAt.start || h.snippetAt.prefix != "" {
		return
	}
	found := solidLines(r.t.textsOf(h.snippetAt))
	written, content := locate.Indentation(f.lines[0]), locate.Indentation(c.lines[0])
	switch has := locate.Indentation(found[0]); {
	case r.otherKind(content, has):
		r.mixedIndentation(j, h, found)
	case content != has && strings.HasPrefix(has, content):
		r.tooShallow(j, h, found)
	case content != has && content == written && strings.HasPrefix(content, has):
		r.tooDeep(j, h, found)
	}
}

// otherKind reports whether a content is indented with tabs in a file that is indented with spaces, or the other way
// round.
func (r *run) otherKind(content, has string) bool {
	return content != "" && has != "" && content[0] != has[0] && !strings.Contains(r.in.Text.String(), "\n"+content[:1])
}

// mixedIndentation warns about tabs in a file that is indented with spaces, and about spaces in a file that is indented
// with tabs. If the snippet and the content use the same indentation, a comparison of the snippet with the file shows
// how to convert the content.
func (r *run) mixedIndentation(j job, h hit, found []string) {
	f, c := j.field(kwSnippet), j.field(kwContent)
	content, has := locate.Indentation(c.lines[0]), locate.Indentation(found[0])
	message := fmt.Sprintf("the content is indented by %s, but line %d of the file by %s", indenter(content), r.t.number(h.snippetAt.start), indenter(has))
	fixed, ok := shifted(f, c, found, false)
	ok = ok && strings.HasPrefix(locate.Indentation(f.lines[0]), content[:1])
	r.misindented(j, c.spans[0], message, fixed, ok, ok && j.action == kwReplace && locate.Indentation(fixed[0]) == has)
}

// misindented warns about the indentation of a content. If ok is true, a fix writes the lines in `fixed` instead.
func (r *run) misindented(j job, at text.Span, message string, fixed []string, ok, certain bool) {
	var fixes []diag.Fix
	if ok {
		fixes = []diag.Fix{{Title: "Indent the content like the file", Edits: []text.Edit{r.write(j.field(kwContent), fixed)}, Preferred: certain}}
	}
	r.report(diag.Warning, diag.APContentIndentation, at, message, fixes...)
}

// tooShallow warns about a content with too little indentation. Either the content is indented like the snippet, but
// the file more, or the content is not indented, but the snippet is.
func (r *run) tooShallow(j job, h hit, found []string) {
	f, c := j.field(kwSnippet), j.field(kwContent)
	written, content, has := locate.Indentation(f.lines[0]), locate.Indentation(c.lines[0]), locate.Indentation(found[0])
	flat := content == "" && written != ""
	if content != written && !flat || j.action != kwReplace && (r.closesBlock(h) || declares(c.lines[0]) && flat) {
		// A declaration may belong outside of the block that ends at this place.
		return
	}
	message := fmt.Sprintf("the content is indented like the snippet of the patch, but on line %[2]d of the file, the snippet is %[1]s deeper", depth(has, content), r.t.number(h.snippetAt.start))
	if flat {
		message = fmt.Sprintf("the content has no indentation, but the snippet on line %d has %s", r.t.number(h.snippetAt.start), depth(has, content))
	}
	fixed, ok := shifted(f, c, found, flat)
	r.misindented(j, c.at, message, fixed, ok, ok && r.surelyShifted(j, h, flat, written == has))
}

// tooDeep warns about a content that is indented like its snippet if the file is indented less.
func (r *run) tooDeep(j job, h hit, found []string) {
	f, c := j.field(kwSnippet), j.field(kwContent)
	message := fmt.Sprintf("the content is indented like the snippet, by %s more than line %d of the file",
		depth(locate.Indentation(c.lines[0]), locate.Indentation(found[0])), r.t.number(h.snippetAt.start))
	fixed, ok := shifted(f, c, found, false)
	r.misindented(j, c.at, message, fixed, ok, ok && r.surelyTooDeep(j, h, fixed))
}

// surelyTooDeep reports whether all lines of a content certainly have too much indentation. The result is false if
// there may be another reason: the modification is meant to indent lines, the insertion belongs in a neighbouring
// block, or only the first line, which may open a block, is indented too much.
func (r *run) surelyTooDeep(j job, h hit, fixed []string) bool {
	lines := solidLines(fixed)
	switch {
	case columnOne.MatchString(lines[0]), slices.Equal(j.solid(kwSnippet), j.solid(kwContent)):
		return false
	case j.action != kwReplace && r.bordersBlock(j, h):
		return false
	}
	return len(j.solid(kwSnippet)) > 1 || !r.firstTooDeep(h, lines)
}

// firstTooDeep reports whether perhaps only the first line has too much indentation. `moved` has the content with all
// lines moved to the left. If the first line opens a block, the next line should be inside that block after this move,
// otherwise at the level of the first line. If it is not, only the first line may be wrong.
func (r *run) firstTooDeep(h hit, moved []string) bool {
	if len(moved) == 1 {
		return false
	}
	has, next := locate.Indentation(moved[0]), locate.Indentation(moved[1])
	if !endsOpen(moved[0]) {
		return next != has
	}
	return len(next) <= len(has) || next != r.indentationBelow(h.snippetAt.end) && locate.Indentation(moved[len(moved)-1]) != has
}

func (r *run) indentationBelow(i int) string {
	if i = r.t.solidFrom(i); i == r.t.count() {
		return ""
	}
	return locate.Indentation(r.t.line(i).text)
}

func endsOpen(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && strings.IndexByte(":{([,>", line[len(line)-1]) >= 0
}

func indenter(indentation string) string {
	if indentation[0] == '\t' {
		return "tabs"
	}
	return "spaces"
}

// shifted changes the indentation of the content by the difference in indentation between the file and the snippet. If
// `flat` is true, the content has no indentation and gets the indentation of the file.
func shifted(f, c *field, found []string, flat bool) ([]string, bool) {
	shift, ok := locate.ShiftOf(solidLines(f.lines), solidLines(found), c.String()+"\n"+f.String(), strings.Join(found, "\n"))
	if flat {
		shift, ok = locate.ShiftOf([]string{"x"}, []string{locate.Indentation(found[0]) + "x"}, c.String(), strings.Join(found, "\n"))
	}
	fixed := make([]string, len(c.lines))
	for i := 0; ok && i < len(c.lines); i++ {
		fixed[i], ok = shift.Line(c.lines[i])
	}
	return fixed, ok
}

// surelyShifted reports whether the content certainly lacks indentation that the file has. The result is false if there
// may be another reason: only the first line lacks it, the content belongs one level deeper than a snippet that opens a
// block, or the modification is meant to unindent lines.
func (r *run) surelyShifted(j job, h hit, flat, exact bool) bool {
	c := j.field(kwContent)
	switch {
	case columnOne.MatchString(c.lines[0]), declares(c.lines[0]) && (flat || j.action != kwReplace):
		return false
	case flat:
		return exact && j.action == kwReplace && len(c.lines) == 1 && !slices.Equal(j.solid(kwSnippet), j.solid(kwContent))
	case j.action != kwReplace && r.bordersBlock(j, h):
		return false
	}
	return !firstOnly(c.lines, locate.Indentation(r.t.line(h.snippetAt.start).text))
}

// columnOne matches a line that is often in the first column, whatever surrounds it: a preprocessor directive, or a
// label.
var columnOne = lazyregexp.New(`^\s*(?:#[a-z]+\b|\w+:\s*$)`)

// bordersBlock reports whether an insertion is next to the first or last line of a block that is indented more than the
// snippet, so that the insertion may belong in that block.
func (r *run) bordersBlock(j job, h hit) bool {
	beside := r.indentationBelow(h.snippetAt.end)
	if j.action == kwInsertBefore {
		beside = ""
		if i := r.t.solidAbove(h.snippetAt.start); i >= 0 {
			beside = locate.Indentation(r.t.line(i).text)
		}
	}
	return len(beside) > len(locate.Indentation(r.t.line(h.snippetAt.start).text))
}

// firstOnly reports whether only the first line seems to lack the indentation of the file: all other lines have that
// indentation, and they are not the body of a block that the first line opens.
func firstOnly(lines []string, has string) bool {
	rest := solidLines(lines[1:])
	for _, line := range rest {
		if !strings.HasPrefix(locate.Indentation(line), has) {
			return false
		}
	}
	return len(rest) > 0 && (locate.Indentation(rest[0]) != has || !endsOpen(lines[0]))
}

func depth(has, content string) string {
	n := len(has) - len(content)
	unit := "column"
	if strings.Contains(has, "\t") {
		unit = "tab"
	}
	return format.Count(n, unit)
}

// closesBlock reports whether an insertion is at the end of a block: the lines after it are indented less than the
// lines before it, or the file ends there.
func (r *run) closesBlock(h hit) bool {
	here := locate.Indentation(r.t.line(h.snippetAt.end - 1).text)
	return r.t.solidFrom(h.at.end) == r.t.count() || len(r.indentationBelow(h.at.end)) < len(here)
}
