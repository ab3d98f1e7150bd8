package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// inValue checks the lines in the value of ds[i] that are written as directives.
func (p *patch) inValue(ds []directive, i int, lines []foreign, name string) {
	v := trimmed(p.body[:p.stop], ds[i].below)
	f := lines[len(lines)-1]
	slip := slipOf(strings.Trim(f.id.In(p.body), marks), p.id)
	switch {
	case v.at.End != f.line.End: // other text follows it
	case kinds[f.keyword] == action && (repeats(ds, i) || slip && i+1 < len(ds) && kinds[ds[i+1].keyword] == keyValue && !describes(name)):
		p.drifted(f) // otherwise the value that follows would belong to the modification above
		return
	case f.keyword == kwEnd && i == len(ds)-1 && slip && !describes(name):
		p.drifted(f)
		return
	}
	for _, f := range lines {
		id := f.id.In(p.body)
		if p.isNeeded(ds, i, f.keyword) {
			p.drifted(f)
			return // the text below is then read again
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

// part reports a line of a value that is written as a directive.
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

// severityIn returns the severity for a modification inside a value. In the snippet of a DELETE
// it is an error, because the file would not have such a snippet, and a missing snippet counts as
// deleted.
func severityIn(ds []directive, i int) diag.Severity {
	for j := i; j >= 0 && ds[i].keyword != kwContent; j-- {
		if kinds[ds[j].keyword] == action {
			if ds[j].keyword == kwDelete {
				return diag.Error
			}
			break
		}
	}
	return diag.Warning
}

// structured reports whether the lines with an ID form a modification. Such lines are hardly
// text.
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

// repeats reports whether the modification already has the directive that follows ds[i].
func repeats(ds []directive, i int) bool {
	if i+1 >= len(ds) || kinds[ds[i+1].keyword] != keyValue {
		return false
	}
	for j := i; j >= 0 && kinds[ds[j].keyword] != action && ds[j].keyword != kwFile; j-- {
		if ds[j].keyword == ds[i+1].keyword {
			return true
		}
	}
	return false
}

// isNeeded reports whether a line in one of the values would be exactly the directive that the
// modification lacks.
func (p *patch) isNeeded(ds []directive, i int, keyword string) bool {
	if ds[i].keyword == kwContent || keyword != kwContent && keyword != kwSnippet {
		return false
	}
	for j := i; j >= 0 && kinds[ds[j].keyword] != action && ds[j].keyword != kwFile; j-- {
		if ds[j].keyword == keyword {
			return false
		}
		if j > 0 && kinds[ds[j-1].keyword] == action && ds[j-1].keyword == kwDelete {
			return false
		}
	}
	for j := i + 1; j < len(ds) && kinds[ds[j].keyword] != action && ds[j].keyword != kwFile; j++ {
		if ds[j].keyword == keyword {
			return false
		}
	}
	return true
}
