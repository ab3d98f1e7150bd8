package ap

import (
	"fmt"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (b *builder) close() {
	b.closeMod()
	f := b.file
	if f == nil {
		return
	}
	b.file = nil
	before := len(b.found)
	if f.path == "" {
		b.fail(diag.APMissingPath, f.start.line, "FILE has no path; write it on the line below")
	}
	switch {
	case f.rename != nil && len(f.mods) > 0:
		b.fail(diag.APMixedActions, f.rename.d.line, "RENAME must be the only action of its FILE block; put the other actions into another block")
	case f.rename == nil && len(f.mods) == 0:
		b.fail(diag.APMissingAction, f.start.line, "the FILE block has no action; write one below the path, such as REPLACE")
	case len(f.mods) > 1:
		b.wholeFileAndMore(f)
	}
	f.broken = f.broken || diag.HasErrors(b.found[before:])
}

// wholeFileAndMore reports a FILE block that has other actions besides one for the whole file: CREATE, RECREATE, or
// DELETE without a snippet.
func (b *builder) wholeFileAndMore(f *file) {
	for _, m := range f.mods {
		switch {
		case m.action == kwCreate, m.action == kwRecreate:
			b.fail(diag.APMixedActions, m.act.line, m.action+" has the whole content of the file, so its FILE block can have no other action; write the final text into this content")
			return
		case m.action == kwDelete && len(m.fields) == 0:
			b.fail(diag.APMissingSnippet, m.act.line, "DELETE has no snippet; without a snippet, DELETE deletes the file and must be alone in its FILE block")
			return
		}
	}
}

func (b *builder) closeMod() {
	m := b.mod
	if m == nil {
		return
	}
	b.mod = nil
	if m.unsure || b.driftedIn(text.Span{Start: m.at.Start, End: m.until}) {
		b.file.broken = true
		return
	}
	before := len(b.found)
	b.check(m)
	b.file.broken = b.file.broken || diag.HasErrors(b.found[before:])
}

func (b *builder) check(m *mod) {
	for _, keyword := range []string{kwSnippet, kwTail, kwAnchor, kwContent} {
		if f := m.field(keyword); f != nil {
			b.wrapped(keyword, f)
		}
	}
	switch m.action {
	case "":
		b.noAction(m)
	case kwCreate, kwRecreate:
		b.checkWhole(m)
	default:
		b.checkLocated(m)
	}
}

// noAction reports a modification without an action. If it has only content, its action becomes CREATE (rule A53).
func (b *builder) noAction(m *mod) {
	if m.field(kwContent) != nil && len(m.fields) == 1 {
		m.action = kwCreate
		return
	}
	at := b.file.start.line
	for _, f := range m.fields {
		if f.d.line.Start == m.at.Start {
			at = f.d.line
		}
	}
	b.fail(diag.APMissingAction, at, "an action is missing above this directive: REPLACE, INSERT_AFTER, INSERT_BEFORE or DELETE")
}

// checkWhole checks CREATE and RECREATE, which need neither a snippet nor an anchor (rule A18).
func (b *builder) checkWhole(m *mod) {
	for _, keyword := range []string{kwSnippet, kwTail, kwAnchor} {
		if f := m.field(keyword); f != nil {
			b.report(diag.New(diag.APIgnored, f.d.line,
				fmt.Sprintf("%s is ignored: %s needs no place", keyword, m.action),
				certain("Remove "+keyword, remove(text.Span{Start: f.d.line.Start, End: f.d.below.End}))))
		}
	}
	c := m.field(kwContent)
	switch {
	case m.action == kwRecreate && c == nil:
		b.fail(diag.APMissingContent, m.act.line, "RECREATE has no content; write the whole text of the file as its content")
	case m.action == kwRecreate && c.empty():
		b.mayBeCut(c)
	case c == nil && path.Ext(b.file.path) != "":
		b.report(diag.New(diag.APCreatesFolder, m.act.line, fmt.Sprintf("CREATE without content makes a folder, but %s looks like the name of a file", b.file.path)))
	}
}

func (b *builder) checkLocated(m *mod) {
	if m.action == kwDelete && len(m.fields) == 0 && m.leading+m.trailing == 0 && !m.scopeEnd {
		b.checkWholeDelete(m)
		return
	}
	b.promoteAnchor(m)
	snippet, tail, content := m.field(kwSnippet), m.field(kwTail), m.field(kwContent)
	switch {
	case snippet == nil:
		b.fail(diag.APMissingSnippet, m.act.line, m.action+" has no snippet, so its place is unknown; write the lines of the file to look for")
	case snippet.empty():
		b.fail(diag.APMissingSnippet, snippet.d.line, "the snippet is empty; write the lines of the file to look for")
	}
	if f := m.field(kwAnchor); f != nil && f.empty() {
		b.fail(diag.APMissingSnippet, f.d.line, "the anchor is empty; remove it, or write a line above the snippet", certain("Remove the anchor", remove(text.Span{Start: f.d.line.Start, End: f.d.below.End})))
	}
	if tail != nil {
		b.checkTail(m, tail)
	}
	switch {
	case m.action == kwDelete && content != nil:
		b.deleteWithContent(m, content)
	case m.action == kwDelete:
	case content == nil:
		b.missingContent(m)
	case content.empty() && !b.mayBeCut(content) && m.action != kwReplace:
		b.report(diag.Diagnostic{Span: content.d.line, Severity: diag.Warning, Code: diag.APMissingContent,
			Message: fmt.Sprintf("the content is empty, so %s inserts nothing", m.action)})
	}
}

// checkWholeDelete checks a DELETE without a snippet, which deletes the whole file. A comment below it is an error,
// because it may be meant as the snippet.
func (b *builder) checkWholeDelete(m *mod) {
	if m.remark.Empty() {
		return
	}
	b.fail(diag.APStrayText, m.remark, fmt.Sprintf("DELETE has no snippet, so it deletes all of %s; the line below DELETE may be the snippet", b.file.path),
		possible("Use this line as the snippet", text.Insertion(m.remark.Start, b.id+" "+kwSnippet+b.eol)), possible("Remove the line", remove(b.wholeLine(m.remark))))
}

func (b *builder) deleteWithContent(m *mod, content *field) {
	fixes := []diag.Fix{possible("Change DELETE to REPLACE", text.Edit{Span: m.act.word, New: kwReplace}),
		possible("Remove the content", remove(text.Span{Start: content.d.line.Start, End: content.d.below.End}))}
	if content.empty() && m.field(kwSnippet) != nil {
		fixes = []diag.Fix{certain(fixes[1].Title, fixes[1].Edits...)}
	}
	b.fail(diag.APContentOfDelete, content.d.line, "DELETE takes no content; use REPLACE to put lines in place of the snippet", fixes...)
}

func (b *builder) checkTail(m *mod, tail *field) {
	// The patch may mean a range up to the tail, so the fix is not certain.
	gone := possible("Remove snippet_tail", remove(text.Span{Start: tail.d.line.Start, End: tail.d.below.End}))
	switch {
	case m.action != kwReplace && m.action != kwDelete:
		b.fail(diag.APTail, tail.d.line, fmt.Sprintf("only REPLACE and DELETE can have a range; %s takes only a snippet", m.action), gone)
	case tail.empty():
		b.fail(diag.APTail, tail.d.line, "snippet_tail is empty", gone)
	}
}

// promoteAnchor makes the anchor the snippet if there is no snippet (rule A55).
func (b *builder) promoteAnchor(m *mod) {
	a := m.field(kwAnchor)
	if a == nil || m.field(kwSnippet) != nil {
		return
	}
	b.lenient(diag.APAnchorOnly, a.d.word, "an anchor narrows the search for a snippet, but the snippet is missing; write a snippet", certain("Use the anchor as the snippet", text.Edit{Span: a.d.word, New: kwSnippet}))
	m.fields[kwSnippet] = a
	delete(m.fields, kwAnchor)
}

func (b *builder) closestKeyword(d directive) []diag.Fix {
	word := d.word.In(b.body)
	best, likeness := "", 0.5
	for k := range kinds {
		if l := place.Alike(strings.ToLower(word), strings.ToLower(k)); l > likeness || l == likeness && k < best {
			best, likeness = k, l
		}
	}
	if best == "" || word == "" {
		return nil
	}
	return []diag.Fix{{Title: "Write " + best, Edits: []text.Edit{{Span: d.word, New: best}}, Preferred: likeness > 0.85}}
}
