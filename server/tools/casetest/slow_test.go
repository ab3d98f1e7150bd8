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

// TestSlowEditor runs cases in an editor that takes ten seconds for each step: an eighth of those
// that can run in an editor, and each night all of them. The results and messages must
// be the same as in a quick one.
func TestSlowEditor(t *testing.T) {
	var editor []*Case
	for i, c := range Load(t, repoDir) {
		if i%trials.OneIn(8) == 0 && usesEditor(c) && c.Names == "" {
			editor = append(editor, c)
		}
	}
	together := 50 // number of cases in one test, because making the test's clock takes longer than a case
	if runtime.GOOS == "windows" || lsptest.RealTime() {
		together = 1 // on Windows some cases are skipped; in real time all run at the same time
	}
	for i, some := range slices.Collect(slices.Chunk(editor, together)) {
		t.Run(fmt.Sprint(i*together+1), func(t *testing.T) {
			lsptest.InSlowMotion(t, func(t *testing.T, slow time.Duration) {
				for _, c := range some {
					throughEditor(t, c, lsptest.UnreachableState(t), slow)
					if t.Failed() {
						t.Fatalf("in the case %s", c.Name)
					}
				}
			})
		})
	}
}
