package lenientjson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// BenchmarkParse reads a bundle of one huge file, a bundle of many small files, and an array of short strings. The
// first spends most of its time on escapes, the second on members, and the third on nodes.
func BenchmarkParse(b *testing.B) {
	const size = 50 << 20
	line := `  \"key\": \"value é\",\n`
	many := `{"path": "src/%d.txt", "operation": "create", "content": "` + strings.Repeat(line, 40) + `"},`
	inputs := []struct{ name, src string }{
		{"one file", `{"root":".","files":[{"path":"a","content":"` + strings.Repeat(line, size/len(line)) + `"}]}`},
		{"many files", `{"root":".","files":[` + repeat(many, size/len(many)) + `{}]}`},
		{"short strings", "[" + repeat(`"line %d of a text",`, 1_000_000) + "0]"},
	}
	for _, in := range inputs {
		b.Run(in.name+"/jsondoc", func(b *testing.B) {
			b.SetBytes(int64(len(in.src)))
			for b.Loop() {
				if _, diags := Parse(in.src); len(diags) > 0 {
					b.Fatal(diags)
				}
			}
		})
		b.Run(in.name+"/jsontext", func(b *testing.B) {
			b.SetBytes(int64(len(in.src)))
			for b.Loop() {
				if !jsontext.Value(in.src).IsValid() {
					b.Fatal("not valid")
				}
			}
		})
	}
}

func repeat(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
