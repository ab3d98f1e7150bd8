package locate

import "github.com/aptix-dev/aptix/server/internal/artifact"

// A Level is what two lines may differ in and still count as the same. Each forgives
// what those before it forgive.
type Level int

// The levels.
const (
	Exact         Level = iota
	LineEnding          // CRLF, CR or LF; a missing ending differs, so that a patch that adds one is not done without it
	TrailingSpace       // besides, white space at the end, a missing ending, and a byte order mark
	Indented            // besides, white space at the beginning
	Spacing             // besides, how much white space there is between words
	LookAlike           // besides, kinds of quotes and dashes
	levels        = iota
)

// levelArtifacts are what the levels forgive besides those before them.
var levelArtifacts = [levels]*artifact.Artifact{&artifact.Exact, &artifact.LineEnding, &artifact.TrailingSpace, &artifact.Indentation, &artifact.Spacing, &artifact.LookAlike}

// Fold is what two lines that are the same to the level have in common.
func (l Level) Fold(line string) string { return levelArtifacts[l].Fold(line) }

// Same reports whether two passages of whole lines are the same to the level.
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
