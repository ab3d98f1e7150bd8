package place

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/artifact"
)

// Restoring a change turns its old passage into the text of the file. The result is certain only if the new passage is
// restored, too.
func TestRestored(t *testing.T) {
	const old, new = "def stop(now):\n    wait(now < 1)\n", "def stop(now):\n    wait(now < 2)\n"
	for _, tt := range []struct {
		name      string
		old, new  string
		by        *artifact.Artifact
		want      string
		sure, not bool
	}{
		{name: "numbers", old: "3 | def stop(now):\n4 |     wait(now < 1)\n", new: "3 | def stop(now):\n4 |     wait(now < 2)\n", by: &artifact.LineNumber, want: new, sure: true},
		{name: "numbers that repeat", old: "3 | def stop(now):\n4 |     wait(now < 1)\n", new: "3 | def stop(now):\n3 |     wait(now < 2)\n4 |     wait(now < 1)\n", by: &artifact.LineNumber, want: "def stop(now):\n    wait(now < 2)\n    wait(now < 1)\n", sure: true},
		{name: "a new line without its number", old: "3 | def stop(now):\n4 |     wait(now < 1)\n", new: "3 | def stop(now):\n4 |     wait(now < 2)\n    rest()\n", by: &artifact.LineNumber, want: "def stop(now):\n    wait(now < 2)\n    rest()\n", sure: true},
		{name: "plain new lines", old: "3 | def stop(now):\n4 |     wait(now < 1)\n", new: new, by: &artifact.LineNumber, want: new, sure: true},
		{name: "numbers and entities", old: "3 | def stop(now):\n4 |     wait(now &lt; 1)\n", new: "3 | def stop(now):\n4 |     wait(now &lt; 2)\n", by: &artifact.LineNumber, want: new, sure: true},
		{name: "nothing", old: "def halt():\n", new: new, not: true},
	} {
		ok := false
		for was := range (Change{Old: tt.old, New: tt.new}).Restored(nil, artifact.Undoable()) {
			if ok = strings.TrimSpace(was.Old) == strings.TrimSpace(old); ok {
				if was.New != tt.want || was.By != tt.by || was.Sure != tt.sure {
					t.Errorf("%s: %+v", tt.name, was)
				}
				break
			}
		}
		if ok == tt.not {
			t.Errorf("%s: %v", tt.name, ok)
		}
	}
}
