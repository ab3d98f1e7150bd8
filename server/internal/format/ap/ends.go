package ap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// cutOff returns the complete directives. It adds an error if the patch ends inside a directive.
func (p *patch) cutOff(ds []directive) []directive {
	body := p.body[:p.stop]
	if len(ds) == 0 || strings.HasSuffix(body, "\n") || strings.HasSuffix(body, "\r") {
		return ds
	}
	end := len(ds) - 1
	last := ds[end]
	if last.line.End == p.stop {
		if last.keyword != "" {
			return ds
		}
		p.fail(diag.APTruncated, last.line, "the patch ends in the middle of a directive: it was cut off")
		return ds[:end]
	}
	start := strings.LastIndexAny(body, "\r\n") + 1
	if s := body[start:]; hasValue(last.keyword) && len(s) >= 3 && strings.HasPrefix(p.id, s) {
		p.fail(diag.APTruncated, text.Span{Start: start, End: p.stop}, "the patch ends in the middle of its ID: it was cut off")
	}
	return ds
}

// earlyEnd reports an END with directives below it. If it is spelled exactly END, the patch ends there (rule A8).
// Otherwise, it may be meant as the end of a value or a file.
func (p *patch) earlyEnd(ds []directive) []directive {
	end := len(ds) - 1
	if end < 0 || p.version != v32 || ds[end].keyword != kwEnd || !known(lex(p.body[:p.stop], p.id, ds[end].below.Start, v31)) {
		return ds
	}
	d := ds[end]
	gone := possible("Remove END: the patch continues", remove(p.wholeLine(d.line)))
	if d.word.In(p.body) == kwEnd {
		p.report(diag.New(diag.APIgnored, d.line, "END ends the patch here, so the directives below it are ignored", gone))
		return ds
	}
	p.fail(diag.APKeyword, d.word, fmt.Sprintf("%q may be meant as END, which ends the patch, but directives follow it", d.word.In(p.body)),
		gone, possible("Write END here", text.Edit{Span: d.word, New: kwEnd}))
	return ds[:end]
}

// missingContent reports a modification without content. If nothing follows, the patch was cut off.
func (b *builder) missingContent(m *mod) {
	if b.atEnd(m.at.End) {
		b.fail(diag.APTruncated, m.act.line, fmt.Sprintf("the patch ends before the content of this %s: it was cut off", m.action))
		return
	}
	b.fail(diag.APMissingContent, m.act.line, m.action+" has no content")
}

// mayBeCut reports empty content at the end of the patch, because the patch may have been cut off there (rule A21).
// In ap 3.1, which has no END, this is only a warning.
func (b *builder) mayBeCut(content *field) bool {
	if !b.atEnd(content.d.line.End) {
		return false
	}
	message := "the content is empty and the patch ends here: the patch was cut off, or this should be a DELETE"
	if b.version == v31 {
		b.report(diag.Diagnostic{Span: content.d.line, Severity: diag.Warning, Code: diag.APTruncated, Message: message})
		return true
	}
	b.fail(diag.APTruncated, content.d.line, message, possible("Insert END: the content should be empty", text.Insertion(b.stop, b.endLine())))
	return true
}

func (b *builder) endLine() string {
	line := b.id + " " + kwEnd + b.eol
	if s := b.body[:b.stop]; s != "" && !strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, "\r") {
		line = b.eol + line
	}
	return line
}

func (b *builder) atEnd(offset int) bool { return text.IsBlank(b.body[offset:b.stop]) }

// ending adds a hint to a 3.2 patch without END, because only END shows that the patch is complete (rule A8).
func (p *patch) ending(ds []directive) {
	if p.version != v32 || len(ds) == 0 || ds[len(ds)-1].keyword == kwEnd || diag.HasErrors(p.found) {
		return
	}
	at := ds[len(ds)-1].line
	b := builder{patch: p}
	p.report(diag.New(diag.APNoEnd, at, "no END follows the last directive; END shows that the patch is complete", possible("Insert END", text.Insertion(p.stop, b.endLine()))))
}

func isFence(line string) bool {
	mark, _ := mdblock.FenceOf(strings.TrimSpace(line))
	return mark != ""
}

// fenced reports an opening fence above the patch. If the last line certainly closes it, the patch ends there.
// Otherwise, the fence is an error, because the patch may be cut off.
func (p *patch) fenced(open text.Span) {
	last := strings.TrimRight(p.body, " \t\r\n")
	start := strings.LastIndexAny(last, "\r\n") + 1
	ds := lex(p.body, p.id, p.start, p.version)
	mark, info := mdblock.FenceOf(strings.TrimSpace(last[start:]))
	closes := mark != "" && info == "" && len(ds) > 0
	if closes && ds[len(ds)-1].keyword != kwEnd {
		// The last fence may be a line of the content if the content has another fence, or if the file is
		// documentation or a patch.
		v := trimmed(p.body, ds[len(ds)-1].below)
		closes = text.Count(v.lines, isFence) == 1 && !describes(lastPath(p.body, ds))
	}
	if !closes {
		p.fail(diag.APFence, open, "the patch is inside a Markdown fence, and perhaps the last line does not close that fence, so the patch may be cut off; remove the fence")
		return
	}
	p.stop = start
	p.lenient(diag.APFence, open, "the patch is inside a Markdown fence, which an .ap file does not have",
		certain("Remove the fence", remove(p.wholeLine(open)), remove(text.Span{Start: start, End: len(p.body)})))
}

// openFence returns a diagnostic about the last fence with a language in a body. The fence that closed the block may
// have been meant for that fence.
func openFence(body string) (diag.Diagnostic, bool) {
	var at text.Span
	for line := range text.EachLine(body) {
		if _, info := mdblock.FenceOf(strings.TrimSpace(line.In(body))); info != "" {
			at = line
		}
	}
	if at.Empty() {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.APFence, at,
		"the fence that begins here, or the fence around the patch, is not closed, so the value may be cut off; "+
			"use a longer fence around the patch or, in ap 3.2, write END below the value"), true
}

func lastPath(body string, ds []directive) string {
	for _, d := range slices.Backward(ds) {
		if v := trimmed(body, d.below); d.keyword == kwFile && !v.empty() {
			return v.lines[0]
		}
	}
	return ""
}

// wrapped reports Markdown fences in a value: two around the value, or a closing fence without an opening one. A
// lone closing fence counts at the end of the value, or farther up if the patch may end there.
func (b *builder) wrapped(keyword string, f *field) {
	if len(f.lines) == 0 || artifact.IsDocument(b.file.path) || slices.Contains([]string{".mdc", ".ap", ".ipynb"}, strings.ToLower(path.Ext(b.file.path))) {
		return
	}
	fences := text.Count(f.lines, isFence)
	at := slices.IndexFunc(f.lines, isFence)
	closes := func(i int) bool {
		mark, info := mdblock.FenceOf(strings.TrimSpace(f.lines[i]))
		return mark != "" && info == ""
	}
	end := len(f.lines) - 1
	var fixes []diag.Fix
	switch {
	case fences == 2 && at == 0 && closes(end):
		fixes = []diag.Fix{certain("Remove the fence", remove(b.wholeLine(f.spans[0])), remove(b.wholeLine(f.spans[end])))}
	case fences != 1 || at == 0 || !closes(at):
		return
	case at == end:
		fixes = []diag.Fix{certain("Remove the fence", remove(b.wholeLine(f.spans[end])))}
	case !b.atEnd(f.at.End):
		return
	}
	if fences == 2 {
		at = end
	}
	b.fail(diag.APFence, f.spans[at], fmt.Sprintf("the %s has a Markdown fence, which would become text of %s", keyword, b.file.path), fixes...)
}
