package doubt

import (
	"slices"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"

	"pgregory.net/rapid"
)

// After any steps, a run whose old lines are lines of the file is at these lines.
func TestStepsCountInTheFile(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		var file []string
		for i := range rapid.IntRange(3, 12).Draw(t, "lines") {
			file = append(file, "line "+string(rune('a'+i)))
		}
		now := slices.Clone(file)
		var steps Steps
		for i := range rapid.IntRange(1, 5).Draw(t, "steps") {
			from := rapid.IntRange(0, len(now)).Draw(t, "from")
			to := min(len(now), from+rapid.IntRange(0, 3).Draw(t, "removed"))
			var added []string
			for range rapid.IntRange(0, 3).Draw(t, "added") {
				added = append(added, "new")
			}
			before, after := text.Joined(now), text.Joined(slices.Concat(now[:from], added, now[to:]))
			at := len(text.Joined(now[:from]))
			edit := text.Edit{Span: text.Span{Start: at, End: at + len(text.Joined(now[from:to]))}, New: text.Joined(added)}
			doc := locate.NewText(before)
			steps.Add(doc, 0, Runs(doc, []text.Edit{edit}, text.Span{}, intent.Written{}))
			if now = linesOf(after); len(now) > 0 && now[len(now)-1] == "" {
				now = now[:len(now)-1]
			}
			// What Add does depends on the number of steps, and not on the size of the file.
			if len(steps.was) > 2*(i+1)+1 {
				t.Fatalf("%d stretches after %d steps", len(steps.was), i+1)
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
