package apply

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// Recover undoes changes that a crash interrupted, and passes messages about them to `say`. A tree that cannot be
// restored can still be read, but no program changes it.
func Recover(stateDir string, say func(string), asked ...string) []disk.Recovered {
	done, err := disk.Recover(stateDir, asked...)
	if err != nil {
		say(err.Error())
	}
	for _, r := range done {
		switch left := r.Leftover(); {
		case left != "":
			say(left)
		case r.Done:
			say(r.Root + ": an earlier change was interrupted after all files were written; the change is kept")
		default:
			say(fmt.Sprintf("%s: an earlier change was interrupted; %d files were restored", r.Root, len(r.Restored)))
			for _, l := range r.Left {
				say(l.String())
			}
		}
	}
	return done
}

// OpenHistory opens the history. A damaged history is moved aside, and `say` gets a message about that.
func OpenHistory(stateDir string, say func(string)) (*history.Store, error) {
	h, err := history.Open(stateDir)
	if err == nil && h.Aside != "" {
		say(fmt.Sprintf("the history was damaged: it was moved to %s, and a new history was created", h.Aside))
	}
	return h, err
}
