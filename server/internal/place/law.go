package place

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Law is a format's rule about where a passage counts as found.
type Law int

const (
	Literal Law = iota // a passage may be anywhere
	// WholeLines finds a passage only from the start of a line to the end of a line. The last line of the text need
	// not have an ending.
	WholeLines
)

// Find returns at most `most` places of a nonempty passage, from top to bottom. Places may overlap.
func (l Law) Find(t *Text, passage string, most int) []text.Span {
	if l == WholeLines {
		return wholeLines(t, passage, most)
	}
	var found []text.Span
	for at := t.Index(passage, 0); at >= 0 && len(found) < most; at = t.Index(passage, at+1) {
		found = append(found, text.Span{Start: at, End: at + len(passage)})
	}
	return found
}

func wholeLines(t *Text, lines string, most int) []text.Span {
	want := strings.TrimSuffix(lines, "\n")
	pattern := cmp.Or(want, "\n") // or one empty line
	var found []text.Span
	for from := 0; len(found) < most; {
		at := t.Index(pattern, from)
		if at < 0 {
			break
		}
		from = at + 1
		span := text.Span{Start: at, End: at + len(want)}
		w := t.Window(span, 0)
		start, end := at-w.At, at-w.At+len(want)
		if start > 0 && w.Text[start-1] != '\n' || end < len(w.Text) && w.Text[end] != '\n' {
			continue
		}
		if end < len(w.Text) {
			span.End++
		} else if want == "" || strings.HasSuffix(want, "\n") {
			// After the last line ending, there is no further line.
			continue
		}
		found = append(found, span)
	}
	return found
}

// Near returns the places of a passage, ignoring white space at line ends. If there are none, it also ignores
// indentation.
func (l Law) Near(t *Text, passage string) []text.Span {
	spans := t.trailing(passage)
	if l == WholeLines {
		spans = slices.DeleteFunc(spans, func(s text.Span) bool { head, tail := restOfLines(t, s); return head+tail != "" })
	}
	if len(spans) > 0 {
		return spans
	}
	return t.Indented(passage)
}

// restOfLines returns the text before a place on its first line, and the text after it on its last line.
func restOfLines(t *Text, at text.Span) (head, tail string) {
	w := t.Window(at, 0)
	start, end := at.Start-w.At, at.End-w.At
	lines := text.LinesAround(w.Text, text.Span{Start: start, End: end})
	return w.Text[lines.Start:start], w.Text[end:lines.End]
}

// A Passage is a change to a file, with facts that its format states about it.
type Passage struct {
	Change
	Law Law

	// Marked is true if the block gives line numbers and shows which lines change, so that the old passage may occur
	// several times.
	Marked bool

	OldName, NewName string // the block's names for the two texts, for messages
}

// A Finding is the result of [Passage.Judge].
type Finding struct {
	Verdict Verdict     // Done, Near or Missing
	At      text.Span   // the place of the result if Verdict is Done
	Places  []text.Span // the places that match apart from white space
	// The change without the traces of an artifact, if that change certainly applies; otherwise Was.By is nil.
	Was Restored
}

// A Rewriting is a change that a fix writes into the block. Its old passage occurs in the file.
type Rewriting struct {
	Change
	At   text.Span // the place of the old passage
	Line int       // the first nonblank line of the place, from 1
	Why  string    // how the place and the passage differ, or which of several places it is, for a message
}

// Judge searches for the result of a change whose old passage has no place, and for similar text.
func (p Passage) Judge(t *Text) Finding {
	f := Finding{Places: p.Law.Near(t, p.Old)}
	if len(f.Places) > 0 {
		f.Verdict = Near
	}
	if at, ok := p.Law.Done(t, p.Change); ok {
		f.Verdict, f.At = Done, at
	}
	if f.Verdict == Missing {
		for was := range p.Restored(t.Meter(), artifact.Sure()) {
			if was.Sure && p.restores(t, was, &f) {
				f.Was = was
				return f
			}
		}
		if was, ok := p.WithKept(t); ok && p.restores(t, was, &f) {
			f.Was = was
		}
	}
	return f
}

func (p Passage) restores(t *Text, was Restored, f *Finding) bool {
	if at, ok := p.Law.Done(t, was.Change); ok {
		f.Verdict, f.At = Done, at
		return true
	}
	found := p.Law.Find(t, was.Old, 2)
	if len(found) != 1 {
		return false
	}
	_, stands := p.Law.FirstOutside(t, was.New, found[0])
	return !stands
}

// A Level determines which differences between two lines are ignored. Each level also ignores what the levels before
// it ignore.
type Level int

const (
	Exact Level = iota
	// LineEnding ignores whether a line ends with CRLF, CR or LF. A missing ending is still a difference: otherwise,
	// a patch that adds an ending would seem to be done.
	LineEnding
	TrailingSpace // ignores white space at the end of the line, a missing ending, and a byte order mark
	Indented      // ignores white space at the beginning of the line
	Spacing       // ignores the amount of white space between words
	LookAlike     // ignores the kind of quotes and dashes
	levels        = iota
)

// levelArtifacts lists the differences that each level ignores and the levels before it do not.
var levelArtifacts = [levels]*artifact.Artifact{&artifact.Exact, &artifact.LineEnding, &artifact.TrailingSpace, &artifact.Indentation, &artifact.Spacing, &artifact.LookAlike}

// Fold returns a text that is the same for two lines if and only if they are equal at the level.
func (l Level) Fold(line string) string { return levelArtifacts[l].Fold(line) }

// Same reports whether two passages of whole lines are equal at the level.
func (l Level) Same(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && l.Fold(a[i]) != l.Fold(b[i]) {
			return false
		}
	}
	return true
}

// A Verdict is the outcome of a search for a passage.
type Verdict int

const (
	Missing   Verdict = iota // the text has neither the passage nor anything that clearly resembles it
	Near                     // the passage is found, but not by the exact rule
	Ambiguous                // the passage has several places
	Done                     // the text already has the replacement
	Applies                  // the passage has one place
)
