package doubt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// BenchmarkSteps looks for doubts about many steps. Each step changes two words of a line.
func BenchmarkSteps(b *testing.B) {
	const steps = 27_000
	c := &Change{Path: "a.go"}
	var before strings.Builder
	for i := range steps {
		old := fmt.Sprintf("\tvalue_%d = compute(first, %d, last)", i, i)
		before.WriteString(old + "\n")
		c.Runs = append(c.Runs, Run{Line: i + 1, Old: []string{old}, New: []string{fmt.Sprintf("\tvalue_%d = computed(first, %d, lastly)", i, i)}, At: Part{Span: text.Span{Start: i, End: i + 1}}})
	}
	c.Before = func() string { return before.String() }
	b.ReportAllocs()
	for b.Loop() {
		expectNone(b, Of(c))
	}
}

// BenchmarkBundle looks for doubts about many whole files with some changed lines.
func BenchmarkBundle(b *testing.B) {
	var before, after strings.Builder
	for i := range 400 {
		fmt.Fprintf(&before, "func value%d() int {\n\treturn compute(first, %d)\n}\n\n", i, i)
		if i%8 == 0 {
			fmt.Fprintf(&after, "func value%d() int {\n\tcount(%d)\n\treturn computed(first, %d)\n}\n\n", i, i, i)
		} else {
			fmt.Fprintf(&after, "func value%d() int {\n\treturn compute(first, %d)\n}\n\n", i, i)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		expectNone(b, Of(Whole("a.go", before.String(), after.String(), Facts{})))
	}
}

func expectNone(b *testing.B, found []Doubt) {
	if len(found) > 0 {
		b.Fatal(found)
	}
}
