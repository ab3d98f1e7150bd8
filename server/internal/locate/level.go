package locate

import "github.com/aptix-dev/aptix/server/internal/artifact"

// A Level determines which differences between two lines are ignored. Each level also ignores the
// differences that the levels before it ignore.
type Level int

// The levels.
const (
	Exact Level = iota
	// ignores the difference between CRLF, CR and LF; a missing ending is a difference, so that a patch that adds one does not count as done
	LineEnding
	TrailingSpace // also ignores white space at the end, a missing ending, and a byte order mark
	Indented      // also ignores white space at the beginning
	Spacing       // also ignores the amount of white space between words
	LookAlike     // also ignores the kind of quotes and dashes
	levels        = iota
)

// levelArtifacts holds the additional differences that each level ignores.
var levelArtifacts = [levels]*artifact.Artifact{&artifact.Exact, &artifact.LineEnding, &artifact.TrailingSpace, &artifact.Indentation, &artifact.Spacing, &artifact.LookAlike}

// Fold returns a text that is the same for all lines that are equal on the level.
func (l Level) Fold(line string) string { return levelArtifacts[l].Fold(line) }

// Same reports whether two passages of whole lines are equal on the level.
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

// The verdicts.
const (
	Missing   Verdict = iota // the text has neither the passage nor anything that is easily seen to be similar
	Near                     // only a rule other than the exact one finds the passage
	Ambiguous                // the passage is in several places
	Done                     // the text already has the replacement
	Applies                  // the passage has one place
)
