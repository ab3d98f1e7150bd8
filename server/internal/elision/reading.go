package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A State is the certainty of a reading.
type State int

const (
	None    State = iota // the text leaves out nothing, so this package does not apply
	Certain              // there is one reading
	Asks                 // the most likely reading is proposed, and a person decides
	Refused              // no reading is possible, or several are equally good
)

// A Reading describes the effect of a text with elisions on a file. Lines of the file and of the text count from 0.
type Reading struct {
	State   State
	Parts   []Part   // the parts in order; nil if the reading is refused before each part has a place
	Reasons []Reason // reasons to ask or to refuse
}

// A Part holds the lines of a text between two elisions, with their place in the file.
type Part struct {
	From, To int // the lines [From, To) of the text
	At, End  int // the lines [At, End) of the file, which the lines of the text replace
	Hunks    []Hunk
	Others   []Place // other possible places, the most likely first
}

// A Hunk replaces the lines [At, End) of a file with lines of the text, which have no line endings. All other lines of
// a part match the file.
type Hunk struct {
	At, End int
	Lines   []string
}

const mostOthers = 3

// Read finds out how a text that leaves out lines changes its file. If no line of the text marks an omission, the state
// is None.
func Read(file *place.Lines, text string) Reading {
	r := newReader(file, text)
	elided := r.elisions(r.base)
	if !has(elided) || len(r.lines) == 0 {
		return Reading{}
	}
	out := r.read(elided)
	if out.State == Refused || out.loses() {
		if other, ok := r.guess(elided); ok {
			return other
		}
	}
	if out.State == Refused && !out.HasNoChange() {
		if blocks, ok := r.blocksBetween(elided); ok {
			return blocks
		}
	}
	return out
}

// Guess reads a text without known elisions that would lose lines if it were the whole file. It tries comments of any
// wording as elisions, and then the text as a part of its file. The state of the result is one of these:
//   - Asks, if such a reading fits.
//   - Certain, if the file already has all parts, so that nothing changes.
//   - None, if no reading fits, or if the text only puts lines of its file in another order.
func Guess(file *place.Lines, content string) Reading {
	r := newReader(file, content)
	if len(r.lines) == 0 || text.Reorders(text.SplitLines(file.Text()), text.SplitLines(content)) {
		return Reading{}
	}
	if out, ok := r.guess(make([]bool, len(r.lines))); ok {
		return out
	}
	if out, ok := r.wholeBlocks(content); ok {
		return out
	}
	elided := make([]bool, len(r.lines))
	if !r.fragment(elided) {
		return Reading{}
	}
	out := r.readAs(elided, true)
	if apart := r.between(); has(apart) && (out.State == Refused || r.repeats(out)) {
		blocks := r.readAs(apart, true)
		if blocks.State == Asks && !blocks.loses() && !r.repeats(blocks) {
			out = blocks
		}
	}
	switch {
	case out.State == Asks:
		return out
	case out.HasNoChange():
		return Reading{State: Certain, Parts: out.Parts}
	}
	return Reading{}
}

// EndsAs reports whether a text has the first line and the last line of its file, apart from blank lines.
func EndsAs(file *place.Lines, content string) bool {
	edges := func(s string) (first, last string) {
		s = strings.TrimSpace(s)
		first, _, _ = strings.Cut(s, "\n")
		return strings.TrimSpace(first), strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
	}
	first, last := edges(file.Text())
	begins, ends := edges(content)
	return first == begins && last == ends
}

func has(elided []bool) bool { return slices.Contains(elided, true) }

type reader struct {
	*content
	base *base
}

func newReader(file *place.Lines, text string) *reader {
	b := newBase(file)
	return &reader{content: newContent(b, text), base: b}
}

// guess reads a text as if all comments that may be elisions were elisions. It returns false if the text has no such
// comment in addition to `elided`, or if the reading is refused or deletes lines.
func (r *reader) guess(elided []bool) (Reading, bool) {
	possible, more := r.possible(r.base), -1
	for i := range possible {
		if possible[i] && !elided[i] {
			more = i
		}
	}
	if more < 0 {
		return Reading{}, false
	}
	out := r.read(possible)
	if out.State != Certain && out.State != Asks || out.loses() {
		return Reading{}, false
	}
	out.State = Asks
	out.Reasons = append(out.Reasons, Reason{Kind: Unknown, Line: more, Text: r.lines[more]})
	return out, true
}

// HasNoChange reports whether a reading is refused because the file already has every part of the text.
func (r Reading) HasNoChange() bool { return r.State == Refused && r.Reasons[0].Kind == NoChange }

// loses reports whether the person must be asked about a reading because it deletes lines, or because a
// comment may stand for lines.
func (r Reading) loses() bool {
	return slices.ContainsFunc(r.Reasons, func(why Reason) bool { return why.Kind.loses() })
}

// fragment reports whether the text begins or ends with a line from inside the file, and not with the file's first or
// last line. Such a line may be indented differently, or only be similar to the line of the file.
func (r *reader) fragment(elided []bool) bool {
	segments := r.split(elided)
	if len(segments) == 0 {
		return false
	}
	first, last := segments[0], segments[len(segments)-1]
	return r.beginsElsewhere(first) || r.endsElsewhere(last) || r.isFrom(first.lines[0], r.base.first) || r.isFrom(last.lines[len(last.lines)-1], r.base.last-1)
}

// isFrom reports whether `line`, which the file does not have, is a changed or shifted line of the file. If the text
// has at least half as many lines as the file, `line` must not resemble line `end` of the file.
func (r *reader) isFrom(line string, end int) bool {
	isLong := 2*len(r.lines) >= len(r.base.lines)
	if r.base.last == 0 || r.base.index.Class(line) >= 0 || letters(line) < fewestLetters || isLong && isLike(line, r.base.lines[end]) {
		return false
	}
	return slices.ContainsFunc(r.base.lines, func(other string) bool {
		return r.base.file.Meter().Pay(cell) && other != "" && isLike(line, other)
	})
}

// between reports for each line whether it is a blank line between two blocks of a text, at which the text may leave
// out lines without a mark. The block below must begin at the least indentation of the text.
func (r *reader) between() []bool {
	out, least := make([]bool, len(r.lines)), indentOf("")
	for _, line := range r.lines {
		least = min(least, indentOf(line))
	}
	for i, line := range r.lines {
		below := r.neighbor(i, +1)
		out[i] = line == "" && i > 0 && r.lines[i-1] != "" && below < len(r.lines) && indentOf(r.lines[below]) == least
	}
	return out
}

func (r *reader) beginsElsewhere(s *segment) bool {
	class := s.class[0]
	return !s.above && class >= 0 && class != r.base.index.ClassOf(r.base.first)
}

func (r *reader) endsElsewhere(s *segment) bool {
	class := s.class[len(s.class)-1]
	return !s.below && class >= 0 && class != r.base.index.ClassOf(r.base.last-1)
}

func (r *reader) read(elided []bool) Reading { return r.readAs(elided, false) }

// readAs reads the text with the given elisions. If `fragment` is true, the text may begin and end in the middle of
// its file without an elision at its ends.
func (r *reader) readAs(elided []bool, fragment bool) Reading {
	f := &search{b: r.base, segments: r.split(elided), work: mostWork}
	defer func() { r.base.file.Meter().Pay(cell * (mostWork - f.work)) }()
	if r.base.last == 0 {
		return refused(Reason{Kind: EmptyFile})
	}
	if len(f.segments) == 0 {
		return refused(Reason{Kind: NoLines})
	}
	var reasons []Reason
	first, last := f.segments[0], f.segments[len(f.segments)-1]
	begins, ends := r.beginsElsewhere(first), r.endsElsewhere(last)
	if fragment {
		first.above, first.free, last.below, last.free = true, true, true, true
	}
	if begins || fragment && !ends {
		first.above = true
		reasons = append(reasons, Reason{Kind: Fragment, Line: first.from, Text: first.lines[0]})
	}
	if ends {
		last.below = true
		reasons = append(reasons, Reason{Kind: Fragment, Part: len(f.segments) - 1, Line: last.to - 1, Text: last.lines[len(last.lines)-1]})
	}
	if i := r.neighbor(len(r.lines), -1); elided[i] && saysCutOff(r.lines[i]) {
		reasons = append(reasons, Reason{Kind: CutOff, Line: i, Text: r.lines[i]})
	}
	for i, s := range f.segments {
		found, ok := f.anchor(s, i)
		reasons = append(reasons, found...)
		if !ok {
			return refused(found...)
		}
	}
	why := f.find()
	if why != nil && why.Kind == NoOrder {
		f.empty = 1
		if f.find() == nil {
			why = nil
		}
	}
	if why != nil {
		return refused(f.explain(*why))
	}
	out := f.decide(reasons)
	if f.work < 0 {
		return refused(f.explain(Reason{Kind: TooMuch}))
	}
	for i, why := range out.Reasons {
		// The reason quotes the line as the text has it, without the indentation that was added to the segment.
		if why.Kind != Moved {
			out.Reasons[i].Text = r.lines[why.Line]
		}
	}
	return out
}

func refused(reasons ...Reason) Reading { return Reading{State: Refused, Reasons: reasons} }

func (r *reader) repeats(of Reading) bool {
	return slices.ContainsFunc(of.Parts, func(p Part) bool {
		return slices.ContainsFunc(p.Hunks, func(h Hunk) bool {
			return slices.ContainsFunc(h.Lines, func(line string) bool { return letters(line) >= fewestLetters && r.base.index.Class(line) >= 0 })
		})
	})
}

// Removes reports whether a reading removes or replaces lines of the file.
func (r Reading) Removes() bool {
	return slices.ContainsFunc(r.Parts, func(p Part) bool {
		return slices.ContainsFunc(p.Hunks, func(h Hunk) bool { return h.At < h.End })
	})
}

func (f *search) parts(c choice) []Part {
	var out []Part
	for i, s := range f.segments {
		at := c.at[i]
		out = append(out, Part{From: s.from, To: s.to, At: int(at.p), End: int(at.q), Hunks: f.hunks(s, at), Others: f.others(s, c, i)})
	}
	return out
}

func (f *search) hunks(s *segment, at site) []Hunk {
	if s.cost(at) == 0 {
		return nil
	}
	return text.Each(diff.RunsOf(f.b.lines[at.p:at.q], s.lines), func(run diff.Run) Hunk {
		h := Hunk{At: int(at.p) + run.OldStart, End: int(at.p) + run.OldEnd, Lines: s.lines[run.NewStart:run.NewEnd]}
		if h.At < h.End {
			return h
		}
		// Blank lines between an elision and new lines separate the new lines from the file's lines above.
		if s.blankAbove && run.NewStart == 0 && s.class[0] != f.b.class(int32(h.At)) && f.isFilled(h.At-1) {
			h.Lines = slices.Concat([]string{""}, h.Lines)
		}
		if s.blankBelow && run.NewEnd == len(s.lines) && s.class[run.NewEnd-1] != f.b.class(int32(h.At)-1) && f.isFilled(h.End) {
			h.Lines = slices.Concat(h.Lines, []string{""})
		}
		return h
	})
}

func (f *search) isFilled(line int) bool {
	return line >= 0 && line < len(f.b.lines) && f.b.lines[line] != ""
}

// others returns other possible places of a segment. The place of the cheapest reading comes first.
func (f *search) others(s *segment, c choice, i int) []Place {
	var out []Place
	for range mostOthers {
		best := -1
		for j, at := range s.places {
			known := slices.ContainsFunc(out, func(p Place) bool { return p.At == int(at.p) })
			if c.through[i][j] >= never || at.p == c.at[i].p || known {
				continue
			}
			if best < 0 || c.through[i][j] < c.through[i][best] {
				best = j
			}
		}
		if best < 0 {
			break
		}
		out = append(out, Place{int(s.places[best].p), int(s.places[best].q)})
	}
	return out
}
