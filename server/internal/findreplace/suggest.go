package findreplace

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxSuggested is the largest number of suggestions among which a person has to choose.
const maxSuggested = 4

// suggest returns a function that searches for the possible meanings of a find that src does not
// contain.
func (r replacement) suggest(t *locate.Text) func(context.Context) []diag.Fix {
	return func(ctx context.Context) []diag.Fix {
		s := suggestions{r: r, t: t, s: t.LF(), seen: map[text.Span]bool{}}
		searches := []func(context.Context){s.otherBlanks, s.sameFolded, s.undone, s.mostAlike}
		for i, search := range searches {
			if ctx.Err() != nil || len(s.seen) > 0 && i > 0 {
				break // a looser match is not the intended one if there is a closer match
			}
			search(ctx)
		}
		return s.fixes[:min(len(s.fixes), maxSuggested)]
	}
}

// A suggestions is the state of a search that tries the closest matches first.
type suggestions struct {
	r     replacement
	t     *locate.Text
	s     string // the text with LF endings
	seen  map[text.Span]bool
	fixes []diag.Fix
}

// add suggests to replace the text in a span. If the span's text is not unique, it adds lines
// around it.
func (s *suggestions) add(span text.Span, why, replace string) {
	if s.seen[span] || span.Empty() {
		return
	}
	s.seen[span] = true
	s.offer(span, why, replace)
}

func (s *suggestions) offer(span text.Span, why, replace string) {
	find := span.In(s.s)
	if s.r.Limit != All {
		wide, ok := unique(s.s, find, span.Start)
		if !ok {
			return
		}
		replace = s.s[wide.Start:span.Start] + replace + s.s[span.End:wide.End]
		find = wide.In(s.s)
	}
	if find != replace {
		s.fixes = append(s.fixes, s.r.rewriting(useLine(s.t, span, why), find, replace))
	}
}

// otherBlanks suggests the places that match apart from white space at line ends, or apart from
// indentation.
func (s *suggestions) otherBlanks(context.Context) { s.blanksOf(s.r, "") }

// blanksOf suggests such places for r, whose find may be derived from the original one.
func (s *suggestions) blanksOf(r replacement, why string) {
	places := r.places(s.t)
	for _, place := range places[:min(len(places), maxSuggested)] {
		if c, ok := r.fit(s.s, place); ok {
			why := cmp.Or(why, c.rule().Differs)
			s.add(place, why, c.replace)
			if !c.alike && c.replace != r.replace {
				s.offer(place, why+", "+s.r.ReplaceName+" as it is", r.replace)
			}
		} else {
			s.add(place, cmp.Or(why, artifact.Indentation.Differs), r.loosely(place.In(s.s)))
		}
	}
}

// undone undoes artifacts in find and replace, and searches again.
func (s *suggestions) undone(context.Context) {
	place.Restore(s.t.Meter(), s.r.change(), artifact.Undoable(), func(was place.Restored) bool {
		r := s.r
		r.find, r.replace = was.Old, was.New
		s.blanksOf(r, was.By.Differs)
		return len(s.seen) > 0
	})
}

// edgeLines leaves out the first or the last line of the find, if the file contains the rest.
func (s *suggestions) edgeLines() {
	find, replace := strings.Split(s.r.find, "\n"), strings.Split(s.r.replace, "\n")
	head, tail := 0, len(find)-1
	for head < tail && locate.IsBlank(find[head]) {
		head++
	}
	for tail > head && locate.IsBlank(find[tail]) {
		tail--
	}
	if head == tail {
		return
	}
	for _, cut := range []struct {
		find, replace []string
		line, why     string
		beside        func(text.Span) string // returns the line of the file next to a place, at that end
	}{
		{append(find[:head:head], find[head+1:]...), without(replace, find[head], true), find[head], "without the first line of " + s.r.FindName, s.above},
		{append(find[:tail:tail], find[tail+1:]...), without(replace, find[tail], false), find[tail], "without the last line of " + s.r.FindName, s.below},
	} {
		if len(cut.replace) == len(replace) {
			continue // the replacement changes this line
		}
		r := s.r
		r.find, r.replace = strings.Join(cut.find, "\n"), strings.Join(cut.replace, "\n")
		places := r.places(s.t)
		if text.Passage.Says(r.find) && len(places) > 0 && locate.Alike(cut.beside(places[0]), cut.line) < akin {
			s.blanksOf(r, cut.why)
		}
	}
}

// akin is the least similarity of a line of the file to the line of the find that was written for
// it.
const akin = 0.7

func (s *suggestions) above(place text.Span) string {
	start := strings.LastIndexByte(s.s[:place.Start], '\n')
	return lastLine(s.s[:max(start, 0)])
}

func (s *suggestions) below(place text.Span) string {
	if strings.HasSuffix(place.In(s.s), "\n") {
		return firstLine(s.s[place.End:])
	}
	_, below, _ := strings.Cut(s.s[place.End:], "\n")
	return firstLine(below)
}

// without removes the first or the last nonblank line, if it equals line.
func without(lines []string, line string, first bool) []string {
	at := len(lines) - 1
	step := -1
	if first {
		at, step = 0, 1
	}
	for ; at >= 0 && at < len(lines); at += step {
		if locate.IsBlank(lines[at]) {
			continue
		}
		if strings.TrimSpace(lines[at]) != strings.TrimSpace(line) {
			return lines
		}
		return append(lines[:at:at], lines[at+1:]...)
	}
	return lines
}

// sameFolded suggests the places that differ only in white space, quotes and dashes.
func (s *suggestions) sameFolded(context.Context) {
	for _, span := range s.t.Folded().Same(s.r.find, maxSuggested) {
		there := span.In(s.s)
		r, why := s.r, artifact.Spacing.Differs
		if squeezed(there) != squeezed(r.find) {
			why = artifact.LookAlike.Differs
			if artifact.PlainText(there) == there { // then the replacement should have plain characters, too
				r.find, r.replace = artifact.PlainText(r.find), artifact.PlainText(r.replace)
			}
		}
		s.add(span, why, r.merged(there))
	}
}

// mostAlike suggests the most similar places. It also tries the find without its first or last
// line.
func (s *suggestions) mostAlike(ctx context.Context) {
	s.edgeLines()
	s.closest(ctx)
}

func (s *suggestions) closest(ctx context.Context) {
	for _, place := range s.t.Folded().Closest(ctx, s.r.find, maxSuggested) {
		if s.seen[place.Span] || place.Span.Empty() {
			continue
		}
		there := place.Span.In(s.s)
		why := fmt.Sprintf("%d %% alike", min(int(100*place.Likeness), 99))
		plain, merged := s.r.loosely(there), s.r.merged(there)
		s.add(place.Span, why, plain)
		if merged != plain {
			s.offer(place.Span, why+", keeping the other differences of the file", merged)
		}
	}
}

// rewriting returns the fix that writes another find and replace.
func (r replacement) rewriting(title, find, replace string) diag.Fix {
	fix := diag.Fix{Title: title}
	if r.Both != nil {
		fix.Edits = []text.Edit{r.Both.WriteBoth(find, replace)}
		return fix
	}
	if find != r.find {
		fix.Edits = append(fix.Edits, r.FindAt.Set(find))
	}
	if replace != r.replace {
		fix.Edits = append(fix.Edits, r.ReplaceAt.Set(replace))
	}
	return fix
}

func useLine(t *locate.Text, span text.Span, why string) string {
	return fmt.Sprintf("Use the text at line %d (%s)", t.LineAt(firstText(t, span)), why)
}
