package plan

import (
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// If a person leaves out a step that is a single part, that step changes nothing. The other steps still change the
// file.
func TestSkippedSteps(t *testing.T) {
	first, second := text.Span{End: 5}, text.Span{Start: 5, End: 9}
	change := intent.Change{Kind: intent.Edit, Path: "a.txt", At: text.Span{End: 9}, Steps: []intent.Step{
		findreplace.WholeLines{At: first, Readings: []findreplace.Reading{{Find: "one\n", Replace: "ONE\n"}}},
		findreplace.WholeLines{At: second, Readings: []findreplace.Reading{{Find: "two\n", Replace: "TWO\n"}}},
	}}
	for want, left := range map[string]intent.Skipped{
		"ONE\nTWO\n": {}, "one\nTWO\n": {first: true}, "ONE\ntwo\n": {second: true},
	} {
		p, err := Build(t.Context(), fstest.MapFS{"a.txt": {Data: []byte("one\ntwo\n"), Mode: 0o644}},
			[]intent.Set{{Changes: []intent.Change{change}}}, Options{Skipped: []intent.Skipped{left}})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Files) != 1 || p.Files[0].After.Data != want || len(p.Blocks[0].Diagnostics) > 0 {
			t.Errorf("without %v: %+v", left, p)
		}
	}
}
