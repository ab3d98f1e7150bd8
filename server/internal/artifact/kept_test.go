package artifact_test

import (
	"testing"

	"github.com/aptix-dev/aptix/server/internal/artifact"
)

// An artifact of kept lines is named only if the added lines certainly do not have it.
func TestOfKept(t *testing.T) {
	const file = "x = re.compile(r\"\\d+\\.\")\ny = 1\n"
	for _, tt := range []struct {
		name           string
		was, is, added string
		file           string
		want           *artifact.Artifact
	}{
		{name: "typographic quotes", was: `log("a")`, is: `log(“a”)`, added: `log("b")`, want: &artifact.LookAlike},
		{name: "the added line has them, too", was: `log("a")`, is: `log(“a”)`, added: `log(“b”)`},
		{name: "bold text", was: "def __init__(self):", is: "def **init**(self):", added: "self.a = 1", want: &artifact.Bold},
		{name: "an added line with bold text", was: "def __init__(self):", is: "def **init**(self):", added: "self.**class**"},
		{name: "lost backslashes", was: `x = re.compile(r"\d+\.")`, is: `x = re.compile(r"d+.")`, added: "z = 2", file: file, want: &artifact.LostSign},
		{name: "the added line has one", was: `x = re.compile(r"\d+\.")`, is: `x = re.compile(r"d+.")`, added: `z = r"\d"`, file: file, want: &artifact.LostSign},
		{name: "a string may have lost one", was: `x = re.compile(r"\d+\.")`, is: `x = re.compile(r"d+.")`, added: `z = r"d"`, file: file},
		{name: "the file has some outside of strings", was: `\section{A}`, is: "section{A}", added: "textbf{b}", file: "\\section{A}\n"},
		{name: "other quotes", was: `log('a')`, is: `log("a")`, added: "b()", want: &artifact.Requoted},
		{name: "the added line has other quotes, too", was: `log('a')`, is: `log("a")`, added: `log("b")`},
		{name: "a spelling in a comment", was: "# They recieve it.", is: "# They receive it.", added: `log("b")`, want: &artifact.Respelled},
		{name: "a spelling in code", was: "recieve(it)", is: "receive(it)", added: "b()"},
		{name: "another word in a comment", was: "# They receive it.", is: "# They lose it.", added: "b()"},
		{name: "another number in a comment", was: "# Since version10.", is: "# Since version11.", added: "b()"},
		{name: "another word", was: "x = 1", is: "y = 1", added: "z = 2"},
	} {
		got := artifact.OfKept([]string{tt.was}, []string{tt.is}, []string{tt.added}, func() string { return tt.file })
		if got != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}
