package plan

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// BenchmarkFinds resolves many finds in one file: hits, misses and near misses.
func BenchmarkFinds(b *testing.B) {
	for _, c := range []struct {
		name        string
		lines, size int // the number of lines of the file, and the number of bytes in each line
		finds       int
		find        func(line int) string
	}{
		{"1000 in 5 MB", 100_000, 50, 1000, func(i int) string { return fmt.Sprintf("line %06d ", i*97%100_000) }},
		{"1000 of two lines in 5 MB", 100_000, 50, 1000, func(i int) string {
			return benchLine(i*97%99_999, 50)[10:] + "\n" + benchLine(i*97%99_999+1, 50)[:20]
		}},
		{"60000 that hit in 600 KB", 60_000, 10, 60_000, func(i int) string { return benchLine(i, 10) + "\n" }},
		{"100000 that miss in 600 KB", 60_000, 10, 100_000, func(i int) string { return fmt.Sprintf("m %06d\n", i) }},
		{"1000 that nearly hit in 600 KB", 12_000, 50, 1000, func(i int) string { return "\t" + benchLine(i*7, 50) + "\n\t" + benchLine(i*7+1, 50) + "\n" }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var file strings.Builder
			for i := range c.lines {
				file.WriteString(benchLine(i, c.size) + "\n")
			}
			change := intent.Change{Kind: intent.Edit, Path: "f"}
			for i := range c.finds {
				change.Steps = append(change.Steps, findreplace.Replacement{Find: c.find(i), Replace: fmt.Sprintf("new text %d\n", i)})
			}
			tree := fstest.MapFS{"f": {Data: []byte(file.String())}}
			for b.Loop() {
				if _, err := Build(b.Context(), tree, []intent.Set{{Changes: []intent.Change{change}}}, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchLine(i, size int) string {
	s := fmt.Sprintf("line %06d is one of many lines", i)
	if size < 20 {
		s = fmt.Sprintf("l %06d", i)
	}
	for len(s) < size-1 {
		s += "."
	}
	return s[:size-1]
}
