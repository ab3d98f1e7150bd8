package doubt

import (
	"slices"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"

	"pgregory.net/rapid"
)

// After random steps, the line number of each run must be right in the file before the first step.
func TestStepsCountInTheFile(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		var file []string
		for i := range rapid.IntRange(3, 12).Draw(t, "lines") {
			file = append(file, "line "+string(rune('a'+i)))
		}
		now := slices.Clone(file)
		var steps Steps
		ran := 0
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			var edits []text.Edit
			var after []string
			done := 0
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				from := rapid.IntRange(done, len(now)).Draw(t, "from")
				to := min(len(now), from+rapid.IntRange(0, 3).Draw(t, "removed"))
				var added []string
				for range rapid.IntRange(0, 3).Draw(t, "added") {
					added = append(added, "new")
				}
				edits = append(edits, text.Edit{Span: text.Span{Start: len(text.Joined(now[:from])), End: len(text.Joined(now[:to]))}, New: text.Joined(added)})
				after = slices.Concat(after, now[done:from], added)
				done = to
				ran++
			}
			doc := place.NewText(text.Joined(now))
			steps.Add(doc, 0, Runs(doc, edits, text.Span{}, intent.Written{}))
			now = slices.Concat(after, now[done:])
			// The work of Add depends on the number of edits, and not on the size of the file.
			if len(steps.was) > 2*ran+1 {
				t.Fatalf("%d stretches after %d edits", len(steps.was), ran)
			}
		}
		last := 0
		for _, r := range steps.Runs() {
			if r.Line < last {
				t.Fatalf("the runs are not sorted: %v", steps.Runs())
			}
			last = r.Line
			if len(r.Old) == 0 || slices.Contains(r.Old, "new") {
				continue
			}
			if at := slices.Index(file, r.Old[0]); at != r.Line-1 {
				t.Fatalf("%q is on line %d of the file, and its run says %d", r.Old[0], at+1, r.Line)
			}
			moved++
		}
	})
	if moved < 50 {
		t.Errorf("only %d runs were looked at", moved)
	}
}
