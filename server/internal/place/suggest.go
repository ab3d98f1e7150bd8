package place

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const maxSuggested = 4

// Suggest returns the changes that may be meant if the old passage is not in the file, the likeliest first. When ctx
// is done, it returns the changes found so far.
func (p Passage) Suggest(ctx context.Context, t *Text) []Rewriting {
	s := suggestions{p: p, t: t, s: t.LF(), seen: map[text.Span]bool{}}
	searches := []func(context.Context){s.inside, s.otherBlanks, s.sameFolded, s.undone, s.mostAlike}
	for i, search := range searches {
		if ctx.Err() != nil || len(s.seen) > 0 && i > 0 {
			// After a closer match, do not look for looser ones.
			break
		}
		search(ctx)
	}
	return s.found[:min(len(s.found), maxSuggested)]
}

type suggestions struct {
	p     Passage
	t     *Text
	s     string // with LF endings
	seen  map[text.Span]bool
	found []Rewriting
}

// add suggests replacing the text in a span. If this text is not unique, add extends the span by the lines around
// it.
func (s *suggestions) add(span text.Span, why, replace string) {
	if s.seen[span] || span.Empty() {
		return
	}
	s.seen[span] = true
	s.offer(span, why, replace)
}

func (s *suggestions) offer(span text.Span, why, replace string) {
	wide := span
	if !s.p.Everywhere && !s.p.Marked {
		var ok bool
		if wide, ok = unique(s.s, span.Len(), span.Start, Occurrences(s.s, span.In(s.s))); !ok {
			return
		}
		replace = s.s[wide.Start:span.Start] + replace + s.s[span.End:wide.End]
	}
	if find := wide.In(s.s); find != replace {
		s.found = append(s.found, Rewriting{Change: Change{Old: find, New: replace}, At: wide, Line: s.t.LineAt(firstText(s.t, span)), Why: why})
	}
}

func (s *suggestions) inside(context.Context) {
	if c, ok := s.p.Inside(s.t); ok {
		s.add(c.At, c.Why, c.New)
	}
}

// Inside returns a change of the whole lines that contain a passage, if the passage occurs only once. The new
// passage gets the rest of these lines unless it already has it. ok is false if the passage consists of whole lines,
// apart from their indentation.
func (p Passage) Inside(t *Text) (c Rewriting, ok bool) {
	want, s := strings.TrimSuffix(p.Old, "\n"), t.LF()
	if p.Law != WholeLines || want == "" {
		return c, false
	}
	starts := t.All(want, 2)
	if len(starts) != 1 {
		return c, false
	}
	at := text.Span{Start: starts[0], End: starts[0] + len(want)}
	head, tail := restOfLines(t, at)
	wide, new := text.Span{Start: at.Start - len(head), End: at.End + len(tail)}, p.New
	if cut := CutsWord(s, at.Start) || CutsWord(s, at.End); cut || !hasRest(new, head, tail) {
		new = head + strings.TrimSuffix(p.New, "\n") + tail
	}
	c = Rewriting{Change: Change{Old: wide.In(s), New: new}, At: wide, Line: t.LineAt(wide.Start), Why: "the text is part of a longer line"}
	return c, !text.IsBlank(head + tail)
}

func hasRest(new, head, tail string) bool {
	return strings.HasPrefix(strings.TrimSpace(new), strings.TrimSpace(head)) && strings.HasSuffix(strings.TrimSpace(new), strings.TrimSpace(tail))
}

// otherBlanks suggests the places that match apart from white space.
func (s *suggestions) otherBlanks(context.Context) { s.blanksOf(s.p, "") }

// blanksOf suggests the places that match p apart from white space.
func (s *suggestions) blanksOf(p Passage, why string) {
	places := p.Law.Near(s.t, p.Old)
	for _, place := range places[:min(len(places), maxSuggested)] {
		if c, ok := p.fit(s.s, place); ok {
			why := cmp.Or(why, c.Rule().Differs)
			s.add(place, why, c.New)
			if !c.Alike && c.New != p.New {
				s.offer(place, why+", with "+s.p.NewName+" unchanged", p.New)
			}
		} else {
			s.add(place, cmp.Or(why, artifact.Indentation.Differs), p.loosely(place.In(s.s)))
		}
	}
}

// undone suggests the places that match after artifacts are undone in both passages.
func (s *suggestions) undone(context.Context) {
	for was := range s.p.Restored(s.t.Meter(), artifact.Undoable()) {
		p := s.p
		p.Old, p.New = was.Old, was.New
		if s.blanksOf(p, was.By.Differs); len(s.seen) > 0 {
			return
		}
	}
}

// edgeLines suggests the change without the first or the last line of the old passage, if the file has the other
// lines.
func (s *suggestions) edgeLines() {
	find, replace := strings.Split(s.p.Old, "\n"), strings.Split(s.p.New, "\n")
	head, tail := 0, len(find)-1
	for head < tail && text.IsBlank(find[head]) {
		head++
	}
	for tail > head && text.IsBlank(find[tail]) {
		tail--
	}
	if head == tail {
		return
	}
	for _, cut := range []struct {
		find, replace []string
		line, why     string
		beside        func(text.Span) string // returns the line of the file directly above or directly below a place
	}{
		{append(find[:head:head], find[head+1:]...), withoutLine(replace, find[head], true), find[head], "without the first line of " + s.p.OldName, s.lineAbove},
		{append(find[:tail:tail], find[tail+1:]...), withoutLine(replace, find[tail], false), find[tail], "without the last line of " + s.p.OldName, s.lineBelow},
	} {
		if len(cut.replace) == len(replace) {
			continue
		}
		p := s.p
		p.Old, p.New = strings.Join(cut.find, "\n"), strings.Join(cut.replace, "\n")
		places := p.Law.Near(s.t, p.Old)
		if text.Passage.Says(p.Old) && len(places) > 0 && Alike(cut.beside(places[0]), cut.line) < akin {
			s.blanksOf(p, cut.why)
		}
	}
}

// akin is the least similarity at which a line of the old passage may be a misquoted line of the file.
const akin = 0.7

func (s *suggestions) lineAbove(at text.Span) string {
	head := s.s[:at.Start]
	head = head[:max(strings.LastIndexByte(head, '\n'), 0)]
	return head[strings.LastIndexByte(head, '\n')+1:]
}

func (s *suggestions) lineBelow(at text.Span) string {
	below := s.s[at.End:]
	if !strings.HasSuffix(at.In(s.s), "\n") {
		_, below, _ = strings.Cut(below, "\n")
	}
	line, _, _ := strings.Cut(below, "\n")
	return line
}

// withoutLine removes the first nonblank line or, if `first` is false, the last one. It returns all lines if that
// line does not equal `line`.
func withoutLine(lines []string, line string, first bool) []string {
	at := len(lines) - 1
	step := -1
	if first {
		at, step = 0, 1
	}
	for ; at >= 0 && at < len(lines); at += step {
		if text.IsBlank(lines[at]) {
			continue
		}
		if strings.TrimSpace(lines[at]) != strings.TrimSpace(line) {
			return lines
		}
		return append(lines[:at:at], lines[at+1:]...)
	}
	return lines
}

func (s *suggestions) sameFolded(context.Context) {
	for _, span := range s.t.Folded().Same(s.p.Old, maxSuggested) {
		found := span.In(s.s)
		p, why := s.p, artifact.Spacing.Differs
		if text.WithoutSpace(found) != text.WithoutSpace(p.Old) {
			why = artifact.LookAlike.Differs
			// If the file has plain characters, the replacement gets them, too.
			if artifact.PlainText(found) == found {
				p.Old, p.New = artifact.PlainText(p.Old), artifact.PlainText(p.New)
			}
		}
		s.add(span, why, p.merged(found))
	}
}

// mostAlike suggests the most similar places.
func (s *suggestions) mostAlike(ctx context.Context) {
	s.edgeLines()
	s.closest(ctx)
}

func (s *suggestions) closest(ctx context.Context) {
	for _, place := range s.t.Folded().Closest(ctx, s.p.Old, maxSuggested) {
		if s.seen[place.Span] || place.Span.Empty() {
			continue
		}
		found := place.Span.In(s.s)
		why := fmt.Sprintf("%d %% similar", min(int(100*place.Likeness), 99))
		plain, merged := s.p.loosely(found), s.p.merged(found)
		if s.p.Marked {
			// The lines that the change keeps stay as they are in the file.
			plain = merged
		}
		s.add(place.Span, why, plain)
		if merged != plain {
			s.offer(place.Span, why+", keeping the other differences of the file", merged)
		}
	}
}

// loosely returns the new passage with the indentation of `found`.
func (p Passage) loosely(found string) string {
	lines, _ := p.indented(found)
	return strings.Join(lines, "\n")
}

// indented gives the new and the old passage the indentation of `found`, the text of the file that resembles the old
// passage. The lines that the old passage and `found` share determine the shift. If it is unclear, indented returns
// both passages unchanged.
func (p Passage) indented(found string) (replace, find []string) {
	find, replace = strings.Split(p.Old, "\n"), strings.Split(p.New, "\n")
	var want, has []string
	lines := strings.Split(found, "\n")
	kept := keptLines(trimmed(find), trimmed(lines))
	for j := range lines {
		i, ok := kept[j]
		// Skip the first line if it has no indentation, because `found` may begin after its indentation.
		if ok && (j > 0 || strings.HasPrefix(found, " ") || strings.HasPrefix(found, "\t")) {
			want, has = append(want, find[i]), append(has, lines[j])
		}
	}
	if i, j := firstFilled(find), firstFilled(lines); len(want) == 0 && i < len(find) && j < len(lines) {
		want, has = find[i:i+1], lines[j:j+1]
	}
	shift, ok := ShiftOf(want, has, p.Old+"\n"+p.New, found)
	if !ok {
		return replace, find
	}
	return shifted(replace, shift), shifted(find, shift)
}

func firstFilled(lines []string) int {
	i := 0
	for i < len(lines) && text.IsBlank(lines[i]) {
		i++
	}
	return i
}

func shifted(lines []string, shift Shift) []string {
	out := slices.Clone(lines)
	for i, line := range lines {
		var ok bool
		if out[i], ok = shift.Line(line); !ok {
			return lines
		}
	}
	return out
}

func trimmed(lines []string) []string { return text.Each(lines, strings.TrimSpace) }

// merged applies the difference between the old and the new passage to `found`, line by line. Other differences
// between `found` and the old passage stay. If both change a line, the result has the line of the new passage.
func (p Passage) merged(found string) string {
	replace, find := p.indented(found)
	lines := strings.Split(found, "\n")
	theirs, ours := diff.RunsOf(find, replace), singly(diff.RunsOf(find, lines))
	var out []string
	at := 0 // the number of lines of `find` that are already copied
	for len(theirs) > 0 || len(ours) > 0 {
		if len(theirs) > 0 && len(ours) > 0 && meet(theirs[0], ours[0]) {
			ours = ours[1:]
			continue
		}
		var next diff.Run
		from := replace
		if len(theirs) == 0 || len(ours) > 0 && before(ours[0], theirs[0]) {
			next, ours, from = ours[0], ours[1:], lines
		} else {
			next, theirs = theirs[0], theirs[1:]
		}
		out = append(append(out, find[at:next.OldStart]...), from[next.NewStart:next.NewEnd]...)
		at = next.OldEnd
	}
	return strings.Join(append(out, find[at:]...), "\n")
}

// singly splits a run with equally many old and new lines into runs of one line.
func singly(runs []diff.Run) (out []diff.Run) {
	for _, r := range runs {
		for n := r.OldEnd - r.OldStart; n > 1 && n == r.NewEnd-r.NewStart; n-- {
			out = append(out, diff.Run{OldStart: r.OldStart, OldEnd: r.OldStart + 1, NewStart: r.NewStart, NewEnd: r.NewStart + 1})
			r.OldStart, r.NewStart = r.OldStart+1, r.NewStart+1
		}
		out = append(out, r)
	}
	return out
}

// meet reports whether two runs change the same lines, or insert lines at the same place.
func meet(a, b diff.Run) bool {
	if a.OldStart == b.OldStart {
		return (a.OldStart == a.OldEnd) == (b.OldStart == b.OldEnd)
	}
	return a.OldStart < b.OldEnd && b.OldStart < a.OldEnd
}

// before reports whether a comes before b. An insertion comes before a change of the line below it.
func before(a, b diff.Run) bool {
	return a.OldStart < b.OldStart || a.OldStart == b.OldStart && a.OldStart == a.OldEnd
}

// Hint describes similar text in the file, for a message, or returns "".
func (p Passage) Hint(t *Text, f Finding) string {
	switch {
	case len(f.Places) > 1:
		return fmt.Sprintf("ignoring white space, the text occurs %s, first on line %d; ", times(len(f.Places)), t.LineAt(firstText(t, f.Places[0])))
	case len(f.Places) == 1:
		return fmt.Sprintf("ignoring white space, the text is on line %d; ", t.LineAt(firstText(t, f.Places[0])))
	}
	if d, ok := p.FirstDifference(t); ok {
		return fmt.Sprintf("line %d of the file is %s, but %s has %s; ", d.Line, quoted(d.There), p.OldName, quoted(d.Want))
	}
	return ""
}

func times(n int) string {
	if n >= 50 {
		return "many times"
	}
	return fmt.Sprintf("%d times", n)
}

func firstText(t *Text, span text.Span) int {
	w := t.Window(span, 0)
	s := span.Shift(-w.At).In(w.Text)
	return span.Start + len(s) - len(strings.TrimLeft(s, " \t\n"))
}

// anchors limits how many lines of an old passage are searched for in the file.
const anchors = 3

// A LineDifference is the first line in which a passage differs from the file.
type LineDifference struct {
	Line        int // from 1, in the file
	Index       int // from 0, in the passage
	There, Want string
}

// FirstDifference searches the file for one of the longest lines of the old passage. From there, it compares the
// lines below and then those above, ignoring white space. It returns the first difference.
func (p Passage) FirstDifference(t *Text) (LineDifference, bool) {
	lines := trimmed(strings.Split(p.Old, "\n"))
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(lines[j]) - len(lines[i]) })
	for _, anchor := range order[:min(len(order), anchors)] {
		if !text.Passage.Says(lines[anchor]) {
			continue
		}
		at := t.Index(lines[anchor], 0)
		if at < 0 {
			continue
		}
		line := t.LineAt(at)
		reach := 2*len(p.Old) + 1000
		w := t.Window(text.Span{Start: at, End: at}, reach)
		s := w.Text
		at -= w.At
		below := strings.Split(s[at:min(len(s), at+reach)], "\n")
		if i := differing(lines[anchor:], below); i > 0 {
			return LineDifference{line + i, anchor + i, below[i], lines[anchor+i]}, true
		}
		up, above := slices.Clone(lines[:anchor+1]), strings.Split(s[max(0, at-reach):at], "\n")
		slices.Reverse(up)
		slices.Reverse(above)
		if i := differing(up, above); i > 0 {
			return LineDifference{line - i, anchor - i, above[i], up[i]}, true
		}
		break
	}
	return LineDifference{}, false
}

// differing returns the index of the first line that differs, or 0 if no line differs or `want` is blank there.
// Index 0 is not compared, and neither is the last line of `found`, which may be cut off.
func differing(want, found []string) int {
	for i := 1; i < min(len(want), len(found)-1); i++ {
		if strings.TrimSpace(found[i]) != want[i] {
			if want[i] == "" {
				return 0
			}
			return i
		}
	}
	return 0
}

func quoted(line string) string { return fmt.Sprintf("%q", text.Cut(strings.TrimSpace(line), 60)) }
