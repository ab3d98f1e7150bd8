package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// A block overlaps if and only if it removes a line that an earlier block of the reply
// wrote: each line here names the block that wrote it.
func TestOverlap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{"0-a", "0-b", "0-c", "0-d", "0-e"}
		tree := fstest.MapFS{"a.txt": {Data: []byte(strings.Join(lines, "\n") + "\n"), Mode: 0o644}}
		var reply strings.Builder
		var want []bool
		for block := 1; block <= rapid.IntRange(2, 4).Draw(rt, "blocks"); block++ {
			at := rapid.IntRange(0, len(lines)-1).Draw(rt, "line")
			gone := lines[at]
			come := []string{fmt.Sprintf("%d-new", block)}
			if rapid.Bool().Draw(rt, "insert") {
				come = append(come, gone)
			}
			fmt.Fprintf(&reply, "```json\n{\"root\": \".\", \"patches\": [{\"path\": \"a.txt\", \"find\": %q, \"replace\": %q, \"limit\": \"once\"}]}\n```\n\n",
				gone+"\n", strings.Join(come, "\n")+"\n")
			want = append(want, len(come) == 1 && !strings.HasPrefix(gone, "0"))
			lines = slices.Replace(lines, at, at+1, come...)
		}
		r := check(t, reply.String(), tree)
		for i, b := range r.Blocks {
			got := slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.Overlap })
			if b.State != Ready || got != want[i] {
				rt.Fatalf("block %d (%v): overlap %v, want %v\n%s%v", i+1, b.State, got, want[i], reply.String(), b.Diagnostics)
			}
		}
	})
}
