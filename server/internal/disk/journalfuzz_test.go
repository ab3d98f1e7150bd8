package disk

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// Whatever the journal, a recovery changes nothing outside its root or in .git, and a second
// recovery has nothing left to change. ROOT stands for the root of the journal.
func FuzzJournal(f *testing.F) {
	const temp, backup = ".aptix-AAAAAAAAAAAAAAAA-0.new", ".aptix-AAAAAAAAAAAAAAAA-0.old"
	v := newVersion(0o644, text.Sum("keep"))
	for _, j := range []journal{
		{Ops: []entry{{Path: "keep.txt", Before: v, After: newVersion(0o644, text.Sum("other")), Temp: temp, Backup: backup}}},
		{Ops: []entry{{Path: "d/a", After: v, Temp: "d/" + temp}, {Path: ".git/keep", Before: v, Backup: ".git/" + backup}}},
		{Made: []string{"d", "d/e"}, Pruned: []folder{{"../out", 0o777}, {"p", 0o755}}},
	} {
		j.Version, j.Root = journalVersion, "ROOT"
		data, err := json.Marshal(j)
		if err != nil {
			f.Fatal(err)
		}
		for phase := range phases {
			f.Add(uint(phase), string(data))
		}
	}
	f.Fuzz(func(t *testing.T, phase uint, data string) {
		outside, state := t.TempDir(), t.TempDir()
		gittest.Lay(t, outside, map[string]string{"root/keep.txt": "keep", "root/.git/keep": "keep", "root/.git/" + backup: "keep", "root/" + backup: "keep", "root/d/" + temp: "keep", "keep": "keep"})
		root := open(t, filepath.Join(outside, "root"))
		written, err := json.Marshal(root.Dir())
		if err != nil {
			t.Fatal(err)
		}
		file := plant(t, state, root.ledgerKey(), phases[phase%uint(len(phases))], journal{})
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(data, `"ROOT"`, string(written))), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = Recover(state)
		once := picture(t, outside)
		for _, name := range []string{"keep", "root/.git/keep", "root/.git/" + backup} {
			if _, err := os.Lstat(filepath.Join(outside, name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, _ = Recover(state)
		same(t, "after a second recovery", picture(t, outside), once)
	})
}

// phases lists the phases in which a start follows a journal.
var phases = []phase{staging, applying, applied, leftover.number(1)}
