package link

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A record is how a running language server is found.
type record struct {
	PID     int      `json:"pid"` // for people
	Version string   `json:"version"`
	Socket  string   `json:"socket"`  // absolute
	Folders []string `json:"folders"` // absolute, with links resolved

	name string    // the path of its files without extension
	seen time.Time // when a person was last seen there
}

const (
	recordFile = ".json"
	lockFile   = ".lock"
	socketFile = ".sock"
)

// ours are the names that [Listen] gives.
var ours = lazyregexp.New(`^[A-Z2-7]{8}$`)

// plain reports whether the record and the lock of a name are files if they are there: a
// link would have the lock made elsewhere.
func plain(name string) bool {
	for _, end := range []string{recordFile, lockFile} {
		if info, err := os.Lstat(name + end); !errors.Is(err, fs.ErrNotExist) && (err != nil || !info.Mode().IsRegular()) {
			return false
		}
	}
	return true
}

func runDir(stateDir string) string { return filepath.Join(stateDir, "run") }

// living are the records of all servers that run. The files of others are removed.
// An error is a folder that is not there, or not ours alone.
func living(stateDir string) ([]record, error) {
	dir := runDir(stateDir)
	if err := private(dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []record
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), recordFile)
		if !ok || !ours.MatchString(name) || !plain(filepath.Join(dir, name)) {
			continue // nobody's, as the folder may have come with a workspace
		}
		if r, err := readRecord(filepath.Join(dir, name)); err == nil && !r.swept() {
			all = append(all, r)
		}
	}
	return all, nil
}

func readRecord(name string) (record, error) {
	r := record{name: name}
	data, err := os.ReadFile(name + recordFile)
	if err != nil {
		return r, err
	}
	info, err := os.Stat(name + recordFile)
	if err != nil {
		return r, err
	}
	r.seen = info.ModTime()
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s%s: %w", name, recordFile, err)
	}
	return r, nil
}

// swept removes the files of a server that runs no longer, and reports whether it
// did. Where the lock cannot be asked, nothing is removed.
func (r record) swept() bool {
	lock := flock.New(r.name+lockFile, flock.SetPermissions(0o600))
	defer lock.Close()
	if gone, err := lock.TryLock(); err != nil || !gone {
		return false
	}
	r.remove()
	return true
}

// remove needs the lock. The record goes first: then nobody looks for the rest. Of the
// socket's path only what the name of the record gives is followed.
func (r record) remove() {
	_ = os.Remove(r.name + recordFile)
	_ = os.Remove(r.name + socketFile)
	if dir := filepath.Dir(r.Socket); filepath.IsAbs(dir) && filepath.Base(dir) == socketDir(r.name) {
		_ = os.Remove(filepath.Join(dir, "s"+socketFile))
		_ = os.Remove(dir) // with anything else in it, it stays
	}
	_ = os.Remove(r.name + lockFile)
}

// socketDir is the name of a folder for the socket alone.
func socketDir(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "aptix-" + hex.EncodeToString(sum[:8])
}

// write replaces the record's file as a whole.
func (r record) write() error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	next := r.name + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, r.name+recordFile)
}

// fits is how well a server fits the roots of an agent: the number of characters of
// its folders that hold them, so that an inner folder beats an outer one. It is
// negative where a root is in none of its folders. A folder inside of a root does
// not do: paths from the root would lead out of it.
func (r record) fits(roots []string) int {
	sum := 0
	for _, root := range roots {
		best := -1
		for _, folder := range r.Folders {
			if rel, err := filepath.Rel(folder, root); err == nil && filepath.IsLocal(rel) {
				best = max(best, len(folder))
			}
		}
		if best < 0 {
			return -1
		}
		sum += best
	}
	return sum
}

// serving are the records of servers for the roots of an agent, the best first: those
// with the innermost folders, and of these the one in which the person was last.
func serving(all []record, roots []string) []record {
	fit := slices.DeleteFunc(slices.Clone(all), func(r record) bool { return r.fits(roots) < 0 })
	slices.SortStableFunc(fit, func(a, b record) int {
		if d := b.fits(roots) - a.fits(roots); d != 0 {
			return d
		}
		return b.seen.Compare(a.seen)
	})
	return fit
}

// resolve is a folder as records have it.
func resolve(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}
