package ap

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// big returns a file of n different lines, and a patch with a modification of every step-th
// line.
func big(n, step int) (file, patch string) {
	var f, p strings.Builder
	p.WriteString("a1b2c3d4 AP 3.1\n\na1b2c3d4 FILE\nbig.txt\n\n")
	for i := range n {
		fmt.Fprintf(&f, "    line number %d of the file = value(%d)\n", i, i*7)
		if i%step == step/2 {
			fmt.Fprintf(&p, "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nline number %d of the file = value(%d)\na1b2c3d4 content\n    line number %d is new\n    and has two\n\n", i, i*7, i)
		}
	}
	return f.String(), p.String()
}

func run1(b *testing.B, patch, file string) intent.Outcome {
	parsed := Parse(patch)
	if len(parsed.Set.Changes) != 1 {
		b.Fatal(codes(parsed.Diagnostics))
	}
	return parsed.Set.Changes[0].Steps[0].Resolve(intent.Target{Text: place.NewText(file)})
}

func BenchmarkLongFile(b *testing.B) {
	file, patch := big(200_000, 400)
	for b.Loop() {
		if out := run1(b, patch, file); len(out.Edits) != 500 {
			b.Fatal(len(out.Edits), codes(out.Problems))
		}
	}
}

// BenchmarkLongFileDone: all snippets are missing, and all contents are in the file.
func BenchmarkLongFileDone(b *testing.B) {
	file, patch := big(200_000, 400)
	var done strings.Builder
	for i, line := range strings.SplitAfter(file, "\n") {
		if i%400 == 200 {
			line = fmt.Sprintf("    line number %d is new\n    and has two\n", i)
		}
		done.WriteString(line)
	}
	for b.Loop() {
		if out := run1(b, patch, done.String()); !out.Done || len(out.Places) != 500 {
			b.Fatal(codes(out.Problems))
		}
	}
}

// BenchmarkLongFileMissing: all snippets are missing.
func BenchmarkLongFileMissing(b *testing.B) {
	file, patch := big(200_000, 400)
	patch = strings.ReplaceAll(patch, "snippet\nline", "snippet\nlime")
	for b.Loop() {
		if out := run1(b, patch, file); len(out.Problems) != 500 {
			b.Fatal(codes(out.Problems))
		}
	}
}

// BenchmarkHostile: all lines and all snippets are alike.
func BenchmarkHostile(b *testing.B) {
	file := strings.Repeat("x\n", 200_000)
	patch := "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nbig.txt\n" + strings.Repeat("a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx\nx\nx\na1b2c3d4 content\nx\nx\n\nx\n", 2000)
	for b.Loop() {
		run1(b, patch, file)
	}
}

// BenchmarkManyFiles plans the changes of a thousand files with three modifications each.
func BenchmarkManyFiles(b *testing.B) {
	tree := fstest.MapFS{}
	var patch strings.Builder
	patch.WriteString("a1b2c3d4 AP 3.1\n")
	for i := range 1000 {
		file, mods := big(100, 33)
		name := fmt.Sprintf("dir%d/file%d.txt", i%20, i)
		tree[name] = &fstest.MapFile{Data: []byte(file)}
		_, mods, _ = strings.Cut(mods, "big.txt\n")
		patch.WriteString("a1b2c3d4 FILE\n" + name + "\n" + mods)
	}
	for b.Loop() {
		parsed := Parse(patch.String())
		p, err := plan.Build(context.Background(), tree, []intent.Set{parsed.Set}, plan.Options{})
		if err != nil || len(p.Files) != 1000 || len(p.Blocks[0].Diagnostics) > 0 {
			b.Fatal(err, len(p.Files))
		}
	}
}
