package casetest

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// TestSlowEditor runs all cases that can run in an editor in one that takes ten seconds for
// each step. The results and messages must be the same as in a quick one.
func TestSlowEditor(t *testing.T) {
	editor := slices.DeleteFunc(Load(t, repoDir), func(c *Case) bool { return !usesEditor(c) || c.Names != "" })
	together := 50 // number of cases in one test, because making the test's clock takes longer than a case
	if runtime.GOOS == "windows" || lsptest.RealTime() {
		together = 1 // on Windows some cases are skipped; in real time all run at the same time
	}
	for i, some := 0, editor; len(some) > 0; i++ {
		n := min(together, len(some))
		if trials.Few() && i%10 > 0 {
			some = some[n:]
			continue
		}
		t.Run(fmt.Sprint(i*together+1), func(t *testing.T) {
			lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) {
				for _, c := range some[:n] {
					throughEditor(t, c, lsptest.UnreachableState(t), slow)
					if t.Failed() {
						t.Fatalf("in the case %s", c.Name)
					}
				}
			})
		})
		some = some[n:]
	}
}
