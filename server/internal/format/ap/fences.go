package ap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func isFence(s string) bool { return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") }

// fenced ends the patch at a closing fence, if the fence that it closes is above the patch.
func (p *patch) fenced(open text.Span) {
	opened := remove(p.wholeLine(open))
	ds := lex(p.body, p.id, p.start, p.version)
	closers, ended := p.closers(ds, open.In(p.body))
	sure := len(closers) == 1 || ended
	if len(closers) == 1 && !ended && describes(lastPath(p.body, ds)) {
		_, next := text.LineEnd(p.body, closers[0])
		sure = isBlank(p.body[next:]) // if text follows, the fence may belong to the file
	}
	if sure && len(closers) > 0 {
		p.stop = closers[0]
	}
	if sure {
		edits := []text.Edit{opened}
		if p.stop < len(p.body) {
			edits = append(edits, remove(text.Span{Start: p.stop, End: len(p.body)}))
		}
		p.lenient(diag.APFence, open, "the patch is inside a Markdown fence, which an .ap file does not have", certain("Remove the fence", edits...))
		return
	}
	if len(closers) == 0 {
		p.fail(diag.APFence, open, "the patch is inside a Markdown fence that nothing closes: it may be cut off", possible("Remove the fence: the patch is complete", opened))
		return
	}
	var fixes []diag.Fix
	for _, at := range closers {
		n := 1 + strings.Count(p.body[:at], "\n")
		fixes = append(fixes, possible(fmt.Sprintf("Remove the fence, and everything from line %d on", n), opened, remove(text.Span{Start: at, End: len(p.body)})))
	}
	p.fail(diag.APFence, open, "the patch is inside a Markdown fence, but it is not certain where the fence ends, because the last value has fences as well", fixes...)
}

// loneFence looks for a fence in the last value that closes no fence. If there is one, the text
// around the patch probably begins below it.
func (p *patch) loneFence(ds []directive) {
	if len(ds) == 0 || kinds[ds[len(ds)-1].keyword] != keyValue || p.stop < len(p.body) || isMarkup(lastPath(p.body, ds)) {
		return
	}
	closers, _ := p.closers(ds, "```")
	if len(closers) != 1 {
		return
	}
	end, next := text.LineEnd(p.body, closers[0])
	if isBlank(p.body[next:]) {
		return // a fence at the end of a value is reported by [builder.wrapped]
	}
	p.fail(diag.APFence, text.Span{Start: closers[0], End: end}, "this Markdown fence closes nothing; it and the lines below it would become text of the file",
		possible("Remove it and everything after it", remove(text.Span{Start: closers[0], End: len(p.body)})))
}

// closers returns the fences below the last directive that may close a fence above the patch,
// because they close none below it. ended reports whether END comes before them.
func (p *patch) closers(ds []directive, open string) (closers []int, ended bool) {
	last := p.start
	if len(ds) > 0 {
		last, ended = ds[len(ds)-1].below.Start, p.version == v32 && ds[len(ds)-1].keyword == kwEnd
	}
	mark := fenceOf(strings.TrimPrefix(open, "\ufeff"))
	inside := ""
	for line := range eachLine(p.body[last:]) {
		s := strings.TrimSpace(line.In(p.body[last:]))
		f := fenceOf(s)
		switch {
		case f == "" || f[0] != mark[0]:
		case inside != "":
			if len(f) >= len(inside) && f == s {
				inside = ""
			}
		case f != s:
			inside = f
		case len(f) >= len(mark):
			closers = append(closers, last+line.Start)
		}
	}
	return closers, ended
}

// openFence reports the last tagged fence of a body if it is in a value and not closed. The fence
// that ended the block may have been meant to close it.
func openFence(body string) (diag.Diagnostic, bool) {
	var at text.Span
	for line := range eachLine(body) {
		if s := strings.TrimSpace(line.In(body)); fenceOf(s) != "" && fenceOf(s) != s {
			at = line
		}
	}
	if at.Empty() {
		return diag.Diagnostic{}, false
	}
	return diag.Diagnostic{Span: at, Severity: diag.Error, Code: diag.APFence,
		Message: "the fence that begins here, or the fence around the patch, is not closed, so the value may be cut off; " +
			"use a longer fence around the patch, or in ap 3.2 END below the value"}, true
}

// fenceOf returns the run of fence characters with which a line begins, if the line is a fence.
func fenceOf(s string) string {
	s = strings.TrimSpace(s)
	if !isFence(s) {
		return ""
	}
	return s[:len(s)-len(strings.TrimLeft(s, s[:1]))]
}

// lastPath returns the path of the last FILE.
func lastPath(body string, ds []directive) string {
	for _, d := range slices.Backward(ds) {
		if v := trimmed(body, d.below); d.keyword == kwFile && !v.empty() {
			return v.lines[0]
		}
	}
	return ""
}

var markup = map[string]bool{".md": true, ".markdown": true, ".mdx": true, ".mdc": true, ".rst": true, ".ap": true, ".txt": true, ".adoc": true, ".qmd": true, ".rmd": true, ".ipynb": true}

func isMarkup(name string) bool { return markup[strings.ToLower(path.Ext(name))] }

// wrapped reports a Markdown fence around a value, or after it.
func (b *builder) wrapped(m *mod, keyword string, f *field) {
	if len(f.lines) == 0 || isMarkup(b.file.path) {
		return
	}
	first, last := strings.TrimSpace(f.lines[0]), strings.TrimSpace(f.lines[len(f.lines)-1])
	fences := 0
	for _, line := range f.lines {
		if isFence(strings.TrimSpace(line)) {
			fences++
		}
	}
	bare := strings.Trim(last, "`") == "" || strings.Trim(last, "~") == ""
	if !isFence(last) || !bare || last == "" || isFence(first) != (fences == 2) || fences > 2 {
		return
	}
	edits := []text.Edit{remove(b.wholeLine(f.spans[len(f.spans)-1]))}
	if fences == 2 {
		edits = append([]text.Edit{remove(b.wholeLine(f.spans[0]))}, edits...)
	}
	b.fail(diag.APFence, f.spans[len(f.spans)-1], fmt.Sprintf("the %s has a Markdown fence, which would become text of %s", keyword, b.file.path), certain("Remove the fence", edits...))
}
