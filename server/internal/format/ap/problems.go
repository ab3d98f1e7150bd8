package ap

import (
	"context"
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

// ambiguous: a snippet without an anchor must be there once (rule A33).
func (r *run) ambiguous(j job, s search, sc scope, found []region) *diag.Diagnostic {
	slices.SortFunc(found, func(a, b region) int { return a.start - b.start })
	d := problem(diag.APSnippetAmbiguous, j.field(kwSnippet), fmt.Sprintf(
		"the snippet is in %s %s; add an anchor that stands once above the right one, or make the snippet longer", r.path, r.onLines(found)))
	for _, at := range found[:min(len(found), 4)] {
		if fix, ok := r.extend(j, s, sc, at); ok {
			d.Fixes = append(d.Fixes, fix)
		}
	}
	return d
}

// onLines says how often, and where.
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

// mostAdded is by how many lines a snippet is extended to be unique.
const mostAdded = 8

// extend makes the snippet unique by lines above and below it. They are put into
// the content too where they would be replaced.
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
		if wide.start < sc.from || wide.end > len(r.t.cur) || above+below == 0 {
			continue
		}
		lines := r.linesOf(wide)
		wider := s
		wider.l = r.t.locator(lines)
		if len(wider.all(sc.from, 2)) != 1 {
			continue
		}
		edits := []text.Edit{r.write(j.field(kwSnippet), lines)}
		if j.action == kwReplace && above > 0 {
			edits = append(edits, r.write(j.field(kwContent), append(slices.Clone(lines[:above]), j.field(kwContent).lines...)))
		}
		return possible(fmt.Sprintf("The one on line %d: extend the snippet", r.t.number(at.start)), edits...), true
	}
	return diag.Fix{}, false
}

func (r *run) linesOf(at region) []string {
	var out []string
	for i := at.start; i < at.end; i++ {
		out = append(out, r.t.at(i).text)
	}
	return out
}

// write is the edit of the block that gives a field other lines.
func (r *run) write(f *field, lines []string) text.Edit {
	return text.Edit{Span: f.at, New: strings.Join(lines, r.blockEOL)}
}

func (r *run) anchorMissing(j job, a search) *diag.Diagnostic {
	f := j.field(kwAnchor)
	if by := r.consumer(a); by > 0 {
		return problem(diag.APConsumed, f, fmt.Sprintf("the anchor was in %s until modification %d of this patch changed those lines; write it as they stand then", r.path, by))
	}
	a.written = true
	if len(a.all(0, 1)) > 0 {
		return problem(diag.APAnchorNotFound, f, fmt.Sprintf("the anchor is only in what this patch itself writes into %s, which ap 3.2 does not search", r.path))
	}
	d := problem(diag.APAnchorNotFound, f, fmt.Sprintf("the anchor is not in %s%s", r.path, r.closest(f)))
	if s := r.search(j, kwSnippet); len(s.all(r.cursor, 2)) == 1 {
		d.Fixes = append(d.Fixes, possible("Remove the anchor: the snippet is there once", remove(text.Span{Start: f.d.line.Start, End: f.d.below.End})))
	}
	d.Suggest = r.suggest(f, j)
	d.Passage = strings.Join(f.lines, "\n")
	return d
}

func (r *run) anchorAmbiguous(j job, a search, anchors []region) *diag.Diagnostic {
	return problem(diag.APAnchorAmbiguous, j.field(kwAnchor), fmt.Sprintf(
		"the anchor is in %s %s, and the snippet is found behind more than one of them; write an anchor that is there once", r.path, r.onLines(anchors)))
}

func (r *run) tailMissing(j job, s search, snippet region) *diag.Diagnostic {
	f := j.field(kwTail)
	d := problem(diag.APTailNotFound, f, fmt.Sprintf("the snippet is on line %d, but snippet_tail is not in the file below it%s", r.t.number(snippet.start), r.closest(f)))
	d.Suggest = r.suggest(f, j)
	d.Passage = strings.Join(f.lines, "\n")
	return d
}

// missing tells what became of a snippet that is not in its scope.
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
		where = fmt.Sprintf("below the anchor, from line %d of %s on", r.t.number(sc.from), r.path)
	}
	message := fmt.Sprintf("the snippet is not %s%s", where, r.closest(f))
	if at, ok := r.present(j, sc); ok && j.action == kwReplace {
		message += fmt.Sprintf("; line %d is like the content, which does not show that this patch put it there", r.t.number(at.start))
	}
	d := problem(diag.APSnippetNotFound, f, message)
	d.Fixes = r.wholeLine(j, sc)
	d.Suggest = r.suggest(f, j)
	d.Passage = strings.Join(f.lines, "\n")
	return d
}

// elsewhere: the snippet stands above its scope: over the cursor, or in the anchor
// itself.
func (r *run) elsewhere(j job, s search, sc scope) *diag.Diagnostic {
	if d := r.swallowed(j); d != nil {
		return d
	}
	if sc.from == 0 {
		return nil
	}
	s.written = false
	var above []region
	s.each(0, func(at region) bool {
		if at.start < sc.from && !r.anyWritten(at) {
			above = append(above, at)
		}
		return at.start < sc.from && len(above) < 2
	})
	f := j.field(kwSnippet)
	if j.field(kwAnchor) != nil {
		if d := r.overAnchor(j, s, above); d != nil {
			return d
		}
	}
	if len(above) == 0 && j.action == kwReplace && len(j.content) > 0 && r.consumer(s) == 0 {
		above = r.t.standing(r.t.marksOf(j.content), 0, sc.from) // put in order, it is done
	}
	if len(above) == 0 {
		return nil
	}
	if above[0].start >= r.cursor || r.overAnchors(j, above[0]) { // above the anchor, which is another mistake
		return problem(diag.APSnippetNotFound, f, fmt.Sprintf("the snippet is on line %d of %s, above the anchor; the anchor stands above what it helps to find", r.t.number(above[0].start), r.path))
	}
	d := problem(diag.APOutOfOrder, f, fmt.Sprintf("the snippet is on line %d of %s, above what an earlier modification changes; the modifications of a file go from top to bottom", r.t.number(above[0].start), r.path))
	if fix, ok := r.reorder(j, above); ok {
		d.Fixes = []diag.Fix{fix}
	}
	return d
}

// swallowed: a snippet that is not there has lines that are written as directives
// with another ID. That it is not there says nothing, then.
func (r *run) swallowed(j job) *diag.Diagnostic {
	f := j.field(kwSnippet)
	if describes(r.path) {
		return nil
	}
	for i, line := range f.lines {
		id, ok := looksLikeDirective(line)
		if m := headerLine.FindStringSubmatch(line); m != nil {
			id, ok = m[1], true
		}
		if ok && idLike(id) {
			return &diag.Diagnostic{Span: f.spans[i], Severity: diag.Error, Code: diag.APIDDrift, Message: fmt.Sprintf(
				"the snippet is not in %s, and from here on it is written as directives with the ID %s; all directives of a patch have the ID of its header", r.path, id)}
		}
	}
	return nil
}

// overAnchors reports whether a place lies above all places of the anchor.
func (r *run) overAnchors(j job, at region) bool {
	if j.field(kwAnchor) == nil {
		return false
	}
	anchors := r.search(j, kwAnchor).all(0, 1)
	return len(anchors) > 0 && at.start < r.behind(j, anchors[0])
}

// overAnchor: the snippet, or what it is to become, begins with the anchor and
// stands there.
func (r *run) overAnchor(j job, s search, above []region) *diag.Diagnostic {
	anchors := r.search(j, kwAnchor).all(0, 2)
	if len(anchors) == 0 || !lapsOver(j.solid(kwAnchor), j.solid(kwSnippet)) {
		return nil
	}
	if len(above) == 0 && j.action == kwReplace && len(j.content) > 0 {
		above = r.t.standing(r.t.marksOf(j.content), 0, len(r.t.cur))
	}
	a := j.field(kwAnchor)
	if len(above) == 0 || above[0].start > anchors[0].end || above[0].end <= anchors[0].start {
		return nil
	}
	gone := possible("Remove the anchor", remove(text.Span{Start: a.d.line.Start, End: a.d.below.End}))
	gone.Preferred = len(above) == 1 && len(anchors) == 1 && len(s.all(0, 2)) <= 1 && r.cursor <= above[0].start
	return problem(diag.APAnchorInSnippet, j.field(kwSnippet), "the snippet begins with the anchor, and is looked for below it; leave the anchor out, or its lines", gone)
}

func (r *run) anyWritten(at region) bool {
	for i := at.start; i < at.end; i++ {
		if r.t.at(i).by != 0 {
			return true
		}
	}
	return false
}

// reorder moves a modification before the first one whose place lies below its own.
func (r *run) reorder(j job, above []region) (diag.Fix, bool) {
	offset := r.t.offset(above[0].start)
	for _, p := range r.places {
		if p.Target.Start <= offset {
			continue
		}
		i := slices.IndexFunc(r.jobs, func(o job) bool { return o.at == p.At })
		if i < 0 || r.jobs[i].until > j.at.Start {
			return diag.Fix{}, false
		}
		block := text.Span{Start: j.at.Start, End: j.until}
		moved := j.source
		if !strings.HasSuffix(moved, "\n") {
			moved += r.blockEOL
		}
		fix := possible(fmt.Sprintf("Move it before modification %d", r.jobs[i].number), insert(r.jobs[i].at.Start, moved), remove(block))
		fix.Preferred = len(above) == 1
		return fix, true
	}
	return diag.Fix{}, false
}

// consumer is the modification that changed the first place where the target had
// what is searched for; 0 for none (rule A41).
func (r *run) consumer(s search) int {
	if r.pristine == nil {
		r.pristine = newTarget(r.in.Text.String(), r.eol)
	}
	was := search{t: r.pristine, l: r.pristine.locator(s.l.lines), version: r.version, written: true}
	for _, at := range was.all(0, mostListed) {
		for i := at.start; i < at.end; i++ {
			if by := r.t.goneBy[i]; by != 0 {
				return int(by)
			}
		}
	}
	return 0
}

// mostCompared is how many searches for the closest lines one run makes; others
// wait until somebody asks.
const mostCompared = 3

// closest says which lines are most like a value that is not there.
func (r *run) closest(f *field) string {
	p, ok := r.best(f)
	if !ok {
		return ""
	}
	return fmt.Sprintf("; line %d is %d%% alike: %q", p.line, p.percent, shown(p.lines[0]))
}

// best are the lines of the target that are most like a value. Ok is false where none
// are, or where enough of them were looked for.
func (r *run) best(f *field) (a alike, ok bool) {
	a, known := r.alike[f]
	if !known && len(r.alike) < mostCompared && len(r.in.Text.String()) <= 64<<20 {
		a, _ = r.folded().best(context.Background(), f)
		r.alike[f] = a
	}
	return a, a.line > 0
}

func (r *run) folded() *haystack {
	if r.hay == nil {
		r.hay = &haystack{s: text.WithEOL(r.in.Text.String(), text.LF)}
	}
	return r.hay
}

// A haystack is the target as it was, for searches of what is alike.
type haystack struct {
	s      string
	folded *locate.Folded
}

// An alike is whole lines that are like a value.
type alike struct {
	line    int // from 1
	percent int
	lines   []string
}

func (h *haystack) all(ctx context.Context, f *field, n int) []alike {
	if h.folded == nil {
		h.folded = locate.Fold(h.s)
	}
	var out []alike
	for _, p := range h.folded.Closest(ctx, f.String(), n) {
		start := strings.LastIndexByte(h.s[:p.Span.Start], '\n') + 1
		end := p.Span.End
		if i := strings.IndexByte(h.s[end:], '\n'); i >= 0 && (end == start || h.s[end-1] != '\n') {
			end += i
		} else if i < 0 {
			end = len(h.s)
		}
		span := strings.TrimRight(h.s[start:end], "\n")
		out = append(out, alike{1 + strings.Count(h.s[:start], "\n"), min(int(p.Likeness*100), 99), strings.Split(span, "\n")})
	}
	return out
}

func (h *haystack) best(ctx context.Context, f *field) (alike, bool) {
	if all := h.all(ctx, f, 1); len(all) > 0 {
		return all[0], true
	}
	return alike{}, false
}

// suggest offers the lines that are most like a value.
func (r *run) suggest(f *field, j job) func(context.Context) []diag.Fix {
	s, eol := r.in.Text.String(), r.blockEOL
	return func(ctx context.Context) []diag.Fix {
		h := &haystack{s: text.WithEOL(s, text.LF)}
		var fixes []diag.Fix
		for _, a := range h.all(ctx, f, 3) {
			fixes = append(fixes, possible(fmt.Sprintf("Use the lines at %d (%d%% alike)", a.line, a.percent), text.Edit{Span: f.at, New: strings.Join(a.lines, eol)}))
		}
		return fixes
	}
}

// wholeLine: the snippet is a part of a line (rule A58). The
// line is certain where it is the only one; and so is what becomes of the rest of
// it where nothing is replaced and the snippet is most of the line, or where the
// content has it.
func (r *run) wholeLine(j job, sc scope) []diag.Fix {
	f := j.field(kwSnippet)
	if _, known := r.alike[f]; !known || len(f.lines) != 1 || locate.NonBlanks(f.lines[0], 4) < 4 {
		return nil
	}
	want := strings.TrimSpace(f.lines[0])
	at := -1
	for i := sc.from; i < len(r.t.cur); i++ {
		if body := r.t.words[r.t.marks[i].body()]; strings.Contains(body, want) {
			if at >= 0 {
				return nil
			}
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	whole := r.t.words[r.t.marks[at].body()]
	i := strings.Index(whole, want)
	cut := locate.CutsWord(whole, i) || locate.CutsWord(whole, i+len(want))
	fix := possible(fmt.Sprintf("Write all of line %d", r.t.number(at)), r.write(f, []string{r.t.at(at).text}))
	switch {
	case cut, j.action == kwDelete, j.field(kwTail) != nil:
	case j.action != kwReplace:
		fix.Preferred = 2*locate.NonBlanks(want, len(whole)) >= locate.NonBlanks(whole, len(whole))
	default:
		fix.Preferred = r.keepsRest(j, whole[:i], whole[i+len(want):])
		if !fix.Preferred && len(j.content) == 1 {
			indent := locate.Indentation(r.t.at(at).text)
			c := strings.TrimSpace(j.content[0])
			fix.Edits = append(fix.Edits, r.write(j.field(kwContent), []string{indent + whole[:i] + c + whole[i+len(want):]}))
			fix.Title += ", and what is around the snippet into the content"
		}
	}
	return []diag.Fix{fix}
}

// keepsRest reports whether the content has what stands around a partial snippet.
func (r *run) keepsRest(j job, before, after string) bool {
	if len(j.content) == 0 {
		return false
	}
	first, last := strings.TrimSpace(j.content[0]), j.content[len(j.content)-1]
	return strings.HasPrefix(first, strings.TrimSpace(before)) && strings.HasSuffix(strings.TrimSpace(last), strings.TrimSpace(after))
}
