package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// cutOff reports a patch that ends in the middle of a directive, and returns the directives
// without it. The end of that line is missing, so the line is not a directive.
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

// earlyEnd checks an END with directives below it. If it is written exactly as END, it ends the
// patch nevertheless (rule A8). Another word with that meaning may be meant as the end of a value
// or a file.
func (p *patch) earlyEnd(ds []directive) []directive {
	end := len(ds) - 1
	if end < 0 || p.version != v32 || ds[end].keyword != kwEnd || !known(lex(p.body[:p.stop], p.id, ds[end].below.Start, v31)) {
		return ds
	}
	d := ds[end]
	gone := possible("Remove END: the patch continues", remove(p.wholeLine(d.line)))
	if d.word.In(p.body) == kwEnd {
		p.report(diag.Diagnostic{Span: d.line, Severity: diag.Warning, Code: diag.APIgnored, Fixes: []diag.Fix{gone},
			Message: "END ends the patch here, so the directives below it are ignored"})
		return ds
	}
	p.fail(diag.APKeyword, d.word, fmt.Sprintf("%q may be END, which ends the patch, but directives follow it", d.word.In(p.body)),
		gone, possible("Write END here", text.Edit{Span: d.word, New: kwEnd}))
	return ds[:end]
}

// hasContent reports whether a content comes before the next action or file. An unknown directive
// counts as a content, too.
func (p *patch) hasContent(ds []directive) bool {
	for _, d := range ds {
		switch {
		case d.keyword == kwContent, d.keyword == "":
			return true
		case kinds[d.keyword] == action, d.keyword == kwFile, d.keyword == kwEnd:
			return false
		}
	}
	return false
}

// missingContent reports a missing content. If the patch ends here, it was cut off.
func (b *builder) missingContent(m *mod) {
	if b.atEnd(m.at.End) {
		b.fail(diag.APTruncated, m.act.line, fmt.Sprintf("the patch ends before the content of this %s: it was cut off", m.action))
		return
	}
	b.fail(diag.APMissingContent, m.act.line, m.action+" has no content")
}

// mayBeCut reports an empty content at the end of the patch, because a patch that was cut off
// looks the same (rule A21). ap 3.1 has no END, so the content counts as empty there, with a
// warning.
func (b *builder) mayBeCut(content *field) bool {
	if !b.atEnd(content.d.line.End) {
		return false
	}
	message := "the content is empty and the patch ends here: it was cut off, or a DELETE is meant"
	if b.version == v31 {
		b.report(diag.Diagnostic{Span: content.d.line, Severity: diag.Warning, Code: diag.APTruncated, Message: message})
		return true
	}
	b.fail(diag.APTruncated, content.d.line, message, possible("Insert END: the content is meant to be empty", insert(b.stop, b.endLine())))
	return true
}

func (b *builder) endLine() string {
	line := b.id + " " + kwEnd + b.eol
	if s := b.body[:b.stop]; s != "" && !strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, "\r") {
		line = b.eol + line
	}
	return line
}

// atEnd reports whether only white space follows.
func (b *builder) atEnd(offset int) bool { return isBlank(b.body[offset:b.stop]) }

// ending adds a hint if nothing shows that a 3.2 patch is complete (rule A8).
func (p *patch) ending(ds []directive) {
	if p.version != v32 || len(ds) == 0 || ds[len(ds)-1].keyword == kwEnd || diag.HasErrors(p.found) {
		return
	}
	at := ds[len(ds)-1].line
	b := builder{patch: p}
	p.report(diag.Diagnostic{Span: at, Severity: diag.Hint, Code: diag.APNoEnd,
		Message: "no END follows the last directive; it shows that the patch is complete",
		Fixes:   []diag.Fix{possible("Insert END", insert(p.stop, b.endLine()))}})
}
