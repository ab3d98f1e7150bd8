package elision

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A trial is a small file and a text with elisions. The text is an edit of some of the file's
// lines, or random lines.
type trial struct{ file, text []string }

// words holds lines that are likely to occur twice, with much and little text, at two
// indentations.
var words = []string{"{", "}", "alpha()", "  beta()", "  gamma()", "  }", "  x", "delta()", ""}

func trials(t *rapid.T) trial {
	word := rapid.SampledFrom(words)
	file := rapid.SliceOfN(word, 3, 12).Draw(t, "file")
	if rapid.Bool().Draw(t, "marked") { // add lines that occur only once
		for i := range file {
			if i%3 == 0 {
				file[i] += strings.Repeat("!", i+1)
			}
		}
	}
	line := rapid.OneOf(word, rapid.SampledFrom(file), rapid.Just("new()"), rapid.Just("  // note"))
	var text []string
	for i := 0; i < len(file); i++ {
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0, 1:
			text = append(text, "...")
			i += rapid.IntRange(0, 4).Draw(t, "left out")
		case 2:
			text = append(text, line.Draw(t, "line"), file[i])
		case 3:
			text = append(text, line.Draw(t, "line"))
		default:
			text = append(text, file[i])
		}
	}
	return trial{file, text}
}

// TestProof enumerates all readings of small files.
func TestProof(t *testing.T) {
	states := map[State]int{}
	rapid.Check(t, func(t *rapid.T) {
		tr := trials(t)
		file := strings.Join(tr.file, "\n") + "\n"
		r := Read(place.NewLines(file, place.AfterEOL, nil), strings.Join(tr.text, "\n")+"\n")
		states[r.State]++
		if r.State != Certain && r.State != Asks {
			return
		}
		leavesElidedLines(t, tr, r)
		if r.State != Certain {
			return
		}
		for _, p := range r.Parts {
			for _, h := range p.Hunks {
				if says := strings.TrimSpace(strings.Join(tr.file[h.At:h.End], "")); says != "" && len(h.Lines) == 0 {
					t.Fatalf("%q go in silence", tr.file[h.At:h.End])
				}
			}
		}
		if all := readings(t, tr); !slices.EqualFunc(r.Parts, all, func(p Part, at site) bool { return p.At == int(at.p) && p.End == int(at.q) || len(p.Hunks) == 0 }) {
			t.Fatalf("%+v in silence, and %+v is what is left", r.Parts, all)
		}
	})
	t.Log(states)
	for _, state := range []State{Certain, Asks, Refused} {
		if states[state] == 0 {
			t.Errorf("no trial has the state %d", state)
		}
	}
}

// leavesElidedLines checks that a reading produces the parts with unchanged lines of the file
// between them. At least one of these lines must not be blank.
func leavesElidedLines(t *rapid.T, tr trial, r Reading) {
	var want []string
	at := 0
	if slices.ContainsFunc(r.Reasons, func(why Reason) bool { return why.Kind == Forgotten }) {
		return
	}
	for i, p := range r.Parts {
		left := tr.file[at:p.At]
		asked := slices.ContainsFunc(r.Reasons, func(why Reason) bool { return why.Kind == LeavesNothing && why.Part == i })
		if i > 0 && !asked && strings.TrimSpace(strings.Join(left, "")) == "" {
			t.Fatalf("nothing is left out above part %d", i)
		}
		want = append(append(want, left...), tr.text[p.From:p.To]...)
		at = p.End
	}
	want = append(want, tr.file[at:]...)
	got, expected := apply(t, strings.Join(tr.file, "\n")+"\n", r), strings.Join(want, "\n")+"\n"
	if slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Kind == Shifted }) {
		got, expected = strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(expected, " ", "")
	}
	if slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Kind == NewEdge }) {
		blank := regexp.MustCompile(`\n+`) // New lines keep their blank line beside an elision.
		got, expected = blank.ReplaceAllString(got, "\n"), blank.ReplaceAllString(expected, "\n")
	}
	if got != expected {
		t.Fatalf("%q, want %q", got, expected)
	}
}

// readings returns the only choice of places that the order of the segments and their edges allow. It finds it slowly
// but simply: it enumerates all readings again each time one more place is certain. It fails the test if several
// choices are left.
func readings(t *rapid.T, tr trial) []site {
	b := newBase(place.NewLines(strings.Join(tr.file, "\n")+"\n", place.AfterEOL, nil))
	c := newContent(b, strings.Join(tr.text, "\n")+"\n")
	segments := c.split(c.elisions(b))
	places := make([][]site, len(segments))
	for i, s := range segments {
		places[i] = allPlaces(b, s)
	}
	all := ordered(b, segments, places)
	for i, s := range segments {
		whole := slices.DeleteFunc(used(all, i), func(at site) bool { return s.cost(at) > 0 })
		if shaped := slices.DeleteFunc(used(all, i), func(at site) bool { return !isShaped(b, s, at) }); len(whole) > 0 {
			places[i] = whole
		} else if len(shaped) > 0 {
			places[i] = shaped
		} else {
			places[i] = used(all, i)
		}
	}
	fixed := make([]bool, len(segments))
	for again := true; again; {
		again = false
		all = ordered(b, segments, places)
		for i, s := range segments {
			left := used(all, i)
			if fixed[i] || len(left) == 0 || s.cost(left[0]) == 0 {
				continue
			}
			s.places = left
			if at, ok := (&search{b: b, work: 1 << 30}).fixedPlace(s); ok {
				places[i], fixed[i], again = []site{at}, true, true
				break
			}
		}
	}
	for i, s := range segments {
		if !fixed[i] && slices.ContainsFunc(places[i], func(at site) bool { return s.cost(at) > 0 }) {
			t.Fatalf("part %d has the places %v", i, used(all, i))
		}
	}
	return all[0]
}

// allPlaces returns the places that the edges of a segment allow.
func allPlaces(b *base, s *segment) (out []site) {
	n := len(b.lines)
	for p := range n {
		for q := p + 1; q <= n; q++ {
			switch {
			case !s.above && p != b.first, !s.below && q != b.last,
				s.above && b.lines[p] != s.lines[0], s.below && b.lines[q-1] != s.lines[len(s.lines)-1],
				s.above && s.below && (len(s.lines) == 1) != (q == p+1):
			default:
				out = append(out, site{int32(p), int32(q), int32(common(b.lines[p:q], s.lines))})
			}
		}
	}
	return out
}

// common returns the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		last := 0
		for j := range b {
			was := row[j+1]
			if row[j+1] = max(row[j], was); a[i] == b[j] {
				row[j+1] = last + 1
			}
			last = was
		}
	}
	return row[len(b)]
}

func isShaped(b *base, s *segment, at site) bool {
	indent, open := indentOf(""), [3]int32{}
	for _, line := range b.lines[at.p:at.q] {
		indent = min(indent, indentOf(line))
		text.Brackets(&open, line)
	}
	return open == s.open && indent >= s.indent
}

// ordered returns all readings: a place for each segment, with a nonblank line between
// consecutive places.
func ordered(b *base, segments []*segment, places [][]site) (out [][]site) {
	var add func(i int, low int32, sofar []site)
	add = func(i int, low int32, sofar []site) {
		if i == len(segments) {
			if !segments[i-1].below || low < b.filled[len(b.lines)] {
				out = append(out, slices.Clone(sofar))
			}
			return
		}
		for _, at := range places[i] {
			if b.filled[at.p] > low || i == 0 && !segments[0].above {
				add(i+1, b.filled[at.q], append(sofar, at))
			}
		}
	}
	add(0, 0, nil)
	return out
}

// used returns the places of a segment in some readings, in order.
func used(all [][]site, i int) (out []site) {
	for _, reading := range all {
		if !slices.Contains(out, reading[i]) {
			out = append(out, reading[i])
		}
	}
	slices.SortFunc(out, func(a, b site) int { return int(a.p-b.p)*100 + int(a.q-b.q) })
	return out
}
