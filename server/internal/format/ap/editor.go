package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Modifications are the step that makes the modifications of one file, from top to
// bottom (rules A35 and A40).
type Modifications struct {
	at      text.Span // in the block's body
	version version
	path    string
	eol     text.EOL // what all lines are to end with; None to keep their endings
	jobs    []job

	blockEOL string // what ends a new line of the patch
}

// A job is a modification with what its neighbours mean for it.
type job struct {
	*mod
	content []string // without white space at the ends of lines
	restart bool     // begins a FILE block: its place may lie above the cursor
	key     string   // the locator: equal ones are the same
	left    int      // modifications with the same locator from this one on, itself among them
	of      int      // all of them
	// Of an INSERT_BEFORE: how many with the same locator follow at once, and the lines that
	// they insert.
	following, below int
	later            int    // lines that those among them which follow put to the same end of the file
	source           string // in the block, up to the next modification
}

// newModifications compiles the modifications of FILE blocks of one file.
func newModifications(p *patch, blocks []*file, at text.Span) Modifications {
	e := Modifications{at: at, version: p.version, path: blocks[0].path, eol: blocks[0].eol, blockEOL: p.eol}
	for i, f := range blocks {
		for j, m := range f.mods {
			jb := job{mod: m, restart: i > 0 && j == 0, source: p.body[m.at.Start:m.until]}
			if c := m.field(kwContent); c != nil {
				for _, line := range c.lines {
					jb.content = append(jb.content, strings.TrimRight(line, spaces))
				}
			}
			e.jobs = append(e.jobs, jb)
		}
	}
	e.group()
	return e
}

// group counts the modifications that have the same locator: N of them take N
// occurrences, in order.
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

// locatorKey is the locator, such that equal ones are the same.
func (m *mod) locatorKey() string {
	var b strings.Builder
	for _, keyword := range []string{kwAnchor, kwSnippet} {
		if f := m.field(keyword); f != nil {
			for _, line := range f.lines {
				if !isBlank(line) {
					b.WriteString(strings.TrimSpace(line) + "\n")
				}
			}
		}
		b.WriteByte(0)
	}
	return b.String()
}

// solid are the lines of a field that are not blank, without the white space around them.
func (m *mod) solid(keyword string) []string {
	var out []string
	if f := m.field(keyword); f != nil {
		for _, line := range f.lines {
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
	}
	return out
}

// Span implements [intent.Step].
func (e Modifications) Span() text.Span { return e.at }

// Parts implements [intent.Step]: a person can leave out each modification.
func (e Modifications) Parts() []text.Span {
	parts := make([]text.Span, len(e.jobs))
	for i, j := range e.jobs {
		parts[i] = j.at
	}
	return parts
}

// A run is the modifications on their way through a target.
type run struct {
	Modifications
	in       intent.Target
	t        *target
	cursor   int // line
	problems []diag.Diagnostic
	places   []intent.Place
	unmet    []string

	passages map[int]passage   // contents, by number of the modification
	taken    map[string]*taken // by key
	starts   map[string][]int  // lines of the file with the snippet, by key

	before    *target                       // the target as it was; nil before it is needed
	alike     map[*field]locate.Resemblance // what is most like a value, for those that it was looked for
	scopeless []int                         // modifications whose scope_end has nothing to end
}

// Resolve implements [intent.Step].
func (e Modifications) Resolve(in intent.Target) intent.Outcome {
	r := &run{Modifications: e, in: in, t: newTarget(in.Text, e.eol), alike: map[*field]locate.Resemblance{},
		passages: map[int]passage{}, taken: map[string]*taken{}, starts: map[string][]int{}}
	r.t.language = languageOf(e.path)
	if !r.isDone() {
		for _, j := range r.jobs {
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

// finish is what is done to a file that is changed (rules A10, A11 and A43).
func (r *run) finish() {
	if r.version == v31 {
		if n := r.t.trim(); n > 0 {
			r.report(r.jobs[0], diag.Info, diag.APTrimmed, r.jobs[0].act.line,
				fmt.Sprintf("white space at the ends of %s that the patch does not touch is removed too, as ap 3.1 asks", lines(n)))
		}
	}
	r.t.finish.eol = r.eol
	r.balance()
}

func (r *run) report(_ job, severity diag.Severity, code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	r.problems = append(r.problems, diag.Diagnostic{Span: at, Severity: severity, Code: code, Message: message, Fixes: fixes})
}

// A hit is where a modification does its work.
type hit struct {
	at    region // the lines that are replaced; empty where lines are inserted
	where region // where the snippet is
	done  bool   // what is asked for is at `at`

	other   region // of what is done: where the snippet is too, below the place
	before  region // where the content is too, above the place
	outside bool   // of a DELETE: after the block that the anchor opens
	nth     bool   // one of N places for N modifications
	begun   bool   // of a range: the content is where it begins

	movedFrom region // of an insertion that is moved out of a block: the lines that were named
}

// apply does one modification, or reports why it cannot.
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
		r.take(j, h.where.start)
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
		if h.begun {
			r.report(j, diag.Warning, diag.APMaybeDone, j.act.line, fmt.Sprintf(
				"the content is on line %d already, and the range goes on to line %d; if this patch was applied before, the tail there is another one", r.t.number(h.where.start), r.t.number(h.at.end-1)))
		}
		content := j.content
		r.t.replace(h.at.start, h.at.end, content, j.number)
		r.moveTo(h.at.start+len(content), h.at.start < r.cursor && h.at.end <= r.cursor, len(content)-(h.at.end-h.at.start))
	}
}

// moveTo puts the cursor below a change. One above the cursor moves it along.
func (r *run) moveTo(end int, above bool, grown int) {
	if above {
		r.cursor += grown
		return
	}
	r.cursor = end
}

// text is what a modification is about.
func (j job) text() string {
	var parts []string
	for _, keyword := range []string{kwAnchor, kwSnippet, kwTail, kwContent} {
		if f := j.field(keyword); f != nil {
			parts = append(parts, f.String())
		}
	}
	return strings.Join(parts, "\n")
}

// place is where a modification does its work, in the target as it was.
func (r *run) place(j job, h hit) intent.Place {
	start, end := h.at.start, h.at.end
	if start == end && h.where.end > h.where.start {
		start, end = h.where.start, h.where.end
	}
	at := r.t.offset(start)
	span := text.Span{Start: at, End: at}
	for i := end - 1; i >= start; i-- {
		if !r.t.isWritten(i) { // without the ending of the last line
			span.End = r.t.offset(i) + len(r.t.line(i).text)
			break
		}
	}
	return intent.Place{At: j.at, Target: span, Done: h.done}
}

func (r *run) alreadyDone(j job, h hit) {
	what := "what it asks for is there already"
	switch {
	case len(j.content) == 0 && h.at.start == h.at.end:
		what = "the snippet is gone already"
	case h.at.end-h.at.start == 1:
		what = fmt.Sprintf("line %d holds the content already", r.t.number(h.at.start))
	case h.at.end > h.at.start:
		what = fmt.Sprintf("lines %d to %d hold the content already", r.t.number(h.at.start), r.t.number(h.at.end-1))
	}
	what += "; nothing is left to do"
	if h.other != (region{}) {
		what += fmt.Sprintf(" (the snippet on line %d is taken for another one)", r.t.number(h.other.start))
	}
	r.report(j, diag.Info, diag.AlreadyApplied, j.act.line, what)
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
