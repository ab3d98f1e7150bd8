package place

import (
	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Passage is a change of a file, and what its format says about the place.
type Passage struct {
	Change
	Law Law

	Marked bool // the block marks each changed line and names its number, so that the old passage may occur several times

	OldName, NewName string // the block's names for the two texts, for people
}

// A Finding is the result of a search for a passage that the file does not have.
type Finding struct {
	Verdict locate.Verdict // Done, Near or Missing
	At      text.Span      // the place of the result, if Done
	Places  []text.Span    // the places that match apart from white space
	Was     Restored       // the change as it was before an artifact, if it certainly applies; otherwise By is nil
}

// A Rewriting is a change as a fix may write it, so that its old passage has a place.
type Rewriting struct {
	Change
	At   text.Span // the place of the old passage
	Line int       // the first line of the place that is not blank, from 1
	Why  string    // how the place differs from the passage, or which of several places it is
}

// Judge searches for the result of a change whose old passage has no place, and for similar text.
func (p Passage) Judge(t *locate.Text) Finding {
	f := Finding{Places: p.Law.Near(t, p.Old)}
	if len(f.Places) > 0 {
		f.Verdict = locate.Near
	}
	if at, ok := p.Law.Done(t, p.Change); ok {
		f.Verdict, f.At = locate.Done, at
	}
	if f.Verdict == locate.Missing {
		f.Was, _ = Restore(t.Meter(), p.Change, artifact.Sure(), func(was Restored) bool { return was.Sure && p.restores(t, was, &f) })
	}
	return f
}

// restores reports whether a restored change is done or applies at exactly one place.
func (p Passage) restores(t *locate.Text, was Restored, f *Finding) bool {
	if at, ok := p.Law.Done(t, was.Change); ok {
		f.Verdict, f.At = locate.Done, at
		return true
	}
	found := p.Law.Find(t, was.Old, 2)
	if len(found) != 1 {
		return false
	}
	_, stands := p.Law.Stands(t, was.New, found[0])
	return !stands
}
