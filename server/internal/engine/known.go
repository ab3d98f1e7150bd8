package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// key names a sequence of blocks by format and body, whatever text is around
// them.
func key(blocks []Block) string {
	h := sha256.New()
	for _, b := range blocks {
		fmt.Fprintf(h, "%s %d\n%s", b.Format.Name, len(b.Body), b.Body)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// alreadyApplied makes every block done: the history knows them, and the tree is
// as they left it. What their steps would do once more does not matter, nor do
// the problems that they would meet.
func (r *Result) alreadyApplied() {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Files = r.Plan.Blocks[i].Files
		for j := range b.Files {
			b.Files[j].State, b.Files[j].After = plan.Done, b.Files[j].Before
		}
		b.Diagnostics = []diag.Diagnostic{{Severity: diag.Info, Code: diag.AlreadyApplied,
			Message: "this was applied before, and its files stand as it left them"}}
		b.settle(false)
	}
	r.Plan.Files = nil
}
