package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"time"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// coarsestTime is longer than the resolution of the timestamps of any file system. The coarsest resolution is two
// seconds, on FAT. That of ext4 and NTFS is fine, but Linux advances the time of files only every few milliseconds.
const coarsestTime = 3 * time.Second

// A write is an op that changes something, together with the state of its file on disk.
type write struct {
	entry
	data string      // the content after the change
	seen fs.FileInfo // the file before the change, or nil
	// recent is true if the file had just been written when it was compared. A later change may then have the same
	// time.
	recent bool
	done   bool
	like   *write // the write whose file gives the new file its owner, mode and attributes; or nil
}

// newWrite returns the write for `op`. `seen` is the file on disk. `differs` is false if the op changes nothing.
func newWrite(op Op, sums text.Sums, seen fs.FileInfo) (w write, differs bool) {
	w = write{entry: entry{Path: op.Path}, seen: seen}
	if op.After != nil {
		w.data, w.After = op.After.Data, newVersion(w.newMode(op), sums.After)
	}
	if seen == nil {
		return w, op.After != nil
	}
	w.Before, w.recent = newVersion(seen.Mode(), sums.Before), time.Since(seen.ModTime()) < coarsestTime
	return w, op.After == nil || !w.Before.sameContent(w.After) || !sameMode(w.Before.Mode, w.After.Mode)
}

// newMode never keeps setuid and setgid: the content may come from a reply, and must not run with the rights of another
// user.
func (w *write) newMode(op Op) fs.FileMode {
	perm := op.After.Mode.Perm()
	switch {
	case op.After.isLink():
		return fs.ModeSymlink
	case w.replacesFile() && (perm == 0 || perm == op.Before.Mode.Perm()):
		return w.seen.Mode() &^ (fs.ModeSetuid | fs.ModeSetgid)
	case perm == 0:
		return newFileMode
	}
	return perm
}

// replacesFile reports whether the op replaces or deletes a regular file.
func (w *write) replacesFile() bool { return w.seen != nil && w.seen.Mode().IsRegular() }

// findLikes finds the old file of each new file: the file that it replaces, or the file that was moved to its path. A
// deletion, and a creation with the same content and rights, count as a move even if `moved` does not name them.
func findLikes(writes []write, moved map[string]string) {
	gone := map[string][]*write{} // key: the hash of the content
	goneFrom := map[string]*write{}
	for i := range writes {
		if w := &writes[i]; w.replacesFile() && w.After == nil {
			gone[w.Before.SHA256] = append(gone[w.Before.SHA256], w)
			goneFrom[w.Path] = w
		}
	}
	for i := range writes {
		switch w := &writes[i]; {
		case w.After == nil || !w.After.Mode.IsRegular():
		case w.replacesFile():
			w.like = w
		case w.seen == nil && goneFrom[moved[w.Path]] != nil:
			w.like = goneFrom[moved[w.Path]]
		case w.seen == nil:
			if old := gone[w.After.SHA256]; len(old) == 1 && old[0].seen.Mode() == w.After.Mode {
				w.like = old[0]
			}
		}
	}
}

// nameStaged chooses names that do not contain the name of the file itself, which may already be as long as the system
// permits.
func (w *write) nameStaged(prefix string) {
	if w.After != nil {
		w.Temp = prefix + ".new"
	}
	if w.Before != nil {
		w.Backup = prefix + ".old"
	}
}

// A version identifies the type, content and mode of a file.
type version struct {
	SHA256 string      `json:"sha256"` // the hash of the content; for a link, of the target
	Mode   fs.FileMode `json:"mode"`   // for a link, only the type
}

func newVersion(mode fs.FileMode, sum [sha256.Size]byte) *version {
	if mode.Type() == fs.ModeSymlink {
		mode = fs.ModeSymlink
	}
	return &version{SHA256: hex.EncodeToString(sum[:]), Mode: mode}
}

// sameContent compares the types and contents of two versions, but not their permissions.
func (v *version) sameContent(o *version) bool {
	return v.SHA256 == o.SHA256 && v.Mode.Type() == o.Mode.Type()
}
