package elision

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/place"
)

// FuzzRead reads any text for any file. The parts of the reading are in order, no line outside of
// them changes, and a reading that may be applied changes the file.
func FuzzRead(f *testing.F) {
	f.Add(goFile, "// ... existing code ...\nfunc two() {\n\tfmt.Println(\"zwei\")\n}\n// ...\n")
	f.Add("a\nb\nc\n", "...\nb\nx\n")
	f.Fuzz(func(t *testing.T, file, text string) {
		file = strings.ReplaceAll(file, "\r", "") + "\n"
		for _, r := range []Reading{Read(place.NewLines(file, place.AfterEOL, nil), text), Guess(place.NewLines(file, place.AfterEOL, nil), text)} {
			if r.State != Certain && r.State != Asks {
				continue
			}
			at := 0
			for _, p := range r.Parts {
				if p.At < at || p.End < p.At {
					t.Fatalf("the part %+v begins above line %d", p, at)
				}
				at = p.End
			}
			if apply(t, file, r) == file {
				t.Fatalf("%+v changes nothing", r)
			}
		}
	})
}
