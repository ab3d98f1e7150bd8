package elision

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/place"
)

// large returns a file of functions, and a text with elisions that changes some of them.
func large(lines, segments int) (file, text string) {
	var f, s strings.Builder
	functions := lines / 10
	for i := range functions {
		fmt.Fprintf(&f, "func f%d(x int) int {\n\tfor i := range x {\n\t\tx += i * %d\n\t\tlog(x, i)\n\t}\n\tif x > 3 {\n\t\treturn x\n\t}\n\treturn %d\n}\n", i, i, i)
	}
	for i := range segments {
		n := i*(functions/segments) + 1
		fmt.Fprintf(&s, "// ... existing code ...\nfunc f%d(x int) int {\n\tfor i := range x {\n\t\tx += i * %d\n\t\tprint(x)\n\t}\n\tif x > 3 {\n\t\treturn x\n\t}\n\treturn %d\n}\n", n, n, n)
	}
	return f.String(), s.String() + "// ... existing code ...\n"
}

func BenchmarkRead(b *testing.B) {
	for _, size := range []struct{ lines, segments int }{{2000, 20}, {200_000, 200}} {
		file, text := large(size.lines, size.segments)
		b.Run(fmt.Sprintf("%d/%d", size.lines, size.segments), func(b *testing.B) {
			for b.Loop() {
				if r := Read(place.NewLines(file, place.AfterEOL, nil), text); r.State != Asks && r.State != Certain {
					b.Fatal(r.State, r.Reasons)
				}
			}
		})
	}
	// In the worst case, all lines are alike.
	file, text := strings.Repeat("}\n", 200_000), strings.Repeat("...\n}\nx\n}\n", 200)+"...\n"
	b.Run("alike", func(b *testing.B) {
		for b.Loop() {
			if r := Read(place.NewLines(file, place.AfterEOL, nil), text); r.State != Refused {
				b.Fatal(r.State, r.Reasons)
			}
		}
	})
}
