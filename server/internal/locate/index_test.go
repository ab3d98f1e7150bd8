package locate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Index is strings.Index, on texts that repeat so much that it gives up, too.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SampledFrom([][]string{{"\t}\n", "\t\t}\n", "\n"}, {"a"}, {"a", "b"}, {"func name() {\n", "    return nil, err\n", "}\n", "\n"}}).Draw(t, "lines")
		draw := func(label string, n int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), n, n).Draw(t, label), "")
		}
		s := strings.Repeat(draw("text", 40), rapid.IntRange(0, 600).Draw(t, "times")) + draw("end", 40)
		from := rapid.IntRange(0, len(s)).Draw(t, "from")
		pattern := s[from:rapid.IntRange(from, min(len(s), from+400)).Draw(t, "to")]
		if rapid.Bool().Draw(t, "other") {
			pattern += draw("tail", 3)
		}
		if got, want := Index(s, pattern), strings.Index(s, pattern); got != want {
			t.Fatalf("at %d, not %d, in %d bytes: %q", got, want, len(s), pattern)
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	text := func(line string) string { return strings.Repeat(line, 10<<20/len(line)) }
	for name, c := range map[string]struct{ s, pattern string }{
		"long":       {text("    line of the file does something\n    }\n"), "    line of the file does something\n    }\n    another line\n    }\n"},
		"short":      {text("    line of the file does something\n    }\n"), "another line here"},
		"repetitive": {text("\t}\n"), strings.Repeat("\t}\n", 20) + "\t\n" + strings.Repeat("\t}\n", 20)},
	} {
		for kind, index := range map[string]func(_, _ string) int{"match": Index, "strings": strings.Index} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.SetBytes(int64(len(c.s)))
				for b.Loop() {
					if index(c.s, c.pattern) >= 0 {
						b.Fatal("found")
					}
				}
			})
		}
	}
}
