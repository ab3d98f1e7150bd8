package ap

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (r *run) anchorMissing(j job, a search) *diag.Diagnostic {
	f := j.field(kwAnchor)
	if by := r.consumer(a); by > 0 {
		return problem(diag.APConsumed, f, fmt.Sprintf("the anchor was in %s until modification %d of this patch changed those lines; write the anchor as it is after that change", r.path, by))
	}
	a.written = true
	if len(a.all(0, 1)) > 0 {
		return problem(diag.APAnchorNotFound, f, fmt.Sprintf("the anchor is only in text that this patch itself writes into %s, which ap 3.2 does not search", r.path))
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
