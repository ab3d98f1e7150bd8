package place

import "github.com/aptix-dev/aptix/server/internal/artifact"

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
