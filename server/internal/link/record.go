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

// A record holds the information by which others find a running language server.
type record struct {
	PID     int      `json:"pid"` // the process, which is shown to people
	Version string   `json:"version"`
	Socket  string   `json:"socket"`  // absolute path
	Folders []string `json:"folders"` // absolute paths, with links resolved

	name string    // the path of the files without the extension
	seen time.Time // the time at which a person was last active in this editor
}

const (
	recordFile = ".json"
	lockFile   = ".lock"
	socketFile = ".sock"
)

// ours matches the names that [Listen] gives to its files.
var ours = lazyregexp.New(`^[A-Z2-7]{8}$`)

// plain reports whether the record and the lock with this name are regular files, or do not exist. If a lock is a link,
// opening it could create a file outside the folder.
func plain(name string) bool {
	for _, end := range []string{recordFile, lockFile} {
		if info, err := os.Lstat(name + end); !errors.Is(err, fs.ErrNotExist) && (err != nil || !info.Mode().IsRegular()) {
			return false
		}
	}
	return true
}

func runDir(stateDir string) string { return filepath.Join(stateDir, "run") }

// living returns the records of all running servers, and removes the files of servers that no
// longer run. It returns an error if the folder is missing, or if other users can enter it.
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
			// Skip files of other programs: the state folder may be in a workspace that the person downloaded.
			continue
		}
		if r, err := readRecord(filepath.Join(dir, name)); err == nil && !r.swept() {
			all = append(all, r)
		}
	}
	return all, nil
}

// mostRecord limits the size of a record, in bytes. A record that another program planted must not fill the memory.
const mostRecord = 1 << 20

func readRecord(name string) (record, error) {
	r := record{name: name}
	info, err := os.Stat(name + recordFile)
	if err == nil && info.Size() > mostRecord {
		err = fmt.Errorf("%s%s is too large to be the record of a running editor", name, recordFile)
	}
	if err != nil {
		return r, err
	}
	data, err := os.ReadFile(name + recordFile)
	if err != nil {
		return r, err
	}
	r.seen = info.ModTime()
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s%s: %w", name, recordFile, err)
	}
	return r, nil
}

// swept removes the files of a server that no longer runs. It returns false, and removes nothing, if the server may
// still run.
func (r record) swept() bool {
	lock := flock.New(r.name+lockFile, flock.SetPermissions(0o600))
	defer lock.Close()
	if gone, err := lock.TryLock(); err != nil || !gone {
		return false
	}
	r.remove()
	return true
}

// remove deletes the files of a record. The caller must hold the lock. remove deletes the record first, so that nobody
// looks for the other files. It deletes a socket outside the run folder only if the socket's folder has the name that
// [socketDir] derives from the record.
func (r record) remove() {
	_ = os.Remove(r.name + recordFile)
	_ = os.Remove(r.name + socketFile)
	if dir := filepath.Dir(r.Socket); filepath.IsAbs(dir) && filepath.Base(dir) == socketDir(r.name) {
		_ = os.Remove(filepath.Join(dir, "s"+socketFile))
		_ = os.Remove(dir) // this fails if the folder contains anything else
	}
	_ = os.Remove(r.name + lockFile)
}

// socketDir returns the name of the folder for a socket whose path next to the record would be too long.
func socketDir(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "aptix-" + hex.EncodeToString(sum[:8])
}

func (r record) write() error {
	data, err := json.Marshal(r)
	if err == nil && len(data) > mostRecord {
		err = errors.New("the editor has too many folders open")
	}
	if err != nil {
		return err
	}
	next := r.name + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, r.name+recordFile)
}

// fits rates how well a server fits the roots of an agent: it returns the sum of the lengths of the folders that
// contain the roots, so an inner folder is better than an outer folder. It returns -1 if any root is in none of the
// server's folders. A folder inside a root does not count, because a path below the root may lead out of that folder.
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

// serving returns the records of the servers that fit the roots of an agent, the best first: see [record.fits]. Of
// equal servers, the server that the person used last comes first.
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

// resolve returns the path of a folder in the form of the records: absolute, with links resolved.
func resolve(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}
