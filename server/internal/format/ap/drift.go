package ap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A foreign is a line that looks like a directive but does not begin with the patch's ID.
type foreign struct {
	line, id text.Span // id includes any text before the ID
	keyword  string
	after    text.Span // superfluous characters at the end of the line
}

// drift reports lines that look like directives but have an ID other than the header's, and are therefore text. Such a
// line is an error if no text is allowed at its place, or if a required value is missing because of it. In a value, it
// is a warning if the other ID looks like a mistake.
func (p *patch) drift(ds []directive) {
	if len(ds) == 0 {
		return
	}
	first := text.Span{Start: p.start, End: ds[0].line.Start}
	for _, f := range p.foreign(first, true) {
		p.drifted(f)
	}
	name := ""
	for i, d := range ds {
		v := trimmed(p.body[:p.stop], d.below)
		if d.keyword == kwFile && len(v.lines) > 0 {
			name = v.lines[0]
		}
		if d.keyword == kwEnd {
			break
		}
		switch lines := p.foreign(d.below, true); {
		case len(lines) == 0:
		case !hasValue(d.keyword), d.keyword == kwFile, d.keyword == kwRename:
			for _, f := range lines {
				p.drifted(f)
			}
		default:
			p.inValue(ds, i, lines, name)
		}
	}
}

// otherID reports a patch whose directives all have one ID but whose header has another. Otherwise it returns false.
func (p *patch) otherID() bool {
	lines := p.foreign(text.Span{Start: p.start, End: p.stop}, false)
	if len(lines) == 0 {
		return false
	}
	id := lines[0].id.In(p.body)
	for _, f := range lines {
		if f.id.In(p.body) != id {
			return false
		}
	}
	at := text.Span{Start: p.start, End: p.start}
	for line := range eachLine(p.body[:p.start]) {
		if i := strings.Index(line.In(p.body), p.id); i >= 0 && headerLine.MatchString(strings.TrimPrefix(line.In(p.body), "\ufeff")) {
			at = text.Span{Start: line.Start + i, End: line.Start + i + len(p.id)}
		}
	}
	p.fail(diag.APIDDrift, at, fmt.Sprintf("the header's ID is %s, but every directive below has %s", p.id, id), certain("Write "+id, text.Edit{Span: at, New: id}))
	return true
}

// foreign returns the lines that look like directives but have a different ID. If `marked` is true, it also returns
// lines with the patch's own ID and other characters before it.
func (p *patch) foreign(span text.Span, marked bool) []foreign {
	var found []foreign
	for line := range eachLine(span.In(p.body)) {
		line = line.Shift(span.Start)
		s := line.In(p.body)
		if marked && strings.Contains(s, p.id) {
			if f, ok := p.own(line, s); ok {
				found = append(found, f)
				continue
			}
		}
		word := s[:wordEnd(s)]
		if !idLike(word) {
			// This test excludes most lines in a tenth of the time of the tests below.
			continue
		}
		id, keyword, ok := directiveOf(s)
		if !ok && slipOf(word, p.id) {
			id, keyword, ok = word, alone(s[len(word):]), alone(s[len(word):]) != ""
		}
		if ok {
			found = append(found, foreign{line: line, id: text.Span{Start: line.Start, End: line.Start + len(id)}, keyword: keyword})
		}
	}
	return found
}

// marks has characters that may surround a directive that was copied from a page, or written in a list, a quotation,
// bold type or code.
const marks = " \t>*`+-\u00a0\u200b\ufeff"

// own reads a line that would be a directive of the patch if it had no marks around it.
func (p *patch) own(line text.Span, s string) (foreign, bool) {
	start := len(s) - len(strings.TrimLeft(s, marks))
	n := start + len(p.id)
	switch {
	case strings.HasPrefix(s[start:], "["+p.id+"]"):
		n += 2
	case !strings.HasPrefix(s[start:], p.id):
		return foreign{}, false
	}
	end := len(strings.TrimRight(s, marks))
	if end < n || start == 0 && n == len(p.id) {
		return foreign{}, false
	}
	f := foreign{line: line, id: text.Span{Start: line.Start, End: line.Start + n}, keyword: alone(s[n:end]), after: text.Span{Start: line.Start + end, End: line.End}}
	return f, f.keyword != ""
}

// alone returns the keyword in the text after an ID, or "" if the text is not only the keyword and its arguments.
func alone(rest string) string {
	words := strings.TrimLeft(rest, " \t\u00a0")
	if words == rest || words == "" {
		return ""
	}
	keyword, n := meant(words)
	if _, _, ok := directiveOf("x " + keyword + words[n:]); ok {
		return keyword
	}
	return ""
}

// idLike reports whether a word may be the ID of a patch. In prose, a word before a keyword hardly ever looks like an
// ID.
func idLike(s string) bool {
	s = strings.Trim(s, "[]")
	return len(s) >= 4 && strings.ContainsAny(s, "0123456789_") || len(s) == 8 && validID.MatchString(s)
}

func (p *patch) rewrite(f foreign) diag.Fix {
	edits := []text.Edit{{Span: text.Span{Start: f.line.Start, End: f.id.End}, New: p.id}}
	if !f.after.Empty() {
		edits = append(edits, remove(f.after))
	}
	return certain("Write "+p.id, edits...)
}

func (p *patch) drifted(f foreign) {
	p.drifts = append(p.drifts, f.line)
	message := fmt.Sprintf("the patch's ID is %s, but this line begins with %s, so it is not a directive", p.id, f.id.In(p.body))
	fix := p.rewrite(f)
	id := strings.Trim(f.id.In(p.body), marks)
	if id == p.id {
		message = fmt.Sprintf("a directive begins with %s in the first column, but this line has other characters before it", p.id)
	}
	fix.Preferred = validID.MatchString(id) || slipOf(id, p.id) || !validID.MatchString(p.id)
	p.fail(diag.APIDDrift, f.line, message, fix)
}

// describes reports whether the text of a file may contain directives, because the file is a patch or documentation.
func describes(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".ap", ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// slipOf reports whether an ID looks like a typing mistake for another ID: they differ in at most two characters.
func slipOf(id, of string) bool {
	const most = 2
	longer := len(id) - len(of)
	return strings.EqualFold(id, of) || max(longer, -longer) <= most && locate.Distance(id, of) <= most
}

func (p *patch) inValue(ds []directive, i int, lines []foreign, name string) {
	v := trimmed(p.body[:p.stop], ds[i].below)
	f := lines[len(lines)-1]
	slip := slipOf(strings.Trim(f.id.In(p.body), marks), p.id)
	switch {
	case v.at.End != f.line.End: // more of the value follows the line
	case kinds[f.keyword] == action && (repeats(ds, i) || slip && i+1 < len(ds) && kinds[ds[i+1].keyword] == keyValue && !describes(name)):
		// The line is a directive: if it were text, the value below it would belong to the modification above.
		p.drifted(f)
		return
	case f.keyword == kwEnd && i == len(ds)-1 && slip && !describes(name):
		p.drifted(f)
		return
	}
	for _, f := range lines {
		id := f.id.In(p.body)
		if p.isNeeded(ds, i, f.keyword) {
			p.drifted(f)
			// The text below this line is checked again once the ID is corrected.
			return
		}
		if describes(name) {
			return
		}
		if strings.Contains(v.String(), id+" AP 3.") {
			p.report(diag.Diagnostic{Span: f.line, Severity: severityIn(ds, i), Code: diag.APIDDrift,
				Message: fmt.Sprintf("a whole patch with the ID %s is inside the %s for %s; one block can hold only one patch", id, ds[i].keyword, name)})
			return
		}
		p.part(ds, i, f, structured(p.body, lines, id))
	}
}

func (p *patch) part(ds []directive, i int, f foreign, structured bool) {
	d := ds[i]
	id := strings.Trim(f.id.In(p.body), marks)
	found := diag.Diagnostic{Span: f.line, Severity: diag.Info, Code: diag.APIDDrift, Fixes: []diag.Fix{p.rewrite(f)},
		Message: fmt.Sprintf("this line is a part of the %s: only lines that begin with %s are directives", d.keyword, p.id)}
	found.Fixes[0].Preferred = d.keyword != kwContent && id != p.id && slipOf(id, p.id)
	if d.keyword != kwContent || slipOf(id, p.id) || structured {
		found.Severity = diag.Warning
	}
	if severity := severityIn(ds, i); structured || severity == diag.Error && validID.MatchString(id) {
		found.Severity = severity
	}
	p.report(found)
}

// modification returns the index of the action or FILE that ds[i] belongs to, or -1, and the index of the next action
// or FILE.
func modification(ds []directive, i int) (from, to int) {
	begins := func(d directive) bool { return kinds[d.keyword] == action || d.keyword == kwFile }
	for from = i; from >= 0 && !begins(ds[from]); from-- {
	}
	for to = i + 1; to < len(ds) && !begins(ds[to]); to++ {
	}
	return from, to
}

// severityIn returns the severity for a line in a value that looks like a directive. It is an error in the snippet of a
// DELETE, because the file has no snippet with that line, and the missing snippet would count as deleted.
func severityIn(ds []directive, i int) diag.Severity {
	if from, _ := modification(ds, i); ds[i].keyword != kwContent && from >= 0 && ds[from].keyword == kwDelete {
		return diag.Error
	}
	return diag.Warning
}

// structured reports whether the lines with an ID form a complete modification, which is hardly ever meant as text.
func structured(body string, lines []foreign, id string) bool {
	acts, values := false, false
	for _, f := range lines {
		if f.id.In(body) == id {
			acts = acts || kinds[f.keyword] == action
			values = values || kinds[f.keyword] == keyValue
		}
	}
	return acts && values
}

// repeats reports whether the modification of ds[i] already has a directive like the following directive.
func repeats(ds []directive, i int) bool {
	if i+1 >= len(ds) || kinds[ds[i+1].keyword] != keyValue {
		return false
	}
	from, _ := modification(ds, i)
	return has(ds[from+1:i+1], ds[i+1].keyword)
}

// isNeeded reports whether a line in a value would be the directive that the modification lacks.
func (p *patch) isNeeded(ds []directive, i int, keyword string) bool {
	if ds[i].keyword == kwContent || keyword != kwContent && keyword != kwSnippet {
		return false
	}
	from, to := modification(ds, i)
	deletes := from >= 0 && ds[from].keyword == kwDelete
	return !deletes && !has(ds[from+1:to], keyword)
}

func has(ds []directive, keyword string) bool {
	return slices.ContainsFunc(ds, func(d directive) bool { return d.keyword == keyword })
}
