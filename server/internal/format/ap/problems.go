package ap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func problem(code diag.Code, f *field, message string, fixes ...diag.Fix) *diag.Diagnostic {
	at := f.at
	if f.empty() {
		at = f.d.line
	}
	return &diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes}
}

// ambiguous returns the diagnostic for a snippet that has no anchor and several places (rule A33).
func (r *run) ambiguous(j job, s search, found []region) *diag.Diagnostic {
	slices.SortFunc(found, func(a, b region) int { return a.start - b.start })
	d := problem(diag.APSnippetAmbiguous, j.field(kwSnippet), fmt.Sprintf(
		"the snippet occurs in %s %s; add an anchor that occurs only once, above the right place, or make the snippet longer", r.path, r.onLines(found)))
	for _, at := range found[:min(len(found), 4)] {
		if fix, ok := r.addAnchor(j, s, at); ok {
			d.Fixes = append(d.Fixes, fix)
		}
	}
	return d
}

func (r *run) onLines(found []region) string {
	numbers := text.Each(found[:min(len(found), 10)], func(at region) string { return fmt.Sprint(r.t.number(at.start)) })
	count := fmt.Sprintf("%d times", len(found))
	if len(found) >= mostListed {
		count = fmt.Sprintf("%d times or more", mostListed)
	}
	if len(found) > len(numbers) {
		numbers = append(numbers, "...")
	}
	return count + ", on lines " + strings.Join(numbers, ", ")
}

const mostAbove = 1000

// addAnchor returns the fix that adds an anchor: the nearest line above the place that occurs only once in the file,
// if the snippet occurs first at this place below it.
func (r *run) addAnchor(j job, s search, at region) (diag.Fix, bool) {
	for i := at.start - 1; i >= max(0, at.start-mostAbove); i-- {
		line := r.t.line(i).text
		a := search{t: r.t, l: r.t.locator([]string{line}), version: r.version, written: true}
		if r.t.isBlank(i) || len(a.all(0, 2)) != 1 {
			continue
		}
		if first := s.all(max(r.cursor, i+1), 1); len(first) == 0 || first[0] != at {
			continue
		}
		d := j.field(kwSnippet).d
		anchor := d.id.Shift(-j.at.Start).In(j.source) + " " + kwAnchor + r.blockEOL + line + r.blockEOL
		return possible(fmt.Sprintf("Use line %d: add the anchor %q", r.t.number(at.start), shown(strings.TrimSpace(line))), text.Insertion(d.line.Start, anchor)), true
	}
	return diag.Fix{}, false
}

func (r *run) write(f *field, lines []string) text.Edit {
	return text.Edit{Span: f.at, New: strings.Join(lines, r.blockEOL)}
}

// restored returns the fix that undoes artifacts in a field and, if it is the snippet, in the content. The file must
// have the restored text exactly once.
func (r *run) restored(j job, s search, f *field, from int, of []*artifact.Artifact) (fix diag.Fix, ok bool) {
	c, content := place.Change{Old: joined(f.lines)}, j.field(kwContent)
	has := content != nil && !content.empty()
	if has && f == j.field(kwSnippet) {
		c.New = joined(content.lines)
	}
	found := func(was place.Restored) bool {
		s.l = s.t.locator(linesOf(was.Old))
		all := s.all(from, 2)
		return len(all) == 1 && all[0].prefix == ""
	}
	write := func(was place.Restored, keeps string) diag.Fix {
		fix := diag.Fix{Title: was.By.Fix, Preferred: was.Sure, Edits: []text.Edit{r.write(f, linesOf(was.Old))}}
		if was.New != keeps {
			fix.Edits = append(fix.Edits, r.write(content, linesOf(was.New)))
		}
		return fix
	}
	for was := range c.Restored(r.in.Text.Meter(), of) {
		if found(was) {
			return write(was, c.New), true
		}
	}
	stays := has && !j.replaces(f) // the lines of the field stay, next to the content
	if stays {
		c.New = c.Old + joined(content.lines)
	}
	was, ok := c.WithKept(r.in.Text)
	if !ok || !found(was) {
		return diag.Fix{}, false
	}
	if stays {
		return write(was, was.New), true
	}
	return write(was, c.New), true
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

func linesOf(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// passage returns the passage of a field, with the content if a fix must also change the content.
func (j job) passage(f *field) place.Passage {
	p := place.Passage{Change: place.Change{Old: joined(f.lines)}, Law: place.WholeLines, Marked: true, OldName: "the " + f.d.keyword, NewName: "the " + kwContent}
	if j.replaces(f) {
		p.New, p.Marked = joined(j.content), j.field(kwAnchor) != nil
	}
	return p
}

// replaces reports whether the content replaces exactly the lines of a field.
func (j job) replaces(f *field) bool {
	return j.action == kwReplace && f == j.field(kwSnippet) && j.field(kwTail) == nil && !j.scopeEnd && len(j.content) > 0
}

// mostCompared limits the searches for similar text. Further ones are made only if a person wants fixes.
const mostCompared = 3

// unfound adds a hint and fixes to a problem with a missing text.
func (r *run) unfound(d *diag.Diagnostic, j job, s search, f *field, from int) *diag.Diagnostic {
	d.Passage = strings.Join(f.lines, "\n")
	if fix, ok := r.restored(j, s, f, from, artifact.Sure()); ok && fix.Preferred {
		d.Fixes = []diag.Fix{fix}
		return d
	}
	// The current target has changes of other modifications, so search the text before all changes.
	t, p := r.in.Text, j.passage(f)
	if r.compared++; r.compared <= mostCompared {
		if hint := strings.TrimSuffix(p.Hint(t, place.Finding{}), "; "); hint != "" {
			d.Message += "; " + hint
		}
		if len(f.lines) == 1 && j.replaces(f) {
			if c, whole := p.Inside(t); whole && c.New == p.New {
				d.Fixes = []diag.Fix{certain(fmt.Sprintf("Write the whole line %d", c.Line), r.write(f, linesOf(c.Old)))}
				return d
			}
		}
	}
	d.Suggest = func(ctx context.Context) (fixes []diag.Fix) {
		for _, c := range p.Suggest(ctx, t) {
			if slices.Equal(solidTrimmed(linesOf(c.Old)), j.solid(f.d.keyword)) {
				continue // the file has these lines, but outside of the scope
			}
			fix := possible(fmt.Sprintf("Use the lines that begin at line %d (%s)", c.Line, c.Why), r.write(f, linesOf(c.Old)))
			if j.replaces(f) && c.New != p.New {
				fix.Edits = append(fix.Edits, r.write(j.field(kwContent), linesOf(c.New)))
			}
			fixes = append(fixes, fix)
		}
		return fixes
	}
	return d
}
