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

func (r *run) anchorMissing(j job, a search) *diag.Diagnostic {
	f := j.field(kwAnchor)
	if by := r.consumer(a); by > 0 {
		return problem(diag.APConsumed, f, fmt.Sprintf("the anchor was in %s until modification %d of this patch changed those lines; write the anchor as it is after that change", r.path, by))
	}
	a.written = true
	if len(a.all(0, 1)) > 0 {
		return problem(diag.APAnchorNotFound, f, fmt.Sprintf("the anchor is only in text that this patch itself writes into %s, and ap 3.2 does not search such text", r.path))
	}
	d := problem(diag.APAnchorNotFound, f, "the anchor is not in "+r.path)
	if s := r.search(j, kwSnippet); len(s.all(r.cursor, 2)) == 1 {
		d.Fixes = append(d.Fixes, possible("Remove the anchor: the snippet occurs only once", remove(text.Span{Start: f.d.line.Start, End: f.d.below.End})))
	}
	return r.unfound(d, j, a, f, 0)
}

func (r *run) tailMissing(j job, snippet region) *diag.Diagnostic {
	f := j.field(kwTail)
	d := problem(diag.APTailNotFound, f, fmt.Sprintf("the snippet is on line %d, but snippet_tail is not in the file below it", r.t.number(snippet.start)))
	return r.unfound(d, j, r.search(j, kwTail), f, snippet.end)
}

func (r *run) missing(j job, s search, sc scope) *diag.Diagnostic {
	f := j.field(kwSnippet)
	if d := r.elsewhere(j, s, sc); d != nil {
		return d
	}
	if by := r.consumer(s); by > 0 {
		return problem(diag.APConsumed, f, fmt.Sprintf("the snippet was in %s until modification %d of this patch changed those lines; put both changes into one modification", r.path, by))
	}
	where := "in " + r.path
	if sc.anchored {
		where = fmt.Sprintf("below the anchor (line %d of %s or later)", r.t.number(sc.from), r.path)
	}
	message := "the snippet is not " + where
	if found := r.contents(j, sc.from, 1); len(found) > 0 && j.action == kwReplace {
		message += fmt.Sprintf("; line %d is similar to the content, but that does not show that this patch wrote that line", r.t.number(found[0].start))
	}
	return r.unfound(problem(diag.APSnippetNotFound, f, message), j, s, f, sc.from)
}

// elsewhere returns the diagnostic for a snippet that begins with the lines of its anchor, or occurs only above the
// cursor. Otherwise, it returns nil.
func (r *run) elsewhere(j job, s search, sc scope) *diag.Diagnostic {
	s.written = false
	above := slices.DeleteFunc(s.all(0, 2), func(at region) bool { return at.start >= sc.from })
	f := j.field(kwSnippet)
	if sc.anchored {
		if d := r.overAnchor(j, s, above); d != nil {
			return d
		}
	}
	if len(above) == 0 || above[0].start >= r.cursor || sc.anchored && above[0].start < sc.anchor.end {
		return nil
	}
	return problem(diag.APOutOfOrder, f, fmt.Sprintf("the snippet is on line %d of %s, above the lines that an earlier modification changes; the modifications of a file go from top to bottom", r.t.number(above[0].start), r.path))
}

// overAnchor returns the diagnostic for a snippet or content that begins with the lines of the anchor, so that it is
// at the anchor instead of below it. Otherwise, it returns nil.
func (r *run) overAnchor(j job, s search, above []region) *diag.Diagnostic {
	anchors := r.search(j, kwAnchor).all(0, 2)
	if len(anchors) == 0 || !overlap(j.solid(kwAnchor), j.solid(kwSnippet)) {
		return nil
	}
	if len(above) == 0 && j.action == kwReplace && len(j.content) > 0 {
		above = r.contents(j, 0, 2)
	}
	a := j.field(kwAnchor)
	if len(above) == 0 || above[0].start > anchors[0].end || above[0].end <= anchors[0].start {
		return nil
	}
	gone := possible("Remove the anchor", remove(text.Span{Start: a.d.line.Start, End: a.d.below.End}))
	gone.Preferred = len(above) == 1 && len(anchors) == 1 && len(s.all(0, 2)) <= 1 && r.cursor <= above[0].start
	return problem(diag.APAnchorInSnippet, j.field(kwSnippet), "the snippet is searched for below the anchor, but begins with the lines of the anchor; remove the anchor, or remove its lines from the snippet", gone)
}

// consumer returns the number of the modification that changed a place of the searched text (rule A41), or 0.
func (r *run) consumer(s search) int {
	if r.before == nil {
		r.before = r.t.pristine()
	}
	was := search{t: r.before, l: r.before.locator(s.l.lines), version: r.version, written: true}
	for _, at := range was.all(0, mostListed) {
		for i := at.start; i < at.end; i++ {
			if by := r.t.goneBy[i]; by != 0 {
				return int(by)
			}
		}
	}
	return 0
}
