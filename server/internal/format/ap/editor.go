package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Modifications is the step that makes all modifications of one file, from top to bottom (rules A35 and A40).
type Modifications struct {
	at      text.Span // in the block's body
	version version
	path    string
	eol     text.EOL // of all lines, or None to keep their endings
	jobs    []job

	blockEOL string // for lines that a fix adds to the patch
}

// A job is a modification, with facts about the other modifications of the file.
type job struct {
	*mod
	content []string // the lines to write, without trailing white space
	restart bool     // the modification begins a FILE block, so its place may be above the cursor
	key     string   // the locator, for comparisons
	left    int      // how many modifications from this one on have the same locator
	of      int      // how many modifications have the same locator
	// for an INSERT_BEFORE, how many modifications with the same locator directly follow, and how many lines they
	// insert
	following, below int
	later            int    // how many lines later modifications with the same locator insert
	source           string // the text of the modification, up to the next one
}

func newModifications(p *patch, blocks []*file, at text.Span) Modifications {
	e := Modifications{at: at, version: p.version, path: blocks[0].path, eol: blocks[0].eol, blockEOL: p.eol}
	for i, f := range blocks {
		for j, m := range f.mods {
			jb := job{mod: m, restart: i > 0 && j == 0, source: p.body[m.at.Start:m.until]}
			if c := m.field(kwContent); c != nil {
				jb.content = text.Each(c.lines, func(line string) string { return strings.TrimRight(line, spaces) })
			}
			e.jobs = append(e.jobs, jb)
		}
	}
	e.group()
	return e
}

// group counts the modifications with the same locator, because N of them apply to N occurrences of their snippet,
// in order.
func (e *Modifications) group() {
	count, later := map[string]int{}, map[string]int{}
	for i := len(e.jobs) - 1; i >= 0; i-- {
		j := &e.jobs[i]
		j.key = j.locatorKey()
		key := j.key
		count[key]++
		j.left, j.later = count[key], later[key]
		later[key] += len(j.content)
		if next := i + 1; next < len(e.jobs) && j.action == kwInsertBefore {
			if n := &e.jobs[next]; n.action == kwInsertBefore && n.key == key {
				j.following, j.below = n.following+1, n.below+len(n.content)
			}
		}
	}
	for i := range e.jobs {
		e.jobs[i].of = count[e.jobs[i].key]
	}
}

func (m *mod) locatorKey() string {
	return strings.Join(m.solid(kwAnchor), "\n") + "\x00" + strings.Join(m.solid(kwSnippet), "\n")
}

// solid returns the nonblank lines of a field, without white space around them.
func (m *mod) solid(keyword string) []string {
	f := m.field(keyword)
	if f == nil {
		return nil
	}
	return solidTrimmed(f.lines)
}

func solidTrimmed(lines []string) []string {
	return text.Each(solidLines(lines), strings.TrimSpace)
}

// Span implements [intent.Step].
func (e Modifications) Span() text.Span { return e.at }

// Parts implements [intent.Step]. Each modification is a part that a person can leave out.
func (e Modifications) Parts() []text.Span {
	return text.Each(e.jobs, func(j job) text.Span { return j.at })
}

type run struct {
	Modifications
	in       intent.Target
	t        *target
	cursor   int // the line after the last change
	problems []diag.Diagnostic
	places   []intent.Place
	unmet    []string
	compared int // the number of missing texts so far

	passages map[int]passage         // the content of each modification, by its number
	taken    map[string]map[int]bool // the IDs of the lines before which insertions were made, by [job.key]
	ordered  map[string]bool         // whether there are as many places as modifications with the same locator, by [job.key]

	begins map[byte]bool // whether a line of the text begins with this tab or space, once needed
	before *target       // the target before any change, once needed
	// the modifications with scope_end whose snippet opens no block
	scopeless []int
}

func newRun(e Modifications, in intent.Target, t *target) *run {
	t.language = languageOf(e.path)
	return &run{Modifications: e, in: in, t: t, passages: map[int]passage{}, taken: map[string]map[int]bool{}, ordered: map[string]bool{}, begins: map[byte]bool{}}
}

// Resolve implements [intent.Step].
func (e Modifications) Resolve(in intent.Target) intent.Outcome {
	r := newRun(e, in, newTarget(in.Text, e.eol))
	if !r.isDone() {
		for _, j := range r.jobs {
			if r.t.lines.Meter().Spent() {
				break
			}
			r.apply(j)
		}
	}
	if r.t.changed() {
		r.finish()
	}
	out := intent.Outcome{Edits: r.t.edits(), Problems: r.problems, Places: r.places, Unmet: strings.Join(r.unmet, "\n")}
	out.Done = len(out.Edits) == 0 && !diag.HasErrors(out.Problems)
	return out
}

// finish makes the changes that affect all lines of a file (rules A10, A11 and A43).
func (r *run) finish() {
	if r.version == v31 {
		if n := r.t.trim(); n > 0 {
			r.report(diag.Info, diag.APTrimmed, r.jobs[0].act.line,
				fmt.Sprintf("as ap 3.1 requires, white space is also removed at the ends of %s that the patch does not change", format.Count(n, "line")))
		}
	}
	r.t.finish.eol = r.eol
}

func (r *run) report(severity diag.Severity, code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	r.problems = append(r.problems, diag.Diagnostic{Span: at, Severity: severity, Code: code, Message: message, Fixes: fixes})
}

// A hit is the place of a modification.
type hit struct {
	at        region // the lines to replace; empty for an insertion
	snippetAt region // the place of the snippet
	done      bool   // the file already has the result here

	other region   // if done is true, another place of the snippet farther down
	maybe []string // reasons why an earlier apply may have made the modification, so that the place is wrong
	nth   bool     // the place is one of N for N modifications with the same locator

	movedFrom region // for an insertion that was moved out of a block, the lines where the patch puts it
}

// apply makes one modification, or reports why this is impossible.
func (r *run) apply(j job) {
	h, problem := r.locate(j)
	skipped := r.skipped(j)
	if problem != nil {
		if !skipped {
			r.problems = append(r.problems, *problem)
			r.unmet = append(r.unmet, j.text())
		}
		return
	}
	r.places = append(r.places, r.place(j, h))
	if h.nth && j.action == kwInsertBefore {
		r.take(j, h.snippetAt.start)
	}
	switch {
	case h.done:
		if !skipped {
			r.alreadyDone(j, h)
		}
		r.cursor = max(r.cursor, h.at.end)
	case skipped:
		r.cursor = max(r.cursor, h.at.end)
	default:
		r.doubts(j, h)
		content := j.content
		r.t.replace(h.at.start, h.at.end, content, j.number)
		if end := h.at.start + len(content); h.at.start < r.cursor && h.at.end <= r.cursor {
			// This change was above the cursor, so it moves the cursor with the lines below.
			r.cursor += end - h.at.end
		} else {
			r.cursor = end
		}
	}
}

// onlyRemoves reports whether a modification leaves no line, or only lines of its snippet, so that the result proves
// nothing.
func (j job) onlyRemoves() bool {
	if j.action == kwInsertAfter || j.action == kwInsertBefore {
		return false
	}
	return len(j.content) == 0 || j.change().OnlyShortens()
}

func (j job) change() place.Change {
	return place.Change{Old: joined(j.field(kwSnippet).lines), New: joined(j.content)}
}

func (j job) text() string {
	var parts []string
	for _, keyword := range []string{kwAnchor, kwSnippet, kwTail, kwContent} {
		if f := j.field(keyword); f != nil {
			parts = append(parts, f.String())
		}
	}
	return strings.Join(parts, "\n")
}

// place returns the place of a modification in the text before all changes.
func (r *run) place(j job, h hit) intent.Place {
	start, end := h.at.start, h.at.end
	if start == end && h.snippetAt.end > h.snippetAt.start {
		start, end = h.snippetAt.start, h.snippetAt.end
	}
	at := r.t.offset(start)
	span := text.Span{Start: at, End: at}
	for i := end - 1; i >= start; i-- {
		// The place ends before the ending of this line.
		if !r.t.isWritten(i) {
			span.End = r.t.offset(i) + len(r.t.line(i).text)
			break
		}
	}
	return intent.Place{At: j.at, Target: span, Done: h.done}
}

func (r *run) alreadyDone(j job, h hit) {
	what := "the change is already made"
	switch {
	case len(j.content) == 0 && h.at.start == h.at.end:
		what = "the snippet is already gone"
	case h.at.end-h.at.start == 1:
		what = fmt.Sprintf("line %d already has the content", r.t.number(h.at.start))
	case h.at.end > h.at.start:
		what = fmt.Sprintf("lines %d to %d already have the content", r.t.number(h.at.start), r.t.number(h.at.end-1))
	}
	what += "; nothing is left to do"
	if h.other != (region{}) {
		what += fmt.Sprintf(" (the snippet on line %d seems to be a different place)", r.t.number(h.other.start))
	}
	r.report(diag.Info, diag.AlreadyApplied, j.act.line, what)
}
