package hunk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// large returns a file of 200,000 lines and a patch of 500 hunks.
func large() (src, body string) {
	lines := make([]string, 200_000)
	for i := range lines {
		lines[i] = fmt.Sprintf("    value_%d = compute(%d, %d)", i%5000, i, i%7)
		if i%9 == 0 {
			lines[i] = "}"
		}
	}
	var b strings.Builder
	for n := range 500 {
		at := 100 + n*390
		fmt.Fprintf(&b, "@@ -%d,6 +%d,7 @@\n", at-2, at-2+n)
		for i := at - 3; i < at+3; i++ {
			if i == at {
				fmt.Fprintf(&b, "-%s\n+changed\n+added\n", lines[i])
			} else {
				b.WriteString(" " + lines[i] + "\n")
			}
		}
	}
	return joined(lines), b.String()
}

func bench(b *testing.B, src string, hunks []Hunk, reads string) {
	b.ReportAllocs()
	for b.Loop() {
		s := src
		if reads != "" {
			data, err := os.ReadFile(reads)
			if err != nil {
				b.Fatal(err)
			}
			s = string(data)
		}
		out := Patch{hunks, Options{}}.Resolve(intent.Target{Text: place.NewText(s)})
		after, err := text.Apply(s, out.Edits)
		if err != nil || len(out.Places) != len(hunks) {
			b.Fatalf("%d places, %v, %v", len(out.Places), err, out.Problems[0])
		}
		if reads != "" {
			if err := os.WriteFile(reads+".out", []byte(after), 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkLarge applies 500 hunks to a file of 200,000 lines, at the places that they name and at other places. It
// also measures other programs with the same file and hunks.
func BenchmarkLarge(b *testing.B) {
	src, body := large()
	hunks := parse(body)
	b.Run("in place", func(b *testing.B) { bench(b, src, hunks, "") })
	b.Run("moved", func(b *testing.B) { bench(b, "# one more\n"+src, hunks, "") })
	b.Run("trailing white space differs", func(b *testing.B) { bench(b, strings.ReplaceAll(src, ")\n", ") \n"), hunks, "") })
	dir := b.TempDir()
	file := filepath.Join(dir, "f")
	restore := func() {
		if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	restore()
	b.Run("in place, read and written", func(b *testing.B) { bench(b, src, hunks, file) })
	patch := filepath.Join(dir, "p.patch")
	if err := os.WriteFile(patch, []byte("--- a/f\n+++ b/f\n"+body), 0o666); err != nil {
		b.Fatal(err)
	}
	for _, peer := range [][]string{{"git", "apply", patch}, {"patch", "-s", "-p1", "-i", patch}} {
		b.Run(strings.Join(peer[:min(2, len(peer))], " "), func(b *testing.B) {
			if _, err := exec.LookPath(peer[0]); err != nil {
				b.Skip(err)
			}
			for b.Loop() {
				b.StopTimer()
				restore()
				b.StartTimer()
				cmd := exec.Command(peer[0], peer[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}
