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
)

// A journal says all that is needed to go back from the middle of a transaction.
// It is written before the first file, and never changed.
type journal struct {
	Version int      `json:"version"`
	ID      string   `json:"id"`
	Root    string   `json:"root"` // absolute path
	Ops     []entry  `json:"ops"`
	Made    []string `json:"made,omitempty"`   // directories to make, parents first
	Pruned  []folder `json:"pruned,omitempty"` // directories to remove if empty, parents first
}

// journalVersion is 2 since files may be symbolic links, which a program of
// version 1 would take for somebody else's. A journal of version 1 means the same
// in both.
const journalVersion = 2

// An entry is one op in a journal.
type entry struct {
	Path   string   `json:"path"`
	Before *version `json:"before"` // nil where there is no file
	After  *version `json:"after"`
	Temp   string   `json:"temp,omitempty"`   // holds the new content until it takes the path's place
	Backup string   `json:"backup,omitempty"` // holds the old one
}

// A version tells the contents of a file apart.
type version struct {
	SHA256 string      `json:"sha256"` // of a link's target, where it is one
	Mode   fs.FileMode `json:"mode"`   // of a link the type alone
}

// versionOf is a content of such a mode, whose digest is still to be made.
func versionOf(mode fs.FileMode) *version {
	if mode.Type() == fs.ModeSymlink {
		mode = fs.ModeSymlink
	}
	return &version{Mode: mode}
}

// like reports whether both are the same but for permissions.
func (v *version) like(o *version) bool {
	return v.SHA256 == o.SHA256 && v.Mode.Type() == o.Mode.Type()
}

func (v *version) isDir() bool { return v.Mode.IsDir() }

type folder struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode"`
}

// is reports whether now, which is nil where nothing stands, is want. Modes
// count only where nothing else tells before from after: umask and Windows
// make others of them.
func (e *entry) is(now, want *version) bool {
	if now == nil || want == nil {
		return now == want
	}
	modeOnly := e.Before != nil && e.After != nil && e.Before.like(e.After)
	return now.like(want) && (!modeOnly || sameMode(now.Mode, want.Mode))
}

// A phase is part of a journal's file name, so that moving on is one rename: it
// needs no room on a full disk, and is made or not.
type phase string

const (
	none     phase = ""
	staging  phase = "staging"  // no file of the person's was touched
	applying phase = "applying" // some may be new
	applied  phase = "applied"  // all are
)

// A ledger is the place of one root's journal, locked against all others.
type ledger struct {
	dir, key string
	root     *Root
	lock     *flock.Flock
	phase    phase // of the journal that this process created
}

// lockPoll is how often to ask for a lock that another process holds. Locks of
// the system cannot be waited for and given up at the same time.
const lockPoll = 20 * time.Millisecond

func journalDir(stateDir string) string { return filepath.Join(stateDir, "transactions") }

func openLedger(ctx context.Context, stateDir string, r *Root) (*ledger, error) {
	dir := journalDir(stateDir)
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	l := newLedger(dir, r.ledgerKey())
	l.root = r
	if _, err := l.lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, fmt.Errorf("lock %s: %w", r.dir, err)
	}
	return l, nil
}

func (r *Root) ledgerKey() string {
	sum := sha256.Sum256([]byte(r.dir))
	return hex.EncodeToString(sum[:16])
}

func newLedger(dir, key string) *ledger {
	// The lock's file stays: to remove it would let two processes lock two files of one name.
	return &ledger{dir: dir, key: key, lock: flock.New(filepath.Join(dir, key+".lock"))}
}

func (l *ledger) close() { _ = l.lock.Close() }

func (l *ledger) file(p phase) string {
	return filepath.Join(l.dir, l.key+"."+string(p)+".json")
}

// temp is what a journal is called while it is being written.
func (l *ledger) temp() string { return filepath.Join(l.dir, l.key+".tmp") }

// find reads the journal that an earlier transaction left; there is at most one.
func (l *ledger) find() (*journal, phase, error) {
	for _, p := range []phase{staging, applying, applied} {
		data, err := os.ReadFile(l.file(p))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, none, err
		}
		var j journal
		if err := json.Unmarshal(data, &j); err != nil {
			return nil, none, fmt.Errorf("journal %s: %w", l.file(p), err)
		}
		if j.Version < 1 || j.Version > journalVersion {
			return nil, none, fmt.Errorf("journal %s: version %d, of another release of this program; start that one once", l.file(p), j.Version)
		}
		return &j, p, nil
	}
	return nil, none, nil
}

func (l *ledger) create(j *journal) error {
	data, err := json.MarshalIndent(j, "", "\t")
	if err != nil {
		return err
	}
	if err := l.root.at("write journal"); err != nil {
		return err
	}
	if err := writeSynced(l.temp(), data); err != nil {
		return err
	}
	if err := l.root.at("create journal"); err != nil {
		return err
	}
	if err := os.Rename(l.temp(), l.file(staging)); err != nil {
		return err
	}
	l.phase = staging
	return syncDir(l.dir)
}

// advance moves to the next phase. The rename to applied is the point of no
// return: should it not reach the disk before power is lost, the next start
// takes the whole change back.
func (l *ledger) advance(to phase) error {
	if err := l.root.at("advance journal"); err != nil {
		return err
	}
	if err := os.Rename(l.file(l.phase), l.file(to)); err != nil {
		return err
	}
	l.phase = to
	if err := syncDir(l.dir); err != nil && to != applied {
		return err
	}
	return nil
}

// remove drops the journal, in whatever phase it is.
func (l *ledger) remove() error {
	if err := l.root.at("remove journal"); err != nil {
		return err
	}
	for _, name := range []string{l.temp(), l.file(staging), l.file(applying), l.file(applied)} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncDir(l.dir)
}
