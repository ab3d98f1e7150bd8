package disk

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// The phases of a journal whose change was completed or taken back, but whose temps or backups could
// not all be removed, for example because a virus scanner held one. A number follows the name of the
// phase. Such a journal does not prevent other changes, and each start tries again to remove the
// files.
const (
	leftover phase = "leftover"
	reported phase = "reported" // a leftover that some start has already reported in a [Recovered]
)

// A heldError means that the clean-up failed. All files of the change itself are right.
type heldError struct {
	names []string // temps and backups that could not be removed; empty if only a sync failed
	cause error
}

func (e *heldError) Error() string { return e.cause.Error() }
func (e *heldError) Unwrap() error { return e.cause }

// A stuckError means that a journal can be neither removed nor set aside. The change of the journal is complete
// or taken back, but the next change of its root cannot write a journal under that name.
type stuckError struct {
	file  string
	cause error
}

func (e *stuckError) Error() string {
	return fmt.Sprintf("an earlier change has ended, but its journal %s can be neither removed nor renamed, perhaps because another program has it open. Nothing else is applied here until it can be removed: %v", e.file, e.cause)
}

func (e *stuckError) Unwrap() error { return e.cause }

// end removes the journal in phase p, after its transaction was completed, or was taken back with err.
// If only the clean-up failed, end sets the journal aside as a leftover. It does not do so if the
// backups of files in left must be kept, because a journal cannot record that. The error may be a
// [stuckError].
func (l *ledger) end(p phase, left []Left, err error) error {
	if err == nil {
		if err = l.remove(); err == nil || !l.has(p) {
			return err
		}
		err = &heldError{cause: err}
	}
	if _, ok := errors.AsType[*heldError](err); !ok {
		return err
	}
	for _, f := range left {
		if f.Backup != "" {
			return err
		}
	}
	if aside := l.setAside(p); aside != nil {
		return &stuckError{l.file(p), errors.Join(err, aside)}
	}
	return nil
}

// setAside makes the journal in phase p a leftover.
func (l *ledger) setAside(p phase) error {
	for n := 1; ; n++ {
		if l.has(leftover.number(n)) || l.has(reported.number(n)) {
			continue
		}
		return l.become(p, leftover.number(n))
	}
}

func (p phase) number(n int) phase { return phase(fmt.Sprintf("%s.%d", p, n)) }

func (l *ledger) has(p phase) bool {
	_, err := os.Lstat(l.file(p))
	return !fspath.Missing(err)
}

func (l *ledger) become(from, to phase) error {
	if err := l.root.atStep("rename journal"); err != nil {
		return err
	}
	if err := l.rename(l.file(from), l.file(to)); err != nil {
		return err
	}
	return l.root.syncDir(l.dir)
}

// retry tries to clean up after each leftover of the root. It returns the leftovers that are
// reported for the first time. The error may only be a [JournalError], because no other
// failure prevents a start.
func (l *ledger) retry(h hooks) (held []Recovered, err error) {
	var errs []error
	for _, kind := range []phase{leftover, reported} {
		for _, p := range l.numbered(kind) {
			r, err := l.retryOne(p, h)
			if refused, ok := errors.AsType[*JournalError](err); ok {
				errs = append(errs, refused)
			}
			if r != nil && kind == leftover {
				// If the rename fails, the next start reports the leftover again.
				_ = l.become(p, reported+p[len(leftover):])
				held = append(held, *r)
			}
		}
	}
	return held, errors.Join(errs...)
}

// numbered returns the existing journals of one kind.
func (l *ledger) numbered(kind phase) (all []phase) {
	files, _ := os.ReadDir(l.dir)
	for _, f := range files {
		rest, ours := strings.CutPrefix(f.Name(), l.key+".")
		if p, ok := strings.CutSuffix(rest, ".json"); ours && ok && strings.HasPrefix(p, string(kind)+".") {
			all = append(all, phase(p))
		}
	}
	return all
}

// retryOne cleans up after one leftover, and returns the files that are still held.
func (l *ledger) retryOne(p phase, h hooks) (*Recovered, error) {
	j, err := l.read(p)
	if j == nil {
		return nil, err
	}
	root, err := l.open(j, p, h)
	if root == nil {
		return nil, err
	}
	defer root.Close()
	err = root.removeStaged(j, nil)
	if failed, ok := errors.AsType[*heldError](err); ok && len(failed.names) > 0 {
		return &Recovered{Root: j.Root, Held: failed.names}, nil
	}
	if err == nil {
		err = l.removeFile(l.file(p))
	}
	return nil, err
}
