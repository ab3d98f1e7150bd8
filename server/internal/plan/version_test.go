package plan

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// pools reports whether sync.Pool keeps its items.
var pools = true

// If many blocks each edit a little of one large file, all versions together take little more
// memory than the file, and each block still has the file before and after it.
func TestBlocksShareTheirFile(t *testing.T) {
	for _, raw := range []bool{false, true} {
		t.Run(fmt.Sprintf("raw %v", raw), func(t *testing.T) { blocksShareTheirFile(t, raw) })
	}
}

func blocksShareTheirFile(t *testing.T, raw bool) {
	const blocks = 300
	line := func(i int) string { return fmt.Sprintf("line %04d %s", i, strings.Repeat("é", 500)) }
	var file strings.Builder
	var sets []intent.Set
	for i := range blocks {
		file.WriteString(line(i) + "\n")
		step := findreplace.Replacement{Find: line(i), Replace: line(i)[:9] + "\nnew"}
		sets = append(sets, intent.Set{Changes: []intent.Change{{Kind: intent.Edit, Path: "f", Raw: raw, Steps: []intent.Step{step}}}})
	}
	tree := fstest.MapFS{"f": {Data: []byte(file.String()), Mode: 0o644}}
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	p := build(t, tree, sets...)
	for _, b := range p.Blocks {
		b.Files[0].Stat()
	}
	runtime.ReadMemStats(&end)
	if size, took := uint64(file.Len()), end.TotalAlloc-start.TotalAlloc; pools && took > blocks*size/4 {
		t.Errorf("%d blocks on a file of %d bytes took %d bytes in all", blocks, size, took)
	}
	met := file.String()
	for i, b := range p.Blocks {
		f, leaves := b.Files[0], strings.Replace(met, line(i), line(i)[:9]+"\nnew", 1)
		if f.Before().Data != met || f.After().Data != leaves || f.State != Change {
			t.Fatalf("block %d has other contents: %v", i+1, b.Diagnostics)
		}
		added, removed := f.Stat()
		if runs := f.Runs(); added != 2 || removed != 1 || len(runs) != 1 || runs[0] != (diff.Run{OldStart: 2 * i, OldEnd: 2*i + 1, NewStart: 2 * i, NewEnd: 2*i + 2}) {
			t.Fatalf("block %d: +%d -%d, %v", i+1, added, removed, runs)
		}
		met = leaves
	}
	if p.Files[0].After.Data != met {
		t.Error("the net effect is not what the last block leaves")
	}
}
