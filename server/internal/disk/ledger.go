package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A phase is the progress of a transaction. It is part of the file name of the journal. The next phase therefore begins
// with a rename, which is atomic and works even if the disk is full.
type phase string

const (
	none     phase = ""
	staging  phase = "staging"  // no file has changed yet
	applying phase = "applying" // some files may have changed
	applied  phase = "applied"  // all files have changed
)

// A ledger manages the journal file of one root, and the lock on that root.
type ledger struct {
	dir, key string
	root     *Root
	lock     *flock.Flock
	phase    phase // the phase of the journal, if this process wrote it
}

// lockPoll is the pause between two attempts to lock a root. Polling is necessary, because no system call both waits
// for a lock and can be cancelled.
const lockPoll = 20 * time.Millisecond

func journalDir(stateDir string) string { return filepath.Join(stateDir, "transactions") }

func openLedger(ctx context.Context, stateDir string, r *Root) (*ledger, error) {
	dir := journalDir(stateDir)
	if err := r.makeDirSynced(dir); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	if err := CheckPrivate(stateDir); err != nil {
		return nil, err
	}
	l := newLedger(dir, r.ledgerKey())
	l.root = r
	if _, err := l.lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, fmt.Errorf("lock %s: %w", r.dir, err)
	}
	return l, nil
}

func (r *Root) ledgerKey() string { return ledgerKey(r.dir) }

// ledgerKey returns the name of the journal for a root. `dir` is the absolute path of the root, with links resolved.
func ledgerKey(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:16])
}

var keyForm = lazyregexp.New(`^[0-9a-f]{32}$`)

func newLedger(dir, key string) *ledger {
	// The lock file is never removed. Otherwise one process could lock the removed file while another locks a new file
	// with the same name.
	return &ledger{dir: dir, key: key, lock: flock.New(filepath.Join(dir, key+".lock"))}
}

func (l *ledger) close() { _ = l.lock.Close() }

func (l *ledger) file(p phase) string {
	return filepath.Join(l.dir, l.key+"."+string(p)+".json")
}

func (l *ledger) temp() string { return filepath.Join(l.dir, l.key+".tmp") }

func (l *ledger) find() (*journal, phase, error) {
	for _, p := range []phase{staging, applying, applied} {
		if j, err := l.read(p); j != nil || err != nil {
			return j, p, err
		}
	}
	return nil, none, nil
}

func (l *ledger) read(p phase) (*journal, error) {
	if info, err := os.Stat(l.file(p)); err == nil && info.Size() > mostJournal {
		return nil, l.refuse(p, errors.New("it is too large to be a journal"))
	}
	data, err := os.ReadFile(l.file(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, l.refuse(p, err)
	}
	if j.Version < 1 || j.Version > journalVersion {
		return nil, fmt.Errorf("journal %s: version %d was written by another release of Aptix; start that release once, so that it can finish or undo the interrupted change", l.file(p), j.Version)
	}
	if err := l.check(&j, p); err != nil {
		return nil, err
	}
	return &j, nil
}

// mostJournal limits the size of a journal, in bytes, because a planted journal must not fill the memory.
const mostJournal = 256 << 20

func (l *ledger) create(j *journal) error {
	data, err := json.Marshal(j)
	if err == nil && len(data) > mostJournal {
		err = errors.New("the change has too many files to be made at once; split it into several changes")
	}
	if err != nil {
		return err
	}
	if err := l.root.writeSynced(l.temp(), string(data)); err != nil {
		return err
	}
	if err := l.rename(l.temp(), l.file(staging)); err != nil {
		return err
	}
	l.phase = staging
	return l.root.syncDir(l.dir)
}

func (l *ledger) rename(from, to string) error {
	return l.root.do(operation{opRename, from, to}, func() error { return os.Rename(from, to) })
}

// advance begins the next phase. After the rename to "applied", the change is kept. If the power fails before that
// rename has reached the disk, the next start undoes the whole change.
func (l *ledger) advance(to phase) error {
	if err := l.rename(l.file(l.phase), l.file(to)); err != nil {
		return err
	}
	l.phase = to
	if err := l.root.syncDir(l.dir); err != nil && to != applied {
		return err
	}
	return nil
}

func (l *ledger) remove() error {
	for _, name := range []string{l.temp(), l.file(staging), l.file(applying), l.file(applied)} {
		if err := l.removeFile(name); err != nil {
			return err
		}
	}
	return l.root.syncDir(l.dir)
}

func (l *ledger) removeFile(name string) error {
	err := l.root.do(operation{kind: opRemove, path: name}, func() error { return os.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
