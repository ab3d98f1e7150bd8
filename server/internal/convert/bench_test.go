package convert

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// BenchmarkDocument writes a file of 200,000 lines with 500 changes. In the repetitive file, nine
// lines of ten are equal.
func BenchmarkDocument(b *testing.B) {
	for _, repetitive := range []bool{false, true} {
		var before, after strings.Builder
		for i := range 200_000 {
			line := fmt.Sprintf("line number %d of the file\n", i)
			if repetitive && i%10 != 0 {
				line = "\t}\n"
			}
			before.WriteString(line)
			if i%400 == 5 {
				line = fmt.Sprintf("changed %d\n", i)
			}
			after.WriteString(line)
		}
		content := text.Content{Exists: true, Data: before.String(), Mode: 0o644}
		f := plan.File{Path: "a.txt", Operation: plan.Modify, Before: content, After: content}
		f.After.Data = after.String()
		tree := fstest.MapFS{"a.txt": {Data: []byte(f.Before.Data), Mode: 0o644}}
		for _, to := range Formats {
			b.Run(fmt.Sprintf("%s/repetitive=%v", to, repetitive), func(b *testing.B) {
				for b.Loop() {
					if _, err := Document(context.Background(), to, []plan.File{f}, where(tree), folder); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
