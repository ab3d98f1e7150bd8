package findreplace

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// large returns a realistic file of 5 MB, and some lines from its middle in which a name is
// changed.
func large() (src, find string) {
	m := program(rand.New(rand.NewPCG(1, 2)), 210_000)
	at := len(m.lines) / 2
	find = strings.Join(m.lines[at:at+8], "\n")
	return strings.Join(m.lines, "\n"), strings.Replace(find, "(", "_old(", 1)
}

// BenchmarkSuggest measures how long a person waits for the closest match of a find in a file of
// 5 MB, as a ratio to the time of reading that file.
func BenchmarkSuggest(b *testing.B) {
	src, find := large()
	name := filepath.Join(b.TempDir(), "large")
	if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := text.Decode(string(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	d := Replacement{Find: find, Replace: "x"}.Resolve(intent.Target{Text: place.NewText(src)}).Problems[0]
	b.Run("suggest", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if len(d.AllFixes(context.Background())) == 0 {
				b.Fatal("nothing is found")
			}
		}
	})
	b.Run("tell", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		step := Replacement{Find: find, Replace: "x"}
		for b.Loop() {
			step.Resolve(intent.Target{Text: place.NewText(src)})
		}
	})
}
