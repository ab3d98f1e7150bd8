package ap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
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

const mostAdded = 8

// extend returns the fix that adds lines above or below the snippet until it occurs only once. If the modification
// replaces the added lines, the fix also adds them to the content.
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

const mostAbove = 1000

// addAnchor returns the fix that adds an anchor: a line above the place that is indented less, such as the header of a
// function.
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
		return possible(fmt.Sprintf("Use line %d: add the anchor %q", r.t.number(at.start), shown(strings.TrimSpace(line))), text.Insertion(d.line.Start, anchor)), true
	}
	return diag.Fix{}, false
}

func (r *run) write(f *field, lines []string) text.Edit {
	return text.Edit{Span: f.at, New: strings.Join(lines, r.blockEOL)}
}

// mostCompared limits the searches for similar lines in a run. Further ones are made only if a person asks for fixes.
const mostCompared = 3

func (r *run) closest(f *field) string {
	p, ok := r.best(f)
	if !ok {
		return ""
	}
	return fmt.Sprintf("; line %d is %d%% similar: %q", p.Line, p.Percent, shown(p.Lines[0]))
}

// best returns the lines of the file that are most similar to a value. ok is false if no lines are similar, or if no
// further search is allowed.
func (r *run) best(f *field) (a locate.Resemblance, ok bool) {
	a, known := r.alike[f]
	if !known && len(r.alike) < mostCompared && r.in.Text.Len() <= 64<<20 {
		if all := r.in.Text.Resembling(context.Background(), f.String(), 1); len(all) > 0 {
			a = all[0]
		}
		r.alike[f] = a
	}
	return a, a.Line > 0
}

// restored returns the fix that undoes artifacts in a field; for a snippet, also in the content. The file must have the
// restored text exactly once.
func (r *run) restored(j job, s search, f *field, from int, of []*artifact.Artifact) (fix diag.Fix, ok bool) {
	c, content := place.Change{Old: joined(f.lines)}, j.field(kwContent)
	if f == j.field(kwSnippet) && content != nil && !content.empty() {
		c.New = joined(content.lines)
	}
	was, ok := place.Restore(r.in.Text.Meter(), c, of, func(was place.Restored) bool {
		s.l = s.t.locator(linesOf(was.Old))
		found := s.all(from, 2)
		return len(found) == 1 && found[0].prefix == ""
	})
	if !ok {
		return diag.Fix{}, false
	}
	fix = diag.Fix{Title: was.By.Fix, Preferred: was.Sure, Edits: []text.Edit{r.write(f, linesOf(was.Old))}}
	if was.New != c.New {
		fix.Edits = append(fix.Edits, r.write(content, linesOf(was.New)))
	}
	return fix, true
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

func linesOf(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func (r *run) unfound(d *diag.Diagnostic, j job, s search, f *field, from int) *diag.Diagnostic {
	d.Passage = strings.Join(f.lines, "\n")
	if fix, ok := r.restored(j, s, f, from, artifact.Sure()); ok && fix.Preferred {
		d.Fixes = []diag.Fix{fix}
		return d
	}
	t, eol := r.in.Text, r.blockEOL
	d.Suggest = func(ctx context.Context) []diag.Fix {
		// The present target has changes of other modifications, so the search uses the text before all changes.
		s.t = newTarget(t, text.None)
		if fix, ok := r.restored(j, s, f, 0, artifact.Undoable()); ok {
			return []diag.Fix{fix}
		}
		return text.Each(t.Resembling(ctx, f.String(), 3), func(a locate.Resemblance) diag.Fix {
			return possible(fmt.Sprintf("Use the lines from line %d on (%d%% similar)", a.Line, a.Percent), text.Edit{Span: f.at, New: strings.Join(a.Lines, eol)})
		})
	}
	return d
}

// wholeLine returns the fix that completes a snippet that is only a part of a line (rule A58). The fix is certain if
// only one line has the snippet and the rest of that line is accounted for: either the content has the rest, or the
// snippet is deleted and is most of the line.
func (r *run) wholeLine(j job, sc scope) []diag.Fix {
	f := j.field(kwSnippet)
	if _, known := r.alike[f]; !known || len(f.lines) != 1 || text.NonBlanks(f.lines[0], 4) < 4 {
		return nil
	}
	want := strings.TrimSpace(f.lines[0])
	at := -1
	for i := sc.from; i < r.t.count(); i++ {
		if strings.Contains(r.t.word(r.t.body(i)), want) {
			if at >= 0 {
				return nil
			}
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	whole := r.t.word(r.t.body(at))
	i := strings.Index(whole, want)
	cut := locate.CutsWord(whole, i) || locate.CutsWord(whole, i+len(want))
	fix := possible(fmt.Sprintf("Write the whole line %d", r.t.number(at)), r.write(f, []string{r.t.line(at).text}))
	switch {
	case cut, j.action == kwDelete, j.field(kwTail) != nil:
	case j.action != kwReplace:
		fix.Preferred = 2*text.NonBlanks(want, len(whole)) >= text.NonBlanks(whole, len(whole))
	default:
		fix.Preferred = r.keepsRest(j, whole[:i], whole[i+len(want):])
		if !fix.Preferred && len(j.content) == 1 {
			indent := locate.Indentation(r.t.line(at).text)
			c := strings.TrimSpace(j.content[0])
			fix.Edits = append(fix.Edits, r.write(j.field(kwContent), []string{indent + whole[:i] + c + whole[i+len(want):]}))
			fix.Title += ", and add the rest of that line to the content"
		}
	}
	return []diag.Fix{fix}
}

// keepsRest reports whether the content has the rest of the line that the snippet is a part of.
func (r *run) keepsRest(j job, before, after string) bool {
	if len(j.content) == 0 {
		return false
	}
	first, last := strings.TrimSpace(j.content[0]), j.content[len(j.content)-1]
	return strings.HasPrefix(first, strings.TrimSpace(before)) && strings.HasSuffix(strings.TrimSpace(last), strings.TrimSpace(after))
}
