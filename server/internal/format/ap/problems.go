package ap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func problem(code diag.Code, f *field, message string, fixes ...diag.Fix) *diag.Diagnostic {
	at := f.at
	if f.empty() {
		at = f.d.line
	}
	return &diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes}
}

// ambiguous reports a snippet without an anchor that occurs more than once (rule A33).
func (r *run) ambiguous(j job, s search, sc scope, found []region) *diag.Diagnostic {
	slices.SortFunc(found, func(a, b region) int { return a.start - b.start })
	d := problem(diag.APSnippetAmbiguous, j.field(kwSnippet), fmt.Sprintf(
		"the snippet occurs in %s %s; add an anchor that occurs only once, above the right place, or make the snippet longer", r.path, r.onLines(found)))
	for _, at := range found[:min(len(found), 4)] {
		fix, ok := r.extend(j, s, sc, at)
		if !ok {
			fix, ok = r.addAnchor(j, s, at)
		}
		if ok {
			d.Fixes = append(d.Fixes, fix)
		}
	}
	return d
}

// onLines says in words how many places there are, and on which lines.
func (r *run) onLines(found []region) string {
	var numbers []string
	for _, at := range found[:min(len(found), 10)] {
		numbers = append(numbers, fmt.Sprint(r.t.number(at.start)))
	}
	count := fmt.Sprintf("%d times", len(found))
	if len(found) >= mostListed {
		count = fmt.Sprintf("%d times or more", mostListed)
	}
	if len(found) > len(numbers) {
		numbers = append(numbers, "...")
	}
	return count + ", on lines " + strings.Join(numbers, ", ")
}

// mostAdded is the largest number of lines that are added to make a snippet unique.
const mostAdded = 8

// extend returns the fix that makes the snippet unique by lines above and below it. If the
// modification would replace these lines, they are added to the content, too.
func (r *run) extend(j job, s search, sc scope, at region) (diag.Fix, bool) {
	if j.action == kwDelete || j.field(kwTail) != nil || j.scopeEnd {
		return diag.Fix{}, false
	}
	for above := range mostAdded {
		below := 0
		if j.action == kwInsertBefore {
			above, below = 0, above
		}
		wide := region{start: at.start - above, end: at.end + below}
		if wide.start < sc.from || wide.end > r.t.count() || above+below == 0 {
			continue
		}
		lines := r.t.textsOf(wide)
		wider := s
		wider.l = r.t.locator(lines)
		if len(wider.all(sc.from, 2)) != 1 {
			continue
		}
		edits := []text.Edit{r.write(j.field(kwSnippet), lines)}
		if j.action == kwReplace && above > 0 {
			edits = append(edits, r.write(j.field(kwContent), append(slices.Clone(lines[:above]), j.field(kwContent).lines...)))
		}
		return possible(fmt.Sprintf("Use line %d: extend the snippet", r.t.number(at.start)), edits...), true
	}
	return diag.Fix{}, false
}

// mostAbove is the largest number of lines above a place that are tried as an anchor.
const mostAbove = 1000

// addAnchor returns the fix that adds an anchor: a line above the place that is less indented,
// such as the header of a function.
func (r *run) addAnchor(j job, s search, at region) (diag.Fix, bool) {
	indentation := len(locate.Indentation(r.t.line(at.start).text))
	for i := at.start - 1; i >= max(0, at.start-mostAbove) && indentation > 0; i-- {
		line := r.t.line(i).text
		if r.t.isBlank(i) || len(locate.Indentation(line)) >= indentation {
			continue
		}
		indentation = len(locate.Indentation(line))
		a := search{t: r.t, l: r.t.locator([]string{line}), version: r.version, written: true}
		first := s.all(max(r.cursor, i+1), 1)
		if len(a.all(0, 2)) != 1 || len(first) == 0 || first[0] != at {
			continue
		}
		d := j.field(kwSnippet).d
		anchor := d.id.Shift(-j.at.Start).In(j.source) + " " + kwAnchor + r.blockEOL + line + r.blockEOL
		return possible(fmt.Sprintf("Use line %d: add the anchor %q", r.t.number(at.start), shown(strings.TrimSpace(line))), insert(d.line.Start, anchor)), true
	}
	return diag.Fix{}, false
}

// write returns the edit of the block that replaces the lines of a field.
func (r *run) write(f *field, lines []string) text.Edit {
	return text.Edit{Span: f.at, New: strings.Join(lines, r.blockEOL)}
}
