package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Recovered describes how Recover ended an interrupted transaction.
type Recovered struct {
	ID   string
	Root string // the absolute path of the workspace
	// Done is true if all files had been changed. Recover then kept the change, and removed only temp files and
	// backups. Otherwise it restored the old tree, except for the files in Left.
	Done     bool
	Restored []string // the files that were restored, by path from the root
	Left     []Left   // the files that another program had changed in the meantime
	// Held lists temp files and backups that could not be removed. If it is not empty, only Root is set as well,
	// because the change itself was reported before. Later starts try again to remove these files, but do not report
	// them again.
	Held []string
}

func (r Recovered) Leftover() string {
	if len(r.Held) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: temporary files of an earlier change could not be removed, perhaps because another program has them open. Each start tries again: %s", r.Root, strings.Join(r.Held, ", "))
}

// Recover ends every transaction that a crash or a loss of power interrupted, in all workspaces, and returns them.
// Every command calls Recover first. It leaves alone:
//
//   - the transactions of running processes
//   - the transactions in missing folders, because their drive may come back
//   - a journal for a folder outside the folders `asked`, if that folder has no temp file or backup of the transaction:
//     perhaps the transaction never existed
//
// A crash during Recover does no harm. After an error, some workspaces are left as they are, and all others are
// restored. The error may be a [JournalError], or an error of [CheckPrivate]. The program can continue, because
// [Root.Commit] refuses to change the workspaces that are not restored.
func Recover(stateDir string, asked ...string) ([]Recovered, error) {
	return recoverAll(stateDir, hooks{wait: &wait{}}, asked...)
}

func recoverAll(stateDir string, h hooks, asked ...string) (done []Recovered, err error) {
	if err := CheckPrivate(stateDir); err != nil {
		return nil, err
	}
	dir := journalDir(stateDir)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	var keys []string
	for _, f := range files {
		key, kind, _ := strings.Cut(f.Name(), ".")
		if kind != "lock" && keyForm.MatchString(key) && !strings.HasSuffix(kind, refused) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	var errs []error
	for _, key := range keys {
		r, err := recoverOne(newLedger(dir, key), h, asked)
		done = append(done, r...)
		errs = append(errs, err)
	}
	return done, errors.Join(errs...)
}

// Interrupted reports whether a transaction is changing files of the root now, or was interrupted and is not yet
// undone. In both cases, the files may be a mix of old and new ones.
func (r *Root) Interrupted(stateDir string) (bool, error) {
	_, err := os.Stat(newLedger(journalDir(stateDir), r.ledgerKey()).file(applying))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func recoverOne(l *ledger, h hooks, asked []string) ([]Recovered, error) {
	locked, err := l.lock.TryLock()
	if err != nil || !locked {
		return nil, err
	}
	defer l.close()
	l.root = &Root{hooks: h}
	done, err := l.recover(h, asked)
	if err != nil {
		return done, err
	}
	held, err := l.retry(h)
	return append(done, held...), err
}

func (l *ledger) recover(h hooks, asked []string) ([]Recovered, error) {
	j, p, err := l.find()
	if err != nil {
		return nil, err
	}
	// Without a complete journal, the transaction has ended in the meantime, or never began.
	if p == none {
		return nil, l.remove()
	}
	root, err := l.open(j, p, h)
	if root == nil {
		return nil, err
	}
	defer root.Close()
	if follow, err := l.mayFollow(root, j, p, asked); err != nil || !follow {
		return nil, err
	}
	r, err := root.finish(j, p)
	err = l.end(p, r.Left, err)
	if _, stuck := errors.AsType[*stuckError](err); stuck {
		return nil, fmt.Errorf("%s: %w", j.Root, err)
	}
	if err != nil {
		return nil, fmt.Errorf("restore %s (journal %s): %w", j.Root, l.file(p), err)
	}
	return []Recovered{*r}, nil
}

func (l *ledger) open(j *journal, p phase, h hooks) (*Root, error) {
	root, err := Open(j.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// A link has replaced the folder.
	if root.ledgerKey() != l.key {
		_ = root.Close()
		return nil, l.refuse(p, fmt.Errorf("the folder %s now leads to %s", j.Root, root.dir))
	}
	root.hooks = h
	return root, nil
}

func (r *Root) finish(j *journal, p phase) (*Recovered, error) {
	rec := &Recovered{ID: j.ID, Root: j.Root, Done: p == applied}
	if p != applying {
		return rec, r.removeStaged(j, nil)
	}
	b, err := r.rollBack(j)
	slices.Sort(b.restored)
	rec.Restored, rec.Left = b.restored, b.left
	return rec, err
}
