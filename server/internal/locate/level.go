package locate

import "github.com/aptix-dev/aptix/server/internal/artifact"

// A Level defines the differences between two lines that still count as equal. Each level
// includes the differences of the preceding ones.
type Level int

// The levels.
const (
	Exact         Level = iota
	LineEnding          // CRLF, CR or LF; a missing ending differs, so that a patch that adds one is not done without it
	TrailingSpace       // also white space at the end, a missing ending, and a byte order mark
	Indented            // also white space at the beginning
	Spacing             // also the amount of white space between words
	LookAlike           // also the kind of quotes and dashes
	levels        = iota
)

// levelArtifacts holds the additional differences that each level accepts.
var levelArtifacts = [levels]*artifact.Artifact{&artifact.Exact, &artifact.LineEnding, &artifact.TrailingSpace, &artifact.Indentation, &artifact.Spacing, &artifact.LookAlike}

// Fold maps lines that are equal on the level to the same text.
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
