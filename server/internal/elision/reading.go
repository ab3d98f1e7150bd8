package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A State says how certain a reading is.
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

// A Hunk replaces the lines [At, End) of a file by lines of the text, which have no line endings. All other lines of a
// part match the file.
type Hunk struct {
	At, End int
	Lines   []string
}

const mostOthers = 3

// Read finds out how a text that leaves out lines changes its file. If no line of the text marks an omission, the state
// is None.
func Read(file *locate.Lines, text string) Reading {
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
	return out
}

// Guess reads a text that marks no omissions, but would lose lines if it were the whole file. Comments in any words may
// mark omissions, or the text may be a part of its file. The state is Asks, or Certain if the file has all parts
// verbatim and nothing changes. If there is no such reading, the state is None.
func Guess(file *locate.Lines, text string) Reading {
	r := newReader(file, text)
	if len(r.lines) == 0 {
		return Reading{}
	}
	if out, ok := r.guess(make([]bool, len(r.lines))); ok {
		return out
	}
	if out, ok := r.wholeBlocks(text); ok {
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
func EndsAs(file *locate.Lines, content string) bool {
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

func newReader(file *locate.Lines, text string) *reader {
	b := newBase(file)
	return &reader{content: newContent(b, text), base: b}
}

// guess reads a text as if all comments that may be elisions were elisions. It returns false if the text has no such
// comment in addition to the given elisions, or if the reading is refused or deletes lines.
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

// loses reports whether a reading asks because it deletes lines, or because a comment may stand for lines.
func (r Reading) loses() bool {
	return slices.ContainsFunc(r.Reasons, func(why Reason) bool { return why.Kind.loses() })
}

// fragment reports whether a text begins with a line of the file other than the first, or ends with a line of the file
// other than the last. Such a line may be indented differently, or only be similar to the line of the file.
func (r *reader) fragment(elided []bool) bool {
	segments := r.split(elided)
	if len(segments) == 0 {
		return false
	}
	first, last := segments[0], segments[len(segments)-1]
	return r.beginsElsewhere(first) || r.endsElsewhere(last) || r.isFrom(first.lines[0], r.base.first) || r.isFrom(last.lines[len(last.lines)-1], r.base.last-1)
}

// isFrom reports whether a new line is a changed or shifted line of the file. If the text has at least half
// as many lines as the file, the line must not resemble the line at the given end of the file.
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
		below := r.neighbour(i, +1)
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

// readAs does the same as read. If fragment is true, the text may begin and end in the middle of its file without
// marking this.
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
	if i := r.neighbour(len(r.lines), -1); elided[i] && saysCutOff(r.lines[i]) {
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

func (f *search) explain(why Reason) Reason {
	s := f.segments[why.Part]
	why.Line, why.Text = s.from, s.lines[0]
	return why
}

// decide chooses the reading once the possible places of all segments are known. It returns the proved reading if there
// is one and it needs no question. Otherwise, it proposes the most likely reading.
func (f *search) decide(reasons []Reason) Reading {
	best := f.cheapest((*segment).cost)
	proved := f.prove(best)
	if proved.ok {
		best.at = proved.at
		if out := f.reading(best, reasons); out.State != Asks {
			return out
		}
	} else {
		reasons = append(reasons, f.explain(Reason{Kind: Unclear, Part: proved.unclear}))
	}
	best = f.cheapest(f.likely)
	if f.drops(best) {
		loose, more := f.loosened(best)
		best, reasons = loose, append(reasons, more...)
	}
	if best.tied >= 0 && !proved.ok {
		out := refused(f.explain(Reason{Kind: Tied, Part: best.tied}))
		out.Parts = f.parts(best)
		return out
	}
	if i := f.differs(best.at, proved); i >= 0 {
		reasons = append(reasons, f.explain(Reason{Kind: Unclear, Part: i}))
	}
	return f.reading(best, reasons)
}

// drops reports whether a reading removes lines without a similar line in their place, or has new lines beside
// an elision.
func (f *search) drops(c choice) bool {
	for i, s := range f.segments {
		if s.lead+s.trail > 0 || slices.ContainsFunc(f.hunks(s, c.at[i]), func(h Hunk) bool { return f.unlike(h, isLike) > 0 }) {
			return true
		}
	}
	return false
}

// loosened returns the most likely reading if more lines at the edges of parts may be new, with a reason for
// each such edge. It returns the given choice if there is none.
func (f *search) loosened(best choice) (choice, []Reason) {
	places, work := make([][]place, len(f.segments)), f.work
	for i, s := range f.segments {
		places[i] = s.places
	}
	f.loose, f.work = true, min(work, mostLoose)
	most, found := f.work, f.find() == nil
	if found {
		loose := f.cheapest(f.likely)
		if found = f.work >= 0 && loose.tied < 0; found {
			best = loose
		}
	}
	f.work = work - (most - max(f.work, 0))
	if f.loose = found; !found {
		for i, s := range f.segments {
			s.places = places[i]
		}
		return best, nil
	}
	var reasons []Reason
	for i, s := range f.segments {
		at := best.at[i]
		if s.above && s.lead == 0 && f.b.class(at.p) != s.class[0] {
			reasons = append(reasons, Reason{Kind: NewEdge, Part: i, Line: s.from, Text: s.lines[0]})
		}
		if last := len(s.lines) - 1; s.below && s.trail == 0 && f.b.class(at.q-1) != s.class[last] {
			reasons = append(reasons, Reason{Kind: NewEdge, Part: i, Line: s.to - 1, Text: s.lines[last]})
		}
	}
	return best, reasons
}

// mostLoose limits the work of [search.loosened] in cells.
const mostLoose = 4_000_000

// differs returns the index of the first segment whose effect differs from its effect at the proved place. It returns a
// negative number if there is none.
func (f *search) differs(at []place, proved proof) int {
	if !proved.ok {
		return -1
	}
	for i := range at {
		if at[i] != proved.at[i] && f.segments[i].cost(at[i])+f.segments[i].cost(proved.at[i]) > 0 {
			return i
		}
	}
	return -1
}

// reading puts the segments at the chosen places. It asks if `reasons` is not empty, or if the places are a reason to
// ask.
func (f *search) reading(best choice, reasons []Reason) Reading {
	best.at = slices.Clone(best.at)
	for i, s := range f.segments {
		best.at[i] = f.takeSimilar(s, best.at[i], f.windowBetween(best.at, i))
	}
	out := Reading{Parts: f.parts(best), State: Certain}
	reasons = append(slices.Clone(reasons), f.keepForgotten(out.Parts)...)
	if !out.changes() {
		out.State, out.Reasons = Refused, []Reason{f.explain(Reason{Kind: NoChange})}
		return out
	}
	if out.Reasons = slices.Concat(reasons, f.empties(best.at), f.doubts(best, out.Parts)); len(out.Reasons) > 0 {
		out.State = Asks
	}
	return out
}

// keepForgotten drops hunks that only remove lines, if they remove so many that an elision was probably forgotten. But
// if the text changes nothing else, it is meant to remove these lines.
func (f *search) keepForgotten(parts []Part) (out []Reason) {
	forgotten := func(h Hunk) bool {
		return int(f.b.filled[h.End]-f.b.filled[h.At]) > mostMore && !f.isWhole(h) && !slices.ContainsFunc(h.Lines, func(line string) bool { return line != "" })
	}
	changes := func(h Hunk) bool { return !forgotten(h) && f.saysMore(h) }
	if !slices.ContainsFunc(parts, func(p Part) bool { return slices.ContainsFunc(p.Hunks, changes) }) {
		return nil
	}
	for i, p := range parts {
		for _, h := range p.Hunks {
			if forgotten(h) {
				out = append(out, Reason{Kind: Forgotten, Part: i, Line: f.segments[i].from, Other: h.At, To: h.End})
			}
		}
		parts[i].Hunks = slices.DeleteFunc(p.Hunks, forgotten)
	}
	return out
}

// isWhole reports whether the removed lines of a hunk may be whole blocks: their brackets are balanced, and
// no line is indented less than the first.
func (f *search) isWhole(h Hunk) bool {
	first := f.b.next(h.At)
	return f.b.open[h.At] == f.b.open[h.End] && slices.Min(f.b.indent[h.At:h.End]) >= f.b.indent[first]
}

// empties returns a reason for each elision that leaves out no line, or only blank lines.
func (f *search) empties(at []place) (out []Reason) {
	end := int32(0)
	for i, s := range f.segments {
		if s.above && !s.free && f.b.filled[at[i].p] == end {
			out = append(out, Reason{Kind: LeavesNothing, Part: i, Line: s.from})
		}
		if end = f.b.filled[at[i].q]; s.below && !s.free && end == f.b.filled[len(f.b.lines)] {
			out = append(out, Reason{Kind: LeavesNothing, Part: i, Line: s.to - 1})
		}
	}
	return out
}

// windowBetween returns the window of a segment between the places of the segments above and below it.
func (f *search) windowBetween(at []place, i int) window {
	w := window{0, f.b.filled[len(f.b.lines)]}
	if i > 0 {
		w.low = f.above(at[i-1].q)
	} else if f.segments[i].free {
		w.low--
	}
	if i+1 < len(at) {
		w.high = f.below(at[i+1].p)
	} else if f.segments[i].free {
		w.high++
	}
	return w
}

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

func (r Reading) changes() bool {
	return slices.ContainsFunc(r.Parts, func(p Part) bool { return len(p.Hunks) > 0 })
}

// A proof says whether a reading may be applied without a question. If so, it holds the places. Otherwise,
// it holds the first changed segment without a certain place.
type proof struct {
	at      []place
	unclear int
	ok      bool
}

// prove fixes the segments with certain places and compares the result with the cheapest reading. It
// restores the possible places afterwards.
func (f *search) prove(best choice) proof {
	places := make([][]place, len(f.segments))
	for i, s := range f.segments {
		places[i] = slices.Clone(s.places)
	}
	f.certain()
	out := f.proved(best)
	for i, s := range f.segments {
		if s.places = places[i]; out.ok && !s.whole && f.cheaperShifted(s, out.at[i]) {
			out = proof{unclear: i}
		}
	}
	return out
}

// proved returns the fixed places if each changed segment has one, and if together they cost no more than
// the cheapest reading.
func (f *search) proved(best choice) proof {
	out := proof{at: make([]place, len(best.at))}
	cost := int64(0)
	low := int32(-1)
	for i, s := range f.segments {
		switch {
		case s.fixed:
			out.at[i] = s.places[0]
		case s.whole:
			out.at[i] = best.at[i]
		default:
			return proof{unclear: i}
		}
		at := out.at[i]
		if at.kept < 0 || f.b.filled[at.p] <= low {
			return proof{unclear: i}
		}
		if cost += s.cost(at); at != best.at[i] && s.cost(at) > s.cost(best.at[i]) {
			out.unclear = i
		}
		low = f.above(at.q)
	}
	out.ok = cost <= best.cost
	return out
}

func (f *search) parts(c choice) []Part {
	var out []Part
	for i, s := range f.segments {
		at := c.at[i]
		out = append(out, Part{From: s.from, To: s.to, At: int(at.p), End: int(at.q), Hunks: f.hunks(s, at), Others: f.others(s, c, i)})
	}
	return out
}

func (f *search) hunks(s *segment, at place) []Hunk {
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
