package disk

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// In these phases, the change of a journal was completed or undone, but not all temp files or backups could be removed,
// for example because a virus scanner had one open. In the file name, a number follows the phase. The journal does not
// prevent other changes. Each start tries again to remove the files.
const (
	leftover phase = "leftover"
	reported phase = "reported" // a leftover that an earlier start has already reported in a [Recovered]
)

// A heldError means that a change or a rollback is complete, except that its clean-up failed.
type heldError struct {
	names []string // the temp files and backups that could not be removed; empty if only a sync failed
	cause error
}

func (e *heldError) Error() string { return e.cause.Error() }
func (e *heldError) Unwrap() error { return e.cause }

// A stuckError means that a journal can be neither removed nor renamed. Its change was completed or undone, but the
// journal has the name that the next change in its root needs.
type stuckError struct {
	file  string
	cause error
}

func (e *stuckError) Error() string {
	return fmt.Sprintf("an earlier change has ended, but its journal %s can be neither removed nor renamed, perhaps because another program has it open. Nothing else is applied here until it can be removed: %v", e.file, e.cause)
}

func (e *stuckError) Unwrap() error { return e.cause }

// end removes the journal of phase `p` after its transaction was completed or undone with the result `err`. If only the
// clean-up failed, end renames the journal to a leftover instead. If a file in `left` still needs its backup, end keeps
// the journal, because a leftover does not list the backups to keep. The error may be a [stuckError].
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
	if err := l.rename(l.file(from), l.file(to)); err != nil {
		return err
	}
	return l.root.syncDir(l.dir)
}

// retry tries to remove the files of each leftover of the root. It returns the leftovers that were not reported before.
// Every error is a [JournalError], because no other error here may prevent a start.
func (l *ledger) retry(h hooks) (held []Recovered, err error) {
	var errs []error
	for _, kind := range []phase{leftover, reported} {
		for _, p := range l.numbered(kind) {
			r, err := l.retryOne(p, h)
			if refused, ok := errors.AsType[*JournalError](err); ok {
				errs = append(errs, refused)
			}
			if r != nil && kind == leftover {
				// If this rename fails, the next start reports the leftover again.
				_ = l.become(p, reported+p[len(leftover):])
				held = append(held, *r)
			}
		}
	}
	return held, errors.Join(errs...)
}

// numbered returns the existing phases of one kind, such as `leftover.1` and `leftover.2`.
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

// retryOne tries to remove the files of one leftover. It returns the files that other programs still have open, or nil.
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
