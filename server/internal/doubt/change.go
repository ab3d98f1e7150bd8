// Package doubt finds changes that are perhaps unintended, so that the person is asked first: for example, lines that
// disappear without a mark, the marks of a diff in a program, or characters of a web page.
//
// Each rule is in its own file, with its evidence, its verdict and its fix. Package plan runs all rules for each changed
// file. A rule does not depend on a format: it sees the old lines, the new lines, and the [Facts].
package doubt

import (
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Change is the change that a reply makes to the text of one file, by one entry with the whole text or by all
// entries that edit the file.
type Change struct {
	Path string
	Facts
	At     Part          // the part of the reply at which doubts about the whole file are shown
	Before func() string // returns the file's text before the change, with its line endings; "" for a new file
	// After returns the text after the change, with its line endings. It may be nil if no run changes added lines.
	After func() string
	Runs  []Run // the lines that change, from top to bottom; a run may also change lines that an earlier step added

	Meter *meter.Meter // limits the work of comparisons; nil if there is no limit

	// Others returns the trimmed lines of all whole texts that the reply has for other files, in order and without blank
	// lines. It may be nil.
	Others func() []string

	// Siblings yields the names and texts of other files in the file's folder that the reply does not change. For a
	// new file, it also yields the paths and texts of unchanged files with the same extension in other folders. It
	// may be nil.
	Siblings iter.Seq2[string, string]

	// Users yields the paths and texts of unchanged files with the same extension that may use this file: files in any
	// folder, but only those of its own folder for a new file. It may be nil.
	Users iter.Seq2[string, string]

	// Content is the whole text as the block has it, and ContentAt its place in the block.
	Content   string
	ContentAt intent.Literal

	old, new []string        // all old and new lines, if the change is a whole text
	lines    map[string]bool // the trimmed lines of the file; nil until first needed
	comes    map[string]bool // the trimmed new lines of all runs; nil until first needed
	// the number of lines of the file that begin with each word, in lower case; nil until first needed
	begins  map[string]int
	defines *definitions // the definitions of the text after the change; nil until first needed
	folded  *folded      // nil until first needed
	names   *nameCounts  // nil until first needed
	// whether the old file has each artifact; filled when first needed
	artifacts map[*artifact.Artifact]bool
	// whether the lines of the file begin so regularly that a line with another first word is suspicious
	regular bool
}

// had reports whether the old file contains `s`. It charges the meter, because a reply can cause a search for each of
// its lines.
func (c *Change) had(s string) bool {
	return c.Meter.Pay(len(c.Before())/2) && strings.Contains(c.Before(), s)
}

func (c *Change) hadLine(line string) bool {
	return strings.HasPrefix(c.Before(), line+"\n") || c.had("\n"+line+"\n")
}

// Facts holds facts about a change that come from its notation, or from the prose around the block.
type Facts struct {
	New       bool // the file does not exist, or is empty
	Whole     bool // the block has the whole text of the file
	MayBePart bool // the block has a whole text, but the notation does not guarantee that it is complete
	Marked    bool // the notation marks each deleted line, as a diff does
	Raw       bool // the notation treats files as bytes
	Shown     bool // the notation shows the lines that it replaces
	intent.Claims
}

// A Run holds lines of a file, and the lines that replace them.
type Run struct {
	Line     int            // the first old line, from 1; if there are no old lines, the line below the new lines
	NewLine  int            // if the change is a whole text, the first new line, from 1
	Old, New []string       // the lines without their endings
	At       Part           // the part of the reply that makes the change
	Written  intent.Written // the text of the step, if it is in one piece
}

// Whole returns the change that replaces the whole text of a file with `content`. Neither `before` nor `content` may
// have a byte order mark.
func Whole(path, before, content string, facts Facts) *Change {
	facts.Whole = true
	c := &Change{Path: path, Facts: facts, Content: content, Before: func() string { return before }}
	c.old, c.new = linesOf(before), linesOf(content)
	for _, r := range runsOf(c.old, c.new) {
		c.Runs = append(c.Runs, Run{Line: r.OldStart + 1, NewLine: r.NewStart + 1, Old: c.old[r.OldStart:r.OldEnd], New: c.new[r.NewStart:r.NewEnd]})
	}
	return c
}

// runsOf returns the runs of lines that differ. It joins runs with only blank lines in between, because the blank
// lines could belong to either run.
func runsOf(old, new []string) []diff.Run {
	head, tail := text.CommonEnds(old, new)
	if edge := head + tail; edge == len(old) && edge == len(new) {
		return nil
	} else if edge == len(old) || edge == len(new) {
		return []diff.Run{{OldStart: head, OldEnd: len(old) - tail, NewStart: head, NewEnd: len(new) - tail}}
	}
	var runs []diff.Run
	for _, r := range diff.Runs(text.Joined(old[head:len(old)-tail]), text.Joined(new[head:len(new)-tail])) {
		r = diff.Run{OldStart: r.OldStart + head, OldEnd: r.OldEnd + head, NewStart: r.NewStart + head, NewEnd: r.NewEnd + head}
		if n := len(runs); n > 0 && strings.TrimSpace(strings.Join(old[runs[n-1].OldEnd:r.OldStart], "")) == "" {
			runs[n-1].OldEnd, runs[n-1].NewEnd = r.OldEnd, r.NewEnd
		} else {
			runs = append(runs, r)
		}
	}
	return runs
}

func linesOf(s string) []string { return text.Bodies(text.SplitLines(s)) }

// The costs of finding the lines that edits change, in units of the meter.
const (
	eachEdit = 6000 // the cost of each edit, which includes keeping its lines in memory until the check ends
	eachByte = 48   // the cost of each byte of the lines that edits change
)

// Runs returns the runs of lines that `edits` change. The spans in `edits` are offsets in the raw text; `at` is the
// span of the edits in the block.
func Runs(t *place.Text, edits []text.Edit, at text.Span, written intent.Written) []Run {
	if written.At.Span != (text.Span{}) {
		at = written.At.Shown()
	}
	sorted := slices.SortedStableFunc(slices.Values(edits), func(a, b text.Edit) int { return a.Span.Start - b.Span.Start })
	if len(sorted) == 0 || !t.Meter().Pay(eachEdit*len(sorted)) {
		return nil
	}
	u := touchedBy(t, sorted)
	t.Meter().Pay(len(u.all))
	from, lines := u.line, linesOf(u.all)
	runs := make([]Run, 0, len(sorted))
	for len(sorted) > 0 {
		n := u.next(sorted)
		if !t.Meter().Pay(eachByte * (u.end - u.start)) {
			return nil
		}
		for _, r := range u.runs(sorted[:n]) {
			if r.unmark(); !slices.Equal(r.Old, r.New) {
				r.At, r.Written = Part{Span: at}, written
				if n := len(runs); n > 0 && runs[n-1].join(r, lines, from) {
					continue
				}
				runs = append(runs, r)
			}
		}
		sorted = sorted[n:]
	}
	return runs
}

// mostBetween is the largest number of blank lines between two runs that are joined.
const mostBetween = 3

// join appends the run `below` if only a few blank lines are in between, and at most one of the two runs removes
// lines. `lines[0]` is line `from` of the file. join reports whether it appended the run.
func (r *Run) join(below Run, lines []string, from int) bool {
	end := r.Line + len(r.Old)
	if below.Line <= end || below.Line-end > mostBetween || len(r.Old) > 0 && len(below.Old) > 0 {
		return false
	}
	between := lines[end-from : below.Line-from]
	if strings.TrimSpace(strings.Join(between, "")) != "" {
		return false
	}
	r.Old, r.New = slices.Concat(r.Old, between, below.Old), slices.Concat(r.New, between, below.New)
	return true
}

// unmark removes the byte order mark of a file from a run, because the mark is not part of the text.
func (r *Run) unmark() {
	if r.Line != 1 || len(r.Old) == 0 || !strings.HasPrefix(r.Old[0], "\ufeff") {
		return
	}
	for _, lines := range [][]string{r.Old, r.New} {
		if len(lines) > 0 {
			lines[0] = strings.TrimPrefix(lines[0], "\ufeff")
		}
	}
}

// A touched is a cursor over the raw lines that edits change, from top to bottom.
type touched struct {
	all  string // the lines from the first edit to the last
	at   int    // the offset of `all` in the raw text
	ends bool   // whether `all` reaches the end of the text
	line int    // the number, from 1, of the line that begins at start

	start, end int // offsets in `all`: the lines that the current edits change
}

func touchedBy(t *place.Text, sorted []text.Edit) *touched {
	span := sorted[0].Span
	for _, e := range sorted {
		span.End = max(span.End, e.Span.End)
	}
	span.End = min(span.End+1, t.Len()) // an edit that removes a line ending also changes the line below
	u := &touched{}
	u.all, u.at = t.LinesAt(span)
	u.ends = u.at+len(u.all) == t.Len()
	u.line = t.LineAtRaw(u.at)
	return u
}

// next moves to the lines that the first of the remaining edits changes. It returns the number of edits that change
// these lines.
func (u *touched) next(sorted []text.Edit) int {
	span := sorted[0].Span.Shift(-u.at)
	start := span.Start
	for start > u.end && !place.EndsLine(u.all[:start], u.all[start:]) {
		start--
	}
	u.line += strings.Count(text.WithEOL(u.all[u.start:start], text.LF), "\n")
	u.start, u.end = start, u.lineEnd(start, span.End)
	for n := 0; ; {
		for ; n == 0 || n < len(sorted) && (sorted[n].Span.Start-u.at < u.end || u.ends && u.end == len(u.all)); n++ {
			span.End = max(span.End, sorted[n].Span.End-u.at)
		}
		last := sorted[n-1]
		joins := last.Span.End-u.at == u.end && !strings.HasSuffix(last.New, "\n") && (last.New != "" || last.Span.Start-u.at > u.start)
		switch {
		case span.End > u.end:
		case joins && u.end < len(u.all):
			span.End++
		default:
			return n
		}
		u.end = u.lineEnd(u.end, span.End)
	}
}

// lineEnd returns the first end of a line in u.all that is after the offset `from`, and at or after the offset `to`.
func (u *touched) lineEnd(from, to int) int {
	for to < len(u.all) && (to == from || !place.EndsLine(u.all[:to], u.all[to:])) {
		to++
	}
	return to
}

func (u *touched) runs(edits []text.Edit) []Run {
	inside := text.Each(edits, func(e text.Edit) text.Edit { return text.Edit{Span: e.Span.Shift(-u.at - u.start), New: e.New} })
	old := u.all[u.start:u.end]
	after, err := text.Apply(old, inside)
	if err != nil {
		return nil // The step has an error, which the plan reports.
	}
	before, now := linesOf(old), linesOf(after)
	return text.Each(runsOf(before, now), func(r diff.Run) Run {
		return Run{Line: u.line + r.OldStart, Old: before[r.OldStart:r.OldEnd], New: now[r.NewStart:r.NewEnd]}
	})
}
