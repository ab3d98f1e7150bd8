package hunk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// For any damage to a patch that names the blobs of the file before and after, the certain fixes
// give the second blob, or none is offered. More trials succeed with these names than without.
func TestProof(t *testing.T) {
	for i, c := range classes {
		right, without := 0, 0
		n := trials.Rounds(t, 20)
		for round := range n {
			plain := c.make(rand.New(rand.NewPCG(uint64(i), uint64(round))))
			if got, refused := plain.repair(t, c.name); !refused && got == plain.truth {
				without++
			}
			tr := named(plain)
			if got, refused := tr.repair(t, fmt.Sprintf("%s, round %d", c.name, round)); !refused && got == tr.truth {
				right++
			}
		}
		if right < without {
			t.Errorf("%s: %d of %d right, %d without the `index` line", c.name, right, n, without)
		}
	}
}

// named returns a trial whose patch names the blobs of the file before and after.
func named(t trial) trial {
	t.opt.OldBlob, t.opt.NewBlob = blobOf(t.src)[:7], blobOf(t.truth)[:7]
	return t
}

// If a patch names the blobs, it is refused when lines are altered or its end is missing.
func TestAltered(t *testing.T) {
	refused := 0
	for round := range trials.Rounds(t, 60) {
		r := rand.New(rand.NewPCG(7, uint64(round)))
		tr := named(newTrial(r, nil))
		whole := tr.body
		if tr.body = altered(r, whole); tr.body == whole {
			continue
		}
		tr = tr.fixedBody(t)
		got, out := applyTarget(t, tr.target(), tr.body, tr.opt)
		if !diag.HasErrors(out.Problems) && got != tr.truth {
			t.Fatalf("round %d: no error\n--- file\n%s--- patch\n%s--- got\n%s", round, tr.src, tr.body, got)
		}
		if strings.Contains(codes(out.Problems), string(diag.GitResultDiffers)) {
			refused++
		}
	}
	if refused < 10 {
		t.Errorf("%d patches are refused by their `index` line", refused)
	}
}

func altered(r *rand.Rand, body string) string {
	if hunks := parse(body); r.IntN(3) == 0 && len(hunks) > 1 {
		return body[:hunks[len(hunks)-1].At.Start]
	}
	return eachLine(body, func(op byte, line string) string {
		if op == '+' && r.IntN(3) == 0 {
			return "+" + strings.TrimLeft(line[1:], " ") + "x\n"
		}
		return line
	})
}
